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

// kind says why a function is a validator.
type kind uint8

const (
	// noValidator is any other function.
	noValidator kind = iota
	// fieldErrors gives a field.ErrorList or a *field.Error.
	fieldErrors
	// custom is a method of a CustomValidator of controller-runtime.
	custom
	// handler takes an admission request and gives a response.
	handler
	// server takes an HTTP request and writes a response. The recorder records admission
	// reviews alone.
	server
)

// imports are the packages that a file imports, by the names it has for them.
type imports map[string]string

// importsOf reads the imports of a file. The name of a package that the import does not
// rename is taken from its path, less a version such as v2.
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

// named gives the package and the name of a type, without pointers: "" is the package of the
// file. Empty names are types without a name.
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

// kindOf says what kind of validator a function is. The aliases are the names that its
// package has for field.ErrorList.
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
		case name == "Response" && path == admissionPackage, strings.HasPrefix(path, reviewPackage) && (name == "AdmissionResponse" || name == "AdmissionReview"):
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

// element is the element type of a slice, and any other type itself.
func element(expr ast.Expr) ast.Expr {
	if list, ok := expr.(*ast.ArrayType); ok && list.Len == nil {
		return list.Elt
	}
	return expr
}

// takesRequest says that a parameter is an admission request or review.
func (i imports) takesRequest(f *ast.FuncDecl) bool {
	for _, parameter := range f.Type.Params.List {
		path, name := i.named(parameter.Type)
		if path == admissionPackage && name == "Request" || strings.HasPrefix(path, reviewPackage) && (name == "AdmissionRequest" || name == "AdmissionReview") {
			return true
		}
	}
	return false
}

// otherErrors gives the type of a result with errors of validation that other libraries have,
// such as *apis.FieldError of knative. Nil: there is none. A Go error alone says nothing about
// fields.
func (i imports) otherErrors(f *ast.FuncDecl) ast.Expr {
	if f.Type.Results == nil {
		return nil
	}
	for _, result := range f.Type.Results.List {
		if _, name := i.named(element(result.Type)); strings.Contains(name, "Error") {
			return result.Type
		}
	}
	return nil
}

// serves gives the parameters of a handler of HTTP requests: its writer and its request. Nil:
// it has none.
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

// isCustom says that a method is one of admission.CustomValidator, admission.Validator or
// the older webhook.Validator, by its name and its last result.
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

// takesObject says that a parameter or the receiver may be an object: a pointer, an
// interface, or a type parameter. Only its value shows whether it is one.
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

// mayBeObject is false for types that surely are no objects.
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

// basic are predeclared types that are no objects.
var basic = map[string]bool{
	"string": true, "bool": true, "error": true, "byte": true, "rune": true, "uintptr": true,
	"int": true, "int8": true, "int16": true, "int32": true, "int64": true,
	"uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true,
	"float32": true, "float64": true, "complex64": true, "complex128": true,
}
