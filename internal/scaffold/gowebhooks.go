package scaffold

import (
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strings"
)

// runtimePackage has the interface of all objects.
const runtimePackage = "k8s.io/apimachinery/pkg/runtime"

// isWebhook reports whether a function is a method of one of the validator interfaces of controller-runtime, which stands for
// all that a webhook does.
func (f *Function) isWebhook() bool {
	return (f.Name == "ValidateCreate" || f.Name == "ValidateUpdate") && f.Returns != FieldErrors
}

// setsDefaults reports whether a function sets defaults.
func (f *Function) setsDefaults() bool { return f.Returns == Setter || f.Returns == FailingSetter }

// takesObject reports whether a method of an interface of controller-runtime takes the object, as CustomValidator, Validator[T]
// and CustomDefaulter do. The receiver of the older interfaces is the object.
func takesObject(d *ast.FuncDecl) bool {
	objects := 0
	for _, parameter := range fieldsOfList(d.Type.Params) {
		if of := types.ExprString(parameter.Type); of != "context.Context" && of != "*field.Path" {
			objects++
		}
	}
	return objects == map[string]int{"ValidateCreate": 1, "ValidateUpdate": 2, "Default": 1}[d.Name.Name] && objects > 0
}

// assertedType returns the first type to whose pointer a function asserts a value, and the path of its package.
func assertedType(body *ast.BlockStmt, pkg string, imports map[string]string) (name, from string) {
	ast.Inspect(body, func(node ast.Node) bool {
		assertion, is := node.(*ast.TypeAssertExpr)
		if !is || assertion.Type == nil || name != "" {
			return true
		}
		of, isPointer := strings.CutPrefix(types.ExprString(assertion.Type), "*")
		qualifier, base, qualified := strings.Cut(of, ".")
		switch {
		case !isPointer:
		case !qualified:
			name, from = of, pkg
		case imports[qualifier] != "":
			name, from = base, imports[qualifier]
		}
		return true
	})
	return name, from
}

// finishFunctions sets the fields of receivers, and the types of methods that pass their object on, which are those of other
// methods of their receiver. It removes methods whose type is unknown.
func (g *goSource) finishFunctions() {
	p := g.project
	for i := range p.Functions {
		f := &p.Functions[i]
		if of := g.packages[path.Dir(f.Source)]; f.Receiver != "" && of != nil {
			f.addFields(of.structs[f.Receiver])
		}
		for _, other := range p.Functions {
			if f.Type == "" && other.Import == f.Import && other.Receiver == f.Receiver {
				f.Type, f.TypeImport = other.Type, other.TypeImport
			}
		}
	}
	p.Functions = slices.DeleteFunc(p.Functions, func(f Function) bool { return f.Type == "" })
}

// goStruct is a struct of a package, with the imports of its file.
type goStruct struct {
	fields  *ast.FieldList
	imports map[string]string
}

// addFields adds the fields of the receiver of a method.
func (f *Function) addFields(of goStruct) {
	for _, field := range fieldsOfList(of.fields) {
		text := types.ExprString(field.Type)
		pkg, base, _ := strings.Cut(text, ".")
		name := field.Names[0].Name
		if name == "_" { // it is embedded
			name = text[strings.LastIndexByte(text, '.')+1:]
		}
		isClient := of.imports[pkg] == controllerRuntime+"/pkg/client" && (base == "Client" || base == "Reader")
		if isClient && ast.IsExported(name) {
			f.Clients = append(f.Clients, name)
		} else {
			f.Fields = append(f.Fields, name)
		}
	}
}

// openFields lists receivers with fields whose methods the program of the functions calls.
func (plan *Plan) openFields() {
	said := map[string]bool{}
	for _, s := range plan.Suites {
		if s.Then == nil || s.Then.Kind == "" {
			continue
		}
		v := plan.validator(s.Definition)
		for _, f := range slices.Concat(v.All(), v.Defaults) {
			if len(f.Fields) > 0 && !said[f.Import+f.Receiver] {
				said[f.Import+f.Receiver] = true
				plan.open("%s: nothing here registers %s, so %s calls it with zero fields (%s): set those that it needs there", f.Source,
					f.Receiver, path.Join(plan.Folder, FunctionsFolder, "main.go"), strings.Join(f.Fields, ", "))
			}
		}
	}
}
