package read

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// handledObject returns the type of the object that a handler of admission requests decodes, and nil for other functions.
func (p *Program) handledObject(f *types.Func, source *function) types.Type {
	if f.Name() != "Handle" || requestOf(f) < 0 {
		return nil
	}
	for node := range ast.Preorder(source.declared.Body) {
		call, ok := node.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			continue
		}
		name := ""
		if selector, ok := call.Fun.(*ast.SelectorExpr); ok {
			name = selector.Sel.Name
		}
		if t := source.in.TypesInfo.TypeOf(call.Args[1]); (name == "Decode" || name == "DecodeRaw" || name == "Unmarshal") && isObject(t) {
			return t
		}
	}
	return nil
}

// requestOf returns the parameter of a function that is an admission request; -1: there is none.
func requestOf(f *types.Func) int {
	for i := range f.Signature().Params().Len() {
		if types.TypeString(f.Signature().Params().At(i).Type(), nil) == admissionPackage+".Request" {
			return i
		}
	}
	return -1
}

// request returns an admission request of which the operation is known, and the sender is that of the variable request.
func (r *reading) request(root Root, t types.Type) value {
	unread := r.unreadAt(root.Func.Pos(), "what an admission request has beside objects")
	operation := known{constant.MakeString(root.Operation), types.Typ[types.String]}
	embedded := t.Underlying().(*types.Struct).Field(0)
	inner := &made{embedded.Type(), map[string]value{"Operation": operation}, unread}
	for field := range structOf(embedded.Type()).Fields() {
		if field.Name() == "UserInfo" {
			inner.fields[field.Name()] = place{expr: celexpr.Field(celexpr.Name("request"), "userInfo"), typ: field.Type(), has: yes}
		}
	}
	return &made{t, map[string]value{embedded.Name(): inner}, unread}
}

// addHandlerModels adds the models of functions that decode the objects of requests, and of responses without an error.
func addHandlerModels() {
	for _, name := range []string{
		"(" + admissionPackage + ".Decoder).Decode", "(" + admissionPackage + ".Decoder).DecodeRaw",
		"(*" + admissionPackage + ".Decoder).Decode", "(*" + admissionPackage + ".Decoder).DecodeRaw", "encoding/json.Unmarshal",
	} {
		models[name] = decoded
	}
	for _, name := range []string{"Allowed", "Patched", "PatchResponseFromRaw"} {
		models[admissionPackage+"."+name] = func(*call) value { return failures{} }
	}
	models["("+admissionPackage+".Response).WithWarnings"] = func(c *call) value { return c.of }
	models[admissionPackage+".ValidationResponse"] = func(c *call) value {
		return c.fail(c.s, Site{Pos: c.at(c.expr.Pos()), Type: "Denied", Text: shown(c.args[1])}, not(c.condition(c.args[0])))
	}
}

// decoded is the model of functions that decode the object of a request, or the one before. Objects that cannot be decoded
// are no objects of the type.
func decoded(c *call) value {
	into := ast.Unparen(c.expr.Args[1])
	t := c.info.TypeOf(into)
	if of, ok := into.(*ast.UnaryExpr); ok {
		into = of.X
	}
	if _, isName := into.(*ast.Ident); !isName || requestOf(c.root.Func) < 0 || !isObject(t) {
		return nil
	}
	name := "self"
	for node := range ast.Preorder(c.expr.Args[0]) {
		if selector, ok := node.(*ast.SelectorExpr); ok && selector.Sel.Name == "OldObject" {
			name = "oldSelf"
		}
	}
	c.assign(c.s, into, place{expr: celexpr.Name(name), typ: t, has: yes})
	return nothing{}
}
