package explore

import (
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"
	"k8s.io/apiserver/pkg/cel"
)

// Rule is what a CEL expression looks at: the fields that it names and its constants.
type Rule struct {
	// Paths are fields below self (or object). The step "[*]" is any item or entry.
	Paths [][]string
	// Literals are its texts, numbers and booleans.
	Literals []any
	// Compared has the literals that a path is compared with, by the path joined with dots.
	Compared map[string][]any
	// Transition is true if it also looks at the old object.
	Transition bool
}

// ParseRule reads an expression about self, oldSelf, object or oldObject. Variables have the
// expressions of "variables.name". It returns false if the text is not CEL.
func ParseRule(text string, variables map[string]string) (Rule, bool) {
	r := ruleReader{variables: map[string]ast.Expr{}, names: map[string][]string{"self": {}, "oldSelf": {}, "object": {}, "oldObject": {}}}
	for name, expression := range variables {
		if tree := parsed(expression); tree != nil {
			r.variables[name] = tree.Expr()
		}
	}
	tree := parsed(text)
	if tree == nil {
		return Rule{}, false
	}
	r.read(tree.Expr(), 0)
	return r.rule, true
}

var celParser = sync.OnceValues(func() (*parser.Parser, error) { return parser.NewParser(parser.EnableOptionalSyntax(true)) })

// parsed returns the tree of an expression without expanded macros; nil: it is not CEL.
func parsed(text string) *ast.AST {
	p, err := celParser()
	if err != nil {
		return nil
	}
	tree, errs := p.Parse(common.NewTextSource(text))
	if len(errs.GetErrors()) > 0 {
		return nil
	}
	return tree
}

// ruleReader reads one expression.
type ruleReader struct {
	rule      Rule
	variables map[string]ast.Expr
	// names are the paths of the names in scope.
	names map[string][]string
}

// maxVariables bounds how deep variables may use variables.
const maxVariables = 16

// read records the paths and literals of a part of the expression.
func (r *ruleReader) read(e ast.Expr, depth int) {
	if depth > maxVariables {
		return
	}
	if path, is := r.path(e, depth); is {
		r.addPath(path)
		if e.Kind() != ast.CallKind || e.AsCall().IsMemberFunction() && len(e.AsCall().Args()) == 0 {
			return
		}
	}
	switch e.Kind() {
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

// compare records the literals that a path, or its size or another function of it, is compared with.
func (r *ruleReader) compare(a, b ast.Expr, depth int) {
	path, is := r.subject(a, depth)
	if !is {
		return
	}
	values := []ast.Expr{b}
	if b.Kind() == ast.ListKind {
		values = b.AsList().Elements()
	}
	for _, value := range values {
		if value.Kind() == ast.LiteralKind {
			if r.rule.Compared == nil {
				r.rule.Compared = map[string][]any{}
			}
			name := strings.Join(path, ".")
			r.rule.Compared[name] = append(r.rule.Compared[name], value.AsLiteral().Value())
		}
	}
}

// subject returns the path that an expression is, or that the innermost function in it is called with.
func (r *ruleReader) subject(e ast.Expr, depth int) ([]string, bool) {
	for {
		if path, is := r.path(e, depth); is {
			return path, true
		}
		if e.Kind() != ast.CallKind {
			return nil, false
		}
		switch call := e.AsCall(); {
		case call.IsMemberFunction():
			e = call.Target()
		case len(call.Args()) == 1:
			e = call.Args()[0]
		default:
			return nil, false
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
	if call.IsMemberFunction() {
		r.read(call.Target(), depth)
		if len(args) > 1 && args[0].Kind() == ast.IdentKind {
			if items, is := r.items(call.Target(), depth); is {
				defer r.bind(args[0].AsIdent(), items)()
			}
			args = args[1:]
		}
	}
	for _, arg := range args {
		r.read(arg, depth)
	}
}

// bind gives a name a path, and returns the function that ends its scope.
func (r *ruleReader) bind(name string, path []string) (end func()) {
	outer, shadowed := r.names[name]
	r.names[name] = path
	return func() {
		if delete(r.names, name); shadowed {
			r.names[name] = outer
		}
	}
}

// items returns the path of the items of a list or map: also of one that was filtered, mapped, or
// joined with another one.
func (r *ruleReader) items(e ast.Expr, depth int) ([]string, bool) {
	if depth > maxVariables {
		return nil, false
	}
	if variable, is := r.variable(e); is {
		return r.items(variable, depth+1)
	}
	if e.Kind() == ast.CallKind {
		call := e.AsCall()
		args := call.Args()
		switch call.FunctionName() {
		case "filter":
			return r.items(call.Target(), depth)
		case "map":
			items, is := r.items(call.Target(), depth)
			if !is || args[0].Kind() != ast.IdentKind {
				return nil, false
			}
			defer r.bind(args[0].AsIdent(), items)()
			return r.path(args[len(args)-1], depth)
		case "_+_":
			return r.items(args[0], depth)
		case "_?_:_":
			return r.items(args[1], depth)
		}
	}
	path, is := r.path(e, depth)
	return append(slices.Clone(path), "[*]"), is
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

// path returns the path of an expression that is a field of an object, or an item of it.
func (r *ruleReader) path(e ast.Expr, depth int) ([]string, bool) {
	if depth > maxVariables {
		return nil, false
	}
	switch e.Kind() {
	case ast.IdentKind:
		path, known := r.names[e.AsIdent()]
		if name := e.AsIdent(); name == "oldSelf" || name == "oldObject" {
			r.rule.Transition = true
		}
		return path, known
	case ast.SelectKind:
		if variable, is := r.variable(e); is {
			return r.path(variable, depth+1)
		}
		within, is := r.path(e.AsSelect().Operand(), depth)
		return append(slices.Clone(within), plain(e.AsSelect().FieldName())), is
	case ast.CallKind:
		return r.pathOfCall(e.AsCall(), depth)
	}
	return nil, false
}

// pathOfCall returns the path of an index, an optional field, or the value of one.
func (r *ruleReader) pathOfCall(call ast.CallExpr, depth int) ([]string, bool) {
	switch call.FunctionName() {
	case "_[_]", "_[?_]", "_?._":
		within, is := r.path(call.Args()[0], depth)
		step := "[*]"
		if text, isText := literalText(call.Args()[1]); isText {
			step = plain(text)
		}
		return append(slices.Clone(within), step), is
	case "orValue", "value", "optMap", "hasValue":
		return r.path(call.Target(), depth)
	}
	return nil, false
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

// addPath records a path. The paths above it say nothing about it. The path of self is empty.
func (r *ruleReader) addPath(path []string) {
	if !slices.ContainsFunc(r.rule.Paths, func(other []string) bool { return slices.Equal(other, path) }) {
		r.rule.Paths = append(r.rule.Paths, path)
	}
}
