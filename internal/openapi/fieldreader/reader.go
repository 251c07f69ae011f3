package fieldreader

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Present is the set of fields that are known to be set, such as "object.spec".
type Present map[string]bool

func (p Present) and(other Present) Present {
	all := maps.Clone(p)
	maps.Copy(all, other)
	return all
}

// Reader finds the fields that expressions read, as far as schemas declare them.
type Reader struct {
	// Roots are the schemas of variables: object, oldObject and params, or self and oldSelf. Loops add their items.
	Roots map[string]*spec.Schema
	// Resources are the names of roots that are whole resources, whose metadata the API server sets.
	Resources   []string
	Definitions map[string]*spec.Schema
	// Variables are the expressions of "variables.name".
	Variables map[string]celexpr.Expr
	// OfDefinition means that the expressions are rules of a schema: they escape names, and a null is absent for them.
	OfDefinition bool
	// Found are the fields that were read and may be absent.
	Found []string
	// Transitions are optional fields that are compared with their old values only if both are set.
	Transitions []string
	// exempt are fields without which the expression that is read is true, or not evaluated.
	exempt Present
}

// Read reads an expression that is evaluated only if some fields are set. It sets Found and Transitions.
func (r *Reader) Read(e celexpr.Expr, there Present) {
	there = Present{}.and(there)
	r.Found, r.Transitions, r.exempt = nil, nil, there
	r.read(e, there, 0)
}

// Proved returns the fields that are set if an expression is true.
func (r *Reader) Proved(e celexpr.Expr) Present { return r.proved(e, true, 0) }

// FieldOf returns the text of a field of a root, such as "object.spec"; "": the expression is none.
func (r *Reader) FieldOf(e celexpr.Expr) string {
	chain, _ := r.chainOf(e)
	return strings.Join(chain, ".")
}

// deepest bounds how deep variables are followed.
const deepest = 8

// read records the fields that an expression reads and that may be absent.
func (r *Reader) read(e celexpr.Expr, there Present, depth int) {
	if depth > deepest || e == nil {
		return
	}
	if of := celexpr.HasOf(e); of != nil && of.Kind() == ast.SelectKind {
		r.selected(of, true, there, depth)
		return
	}
	if loop, is := celexpr.LoopOf(e); is {
		r.loop(loop, there, depth)
		return
	}
	switch chain, _ := r.chainOf(e); {
	case e.Kind() == ast.SelectKind, e.Kind() == ast.CallKind && chain != nil:
		r.selected(e, false, there, depth)
	case e.Kind() == ast.CallKind:
		r.called(e, there, depth)
	case e.Kind() == ast.ListKind, e.Kind() == ast.MapKind:
		r.parts(e, there, depth)
	}
}

func (r *Reader) parts(e celexpr.Expr, there Present, depth int) {
	for _, part := range celexpr.PartsOf(e) {
		r.read(part, there, depth)
	}
}

// loop reads a macro. The schema of its variable is that of the items of the list.
func (r *Reader) loop(loop celexpr.Loop, there Present, depth int) {
	r.read(loop.Over, there, depth)
	name := loop.Names[0]
	before, shadowed := r.Roots[name]
	delete(r.Roots, name)
	if items := r.itemsOf(loop.Over, depth); items != nil && len(loop.Names) == 1 {
		r.Roots[name] = items
	}
	inside := maps.Clone(there)
	maps.DeleteFunc(inside, func(field string, _ bool) bool { return strings.HasPrefix(field, name+".") })
	for i, body := range loop.Body { // a condition comes first
		if i > 0 {
			inside = inside.and(r.proved(loop.Body[0], true, depth))
		}
		r.read(body, inside, depth)
	}
	delete(r.Roots, name)
	if shadowed {
		r.Roots[name] = before
	}
}

// itemsOf returns the schema of the items of a list; nil if it is unknown. Items of a filtered list may have
// more fields than their schema says, so nothing is known about them.
func (r *Reader) itemsOf(e celexpr.Expr, depth int) *spec.Schema {
	if e == nil || depth > deepest {
		return nil
	}
	chain, variable := r.chainOf(e)
	switch {
	case variable != "" && e.Kind() == ast.SelectKind && e.AsSelect().Operand().Kind() == ast.IdentKind:
		return r.itemsOf(r.Variables[variable], depth+1)
	case chain != nil:
		at := r.Roots[chain[0]]
		for _, name := range chain[1:] {
			property, declared := r.property(at, name)
			if !declared {
				return nil
			}
			at = property
		}
		if list := r.resolved(at); list.Items != nil {
			return list.Items.Schema
		}
	case e.AsCall().FunctionName() == operators.Add, e.AsCall().FunctionName() == operators.Conditional:
		for _, arg := range e.AsCall().Args() {
			if items := r.itemsOf(arg, depth); items != nil {
				return items
			}
		}
	}
	return nil
}

// resolved follows the reference of a schema.
func (r *Reader) resolved(s *spec.Schema) *spec.Schema {
	for range deepest {
		name, is := openapi.DefinitionName(openapi.Reference(s))
		if !is || r.Definitions[name] == nil {
			return s
		}
		s = r.Definitions[name]
	}
	return s
}

// property returns the schema of a property, or of a key that no schema names.
func (r *Reader) property(of *spec.Schema, name string) (*spec.Schema, bool) {
	if of == nil {
		return nil, false
	}
	of = r.resolved(of)
	if property, declared := of.Properties[name]; declared {
		return &property, true
	}
	if more := of.AdditionalProperties; more != nil && more.Schema != nil {
		return more.Schema, true
	}
	return nil, false
}

// optionalMetadata are the fields of the metadata that an object may lack in a request. A
// CustomResourceDefinition does not declare them.
var optionalMetadata = []string{
	"labels",
	"annotations",
	"finalizers",
	"ownerReferences",
	"generateName",
	"deletionTimestamp",
	"deletionGracePeriodSeconds",
}

// selected records the first field of a chain that may be absent. has() does not read its last field.
func (r *Reader) selected(e celexpr.Expr, inHas bool, there Present, depth int) {
	chain, variable := r.chainOf(e)
	if variable != "" {
		r.read(r.Variables[variable], there, depth+1)
		return
	}
	if chain == nil {
		r.read(e.AsSelect().Operand(), there, depth)
		return
	}
	if inHas {
		chain = chain[:len(chain)-1]
	}
	if field := r.absent(chain, there); field != "" && !slices.Contains(r.Found, field) {
		r.Found = append(r.Found, field)
	}
}

// absent returns the first field along a chain that may be absent, or "".
func (r *Reader) absent(chain []string, there Present) string {
	at := r.Roots[chain[0]]
	for i, name := range chain[1:] {
		field := strings.Join(chain[:i+2], ".")
		isResource := slices.Contains(r.Resources, chain[0])
		switch {
		case at == nil, isResource && i == 0 && (name == "apiVersion" || name == "kind"):
			return ""
		case isResource && i == 0 && name == "metadata":
			if len(chain) > 2 && slices.Contains(optionalMetadata, chain[2]) && !there[strings.Join(chain[:3], ".")] {
				return strings.Join(chain[:3], ".")
			}
			return ""
		}
		property, declared := r.property(at, name)
		if !declared {
			return "" // TypeCheck reports it, or any field is allowed
		}
		if !r.sure(at, property, name) && !there[field] {
			return field
		}
		at = property
	}
	return ""
}

// sure reports whether each value of a schema has a property.
func (r *Reader) sure(of, property *spec.Schema, name string) bool {
	if r.OfDefinition && (property.Nullable || r.resolved(property).Nullable) {
		return false
	}
	return requires(r.resolved(of), name) || property.Default != nil || r.resolved(property).Default != nil
}

// requires reports whether a schema, or its allOf, requires a field.
func requires(s *spec.Schema, name string) bool {
	return slices.Contains(s.Required, name) || slices.ContainsFunc(s.AllOf, func(part spec.Schema) bool { return requires(&part, name) })
}

// called reads the arguments of a call, each with the fields that the others prove: "a && b" is no
// error if either is false, and "a || b" if either is true.
func (r *Reader) called(e celexpr.Expr, there Present, depth int) {
	args := e.AsCall().Args()
	switch name := e.AsCall().FunctionName(); {
	case (name == operators.LogicalAnd || name == operators.LogicalOr) && len(args) == 2:
		is := name == operators.LogicalAnd
		for i := range args {
			r.part(args[i], there, r.proved(args[1-i], is, depth), !is, depth)
		}
	case name == operators.Conditional && len(args) == 3:
		r.read(args[0], there, depth)
		r.part(args[1], there, r.proved(args[0], true, depth), celexpr.ValueOf(args[2]) == true, depth)
		r.part(args[2], there, r.proved(args[0], false, depth), celexpr.ValueOf(args[1]) == true, depth)
	default:
		if name == operators.Equals && len(args) == 2 {
			r.compared(args[0], args[1])
		}
		r.parts(e, there, depth)
	}
}

// part reads a part of an expression that is evaluated if some fields are set. Exempts: without them the
// expression is true.
func (r *Reader) part(e celexpr.Expr, there, proved Present, exempts bool, depth int) {
	before := r.exempt
	if exempts {
		r.exempt = r.exempt.and(proved)
	}
	r.read(e, there.and(proved), depth)
	r.exempt = before
}

// compared records an optional field that is compared with its old value unless one of them is not set.
func (r *Reader) compared(a, b celexpr.Expr) {
	first, _ := r.chainOf(a)
	second, _ := r.chainOf(b)
	if len(first) == 0 || len(second) == 0 || !slices.Equal(first[1:], second[1:]) {
		return
	}
	if first[0] == "oldObject" {
		first, second = second, first
	}
	if first[0] != "object" || second[0] != "oldObject" {
		return
	}
	for i := len(first); i >= 2; i-- {
		field, old := strings.Join(first[:i], "."), strings.Join(second[:i], ".")
		if r.exempt[field] && r.exempt[old] {
			r.Transitions = append(r.Transitions, field)
			return
		}
	}
}

// proved returns the fields that are set if an expression is true, or false.
func (r *Reader) proved(e celexpr.Expr, is bool, depth int) Present {
	if e == nil || depth > deepest {
		return Present{}
	}
	if of := celexpr.HasOf(e); of != nil {
		e = of
	}
	if e.Kind() == ast.SelectKind {
		chain, variable := r.chainOf(e)
		switch {
		case variable != "" && e.AsSelect().Operand().Kind() == ast.IdentKind:
			return r.proved(r.Variables[variable], is, depth+1)
		case chain == nil || !is:
			return Present{}
		}
		return prefixes(chain)
	}
	args := e.AsCall().Args()
	switch name := e.AsCall().FunctionName(); {
	case name == operators.LogicalNot && len(args) == 1:
		return r.proved(args[0], !is, depth)
	case name == operators.LogicalAnd && is, name == operators.LogicalOr && !is:
		return r.proved(args[0], is, depth).and(r.proved(args[1], is, depth))
	case name == operators.LogicalAnd, name == operators.LogicalOr:
		both, other := r.proved(args[0], is, depth), r.proved(args[1], is, depth)
		maps.DeleteFunc(both, func(field string, _ bool) bool { return !other[field] })
		return both
	case name == operators.In && is:
		if key, isText := celexpr.TextOf(args[0]); isText {
			if chain, _ := r.chainOf(args[1]); chain != nil {
				return prefixes(append(slices.Clone(chain), key))
			}
		}
	}
	return Present{}
}

// prefixes returns the fields along a chain.
func prefixes(chain []string) Present {
	all := Present{}
	for i := 2; i <= len(chain); i++ {
		all[strings.Join(chain[:i], ".")] = true
	}
	return all
}

// chainOf returns the names in "object.a.b", beginning with a root; or the name of the policy's variable that an
// expression is or selects from; nil and "" if it is neither. A key in brackets is a name: object.a['b'].
func (r *Reader) chainOf(e celexpr.Expr) (chain []string, variable string) {
	for e.Kind() != ast.IdentKind {
		switch {
		case e.Kind() == ast.SelectKind:
			name := e.AsSelect().FieldName()
			if r.OfDefinition {
				name = celexpr.Unescape(name)
			}
			chain, e = append(chain, name), e.AsSelect().Operand()
		case e.AsCall().FunctionName() == operators.Index:
			key, isText := celexpr.TextOf(e.AsCall().Args()[1])
			if !isText {
				return nil, ""
			}
			chain, e = append(chain, key), e.AsCall().Args()[0]
		default:
			return nil, ""
		}
	}
	slices.Reverse(chain)
	if _, isRoot := r.Roots[e.AsIdent()]; isRoot {
		return append([]string{e.AsIdent()}, chain...), ""
	}
	if e.AsIdent() == "variables" && len(chain) > 0 {
		return nil, chain[0]
	}
	return nil, ""
}
