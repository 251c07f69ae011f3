package errorsites

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// fieldPackage has the constructors.
const fieldPackage = "k8s.io/apimachinery/pkg/util/validation/field"

// Find returns the sites of packages by file and line. The patterns are those of the go command, which
// runs in the directory. It returns an error if none of the packages has a site.
func Find(ctx context.Context, directory string, patterns []string) ([]Site, error) {
	f, err := load(&packages.Config{Context: ctx, Dir: directory}, patterns)
	if err != nil {
		return nil, err
	}
	f.find()
	if len(f.found) == 0 {
		return nil, fmt.Errorf("no package of %q makes a field.Error", patterns)
	}
	return f.sites(), nil
}

// finder looks for sites in packages.
type finder struct {
	loaded   []*packages.Package
	packages map[*types.Package]*packages.Package
	// allErrors: errors of every type are looked for, not only those of package field.
	allErrors bool
	// made are the functions of the packages that return the error of one call, with that call.
	made     map[*types.Func]ast.Expr
	declared map[*types.Func]*ast.FuncDecl
	// called are the functions in made that the packages call.
	called map[*types.Func]bool
	found  []foundSite
	// initial are the initial values of the variables of packages.
	initial map[*packages.Package]map[*types.Var]ast.Expr
}

// foundSite is a site with its expression.
type foundSite struct {
	Site
	expr ast.Expr
	in   *packages.Package
	// within has the function; nil: the site is outside functions.
	within *ast.FuncDecl
}

// load reads the source of packages.
func load(config *packages.Config, patterns []string) (*finder, error) {
	config.Mode = packages.LoadSyntax | packages.NeedModule
	loaded, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, fmt.Errorf("the go command cannot list the packages: %w", err)
	}
	if len(loaded) == 0 {
		return nil, fmt.Errorf("the go command finds no package of %q from the directory %s; name packages of its module", patterns,
			config.Dir)
	}
	var errs []error
	f := &finder{
		loaded:   loaded,
		made:     map[*types.Func]ast.Expr{},
		declared: map[*types.Func]*ast.FuncDecl{},
		packages: map[*types.Package]*packages.Package{},
		called:   map[*types.Func]bool{},
		initial:  map[*packages.Package]map[*types.Var]ast.Expr{},
	}
	for _, p := range loaded {
		for _, err := range p.Errors {
			errs = append(errs, fmt.Errorf("package %s: %w", p.PkgPath, err))
		}
		f.packages[p.Types] = p
	}
	return f, errors.Join(errs...)
}

// find finds the sites of the packages.
func (f *finder) find() {
	f.findMakers(f.loaded)
	for _, p := range f.loaded {
		f.findSites(p)
	}
	slices.SortStableFunc(f.found, func(a, b foundSite) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	f.name()
}

// sites returns the sites that were found.
func (f *finder) sites() []Site {
	all := make([]Site, len(f.found))
	for i := range f.found {
		all[i] = f.found[i].Site
	}
	return all
}

// isError reports whether a type is *field.Error.
func isError(t types.Type) bool {
	pointer, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(pointer.Elem()).(*types.Named)
	return ok && named.Obj().Name() == "Error" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == fieldPackage
}

// returnsError reports whether a function returns one *field.Error and nothing else.
func returnsError(function *types.Func) bool {
	results := function.Signature().Results()
	return results.Len() == 1 && isError(results.At(0).Type())
}

// isConstructor reports whether a function is a constructor of package field.
func isConstructor(function *types.Func) bool {
	return function.Pkg() != nil && function.Pkg().Path() == fieldPackage && function.Signature().Recv() == nil && returnsError(function)
}

// callee returns the function that an expression calls, without its type arguments. It returns nil if
// the expression is not a call, or the function is not known.
func callee(info *types.Info, e ast.Expr) *types.Func {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	function, _ := typeutil.Callee(info, call).(*types.Func)
	if function != nil {
		function = function.Origin()
	}
	return function
}

// literal returns an expression that is a literal of field.Error, or nil.
func literal(info *types.Info, e ast.Expr) *ast.CompositeLit {
	made, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	if t := info.TypeOf(made); t == nil || !isError(types.NewPointer(t)) {
		return nil
	}
	return made
}

// findMakers finds the functions that return the error of a call. A call of such a function makes an
// error itself.
func (f *finder) findMakers(loaded []*packages.Package) {
	for more := true; more; {
		more = false
		for _, p := range loaded {
			for declared := range functionsOf(p) {
				function, _ := p.TypesInfo.Defs[declared.Name].(*types.Func)
				if function == nil || f.made[function] != nil || !returnsError(function) {
					continue
				}
				if made := f.returned(p.TypesInfo, declared); made != nil {
					f.made[function], f.declared[function], more = made, declared, true
				}
			}
		}
	}
	for _, p := range loaded {
		for function := range calledBy(p) {
			f.called[function] = f.called[function] || f.made[function] != nil
		}
	}
}

// returned returns the only call whose error a function returns, or nil if there is none or several.
func (f *finder) returned(info *types.Info, declared *ast.FuncDecl) ast.Expr {
	var made []ast.Expr
	other := false
	ast.Inspect(declared.Body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(node.Results) != 1 {
				other = true
				return false
			}
			result := ast.Unparen(node.Results[0])
			if found := f.making(info, result); found != nil {
				made = append(made, found)
			} else if !info.Types[result].IsNil() {
				other = true
			}
		}
		return true
	})
	if len(made) != 1 || other {
		return nil
	}
	return made[0]
}

// making returns the call or literal that makes the error of an expression, or nil. Methods such as
// WithOrigin may change the error afterwards.
func (f *finder) making(info *types.Info, e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if address, ok := e.(*ast.UnaryExpr); ok {
		e = address.X
	}
	if made := literal(info, e); made != nil {
		return made
	}
	function := callee(info, e)
	if function == nil {
		return nil
	}
	if isConstructor(function) || f.made[function] != nil {
		return e
	}
	if selector, ok := ast.Unparen(e.(*ast.CallExpr).Fun).(*ast.SelectorExpr); ok && returnsError(function) &&
		function.Signature().Recv() != nil {
		return f.making(info, selector.X)
	}
	return nil
}

// findSites adds the sites of a package. If the packages call a function that returns the error of a
// call, those calls are sites instead of the call inside.
func (f *finder) findSites(p *packages.Package) {
	replaced := map[ast.Expr]bool{}
	for function, made := range f.made {
		replaced[made] = f.called[function]
	}
	for i, file := range p.Syntax {
		name := p.PkgPath + "/" + filepath.Base(p.CompiledGoFiles[i])
		for _, declaration := range file.Decls {
			declared, _ := declaration.(*ast.FuncDecl)
			ast.Inspect(declaration, func(node ast.Node) bool {
				e, ok := node.(ast.Expr)
				if !ok || replaced[e] {
					return true
				}
				if _, paren := e.(*ast.ParenExpr); paren || !f.makes(scope{info: p.TypesInfo, declared: declared}, e) {
					return true
				}
				at := p.Fset.Position(e.Pos())
				site := Site{
					Package:  p.PkgPath,
					File:     name,
					Line:     at.Line,
					Column:   at.Column,
					Function: functionName(declared),
					Call:     callName(p.TypesInfo, e),
				}
				site.pattern = f.patternOf(scope{info: p.TypesInfo, declared: declared}, e)
				site.Constants = f.constantsOf(p, declared, e)
				f.found = append(f.found, foundSite{site, e, p, declared})
				return true
			})
		}
	}
}

// makes reports whether an expression makes an error.
func (f *finder) makes(in scope, e ast.Expr) bool {
	info := in.info
	function := callee(info, e)
	switch {
	case function != nil && (isConstructor(function) || f.made[function] != nil):
		return true
	case literal(info, e) != nil:
		return true
	}
	return f.allErrors && f.makesOther(info, e, function) && !f.gathers(in, e, function)
}

// callName returns the name of a called function, or that of the type of a literal.
func callName(info *types.Info, e ast.Expr) string {
	if function := callee(info, e); function != nil {
		return function.Name()
	}
	if named, ok := types.Unalias(info.TypeOf(e)).(*types.Named); ok {
		return named.Obj().Name()
	}
	return "Error"
}

// name sets the names of all sites.
func (f *finder) name() {
	taken := map[string]int{}
	for i := range f.found {
		s := &f.found[i].Site
		name := s.Call
		if s.Function != "" {
			name = s.Function + ": " + name
		}
		if said := s.pattern.String(); said != "" {
			name += " " + said
		}
		taken[s.Package+" "+name]++
		if n := taken[s.Package+" "+name]; n > 1 {
			name += " #" + strconv.Itoa(n)
		}
		s.Name = name
	}
}
