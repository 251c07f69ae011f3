package scaffold

import (
	"go/ast"
	"strings"
)

// Function is an exported function that validates objects and returns field errors.
type Function struct {
	Source          string
	Import, Package string
	Receiver, Name  string
	// Type is the Go type of the object, and TypeImport its package; empty for that of the function.
	Type, TypeImport string
	// Parameters has an entry for each: "context", "object", "old" or "path".
	Parameters []string
}

// errorFunction returns a function that takes objects and returns a field.ErrorList.
func errorFunction(d *ast.FuncDecl, imports map[string]string) (f Function, is bool) {
	results := d.Type.Results
	if !ast.IsExported(d.Name.Name) || d.Type.TypeParams != nil || results == nil || len(results.List) != 1 || !isSelector(results.List[0].Type, "field", "ErrorList") {
		return f, false
	}
	f.Name = d.Name.Name
	if d.Recv != nil {
		receiver, generic := receiverType(d.Recv.List[0].Type)
		if generic || !ast.IsExported(receiver) {
			return f, false
		}
		f.Receiver, f.Type = receiver, receiver
	}
	for _, parameter := range d.Type.Params.List {
		for range max(1, len(parameter.Names)) {
			switch pointer, isPointer := parameter.Type.(*ast.StarExpr); {
			case isSelector(parameter.Type, "context", "Context"):
				f.Parameters = append(f.Parameters, "context")
			case isSelector(pointerTo(pointer), "field", "Path"):
				f.Parameters = append(f.Parameters, "path")
			case isPointer && f.takes(pointer.X, imports):
			default:
				return f, false
			}
		}
	}
	return f, f.Type != ""
}

func pointerTo(pointer *ast.StarExpr) ast.Expr {
	if pointer == nil {
		return nil
	}
	return pointer.X
}

// takes adds a parameter with an object or the old object.
func (f *Function) takes(of ast.Expr, imports map[string]string) bool {
	name, from := "", ""
	switch of := of.(type) {
	case *ast.Ident:
		name = of.Name
	case *ast.SelectorExpr:
		if pkg, is := of.X.(*ast.Ident); is {
			name, from = of.Sel.Name, imports[pkg.Name]
		}
	}
	switch {
	case name == "" || !ast.IsExported(name):
		return false
	case f.Type == "":
		f.Type, f.TypeImport = name, from
		f.Parameters = append(f.Parameters, "object")
		return true
	case f.Type == name && f.TypeImport == from && strings.Count(strings.Join(f.Parameters, " "), "o") < 4:
		f.Parameters = append(f.Parameters, "old")
		return true
	}
	return false
}

func isSelector(expr ast.Expr, pkg, name string) bool {
	selector, is := expr.(*ast.SelectorExpr)
	if !is || selector.Sel.Name != name {
		return false
	}
	of, is := selector.X.(*ast.Ident)
	return is && of.Name == pkg
}
