package explore

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"k8s.io/apiserver/pkg/cel"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/openapi/celsyntax"
)

// ParseRule reads an expression about self, oldSelf, object or oldObject. Variables have the
// expressions of "variables.name". It returns false if the text is not CEL.
func ParseRule(text string, variables map[string]string) (Rule, bool) {
	parsed := map[string]ast.Expr{}
	for name, expression := range variables {
		if tree := celsyntax.Parse(expression); tree != nil {
			parsed[name] = tree.Expr()
		}
	}
	tree := celsyntax.Parse(text)
	if tree == nil {
		return Rule{}, false
	}
	return ReadRule(tree.Expr(), parsed), true
}

// ReadRule reads an expression that was parsed by celsyntax.
func ReadRule(expr ast.Expr, variables map[string]ast.Expr) Rule {
	root := [][]string{{}}
	r := ruleReader{variables: variables, names: map[string][][]string{"self": root, "oldSelf": root, "object": root, "oldObject": root}}
	r.read(expr, 0)
	return r.rule
}

// ruleReader reads one expression.
type ruleReader struct {
	rule      Rule
	variables map[string]ast.Expr
	// names are the paths of the names in scope. The items of lists that are joined have several.
	names map[string][][]string
}

// maxVariables bounds how deep variables may use variables.
const maxVariables = 16

// read records the paths and literals of a part of the expression.
func (r *ruleReader) read(e ast.Expr, depth int) {
	if depth > maxVariables {
		return
	}
	if e.Kind() == ast.IdentKind && e.AsIdent() == "self" && !contains(r.rule.Paths, nil) {
		r.rule.Paths = append(r.rule.Paths, nil) // the value of the rule itself
	}
	if paths := r.paths(e, depth); len(paths) > 0 {
		r.addPaths(paths)
		if e.Kind() != ast.CallKind || e.AsCall().IsMemberFunction() && len(e.AsCall().Args()) == 0 {
			return
		}
	}
	switch e.Kind() {
	case ast.IdentKind:
		r.rule.Params = r.rule.Params || e.AsIdent() == "params"
	case ast.SelectKind:
		if variable, is := r.variable(e); is {
			r.read(variable, depth+1)
			return
		}
		r.read(e.AsSelect().Operand(), depth)
	case ast.LiteralKind:
		switch value := e.AsLiteral().Value().(type) {
		case string, float64, bool, int64:
			if !slices.Contains(r.rule.Literals, any(value)) {
				r.rule.Literals = append(r.rule.Literals, value)
			}
		}
	case ast.CallKind:
		if name := e.AsCall().FunctionName(); name == "_?._" || name == "_[?_]" {
			if within := e.AsCall().Args()[0]; within.Kind() != ast.IdentKind {
				r.read(within, depth)
			}
			return
		}
		r.call(e.AsCall(), depth)
	case ast.ListKind:
		for _, element := range e.AsList().Elements() {
			r.read(element, depth)
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			r.read(entry.AsMapEntry().Key(), depth)
			r.read(entry.AsMapEntry().Value(), depth)
		}
	}
}

// compare records the literals that paths, or their size or another function of them, are compared with.
func (r *ruleReader) compare(a, b ast.Expr, depth int) {
	values := []ast.Expr{b}
	if b.Kind() == ast.ListKind {
		values = b.AsList().Elements()
	}
	for _, path := range r.subjects(a, depth) {
		name := strings.Join(path, ".")
		for _, value := range values {
			if value.Kind() == ast.LiteralKind {
				if r.rule.Compared == nil {
					r.rule.Compared = map[string][]any{}
				}
				r.rule.Compared[name] = append(r.rule.Compared[name], value.AsLiteral().Value())
			}
		}
	}
}

// subjects returns the paths that an expression is, or that the innermost function in it is called with.
func (r *ruleReader) subjects(e ast.Expr, depth int) [][]string {
	for {
		if paths := r.paths(e, depth); len(paths) > 0 {
			return paths
		}
		if e.Kind() != ast.CallKind {
			return nil
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
func (r *ruleReader) call(call ast.CallExpr, depth int) {
	args := call.Args()
	switch call.FunctionName() {
	case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "@in":
		r.compare(args[0], args[1], depth)
		r.compare(args[1], args[0], depth)
	}
	if call.FunctionName() == "matches" && call.IsMemberFunction() && len(args) == 1 {
		r.matches(call.Target(), args[0], depth)
		return
	}
	if call.IsMemberFunction() {
		r.read(call.Target(), depth)
		if len(args) > 1 && args[0].Kind() == ast.IdentKind {
			defer r.bind(args[0].AsIdent(), r.items(call.Target(), depth))()
			args = args[1:]
		}
	}
	for _, arg := range args {
		r.read(arg, depth)
	}
}

// matches reads a match with a pattern: a text that has it is a literal, and the pattern is none.
func (r *ruleReader) matches(of, pattern ast.Expr, depth int) {
	r.read(of, depth)
	text, isText := literalText(pattern)
	if !isText {
		r.read(pattern, depth)
		return
	}
	made, _ := generate.Value(generate.Seeded(0), &props{Type: "string", Pattern: text}, generate.ObjectOptions{Values: 1}).(string)
	if made != "" && !slices.Contains(r.rule.Literals, any(made)) {
		r.rule.Literals = append(r.rule.Literals, made)
	}
}

// bind gives a name paths, and returns the function that ends its scope.
func (r *ruleReader) bind(name string, paths [][]string) (end func()) {
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
func (r *ruleReader) items(e ast.Expr, depth int) [][]string {
	if depth > maxVariables {
		return nil
	}
	if variable, is := r.variable(e); is {
		return r.items(variable, depth+1)
	}
	switch e.Kind() {
	case ast.CallKind:
		call := e.AsCall()
		args := call.Args()
		switch call.FunctionName() {
		case "filter":
			return r.items(call.Target(), depth)
		case "map":
			if args[0].Kind() != ast.IdentKind {
				return nil
			}
			defer r.bind(args[0].AsIdent(), r.items(call.Target(), depth))()
			return r.paths(args[len(args)-1], depth)
		case "_+_":
			return union(r.items(args[0], depth), r.items(args[1], depth))
		case "_?_:_":
			return union(r.items(args[1], depth), r.items(args[2], depth))
		}
	case ast.ListKind: // such as [object, oldObject]
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

// variable returns the expression of "variables.name".
func (r *ruleReader) variable(e ast.Expr) (ast.Expr, bool) {
	if e.Kind() != ast.SelectKind {
		return nil, false
	}
	of := e.AsSelect()
	if of.Operand().Kind() != ast.IdentKind || of.Operand().AsIdent() != "variables" {
		return nil, false
	}
	variable, known := r.variables[of.FieldName()]
	return variable, known
}

// paths returns the paths of an expression that is a field of an object, or an item of it.
func (r *ruleReader) paths(e ast.Expr, depth int) [][]string {
	if depth > maxVariables {
		return nil
	}
	switch e.Kind() {
	case ast.IdentKind:
		r.rule.Transition = r.rule.Transition || e.AsIdent() == "oldSelf" || e.AsIdent() == "oldObject"
		return r.names[e.AsIdent()]
	case ast.SelectKind:
		if variable, is := r.variable(e); is {
			return r.paths(variable, depth+1)
		}
		return below(r.paths(e.AsSelect().Operand(), depth), plain(e.AsSelect().FieldName()))
	case ast.CallKind:
		return r.pathsOfCall(e.AsCall(), depth)
	}
	return nil
}

// pathsOfCall returns the paths of an index, an optional field, the value of one, or a choice.
func (r *ruleReader) pathsOfCall(call ast.CallExpr, depth int) [][]string {
	switch call.FunctionName() {
	case "_[_]", "_[?_]", "_?._":
		step := "[*]"
		if text, isText := literalText(call.Args()[1]); isText {
			step = plain(text)
		}
		return below(r.paths(call.Args()[0], depth), step)
	case "orValue", "value", "optMap", "hasValue":
		return r.paths(call.Target(), depth)
	case "_?_:_":
		return union(r.paths(call.Args()[1], depth), r.paths(call.Args()[2], depth))
	}
	return nil
}

func plain(name string) string {
	if unescaped, ok := cel.Unescape(name); ok {
		return unescaped
	}
	return name
}

func literalText(e ast.Expr) (string, bool) {
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	text, isText := e.AsLiteral().Value().(string)
	return text, isText
}

// addPaths records paths. The paths above them say nothing about them.
func (r *ruleReader) addPaths(paths [][]string) {
	for _, path := range paths {
		if len(path) > 0 && !contains(r.rule.Paths, path) {
			r.rule.Paths = append(r.rule.Paths, path)
		}
	}
}
