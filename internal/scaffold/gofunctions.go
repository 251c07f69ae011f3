package scaffold

import (
	"go/ast"
	"go/types"
	"strings"
)

// Function is an exported function that validates objects and returns field errors.
type Function struct {
	Source, Name string
	// Type is the Go type of the object, without its package.
	Type string
}

// errorFunction returns a function that takes objects of one type and returns a field.ErrorList.
func errorFunction(d *ast.FuncDecl) (f Function, is bool) {
	results := d.Type.Results
	if !ast.IsExported(d.Name.Name) || d.Type.TypeParams != nil || results == nil || len(results.List) != 1 || types.ExprString(results.List[0].Type) != "field.ErrorList" {
		return f, false
	}
	object := ""
	if d.Recv != nil {
		receiver, generic := receiverType(d.Recv.List[0].Type)
		if generic {
			return f, false
		}
		object = receiver
	}
	for _, parameter := range d.Type.Params.List {
		text := types.ExprString(parameter.Type)
		pointed, isPointer := strings.CutPrefix(text, "*")
		switch {
		case text == "context.Context", text == "*field.Path":
		case isPointer && (object == "" || object == pointed): // the object, or the old one
			object = pointed
		default:
			return f, false
		}
	}
	f.Name, f.Type = d.Name.Name, object[strings.LastIndex(object, ".")+1:]
	return f, ast.IsExported(f.Type)
}
