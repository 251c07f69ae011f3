package idl

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/overlay"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// sources holds the parsed Go packages. Imported packages are parsed on first use. Nothing is
// type-checked: a schema needs only names and imports, and parsing all of Kubernetes' API takes
// less than two seconds.
type sources struct {
	dir    string // where the go command looks packages up
	fset   *token.FileSet
	roots  map[string]*loader.Package
	parsed map[string]*goPackage
}

// goPackage contains the declarations of one package.
type goPackage struct {
	path   string
	loaded *loader.Package
	types  map[string]*goType
	consts map[string]goConst
	// optional means that fields without a marker are optional.
	optional bool
	// root means that the package is one of the roots.
	root bool
}

// goType is a type declaration and its markers.
type goType struct {
	in     *goPackage
	file   *ast.File
	spec   *ast.TypeSpec
	lines  []marker.Line
	fields []*goField // of a struct, in the order of the source
}

// goField is a field of a struct and its markers.
type goField struct {
	goName    string // the type's name when embedded
	jsonName  string // "" when the field is inlined
	expr      ast.Expr
	at        strictyaml.Position
	omitEmpty bool
	asString  bool // `json:",string"`
	lines     []marker.Line
}

// name returns the name of the field in overlays and messages.
func (f *goField) name() string {
	if f.jsonName == "" {
		return f.goName
	}
	return f.jsonName
}

// goConst is a constant: its declared type, or "", and its value.
type goConst struct {
	typeName string
	value    ast.Expr
	file     *ast.File
	lines    []marker.Line
}

// loadRoots loads packages with the go command. It reports a missing folder itself, because
// controller-tools reports only the error of the system call.
func loadRoots(config *packages.Config, paths []string) ([]*loader.Package, error) {
	for _, path := range paths {
		folder := filepath.Join(config.Dir, filepath.FromSlash(strings.TrimSuffix(path, "...")))
		if info, err := os.Stat(folder); build.IsLocalImport(path) && (err != nil || !info.IsDir()) {
			return nil, fmt.Errorf("load Go packages %s: there is no folder %s", strings.Join(paths, ", "), folder)
		}
	}
	loaded, err := loader.LoadRootsWithConfig(config, paths...)
	if err != nil {
		return nil, fmt.Errorf("load Go packages %s: %w", strings.Join(paths, ", "), err)
	}
	return loaded, nil
}

// loadSources loads packages with the go command, run in dir.
func loadSources(dir string, paths []string) (*sources, error) {
	fset := token.NewFileSet()
	loaded, err := loadRoots(&packages.Config{Dir: dir, Fset: fset, Mode: packages.NeedModule}, paths)
	if err != nil {
		return nil, err
	}
	s := &sources{dir: dir, fset: fset, roots: map[string]*loader.Package{}, parsed: map[string]*goPackage{}}
	var mistakes strictyaml.Mistakes
	for _, root := range loaded {
		mistakes.Merge(root.PkgPath, packageErrors("load", root))
		s.roots[root.PkgPath] = root
	}
	return s, mistakes.Err()
}

// reached returns the overlays without the bundled ones about packages that no root imports,
// directly or not. They have no effect, and most of the time to generate the schema of a small
// module would be spent on parsing their rules.
func (s *sources) reached(all []*overlay.File) []*overlay.File {
	imported := map[string]bool{}
	var visit func(p *loader.Package)
	visit = func(p *loader.Package) {
		if imported[p.PkgPath] {
			return
		}
		imported[p.PkgPath] = true
		for _, each := range p.Imports() {
			visit(each)
		}
	}
	for _, root := range s.roots {
		visit(root)
	}
	return slices.DeleteFunc(slices.Clone(all), func(o *overlay.File) bool {
		return o.Bundled && len(o.Types) > 0 && !slices.ContainsFunc(slices.Collect(maps.Keys(imported)), o.AppliesTo)
	})
}

// position converts a position in the source.
func (s *sources) position(pos token.Pos) strictyaml.Position {
	at := s.fset.Position(pos)
	return strictyaml.Position{File: belowWorking(at.Filename), Line: at.Line, Column: at.Column}
}

// belowWorking names a file in or below the working directory as from there.
func belowWorking(file string) string {
	working, err := os.Getwd()
	if err != nil {
		return file
	}
	return filepath.ToSlash(strings.TrimPrefix(file, working+string(filepath.Separator)))
}

// root returns one of the requested packages.
func (s *sources) root(packagePath string) (*goPackage, error) {
	loaded, ok := s.roots[packagePath]
	if !ok {
		return nil, fmt.Errorf("package %s was not loaded", packagePath)
	}
	return s.parse(loaded)
}

func (s *sources) parse(loaded *loader.Package) (*goPackage, error) {
	if done, ok := s.parsed[loaded.PkgPath]; ok {
		return done, nil
	}
	loaded.NeedSyntax()
	if len(loaded.Errors) > 0 {
		return nil, packageErrors("parse", loaded)
	}
	p := &goPackage{path: loaded.PkgPath, loaded: loaded, types: map[string]*goType{}, consts: map[string]goConst{}}
	p.root = s.roots[p.path] != nil
	for _, file := range loaded.Syntax {
		s.parseFile(p, file)
		p.optional = p.optional || s.saysOptional(p, file)
	}
	s.parsed[p.path] = p
	return p, nil
}

// saysOptional reports whether kubebuilder's marker for all fields is above the package clause.
func (s *sources) saysOptional(p *goPackage, file *ast.File) bool {
	return s.aboveClause(p, file, "+kubebuilder:validation:Optional")
}

// clauseHas reports whether a marker is above a package clause of a package.
func (s *sources) clauseHas(p *goPackage, text string) bool {
	return slices.ContainsFunc(p.loaded.Syntax, func(file *ast.File) bool { return s.aboveClause(p, file, text) })
}

func (s *sources) aboveClause(p *goPackage, file *ast.File, text string) bool {
	comments := s.commentsOf(p, file)
	return slices.ContainsFunc(file.Comments, func(group *ast.CommentGroup) bool {
		return group.End() < file.Package && slices.ContainsFunc(comments.markersIn(group), func(each marker.Line) bool { return each.Text == text })
	})
}

func (s *sources) parseFile(p *goPackage, file *ast.File) {
	comments := s.commentsOf(p, file)
	end := file.Name.End()
	for _, decl := range file.Decls {
		if declared, ok := decl.(*ast.GenDecl); ok {
			switch declared.Tok {
			case token.TYPE:
				s.parseTypes(p, file, declared, comments, end)
			case token.CONST:
				p.addConsts(file, declared, comments, end)
			}
		}
		end = decl.End()
	}
}

func (s *sources) parseTypes(p *goPackage, file *ast.File, decl *ast.GenDecl, comments *comments, end token.Pos) {
	if decl.Lparen.IsValid() {
		end = decl.Lparen
	}
	for _, each := range decl.Specs {
		spec := each.(*ast.TypeSpec)
		start := spec.Pos()
		if !decl.Lparen.IsValid() {
			start = decl.Pos()
		}
		t := &goType{in: p, file: file, spec: spec, lines: comments.above(start, end)}
		if structType, ok := spec.Type.(*ast.StructType); ok {
			t.fields = s.parseFields(structType, comments)
		}
		p.types[spec.Name.Name] = t
		end = spec.End()
	}
}

// parseFields returns the fields that are part of the JSON.
func (s *sources) parseFields(of *ast.StructType, comments *comments) []*goField {
	var fields []*goField
	end := of.Fields.Opening
	for _, field := range of.Fields.List {
		lines := comments.above(field.Pos(), end)
		end = field.End()
		tag, options := jsonTag(field)
		if tag == "-" && len(options) == 0 {
			continue
		}
		names := field.Names
		if len(names) == 0 {
			names = []*ast.Ident{{Name: embeddedName(field.Type), NamePos: field.Pos()}}
		}
		for _, name := range names {
			if !name.IsExported() {
				continue
			}
			f := &goField{
				goName: name.Name, jsonName: tag, expr: field.Type, at: comments.position(name.Pos()), lines: lines,
				omitEmpty: slices.Contains(options, "omitempty") || slices.Contains(options, "omitzero"),
				asString:  slices.Contains(options, "string"),
			}
			if tag == "" && len(field.Names) > 0 {
				f.jsonName = name.Name
			}
			fields = append(fields, f)
		}
	}
	return fields
}

func jsonTag(field *ast.Field) (name string, options []string) {
	parts := strings.Split(loader.ParseAstTag(field.Tag).Get("json"), ",")
	return parts[0], parts[1:]
}

func embeddedName(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return embeddedName(expr.X)
	case *ast.SelectorExpr:
		return expr.Sel.Name
	case *ast.Ident:
		return expr.Name
	}
	return ""
}

func (p *goPackage) addConsts(file *ast.File, decl *ast.GenDecl, comments *comments, end token.Pos) {
	if decl.Lparen.IsValid() {
		end = decl.Lparen
	}
	for _, each := range decl.Specs {
		spec := each.(*ast.ValueSpec)
		start := spec.Pos()
		if !decl.Lparen.IsValid() {
			start = decl.Pos()
		}
		lines := comments.above(start, end)
		end = spec.End()
		for i, name := range spec.Names {
			if i >= len(spec.Values) {
				continue // iota's repetition: never text
			}
			typeName := ""
			if ident, ok := spec.Type.(*ast.Ident); ok {
				typeName = ident.Name
			} else if call, ok := spec.Values[i].(*ast.CallExpr); ok {
				if ident, ok := call.Fun.(*ast.Ident); ok {
					typeName = ident.Name
				}
			}
			p.consts[name.Name] = goConst{typeName: typeName, value: spec.Values[i], file: file, lines: lines}
		}
	}
}

// byPath returns a package by its import path: one that is loaded, one that a loaded package
// imports, or one that the go command finds.
func (s *sources) byPath(path string) (*goPackage, error) {
	if done, ok := s.parsed[path]; ok {
		return done, nil
	}
	for _, p := range slices.Sorted(maps.Keys(s.parsed)) {
		if imported := s.parsed[p].loaded.Imports()[path]; imported != nil {
			return s.parse(imported)
		}
	}
	found, err := loader.LoadRootsWithConfig(&packages.Config{Dir: s.dir, Fset: s.fset, Mode: packages.NeedModule}, path)
	if err != nil || len(found) != 1 || len(found[0].Errors) > 0 {
		return nil, fmt.Errorf("there is no package %s", path)
	}
	return s.parse(found[0])
}

// imported returns the package that a file imports under a name.
func (s *sources) imported(from *goPackage, file *ast.File, name string) (*goPackage, error) {
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		loaded := from.loaded.Imports()[importPath]
		if loaded == nil {
			continue
		}
		called := loaded.Name
		switch {
		case spec.Name != nil:
			called = spec.Name.Name
		case called == "": // the go command gave no name: the path's last element, as gofmt's tools assume
			called = path.Base(importPath)
		}
		if called == name {
			return s.parse(loaded)
		}
	}
	return nil, fmt.Errorf("package %s: no import is called %q", from.path, name)
}
