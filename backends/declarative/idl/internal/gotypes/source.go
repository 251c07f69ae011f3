package gotypes

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
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// Sources holds the parsed Go packages. Imported packages are parsed on first use. Nothing is
// type-checked: a schema needs only names and imports, and parsing all of Kubernetes' API takes
// less than two seconds.
type Sources struct {
	dir    string // where the go command looks packages up
	fset   *token.FileSet
	Roots  map[string]*loader.Package
	Parsed map[string]*Package
}

// Package contains the declarations of one package.
type Package struct {
	Path   string
	Loaded *loader.Package
	Types  map[string]*Type
	Consts map[string]Const
	// Optional means that fields without a marker are optional.
	Optional bool
	// IsRoot means that the package is one of the roots.
	IsRoot bool
}

// Type is a type declaration and its markers.
type Type struct {
	Package *Package
	File    *ast.File
	Spec    *ast.TypeSpec
	Lines   []marker.Line
	Fields  []*Field // of a struct, in the order of the source
}

// Field is a field of a struct and its markers.
type Field struct {
	GoName    string // the type's name when embedded
	JSONName  string // "" when the field is inlined
	Expr      ast.Expr
	At        strictyaml.Position
	OmitEmpty bool
	AsString  bool // `json:",string"`
	Lines     []marker.Line
}

// Name returns the name of the field in overlays and messages.
func (f *Field) Name() string {
	if f.JSONName == "" {
		return f.GoName
	}
	return f.JSONName
}

// Const is a constant: its declared type, or "", and its value.
type Const struct {
	typeName string
	value    ast.Expr
	File     *ast.File
	Lines    []marker.Line
}

// LoadPackages loads packages with the go command. It reports a missing folder itself, because
// controller-tools reports only the error of the system call.
func LoadPackages(config *packages.Config, paths []string) ([]*loader.Package, error) {
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

// Load loads packages with the go command, run in dir.
func Load(dir string, paths []string) (*Sources, error) {
	fset := token.NewFileSet()
	loaded, err := LoadPackages(&packages.Config{Dir: dir, Fset: fset, Mode: packages.NeedModule}, paths)
	if err != nil {
		return nil, err
	}
	s := &Sources{dir: dir, fset: fset, Roots: map[string]*loader.Package{}, Parsed: map[string]*Package{}}
	var mistakes strictyaml.Mistakes
	for _, root := range loaded {
		mistakes.Merge(root.PkgPath, packageErrors("load", root))
		s.Roots[root.PkgPath] = root
	}
	return s, mistakes.Err()
}

// Reachable returns the paths of the roots and of all packages that they import, directly or not.
func (s *Sources) Reachable() map[string]bool {
	reached := map[string]bool{}
	var visit func(p *loader.Package)
	visit = func(p *loader.Package) {
		if reached[p.PkgPath] {
			return
		}
		reached[p.PkgPath] = true
		for _, each := range p.Imports() {
			visit(each)
		}
	}
	for _, root := range s.Roots {
		visit(root)
	}
	return reached
}

// Position converts a position in the source.
func (s *Sources) Position(pos token.Pos) strictyaml.Position {
	at := s.fset.Position(pos)
	return strictyaml.Position{File: belowWorking(at.Filename), Line: at.Line, Column: at.Column}
}

// belowWorking returns the name of a file relative to the working directory, if the file is in or
// below it.
func belowWorking(file string) string {
	working, err := os.Getwd()
	if err != nil {
		return file
	}
	return filepath.ToSlash(strings.TrimPrefix(file, working+string(filepath.Separator)))
}

// Root returns one of the requested packages.
func (s *Sources) Root(packagePath string) (*Package, error) {
	loaded, ok := s.Roots[packagePath]
	if !ok {
		return nil, fmt.Errorf("package %s was not loaded", packagePath)
	}
	return s.Parse(loaded)
}

func (s *Sources) Parse(loaded *loader.Package) (*Package, error) {
	if done, ok := s.Parsed[loaded.PkgPath]; ok {
		return done, nil
	}
	loaded.NeedSyntax()
	if len(loaded.Errors) > 0 {
		return nil, packageErrors("parse", loaded)
	}
	p := &Package{Path: loaded.PkgPath, Loaded: loaded, Types: map[string]*Type{}, Consts: map[string]Const{}}
	p.IsRoot = s.Roots[p.Path] != nil
	for _, file := range loaded.Syntax {
		s.parseFile(p, file)
		p.Optional = p.Optional || s.saysOptional(p, file)
	}
	s.Parsed[p.Path] = p
	return p, nil
}

// saysOptional reports whether kubebuilder's marker for all fields is above the package clause.
func (s *Sources) saysOptional(p *Package, file *ast.File) bool {
	return s.aboveClause(p, file, "+kubebuilder:validation:Optional")
}

// ClauseHas reports whether a marker is above a package clause of a package.
func (s *Sources) ClauseHas(p *Package, text string) bool {
	return slices.ContainsFunc(p.Loaded.Syntax, func(file *ast.File) bool { return s.aboveClause(p, file, text) })
}

func (s *Sources) aboveClause(p *Package, file *ast.File, text string) bool {
	comments := s.CommentsOf(p, file)
	return slices.ContainsFunc(file.Comments, func(group *ast.CommentGroup) bool {
		return group.End() < file.Package && slices.ContainsFunc(comments.MarkersIn(group), func(each marker.Line) bool {
			return each.Text == text
		})
	})
}

func (s *Sources) parseFile(p *Package, file *ast.File) {
	comments := s.CommentsOf(p, file)
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

func (s *Sources) parseTypes(p *Package, file *ast.File, decl *ast.GenDecl, comments *Comments, end token.Pos) {
	if decl.Lparen.IsValid() {
		end = decl.Lparen
	}
	for _, each := range decl.Specs {
		spec := each.(*ast.TypeSpec)
		start := spec.Pos()
		if !decl.Lparen.IsValid() {
			start = decl.Pos()
		}
		t := &Type{Package: p, File: file, Spec: spec, Lines: comments.above(start, end)}
		if structType, ok := spec.Type.(*ast.StructType); ok {
			t.Fields = s.ParseFields(structType, comments)
		}
		p.Types[spec.Name.Name] = t
		end = spec.End()
	}
}

// ParseFields returns the fields that are part of the JSON.
func (s *Sources) ParseFields(of *ast.StructType, comments *Comments) []*Field {
	var fields []*Field
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
			names = []*ast.Ident{{Name: ReadType(field.Type).Name, NamePos: field.Pos()}}
		}
		for _, name := range names {
			if !name.IsExported() {
				continue
			}
			f := &Field{
				GoName: name.Name, JSONName: tag, Expr: field.Type, At: comments.Position(name.Pos()), Lines: lines,
				OmitEmpty: slices.Contains(options, "omitempty") || slices.Contains(options, "omitzero"),
				AsString:  slices.Contains(options, "string"),
			}
			if tag == "" && len(field.Names) > 0 {
				f.JSONName = name.Name
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

func (p *Package) addConsts(file *ast.File, decl *ast.GenDecl, comments *Comments, end token.Pos) {
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
			p.Consts[name.Name] = Const{typeName: typeName, value: spec.Values[i], File: file, Lines: lines}
		}
	}
}

// byPath returns a package by its import path: one that is loaded, one that a loaded package
// imports, or one that the go command finds.
func (s *Sources) byPath(path string) (*Package, error) {
	if done, ok := s.Parsed[path]; ok {
		return done, nil
	}
	for _, p := range slices.Sorted(maps.Keys(s.Parsed)) {
		if imported := s.Parsed[p].Loaded.Imports()[path]; imported != nil {
			return s.Parse(imported)
		}
	}
	found, err := loader.LoadRootsWithConfig(&packages.Config{Dir: s.dir, Fset: s.fset, Mode: packages.NeedModule}, path)
	if err != nil || len(found) != 1 || len(found[0].Errors) > 0 {
		return nil, fmt.Errorf("there is no package %s", path)
	}
	return s.Parse(found[0])
}

// Imported returns the package that a file imports under a name.
func (s *Sources) Imported(from *Package, file *ast.File, name string) (*Package, error) {
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		loaded := from.Loaded.Imports()[importPath]
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
			return s.Parse(loaded)
		}
	}
	return nil, fmt.Errorf("package %s: no import is called %q", from.Path, name)
}
