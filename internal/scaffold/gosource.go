package scaffold

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Setup is an exported function or method that registers webhooks with a manager of controller-runtime.
type Setup struct {
	Source string
	// Import is the path of the package.
	Import string
	// Receiver is the type of a method; empty for a function.
	Receiver, Name string
	// Kinds are the Go types of the objects, such as "batchv1.CronJob", as far as they are written there.
	Kinds []string
	// Parameters are the types of the parameters beside the manager and the context.
	Parameters []string
}

// Scheme is a function that adds types to a scheme.
type Scheme struct{ Import, Name string }

// goSource reads the Go files of a module by their syntax alone, which needs no build.
type goSource struct {
	project  *Project
	files    *token.FileSet
	foreign  []string // folders of other modules
	packages map[string]*goPackage
	commands commands
}

// goPackage is the relevant content of a package.
type goPackage struct {
	folder, name string
	functions    []*goFunction
	schemes      []Scheme
	declares     bool // a function AddToScheme
	structs      map[string]goStruct
}

// goFunction is a function that takes a manager, or is called by one.
type goFunction struct {
	source         string
	receiver, name string
	takesManager   bool
	generic        bool
	registers      bool
	calls          []string
	kinds          []string
	parameters     []string // types, without manager and context
}

// fieldsOfList returns the parameters or results of a function, one for each name; "_" stands for none.
func fieldsOfList(list *ast.FieldList) (all []*ast.Field) {
	if list == nil {
		return nil
	}
	for _, one := range list.List {
		names := one.Names
		if len(names) == 0 {
			names = []*ast.Ident{{Name: "_"}}
		}
		for _, name := range names {
			all = append(all, &ast.Field{Names: []*ast.Ident{name}, Type: one.Type})
		}
	}
	return all
}

func newGoSource(p *Project) *goSource {
	return &goSource{project: p, files: token.NewFileSet(), packages: map[string]*goPackage{}, commands: commands{}}
}

// goWords are texts; every relevant file has at least one of them.
var goWords = []string{
	"controller-runtime",
	"AddToScheme",
	"field.ErrorList",
	knativePackage,
	") Validate(",
	") Default(",
	") SetDefaults(",
	"ValidatingAdmissionPolicy",
	"+kubebuilder:webhook",
}

// read reads a file that is not a test.
func (g *goSource) read(name string, data []byte) {
	if g.project.Module == "" || g.isForeign(name) {
		return
	}
	g.commands.read(g.project.Module, name, data)
	if !slices.ContainsFunc(goWords, func(word string) bool {
		return bytes.Contains(data, []byte(word))
	}) {
		return
	}
	file, err := parser.ParseFile(g.files, name, data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		g.project.open("%s is not read: %v", name, err)
		return
	}
	of := g.packages[path.Dir(name)]
	if of == nil {
		of = &goPackage{folder: path.Dir(name), name: file.Name.Name, structs: map[string]goStruct{}}
		g.packages[of.folder] = of
	}
	imports := importsOf(file)
	for _, group := range file.Comments {
		for _, comment := range group.List {
			g.readMarker(name, comment.Text)
		}
	}
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			g.readFunction(of, d, imports)
		case *ast.GenDecl:
			of.declares = of.declares || declaresScheme(d)
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			if scheme, is := schemeCall(node, imports); is {
				of.schemes = append(of.schemes, scheme)
			}
		case *ast.TypeSpec:
			if fields, is := node.Type.(*ast.StructType); is {
				of.structs[node.Name.Name] = goStruct{fields.Fields, imports}
			}
		case *ast.CompositeLit:
			g.readPolicyLiteral(node, imports)
		}
		return true
	})
}

func (g *goSource) isForeign(name string) bool {
	return slices.ContainsFunc(g.foreign, func(folder string) bool { return strings.HasPrefix(name, folder) })
}

func (g *goSource) place(node ast.Node) string {
	at := g.files.Position(node.Pos())
	return fmt.Sprintf("%s:%d", at.Filename, at.Line)
}

// importsOf returns the paths of imports by the names that the file uses.
func importsOf(file *ast.File) map[string]string {
	all := map[string]string{}
	for _, spec := range file.Imports {
		at, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := importName(at)
		switch {
		case spec.Name != nil && spec.Name.Name == "_":
			name = "_ " + at // several may be in a file
		case spec.Name != nil:
			name = spec.Name.Name
		}
		all[name] = at
	}
	return all
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// importName guesses the name of a package from its path.
func importName(at string) string {
	base := path.Base(at)
	if slashes := strings.Count(at, "/"); majorVersion.MatchString(base) && base != "v1" && (slashes == 2 || slashes == 3) {
		// the major version of a module, such as k8s.io/klog/v2
		base = path.Base(path.Dir(at))
	}
	return strings.ReplaceAll(base, "-", "_")
}

func (g *goSource) readFunction(of *goPackage, d *ast.FuncDecl, imports map[string]string) {
	if d.Name.Name == "AddToScheme" && d.Recv == nil {
		of.declares = true
	}
	if d.Body == nil {
		return
	}
	f := &goFunction{source: g.place(d), name: d.Name.Name, generic: d.Type.TypeParams != nil}
	if d.Recv != nil {
		f.receiver, f.generic = receiverType(d.Recv.List[0].Type)
	}
	for _, parameter := range d.Type.Params.List {
		selector, _ := parameter.Type.(*ast.SelectorExpr)
		switch named := types.ExprString(parameter.Type); {
		case selector != nil && selector.Sel.Name == "Manager":
			f.takesManager = true
		case named != "context.Context":
			f.parameters = append(f.parameters, named)
		}
	}
	ast.Inspect(d.Body, func(node ast.Node) bool {
		call, is := node.(*ast.CallExpr)
		if !is {
			return true
		}
		name := calledName(call)
		f.calls = append(f.calls, name)
		switch {
		case name == "NewWebhookManagedBy" || name == "WebhookManagedBy" || name == "For":
			f.registers = f.registers || name != "For"
			f.kinds = append(f.kinds, kindsIn(call.Args, f.receiver)...)
		case name == "Register":
			f.registers = f.registers || onWebhookServer(call)
		}
		return true
	})
	of.functions = append(of.functions, f)
	if validator, is := errorFunction(d, path.Join(g.project.Module, of.folder), imports); is && of.name != "main" {
		validator.Source, validator.calls = f.source, f.calls
		g.project.Functions = append(g.project.Functions, validator)
	}
}

// receiverType returns the name of the type of a receiver, and whether it has parameters.
func receiverType(expr ast.Expr) (name string, generic bool) {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return receiverType(expr.X)
	case *ast.Ident:
		return expr.Name, false
	}
	return "", true
}

// calledName returns the name of a called function or method, without its package.
func calledName(call *ast.CallExpr) string {
	function := call.Fun
	if generic, is := function.(*ast.IndexExpr); is {
		function = generic.X
	}
	switch function := function.(type) {
	case *ast.Ident:
		return function.Name
	case *ast.SelectorExpr:
		return function.Sel.Name
	}
	return ""
}

// onWebhookServer reports whether Register is called on mgr.GetWebhookServer() or a variable called
// server.
func onWebhookServer(call *ast.CallExpr) bool {
	selector, is := call.Fun.(*ast.SelectorExpr)
	if !is || len(call.Args) != 2 {
		return false
	}
	switch on := selector.X.(type) {
	case *ast.CallExpr:
		return calledName(on) == "GetWebhookServer"
	case *ast.Ident:
		return strings.Contains(strings.ToLower(on.Name), "server")
	}
	return false
}

// kindsIn returns the types of arguments such as &batchv1.CronJob{}. receiver is the type of a method
// that passes itself.
func kindsIn(arguments []ast.Expr, receiver string) (kinds []string) {
	for _, argument := range arguments {
		switch expr := argument.(type) {
		case *ast.UnaryExpr:
			if literal, is := expr.X.(*ast.CompositeLit); is && literal.Type != nil {
				kinds = append(kinds, types.ExprString(literal.Type))
			}
		case *ast.Ident:
			if receiver != "" && len(expr.Name) <= 2 {
				kinds = append(kinds, receiver)
			}
		}
	}
	return kinds
}

// declaresScheme reports whether a declaration has the variable AddToScheme.
func declaresScheme(d *ast.GenDecl) bool {
	return slices.ContainsFunc(d.Specs, func(spec ast.Spec) bool {
		values, is := spec.(*ast.ValueSpec)
		return is && slices.ContainsFunc(values.Names, func(name *ast.Ident) bool { return name.Name == "AddToScheme" })
	})
}

// schemeCall returns the function of a call such as batchv1.AddToScheme(scheme).
func schemeCall(call *ast.CallExpr, imports map[string]string) (s Scheme, is bool) {
	selector, is := call.Fun.(*ast.SelectorExpr)
	if !is || len(call.Args) != 1 || selector.Sel.Name != "AddToScheme" && selector.Sel.Name != "Install" {
		return s, false
	}
	pkg, is := selector.X.(*ast.Ident)
	if !is || imports[pkg.Name] == "" {
		return s, false
	}
	return Scheme{imports[pkg.Name], selector.Sel.Name}, true
}
