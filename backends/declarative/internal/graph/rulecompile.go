package graph

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/tally"
)

// Rule is one compiled entry of x-kubernetes-validations.
type Rule struct {
	Program *cel.Program
	Type    field.ErrorType
	Path    string   // to the field that an error is at, below the value; may be ""
	Tally   tally.ID // zero: nothing is counted
	// For limits the rule to requests to some subresources.
	For Subresources
	// TypeName is the name of the type of the value in an error. Omit leaves out the value itself.
	TypeName string
	Omit     bool
	// Group is the bit of the one in Node.Groups that the rule is in; zero: in none.
	Group uint64
}

// ruleSource is an entry of x-kubernetes-validations as it is written.
type ruleSource struct {
	Rule              string `json:"rule"`
	Message           string `json:"message,omitempty"`
	MessageExpression string `json:"messageExpression,omitempty"`
	Reason            string `json:"reason,omitempty"`
	FieldPath         string `json:"fieldPath,omitempty"`
	OptionalOldSelf   *bool  `json:"optionalOldSelf,omitempty"`
	Subresources
}

// Subresources limits a rule. The zero value has no limit.
type Subresources struct {
	Only   []string `json:"onlySubresources,omitempty"`
	Except []string `json:"exceptSubresources,omitempty"`
}

// Includes reports whether the rule holds for a request to a subresource, "" for none.
func (s *Subresources) Includes(name string) bool {
	return (s.Only == nil || slices.Contains(s.Only, name)) && !slices.Contains(s.Except, name)
}

// rule returns the part of the entry that CEL compiles.
func (s ruleSource) rule() cel.Rule {
	return cel.Rule{
		Rule: s.Rule, Message: s.Message, MessageExpression: s.MessageExpression,
		OptionalOldSelf: s.OptionalOldSelf != nil && *s.OptionalOldSelf,
	}
}

// pendingRule is a rule that is compiled once all nodes have types.
type pendingRule struct {
	node   *Node
	source ruleSource
	at     *field.Path
	tally  tally.ID
}

func readRules(c *compiler, n *Node, s *schemaSite) {
	sources, readable := extension[[]ruleSource](s, s.keyword)
	for i, source := range sources {
		if !readable && strings.TrimSpace(source.Rule) == "" {
			continue // the mistake was reported before
		}
		c.ignoreSubresources(s.where().Index(i), source.Subresources)
		c.pending = append(c.pending, pendingRule{node: n, source: source, at: s.where().Index(i), tally: c.rulePlace(s, i, source.Rule)})
	}
}

// ignoreSubresources records the limits of a rule that the API server does not know.
func (c *compiler) ignoreSubresources(at *field.Path, limits Subresources) {
	if limits.Except != nil && !c.opts.Proposals {
		c.ignored = append(c.ignored, text(at.Child("exceptSubresources")))
	}
	if limits.Only != nil && !c.opts.Proposals {
		c.ignored = append(c.ignored, text(at.Child("onlySubresources")))
	}
}

// languages caches languages by version of Kubernetes. They are expensive to make and never
// change. k8s.io/apiserver caches its environments the same way.
var languages sync.Map // of *cel.Language, by text

// language returns what rules may use in a version of Kubernetes; nil is everything.
func language(v *version.Version) (*cel.Language, error) {
	name := ""
	if v != nil && len(v.Components()) >= 2 {
		name = fmt.Sprintf("%d.%d", v.Major(), v.Minor())
	}
	if made, ok := languages.Load(name); ok {
		return made.(*cel.Language), nil
	}
	made, err := cel.NewLanguage(v, keyword.FormatViolations)
	if err != nil {
		return nil, err
	}
	first, _ := languages.LoadOrStore(name, made) // another goroutine may have been faster
	return first.(*cel.Language), nil
}

// compileRules compiles the rules of all nodes.
func (c *compiler) compileRules(root *Node) {
	if len(c.pending) == 0 {
		return
	}
	rules, err := language(c.opts.Compatibility)
	if err != nil {
		c.mistake(nil, "", "%v", err)
		return
	}
	env := rules.NewEnv(c.opts.PerCall)
	env.ListMessages, env.AnyMessages = c.opts.Proposals, !c.opts.CustomResource
	costs := c.costs(root)
	for _, p := range c.pending {
		before := len(c.mistakes)
		c.compileRule(env, p, costs)
		if c.reports != nil {
			c.report(env, p, costs, c.mistakes[before:])
		}
	}
	costs.checkSum(c)
	env.Release()
	c.groupRules()
}

func (c *compiler) compileRule(env *cel.Env, p pendingRule, costs *costs) {
	source := p.source
	if strings.TrimSpace(source.Rule) == "" {
		c.mistakes = append(c.mistakes, field.Required(p.at.Child("rule"), "there is no rule"))
		return
	}
	made := Rule{Type: field.ErrorTypeInvalid}
	ok := true
	if source.Reason != "" {
		if made.Type, ok = errorType(source.Reason); !ok {
			c.mistake(p.at.Child("reason"), source.Reason, "unknown reason; accepted are %s", reasonNames())
		}
	}
	declaring := c.seen(p.node)
	if source.FieldPath != "" {
		path, err := fieldPath(source.FieldPath, declaring, c.opts.CustomResource)
		if err != nil {
			c.mistake(p.at.Child("fieldPath"), source.FieldPath, "%v", err)
		} else {
			made.Path = path.String()
		}
	}
	if s := c.schema(declaring); s != nil && len(s.Type) > 0 {
		made.TypeName = s.Type[0]
	}
	typ := declaring.typ
	made.Omit = typ.Kind == types.Object || typ.Kind == types.Map || typ.Kind == types.List
	program, mistakes := c.program(env, p, typ)
	for _, m := range mistakes {
		text := source.Rule
		if m.Field == "messageExpression" {
			text = source.MessageExpression
		}
		c.mistake(p.at.Child(m.Field), text, "%s", m.Detail)
	}
	if program != nil {
		made.Program, made.Tally = program, p.tally
		if c.opts.Proposals {
			made.For = source.Subresources
			c.subresources = append(append(c.subresources, made.For.Only...), made.For.Except...)
		}
		c.useRule(p.tally)
		p.node.Rules = append(p.node.Rules, made)
		costs.add(c, p, program, typ)
	}
}

// Programs are the compiled rules of a schema. Other schemas may use them at the same time.
type Programs map[programKey]*cel.Program

// programKey is a rule at its place in the schema.
type programKey struct {
	at   string
	rule cel.Rule
}

// program compiles a rule, or returns the one that was compiled before.
func (c *compiler) program(env *cel.Env, p pendingRule, typ *types.Type) (*cel.Program, []cel.Mistake) {
	if c.opts.Programs == nil {
		return env.Compile(p.source.rule(), typ)
	}
	key := programKey{p.at.String(), p.source.rule()}
	if known := c.opts.Programs[key]; known != nil {
		return known, nil
	}
	program, mistakes := env.Compile(key.rule, typ)
	if program != nil {
		c.opts.Programs[key] = program
	}
	return program, mistakes
}

// linkRules marks where the graph has rules, so the visit for rules skips the rest. Parts
// come after the schemas around them, so one backward round suffices unless definitions
// refer to each other.
func (c *compiler) linkRules() {
	if len(c.pending) == 0 {
		return
	}
	c.spreadRules()
	for i := range c.drafts {
		n := c.drafts[i].node
		if n == nil || !n.HasRules {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
			if n.Properties[name].HasRules {
				n.Ruled = append(n.Ruled, name)
			}
		}
	}
}

// spreadRules marks the nodes that have rules or have parts with rules.
func (c *compiler) spreadRules() {
	for changed := true; changed; changed = changed && len(c.definitions) > 0 {
		changed = false
		for _, d := range slices.Backward(c.drafts) {
			if n := d.node; n != nil && !n.HasRules && (len(n.Rules) > 0 || n.partHasRules()) {
				n.HasRules, changed = true, true
			}
		}
	}
}

// partHasRules reports whether a part of a node has rules.
func (n *Node) partHasRules() bool {
	has := func(part *Node) bool { return part != nil && part.HasRules }
	return has(n.Items) || has(n.Additional) || slices.ContainsFunc(n.Referenced, has) || slices.ContainsFunc(n.AllOf, has) ||
		slices.ContainsFunc(slices.Collect(maps.Values(n.Properties)), has)
}
