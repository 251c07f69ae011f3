package read

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// libraries are packages of validators that are read like those of the program.
var libraries = []string{
	"k8s.io/apimachinery/pkg/api/meta",
	"k8s.io/apimachinery/pkg/api/validate/content",
	"k8s.io/apimachinery/pkg/api/validation",
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation",
	"k8s.io/apimachinery/pkg/util/validation",
}

// Program is source that was loaded.
type Program struct {
	packages  map[*types.Package]*packages.Package
	files     *token.FileSet
	paths     map[string]string // the import paths of files
	functions map[*types.Func]*function
	// assigned has the variables that statements change, or whose address they take.
	assigned map[types.Object]bool
	initial  map[types.Object]initial
	gates    map[string]gate
	// keys are the fields that are different for all items of a list, by the field of the list.
	keys map[*types.Var]string
	// mutations are what functions change of their arguments, as far as it was asked.
	mutations map[*types.Func][]mutation
	// named are the packages of the patterns; those of a program are all that it imports of its module.
	named []*packages.Package
}

// function is a function with its body.
type function struct {
	declared *ast.FuncDecl
	in       *packages.Package
}

// initial is the first value of a variable of a package.
type initial struct {
	expr ast.Expr
	in   *packages.Package
}

// Load reads packages and what they import of their modules. The patterns are those of the go command, which runs in
// the directory.
func Load(ctx context.Context, directory string, patterns ...string) (*Program, error) {
	config := &packages.Config{
		Context: ctx,
		Dir:     directory,
		Mode:    packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
	}
	listed, err := packages.Load(config, withStrategies(patterns)...)
	if err != nil {
		return nil, fmt.Errorf("the go command cannot list the packages: %w", err)
	}
	listed = withoutStorage(listed)
	config.Mode = packages.LoadSyntax | packages.NeedModule
	loaded, err := packages.Load(config, followed(listed)...)
	if err != nil {
		return nil, fmt.Errorf("the go command cannot load the packages: %w", err)
	}
	p := &Program{
		packages:  map[*types.Package]*packages.Package{},
		paths:     map[string]string{},
		functions: map[*types.Func]*function{},
		assigned:  map[types.Object]bool{},
		initial:   map[types.Object]initial{},
		gates:     map[string]gate{},
		keys:      map[*types.Var]string{},
		mutations: map[*types.Func][]mutation{},
	}
	var errs []error
	for _, one := range loaded {
		isNamed := slices.ContainsFunc(listed, func(l *packages.Package) bool {
			return l.PkgPath == one.PkgPath || l.Name == "main" && l.Module != nil && one.Module != nil && l.Module.Path == one.Module.Path
		})
		if isNamed {
			p.named = append(p.named, one)
			errs = append(errs, mistakesOf(one)...)
		}
		p.add(one)
	}
	if len(p.named) == 0 {
		errs = append(errs, fmt.Errorf("the go command finds no package of %q from the directory %s", patterns, directory))
	}
	return p, errors.Join(errs...)
}

// mistakesOf returns what is wrong in a package. The go command and the type checker say the same: the one with a line
// is kept.
func mistakesOf(one *packages.Package) (errs []error) {
	hasLine := slices.ContainsFunc(one.Errors, func(err packages.Error) bool { return len(err.Pos) > 1 })
	for _, err := range one.Errors {
		if len(err.Pos) > 1 {
			errs = append(errs, fmt.Errorf("%s: %s", err.Pos, err.Msg))
		} else if !hasLine {
			errs = append(errs, fmt.Errorf("package %s: %s", one.PkgPath, err.Msg))
		}
	}
	return errs
}

// followed returns the packages whose source is read: those that are listed, what they import of the same modules, and
// the libraries.
func followed(listed []*packages.Package) []string {
	modules := map[string]bool{}
	for _, one := range listed {
		if one.Module != nil {
			modules[one.Module.Path] = true
		}
	}
	var paths []string
	packages.Visit(listed, nil, func(one *packages.Package) {
		ofModule := one.Module != nil && modules[one.Module.Path]
		if slices.Contains(listed, one) || ofModule || slices.Contains(libraries, one.PkgPath) {
			paths = append(paths, one.PkgPath)
		}
	})
	return paths
}

// add notes the functions and variables of a package.
func (p *Program) add(one *packages.Package) {
	p.packages[one.Types] = one
	p.files = one.Fset
	for _, file := range one.CompiledGoFiles {
		p.paths[file] = one.PkgPath
	}
	for _, file := range one.Syntax {
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if f, ok := one.TypesInfo.Defs[d.Name].(*types.Func); ok && d.Body != nil {
					p.functions[f] = &function{d, one}
				}
			case *ast.GenDecl:
				p.addVariables(one, d)
			}
		}
		for node := range ast.Preorder(file) {
			switch x := node.(type) {
			case *ast.AssignStmt:
				for _, to := range x.Lhs {
					p.assigned[changed(one.TypesInfo, to)] = true
				}
			case *ast.IncDecStmt:
				p.assigned[changed(one.TypesInfo, x.X)] = true
			case *ast.UnaryExpr:
				if x.Op == token.AND {
					p.assigned[changed(one.TypesInfo, x.X)] = true
				}
			case *ast.CompositeLit:
				p.addGates(one.TypesInfo, x)
			case *ast.Field:
				p.addKey(one.TypesInfo, x)
			}
		}
	}
}

// addKey notes the key of a list whose markers say that it is of type map.
func (p *Program) addKey(info *types.Info, field *ast.Field) {
	isMap, key := false, ""
	if field.Doc == nil || len(field.Names) != 1 {
		return
	}
	for _, line := range field.Doc.List {
		marker := strings.TrimSpace(strings.TrimPrefix(line.Text, "//"))
		isMap = isMap || marker == "+listType=map"
		if name, ok := strings.CutPrefix(marker, "+listMapKey="); ok {
			key += name // several keys are no field
		}
	}
	if of, ok := info.Defs[field.Names[0]].(*types.Var); ok && isMap {
		p.keys[of] = strings.Trim(key, "\"`")
	}
}

// addVariables notes the first values of variables of a package.
func (p *Program) addVariables(one *packages.Package, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		values, ok := spec.(*ast.ValueSpec)
		if !ok || len(values.Values) != len(values.Names) {
			continue
		}
		for i, name := range values.Names {
			p.initial[one.TypesInfo.Defs[name]] = initial{values.Values[i], one}
		}
	}
}

// variable returns the variable of a name or of a selection in a package; nil: the expression is neither.
func variable(info *types.Info, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.ObjectOf(e)
	case *ast.SelectorExpr:
		if of, ok := e.X.(*ast.Ident); ok {
			if _, isPackage := info.Uses[of].(*types.PkgName); isPackage {
				return info.Uses[e.Sel]
			}
		}
	}
	return nil
}

// changed returns the variable that a change of an expression changes: of an entry or a field, that which has it.
func changed(info *types.Info, e ast.Expr) types.Object {
	for {
		if of := variable(info, e); of != nil {
			return of
		}
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// isTest reports whether a file is one of tests.
func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }
