package instrument

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Package is a package whose files are rewritten.
type Package struct {
	// Path is its import path.
	Path string
	// Recorder is the import path of package recorder, as the package can import it.
	Recorder string
	// Wanted reports whether to instrument a function, named "import/path.Function" or
	// "import/path.Type.Method".
	Wanted func(name string, exported bool) bool
	// Exact reports whether the caller wrote the whole name of a function. It is optional.
	Exact func(name string) bool
	// Parts is true if the caller names functions: then any struct may be an object, and functions with other
	// results are recorded by an adapter.
	// Nested is true if calls inside recorded calls are recorded, too.
	Parts, Nested bool
	// aliases are the names that the package has for field.ErrorList.
	aliases map[string]bool
}

// Refusal is a function that is not instrumented, with the reason.
type Refusal struct{ Function, Reason string }

// Result is a rewritten file.
type Result struct {
	// Source is nil if nothing was instrumented.
	Source    []byte
	Functions []Function
	// Refused are wanted functions that cannot be instrumented. Near are those that would be if the caller
	// named them.
	Refused, Near []Refusal
}

// Function is an instrumented function.
type Function struct {
	// Name is "import/path.Function" or "import/path.Type.Method".
	Name string
	// Callable is true if other packages can use the function by its name: it is exported and
	// has no type parameters.
	Callable bool
	// Parameters are the names of the parameters. Old is true if the old object precedes the
	// new one.
	Parameters []string
	Old        bool
	// Errors is the type of the results that an adapter reads; empty: they are field errors, or those of a
	// webhook.
	Errors string
}

// recorderName is the name of package recorder in rewritten files.
const recorderName = "diffrunrecorder"

// insertion is a text to insert into a source.
type insertion struct {
	at   int
	text string
}

// rewriter rewrites one file.
type rewriter struct {
	of         *Package
	set        *token.FileSet
	file       *ast.File
	source     []byte
	imports    imports
	insertions []insertion
	// appended follows the last line.
	appended strings.Builder
	result   Result
}

// Aliases reads a file of the package for its names for field.ErrorList. Call it for all files before
// File. It returns syntax errors.
func (p *Package) Aliases(name string, source []byte) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if p.aliases == nil {
		p.aliases = map[string]bool{}
	}
	aliasesIn(file, p.aliases)
	return nil
}

// File instruments a file without tests. It returns syntax errors.
func (p *Package) File(name string, source []byte) (Result, error) {
	r, err := p.rewriter(name, source)
	if err != nil {
		return Result{}, err
	}
	for _, declaration := range r.file.Decls {
		if f, ok := declaration.(*ast.FuncDecl); ok {
			r.function(f)
		}
	}
	return r.finish(), nil
}

// Test makes the tests of a file tell their names to the recorder. It returns syntax errors.
func (p *Package) Test(name string, source []byte) (Result, error) {
	r, err := p.rewriter(name, source)
	if err != nil {
		return Result{}, err
	}
	ast.Inspect(r.file, func(node ast.Node) bool {
		switch f := node.(type) {
		case *ast.FuncDecl:
			r.test(f.Type, f.Body)
		case *ast.FuncLit:
			r.test(f.Type, f.Body)
		}
		return true
	})
	return r.finish(), nil
}

func (p *Package) rewriter(name string, source []byte) (*rewriter, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &rewriter{of: p, set: set, file: file, source: source, imports: importsOf(file)}, nil
}

// offset returns the offset of a position in the source.
func (r *rewriter) offset(at token.Pos) int { return r.set.PositionFor(at, false).Offset }

func (r *rewriter) insert(at token.Pos, format string, args ...any) {
	r.insertions = append(r.insertions, insertion{r.offset(at), fmt.Sprintf(format, args...)})
}

// text returns the source of a node.
func (r *rewriter) text(node ast.Node) string {
	return string(r.source[r.offset(node.Pos()):r.offset(node.End())])
}

// test inserts a call of recorder.Test at the beginning of a function with a *testing.T.
func (r *rewriter) test(f *ast.FuncType, body *ast.BlockStmt) {
	if body == nil {
		return
	}
	for _, parameter := range f.Params.List {
		path, name := r.imports.named(parameter.Type)
		if path != "testing" || !slices.Contains([]string{"T", "B", "F", "TB"}, name) || len(parameter.Names) != 1 ||
			parameter.Names[0].Name == "_" {
			continue
		}
		r.insert(body.Lbrace+1, " %s.Test(%s);", recorderName, parameter.Names[0].Name)
		return
	}
}

// finish applies the insertions.
func (r *rewriter) finish() Result {
	if len(r.insertions) == 0 {
		return r.result
	}
	r.insert(r.file.Name.End(), "; import %s %q", recorderName, r.of.Recorder)
	slices.SortStableFunc(r.insertions, func(a, b insertion) int { return cmp.Compare(a.at, b.at) })
	var out []byte
	last := 0
	for _, i := range r.insertions {
		out = append(append(out, r.source[last:i.at]...), i.text...)
		last = i.at
	}
	out = append(out, r.source[last:]...)
	r.result.Source = append(out, r.appended.String()...)
	return r.result
}
