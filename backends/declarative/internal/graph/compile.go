package graph

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/text/lang"
)

// Graph is a compiled schema.
type Graph struct {
	Root    *Node
	Ignored []string // places without an effect
	// Subresources are those that rules name. All others have the same rules as the object itself.
	Subresources []string
}

// Options controls how a schema is compiled.
type Options struct {
	Definitions map[string]*spec.Schema
	// Resource: rules at the root see apiVersion, kind and metadata.
	Resource bool
	// CustomResource: keywords have the meaning of apiextensions-apiserver.
	CustomResource bool
	// Proposals: extensions that the API server does not know are keywords.
	Proposals bool
	// Estimate makes a rule whose worst case is over the limit a mistake.
	Estimate bool
	// Compatibility is the version whose CEL libraries rules may use; nil: all.
	Compatibility *version.Version
	// PerCall bounds one evaluation of one rule.
	PerCall uint64
	// Tally counts what keywords and rules do, each at its place; nil: nothing is counted.
	// Then equal schemas and definitions share no nodes, except where a definition refers back
	// to itself: its places are the first paths.
	Tally *tally.Tally
	// CountedAt is the path of the values of the schema, "" for whole objects.
	CountedAt string
	// Counted reports whether a keyword counts; nil: all do.
	Counted func(keyword string) bool
	// Programs has rules that were compiled before, of a schema in which values have the same
	// types. Missing rules are added; nil: nothing is looked up or kept.
	Programs Programs
}

func (o Options) dialect() keyword.Dialect {
	return keyword.Dialect{CustomResource: o.CustomResource, Proposals: o.Proposals}
}

// Compile compiles a schema. It returns no graph if the schema has mistakes; it collects
// all of them, ordered by place.
func Compile(schema *spec.Schema, opts Options) (*Graph, field.ErrorList) {
	c := newCompiler(opts)
	root := c.compile(schema)
	if len(c.mistakes) > 0 {
		return nil, c.mistakes
	}
	slices.Sort(c.subresources)
	return &Graph{Root: root, Ignored: c.ignored, Subresources: slices.Compact(c.subresources)}, nil
}

// compiler turns schemas into nodes and collects their mistakes.
type compiler struct {
	opts        Options
	keywords    []entry
	definitions map[string]*Node
	drafts      []draft
	current     int // the draft that is being compiled, noDraft outside of all
	within      map[*Node]branchPlace
	patterns    map[string]*lang.Pattern
	same        map[sharingKey][]sharedSchema // see share.go
	pending     []pendingRule
	reports     *[]RuleFacts // nil if they are not wanted
	counted     counted
	ignored     []string
	// subresources that rules name
	subresources []string
	mistakes     field.ErrorList
}

// branchPlace locates a node of a junctor's branch within the schema that has the junctor:
// rules in a branch see values as that schema declares them. The zero branchPlace belongs
// to a node outside all branches.
type branchPlace struct {
	of   *Node
	step Step // toRoot: the same value
	name string
}

func newCompiler(opts Options) *compiler {
	return &compiler{
		opts: opts, keywords: opts.keywords(), definitions: map[string]*Node{}, current: noDraft,
		within: map[*Node]branchPlace{}, patterns: map[string]*lang.Pattern{},
		same: map[sharingKey][]sharedSchema{}, drafts: make([]draft, 0, 64),
	}
}

// compile compiles the root and puts the mistakes in order.
func (c *compiler) compile(schema *spec.Schema) *Node {
	root := c.node(schema, place{}, branchPlace{})
	c.link(root)
	fielderror.Sort(c.mistakes)
	return root
}

// declaring returns the node outside all branches that declares the values of n. It is nil
// if only branches declare them.
func (c *compiler) declaring(n *Node) *Node {
	in, inBranch := c.within[n]
	if !inBranch {
		return n
	}
	of := c.declaring(in.of)
	switch in.step {
	case ToField:
		return of.Property(in.name)
	case ToKey:
		return of.others()
	case ToItem:
		return of.Item()
	}
	return of
}

// link finishes the nodes once all are compiled. A parent needs to know which of its
// properties strip zeros, so linking takes two rounds.
func (c *compiler) link(root *Node) {
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
}

// circles finds schemas that apply to the same value again through references and
// junctors alone. Validation with such a schema would never end.
func (c *compiler) circles() bool {
	if len(c.definitions) == 0 {
		return false // nothing refers to anything
	}
	const visiting, visited = 1, 2
	state := map[*Node]int{}
	found := false
	var visit func(n *Node)
	visit = func(n *Node) {
		state[n] = visiting
		for _, group := range [][]*Node{n.Referenced, n.AllOf, n.branches} {
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

// mistake records a mistake at a place in the schema.
func (c *compiler) mistake(at *field.Path, value any, format string, args ...any) {
	c.mistakes = append(c.mistakes, field.Invalid(at, value, fmt.Sprintf(format, args...)))
}

// costMistake records that rules may cost too much: an expression at a place, or all together.
func (c *compiler) costMistake(origin string, at *field.Path, expression, text string) {
	c.mistakes = append(c.mistakes, field.Invalid(at, expression, text).WithOrigin(origin))
}

// strips reports whether a definition strips zeros. If it does, a default beside a
// reference to it matters.
func (c *compiler) strips(ref string) bool {
	for range c.opts.Definitions { // references may go in circles
		name, _ := openapi.DefinitionName(ref)
		s := c.opts.Definitions[name]
		if s == nil {
			return false
		}
		if strips, _ := s.Extensions.GetBool(stripZeroKeyword); strips && c.opts.Proposals {
			return true
		}
		ref = reference(s)
	}
	return false
}

// node compiles a subschema. A schema that is only a reference shares the node of its
// target.
func (c *compiler) node(s *spec.Schema, at place, in branchPlace) *Node {
	outer := c.enter(s, at)
	defer func() { c.current = outer }()
	s = c.discriminated(s)
	ref := reference(s)
	switch {
	case ref != "" && bare(s) && !(s.Default != nil && c.strips(ref)):
		return c.definition(ref)
	case ref == "" && in.of == nil && len(c.opts.Definitions) == 0 && c.opts.Tally == nil:
		return c.shared(s)
	}
	n := c.newNode()
	if in.of != nil {
		c.within[n] = in
	}
	c.fillAll(n, s)
	return n
}

// fillAll compiles a schema, with its parts and its reference, into the node.
func (c *compiler) fillAll(n *Node, s *spec.Schema) {
	c.fill(n, s, c.parts(n, s))
	if ref := reference(s); ref != "" {
		n.Referenced = append(n.Referenced, c.definition(ref))
	}
}

// fill compiles every keyword of s into the node.
func (c *compiler) fill(n *Node, s *spec.Schema, in parts) {
	site := &schemaSite{schema: s, compiler: c, node: n}
	site.overrides = c.overrides(site)
	if reference(s) != "" && len(s.AllOf) == 1 && openapi.Ref(s) == "" {
		// The one allOf is the reference (see reference).
		own := *s
		own.AllOf = nil
		site.schema = &own
	}
	c.drafts[n.id].schema = site.schema
	n.Items, n.Additional = in.items, in.additional
	if len(in.names) > 0 {
		n.Properties = make(map[string]*Node, len(in.names))
		for i, name := range in.names {
			n.Properties[name] = in.properties[i]
		}
	}
	for _, k := range c.keywords {
		site.keyword = k.name
		k.compile(c, n, site)
		c.reach(n, k)
	}
	c.countUse(site)
}

// definition returns the node of a definition and compiles it on first use. It registers
// the node before compiling the schema, so a cycle finds it.
func (c *compiler) definition(ref string) *Node {
	name, ok := openapi.DefinitionName(ref)
	if !ok {
		c.mistake(c.at(c.current).Child("$ref"), ref, "must be #/definitions/NAME or #/components/schemas/NAME")
		return c.newNode()
	}
	if n, ok := c.definitions[name]; ok && (c.opts.Tally == nil || c.counted.open[name]) {
		return n
	}
	s := c.opts.Definitions[name]
	if s == nil {
		c.mistake(c.at(c.current).Child("$ref"), ref, "there is no definition of this name")
		return c.newNode()
	}
	outer := c.enter(s, place{keyword: "definitions", key: name, top: true})
	defer func() { c.current = outer }()
	s = c.discriminated(s)
	n := c.newNode()
	c.definitions[name] = n
	defer c.opened(name)()
	c.fillAll(n, s)
	return n
}

// reference returns the $ref of a schema, or "". An allOf with a $ref as its only element
// counts if the element has nothing else that validates.
func reference(s *spec.Schema) string {
	if openapi.Ref(s) == "" && len(s.AllOf) == 1 && !bare(&s.AllOf[0]) {
		return ""
	}
	return openapi.Reference(s)
}

// bare reports whether a schema with a $ref has no other keyword that validates.
func bare(s *spec.Schema) bool {
	rest := *s
	rest.Ref = spec.Ref{}
	rest.Description, rest.Title, rest.Default, rest.Example = "", "", nil, nil
	if len(rest.AllOf) == 1 && openapi.Ref(&rest.AllOf[0]) != "" {
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
