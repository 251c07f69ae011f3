package declarative

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/cel"
	"github.com/diffrun/diffrun/backends/declarative/internal/declared"
	"github.com/diffrun/diffrun/backends/declarative/internal/pattern"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/fielderror"
)

// Validator validates objects against one schema. It never changes and may be
// used by many goroutines at once.
type Validator struct {
	root  *node
	opts  Options
	walks sync.Pool // of *walk

	types view.Types

	embeds bool // there are embedded resources

	ignored  []string
	declared declared.Schema
}

// Declarations says what the schema declares at the fields of an object.
func (v *Validator) Declarations() equivalence.Declarations { return v.declared }

// Ignored says what of the schema has no effect, each with its place: formats that
// are not known, which JSON Schema and the API server ignore, and extensions of
// Kubernetes that are not about validation or not known. It is empty for a schema
// that is taken in whole.
func (v *Validator) Ignored() []string { return slices.Clone(v.ignored) }

// SchemaError is all that is wrong with a schema. The field of each error is the
// place in the schema, as in "properties[spec].properties[name].pattern".
type SchemaError struct {
	Errors field.ErrorList
}

// Error gives one mistake a line. One of the schema as a whole has no place.
func (e *SchemaError) Error() string {
	lines := make([]string, len(e.Errors))
	for i, one := range e.Errors {
		if lines[i] = one.Error(); one.Field == (*field.Path)(nil).String() {
			lines[i] = one.Detail
		}
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the mistakes one by one.
func (e *SchemaError) Unwrap() []error {
	all := make([]error, len(e.Errors))
	for i, one := range e.Errors {
		all[i] = one
	}
	return all
}

// Compile compiles an OpenAPI v3 schema with Kubernetes' extensions.
//
// The error is a *SchemaError that names everything that is wrong: a rule that
// does not compile, a pattern that is no regular expression, a $ref to nothing, a
// keyword or value that is not known. Nothing is skipped.
func Compile(schema *spec.Schema, opts Options) (*Validator, error) {
	if schema == nil {
		return nil, errors.New("no schema to compile")
	}
	c := newCompiler(opts)
	root, err := c.compile(schema)
	if err != nil {
		return nil, err
	}
	v := &Validator{root: root, opts: c.opts, ignored: c.ignored, embeds: c.embeds, declared: declared.Schema{Root: schema, Definitions: opts.Definitions}}
	v.walks.New = func() any { return newWalk(v) }
	return v, nil
}

// compiler turns schemas into nodes and collects what is wrong with them.
type compiler struct {
	opts        Options
	keywords    []keyword
	definitions map[string]*node
	drafts      []draft
	current     int // the draft that is being compiled, noDraft outside of all
	within      map[*node]whole
	shapes      map[*node]*cel.Shape
	patterns    map[string]*pattern.Pattern
	room        *spec.Schema // that nothing uses
	ofTypes     map[typing]*node
	same        map[string]*node // by what their schemas say (see share.go)
	key         []byte           // of the schema that is being looked for in same
	embeds      bool             // there are embedded resources
	pending     []pendingRule
	reports     *[]RuleReport // nil when nobody asks for them
	ignored     []string
	mistakes    field.ErrorList
}

// whole is where a node in a branch of a junctor stands in the schema that the
// branch belongs to: rules in a branch see values as that schema declares them.
// The zero whole is of a node outside of all branches.
type whole struct {
	of   *node
	step step // toRoot: the same value
	name string
}

func newCompiler(opts Options) *compiler {
	opts.Limits = opts.Limits.withDefaults()
	return &compiler{
		opts: opts, keywords: keywords(), definitions: map[string]*node{}, current: noDraft,
		within: map[*node]whole{}, shapes: map[*node]*cel.Shape{}, patterns: map[string]*pattern.Pattern{},
		same: map[string]*node{}, ofTypes: map[typing]*node{}, drafts: make([]draft, 0, 64),
	}
}

// compile compiles the root. The error is a *SchemaError, in order.
func (c *compiler) compile(schema *spec.Schema) (*node, error) {
	root := c.node(schema, place{}, whole{})
	c.link(root)
	if len(c.mistakes) == 0 {
		return root, nil
	}
	fielderror.Sort(c.mistakes)
	return nil, &SchemaError{Errors: c.mistakes}
}

// spine is the node outside of all branches that declares the values of n, or nil
// when only branches do.
func (c *compiler) spine(n *node) *node {
	in, inBranch := c.within[n]
	if !inBranch {
		return n
	}
	of := c.spine(in.of)
	switch in.step {
	case toField:
		return of.property(in.name)
	case toKey:
		return of.others()
	case toItem:
		return of.item()
	}
	return of
}

// link finishes the nodes once all of them are there. What strips zeros must be
// known of a property before its parent asks, so that goes in two rounds.
func (c *compiler) link(root *node) {
	if c.circles() {
		return
	}
	for range 2 {
		for i := range c.drafts {
			if n := c.drafts[i].node; n != nil {
				n.link()
			}
		}
	}
	c.describe(root)
	c.compileRules(root)
	c.linkRules()
	c.nameRuleParts()
}

// circles finds schemas that apply themselves to the same value again, through
// references and junctors alone. No value could ever be validated by them.
func (c *compiler) circles() bool {
	if len(c.definitions) == 0 {
		return false // nothing refers to anything
	}
	const visiting, visited = 1, 2
	state := map[*node]int{}
	found := false
	var visit func(n *node)
	visit = func(n *node) {
		state[n] = visiting
		for _, group := range [][]*node{n.also, n.allOf, n.branches} {
			for _, next := range group {
				switch state[next] {
				case visiting:
					found = true
					c.mistake(field.NewPath(c.name(n)), c.name(next), "refers back to itself without a property or item in between")
				case 0:
					visit(next)
				}
			}
		}
		state[n] = visited
	}
	for i := range c.drafts {
		if n := c.drafts[i].node; n != nil && state[n] == 0 {
			visit(n)
		}
	}
	return found
}

// mistake notes something wrong with the schema at a place in it.
func (c *compiler) mistake(at *field.Path, value any, format string, args ...any) {
	c.mistakes = append(c.mistakes, field.Invalid(at, value, fmt.Sprintf(format, args...)))
}

// strips says that a definition strips zeros, so that a default beside a reference to it
// makes a difference.
func (c *compiler) strips(ref string) bool {
	for range c.opts.Definitions { // references may go in circles
		name, _ := definitionName(ref)
		s := c.opts.Definitions[name]
		if s == nil {
			return false
		}
		if strips, _ := s.Extensions.GetBool("x-kubernetes-strip-zero"); strips {
			return true
		}
		ref = reference(s)
	}
	return false
}

// node compiles the schema at a place in the one that is being compiled. A schema
// that is nothing but a reference is the node of what it refers to.
func (c *compiler) node(s *spec.Schema, at place, in whole) *node {
	outer := c.enter(s, at)
	defer func() { c.current = outer }()
	s = discriminated(s)
	ref := reference(s)
	switch {
	case ref != "" && bare(s) && !(s.Default != nil && c.strips(ref)):
		return c.definition(ref)
	case ref == "" && in.of == nil && len(c.opts.Definitions) == 0:
		return c.shared(s)
	}
	n := c.newNode()
	if in.of != nil {
		c.within[n] = in
	}
	c.fill(n, s, c.parts(n, s))
	if ref != "" {
		n.also = append(n.also, c.definition(ref))
	}
	return n
}

// fill lets every keyword of the table add to the node what it finds in s.
func (c *compiler) fill(n *node, s *spec.Schema, in parts) {
	site := schemaSite{schema: s, compiler: c}
	site.overrides = c.overrides(site)
	if reference(s) != "" && len(s.AllOf) == 1 && s.Ref.String() == "" {
		// The one allOf is the reference (see reference).
		own := *s
		own.AllOf = nil
		site.schema = &own
	}
	c.drafts[n.id].schema = site.schema
	n.items, n.additional = in.items, in.additional
	if len(in.names) > 0 {
		n.properties = make(map[string]*node, len(in.names))
		for i, name := range in.names {
			n.properties[name] = in.properties[i]
		}
	}
	for _, k := range c.keywords {
		k.compile(c, n, site.of(k.name))
	}
}

// definition is the node of a definition, compiled when it is first asked for.
// The node is registered before its schema is compiled, so that a cycle finds it.
func (c *compiler) definition(ref string) *node {
	name, ok := definitionName(ref)
	if !ok {
		c.mistake(c.at(c.current).Child("$ref"), ref, "must be #/definitions/NAME or #/components/schemas/NAME")
		return c.newNode()
	}
	if n, ok := c.definitions[name]; ok {
		return n
	}
	s := c.opts.Definitions[name]
	if s == nil {
		c.mistake(c.at(c.current).Child("$ref"), ref, "no definition of this name was given")
		return c.newNode()
	}
	outer := c.enter(s, place{keyword: "definitions", key: name, top: true})
	defer func() { c.current = outer }()
	s = discriminated(s)
	n := c.newNode()
	c.definitions[name] = n
	c.fill(n, s, c.parts(n, s))
	if next := reference(s); next != "" {
		n.also = append(n.also, c.definition(next))
	}
	return n
}

// reference is the $ref of a schema. Kubernetes' published OpenAPI v3 writes a
// reference that has a default or description beside it as an allOf with one
// element, because OpenAPI 3.0 ignores the siblings of $ref; that is a reference
// too.
func reference(s *spec.Schema) string {
	if ref := s.Ref.String(); ref != "" {
		return ref
	}
	if len(s.AllOf) == 1 && bare(&s.AllOf[0]) {
		return s.AllOf[0].Ref.String()
	}
	return ""
}

// bare says that a schema with a $ref has nothing else that validates.
func bare(s *spec.Schema) bool {
	rest := *s
	rest.Ref = spec.Ref{}
	rest.Description, rest.Title, rest.Default, rest.Example = "", "", nil, nil
	if len(rest.AllOf) == 1 && rest.AllOf[0].Ref.String() != "" {
		rest.AllOf = nil
	}
	empty := spec.Schema{}
	left, err := rest.MarshalJSON()
	if err != nil {
		return false
	}
	nothing, err := empty.MarshalJSON()
	return err == nil && string(left) == string(nothing)
}

func definitionName(ref string) (string, bool) {
	for _, prefix := range []string{"#/definitions/", "#/components/schemas/"} {
		if name, ok := strings.CutPrefix(ref, prefix); ok && name != "" {
			return strings.NewReplacer("~1", "/", "~0", "~").Replace(name), true
		}
	}
	return "", false
}
