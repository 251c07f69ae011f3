package celexpr

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// Reading is what an expression looks at: the fields that it names and its constants.
type Reading struct {
	// Paths are fields below self (or object). The step "[*]" is any item or entry. The empty path is self.
	Paths [][]string
	// Literals are its texts, numbers and booleans, and its patterns, as Pattern.
	Literals []any
	// Compared has the literals that a path is compared with, by the path joined with dots.
	Compared map[string][]any
	// Transition is true if it also looks at the old object.
	Transition bool
	// Params reports whether it reads the parameters of a policy.
	Params bool
}

// Pattern is a literal that texts are matched with.
type Pattern string

// Read reads an expression about self, oldSelf, object or oldObject. Variables are the expressions of "variables.name".
func Read(e Expr, variables map[string]Expr) Reading {
	root := [][]string{{}}
	r := reader{variables: variables, names: map[string][][]string{"self": root, "oldSelf": root, "object": root, "oldObject": root}}
	r.read(e, 0)
	return r.Reading
}

// reader reads one expression.
type reader struct {
	Reading
	variables map[string]Expr
	// names are the paths of the names in scope. The items of lists that are joined have several.
	names map[string][][]string
}

// maxVariables bounds how deep variables may use variables.
const maxVariables = 16

// read records the paths and literals of a part of the expression.
func (r *reader) read(e Expr, depth int) {
	if depth > maxVariables {
		return
	}
	if e.AsIdent() == "self" && !contains(r.Paths, nil) {
		r.Paths = append(r.Paths, nil) // the value of the rule itself
	}
	if paths := r.paths(e, depth); len(paths) > 0 {
		r.addPaths(paths)
		if e.Kind() != ast.CallKind || e.AsCall().IsMemberFunction() && len(e.AsCall().Args()) == 0 {
			return
		}
	}
	if variable := r.variable(e); variable != nil {
		r.read(variable, depth+1)
		return
	}
	switch e.Kind() {
	case ast.IdentKind:
		r.Params = r.Params || e.AsIdent() == "params"
	case ast.LiteralKind:
		switch value := ValueOf(e).(type) {
		case string, float64, bool, int64:
			r.addLiteral(value)
		}
	case ast.CallKind:
		if name := e.AsCall().FunctionName(); name == operators.OptSelect || name == operators.OptIndex {
			if within := e.AsCall().Args()[0]; within.Kind() != ast.IdentKind {
				r.read(within, depth)
			}
			return
		}
		r.call(e, depth)
	case ast.SelectKind, ast.ListKind, ast.MapKind:
		for _, part := range PartsOf(e) {
			r.read(part, depth)
		}
	}
}

func (r *reader) addLiteral(value any) {
	if !slices.Contains(r.Literals, value) {
		r.Literals = append(r.Literals, value)
	}
}

// compare records the literals that paths, or their size or another function of them, are compared with.
func (r *reader) compare(a, b Expr, depth int) {
	values := []Expr{b}
	if b.Kind() == ast.ListKind {
		values = b.AsList().Elements()
	}
	for _, path := range r.subjects(a, depth) {
		name := strings.Join(path, ".")
		for _, value := range values {
			if value.Kind() == ast.LiteralKind {
				if r.Compared == nil {
					r.Compared = map[string][]any{}
				}
				r.Compared[name] = append(r.Compared[name], ValueOf(value))
			}
		}
	}
}

// subjects returns the paths that an expression is, or that the innermost function in it is called with.
func (r *reader) subjects(e Expr, depth int) [][]string {
	for {
		if paths := r.paths(e, depth); len(paths) > 0 {
			return paths
		}
		switch call := e.AsCall(); {
		case call.IsMemberFunction():
			e = call.Target()
		case len(call.Args()) == 1:
			e = call.Args()[0]
		default:
			return nil
		}
	}
}

// call reads a call. Macros bind a name to the items of their target.
func (r *reader) call(e Expr, depth int) {
	call := e.AsCall()
	args := call.Args()
	switch call.FunctionName() {
	case operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals,
		operators.In:
		r.compare(args[0], args[1], depth)
		r.compare(args[1], args[0], depth)
	}
	if call.IsMemberFunction() {
		r.read(call.Target(), depth)
		if loop, is := LoopOf(e); is && loop.Over == call.Target() {
			for i, name := range loop.Names {
				paths := r.items(call.Target(), depth)
				if i < len(loop.Names)-1 {
					paths = nil // an index or a key
				}
				defer r.bind(name, paths)()
			}
			args = loop.Body
		}
		if call.FunctionName() == "matches" && len(args) == 1 {
			if pattern, isText := TextOf(args[0]); isText {
				r.addLiteral(Pattern(pattern))
				return
			}
		}
	}
	for _, arg := range args {
		r.read(arg, depth)
	}
}

// bind gives a name paths, and returns the function that ends its scope.
func (r *reader) bind(name string, paths [][]string) (end func()) {
	outer, shadowed := r.names[name]
	r.names[name] = paths
	return func() {
		if delete(r.names, name); shadowed {
			r.names[name] = outer
		}
	}
}

// items returns the paths of the items of a list or map: also of one that was filtered, mapped, or
// joined with another one.
func (r *reader) items(e Expr, depth int) [][]string {
	if depth > maxVariables {
		return nil
	}
	if variable := r.variable(e); variable != nil {
		return r.items(variable, depth+1)
	}
	call := e.AsCall()
	switch args := call.Args(); call.FunctionName() {
	case operators.Filter:
		return r.items(call.Target(), depth)
	case operators.Map:
		if args[0].Kind() != ast.IdentKind {
			return nil
		}
		defer r.bind(args[0].AsIdent(), r.items(call.Target(), depth))()
		return r.paths(args[len(args)-1], depth)
	case operators.Add:
		return union(r.items(args[0], depth), r.items(args[1], depth))
	case operators.Conditional:
		return union(r.items(args[1], depth), r.items(args[2], depth))
	}
	if e.Kind() == ast.ListKind { // such as [object, oldObject]
		var all [][]string
		for _, element := range e.AsList().Elements() {
			all = union(all, r.paths(element, depth))
		}
		return all
	}
	return below(r.paths(e, depth), "[*]")
}

// mostPaths bounds the paths of one expression.
const mostPaths = 8

// union returns the paths of both.
func union(some, others [][]string) [][]string {
	for _, path := range others {
		if len(some) < mostPaths && !contains(some, path) {
			some = append(slices.Clip(some), path)
		}
	}
	return some
}

func contains(paths [][]string, path []string) bool {
	return slices.ContainsFunc(paths, func(other []string) bool { return slices.Equal(other, path) })
}

// below returns the paths with one more step.
func below(paths [][]string, step string) [][]string {
	all := make([][]string, len(paths))
	for i, path := range paths {
		all[i] = append(slices.Clone(path), step)
	}
	return all
}

// variable returns the expression of "variables.name"; nil: the expression is none, or it is unknown.
func (r *reader) variable(e Expr) Expr {
	if path := PathOf(e); len(path) == 2 && path[0] == "variables" {
		return r.variables[path[1]]
	}
	return nil
}

// paths returns the paths of an expression that is a field of an object, or an item of it.
func (r *reader) paths(e Expr, depth int) [][]string {
	if depth > maxVariables {
		return nil
	}
	if variable := r.variable(e); variable != nil {
		return r.paths(variable, depth+1)
	}
	switch e.Kind() {
	case ast.IdentKind:
		r.Transition = r.Transition || e.AsIdent() == "oldSelf" || e.AsIdent() == "oldObject"
		return r.names[e.AsIdent()]
	case ast.SelectKind:
		return below(r.paths(e.AsSelect().Operand(), depth), Unescape(e.AsSelect().FieldName()))
	}
	// an index, an optional field, the value of one, or a choice
	call := e.AsCall()
	switch args := call.Args(); call.FunctionName() {
	case operators.Index, operators.OptIndex, operators.OptSelect:
		step := "[*]"
		if text, isText := TextOf(args[1]); isText {
			step = Unescape(text)
		}
		return below(r.paths(args[0], depth), step)
	case "orValue", "value", "optMap", "hasValue":
		if call.IsMemberFunction() {
			return r.paths(call.Target(), depth)
		}
	case operators.Conditional:
		return union(r.paths(args[1], depth), r.paths(args[2], depth))
	}
	return nil
}

// addPaths records paths. The paths above them say nothing about them.
func (r *reader) addPaths(paths [][]string) {
	for _, path := range paths {
		if len(path) > 0 && !contains(r.Paths, path) {
			r.Paths = append(r.Paths, path)
		}
	}
}
