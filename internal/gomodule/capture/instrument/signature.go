package instrument

import (
	"go/ast"
	"strings"
)

// Import paths of the types that make a function a validator.
const (
	fieldPackage     = "k8s.io/apimachinery/pkg/util/validation/field"
	contextPackage   = "context"
	admissionPackage = "sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	reviewPackage    = "k8s.io/api/admission/"
)

// kind is the reason why a function is a validator.
type kind uint8

const (
	// noValidator is any other function.
	noValidator kind = iota
	// fieldErrors is a function that returns a field.ErrorList or a *field.Error.
	fieldErrors
	// custom is a method of a CustomValidator of controller-runtime.
	custom
	// handler is a function that takes an admission request and returns a response.
	handler
	// server is an HTTP handler. The recorder records only admission reviews.
	server
	// adapted is a function whose results an adapter of the recorder turns into errors. It is recorded if the
	// caller names it.
	adapted
)

// imports are the packages that a file imports, by their names in the file.
type imports map[string]string

// importsOf returns the imports of a file. If an import has no name, the name is the last element of
// its path, without a version such as v2.
func importsOf(file *ast.File) imports {
	found := imports{}
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, "`\"")
		name := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		found[name] = path
	}
	return found
}

// named returns the package and the name of a type, without pointers. The package of the file is "".
// The name is empty for a type without a name.
func (i imports) named(expr ast.Expr) (path, name string) {
	switch t := expr.(type) {
	case *ast.StarExpr:
		return i.named(t.X)
	case *ast.ParenExpr:
		return i.named(t.X)
	case *ast.IndexExpr:
		return i.named(t.X)
	case *ast.IndexListExpr:
		return i.named(t.X)
	case *ast.Ident:
		if path, dotted := i["."]; dotted && path == fieldPackage {
			return path, t.Name
		}
		return "", t.Name
	case *ast.SelectorExpr:
		if x, ok := t.X.(*ast.Ident); ok {
			return i[x.Name], t.Sel.Name
		}
	}
	return "", ""
}

// kindOf returns the kind of a function. The aliases are the names that its package has for
// field.ErrorList.
func (i imports) kindOf(f *ast.FuncDecl, aliases map[string]bool) kind {
	if f.Type.Params == nil {
		return noValidator
	}
	if writer, request := i.serves(f.Type); writer != nil && request != nil {
		return server
	}
	if f.Type.Results == nil {
		return noValidator
	}
	results := f.Type.Results.List
	for _, result := range results {
		path, name := i.named(element(result.Type))
		_, pointer := element(result.Type).(*ast.StarExpr)
		switch {
		case path == fieldPackage && (name == "ErrorList" || name == "Error" && pointer), path == "" && aliases[name]:
			return fieldErrors
		case name == "Response" && path == admissionPackage, strings.HasPrefix(path, reviewPackage) &&
			(name == "AdmissionResponse" || name == "AdmissionReview"):
			if i.takesRequest(f) {
				return handler
			}
		}
	}
	if i.isCustom(f) {
		return custom
	}
	return noValidator
}

// element returns the element type of a slice, or the type itself.
func element(expr ast.Expr) ast.Expr {
	if list, ok := expr.(*ast.ArrayType); ok && list.Len == nil {
		return list.Elt
	}
	return expr
}

// takesRequest reports whether a parameter is an admission request or review.
func (i imports) takesRequest(f *ast.FuncDecl) bool {
	for _, parameter := range f.Type.Params.List {
		path, name := i.named(parameter.Type)
		if path == admissionPackage && name == "Request" || strings.HasPrefix(path, reviewPackage) &&
			(name == "AdmissionRequest" || name == "AdmissionReview") {
			return true
		}
	}
	return false
}

// serves returns the parameters of an HTTP handler: its writer and its request. They are nil for
// other functions.
func (i imports) serves(f *ast.FuncType) (writer, request *ast.Field) {
	for _, parameter := range f.Params.List {
		path, name := i.named(parameter.Type)
		_, pointer := parameter.Type.(*ast.StarExpr)
		switch {
		case path != "net/http" || len(parameter.Names) > 1:
		case name == "ResponseWriter" && !pointer:
			writer = parameter
		case name == "Request" && pointer:
			request = parameter
		}
	}
	return writer, request
}

// isCustom reports whether a method belongs to admission.CustomValidator, admission.Validator or the
// older webhook.Validator, by its name and its last result.
func (i imports) isCustom(f *ast.FuncDecl) bool {
	results := f.Type.Results.List
	last, isName := results[len(results)-1].Type.(*ast.Ident)
	switch f.Name.Name {
	case "ValidateCreate", "ValidateUpdate", "ValidateDelete":
		return f.Recv != nil && isName && last.Name == "error"
	}
	return false
}

// aliasesIn adds the names that a file has for field.ErrorList.
func aliasesIn(file *ast.File, aliases map[string]bool) {
	names := importsOf(file)
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			if typ, ok := spec.(*ast.TypeSpec); ok {
				if path, name := names.named(typ.Type); path == fieldPackage && name == "ErrorList" {
					aliases[typ.Name.Name] = true
				}
			}
		}
	}
}

// takesObject reports whether a parameter or the receiver may be an object: a pointer, an interface,
// or a type parameter. Only its value shows whether it is one.
func (i imports) takesObject(f *ast.FuncDecl) bool {
	for _, parameter := range f.Type.Params.List {
		if path, name := i.named(parameter.Type); path == contextPackage && name == "Context" {
			continue
		}
		if i.mayBeObject(parameter.Type) {
			return true
		}
	}
	return f.Recv != nil && i.mayBeObject(f.Recv.List[0].Type) && ast.IsExported(f.Name.Name)
}

// mayBeObject reports whether values of a type may be objects.
func (i imports) mayBeObject(expr ast.Expr) bool {
	switch t := expr.(type) {
	case *ast.StarExpr:
		path, name := i.named(t.X)
		return name != "" && (path != fieldPackage || name != "Path") && !strings.HasPrefix(path, reviewPackage)
	case *ast.Ident:
		return !basic[t.Name]
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

// basic are the predeclared types, which are not objects.
var basic = map[string]bool{
	"string": true, "bool": true, "error": true, "byte": true, "rune": true, "uintptr": true,
	"int": true, "int8": true, "int16": true, "int32": true, "int64": true,
	"uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true,
	"float32": true, "float64": true, "complex64": true, "complex128": true,
}
