package graph

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// entry is one keyword of the schema language, or a few that are compiled together: its
// name, the origins of its errors, and the function that compiles it into a node. The
// function adds nothing if the schema lacks the keyword, and records mistakes.
type entry struct {
	name    string
	origins []string
	compile func(c *compiler, n *Node, s *schemaSite)
}

// keywords lists the whole schema language. A new keyword is one line here and one file.
func keywords() []entry {
	return []entry{
		{"type", []string{"type"}, compileType},
		{"nullable", nil, compileNullable},
		{stripZeroKeyword, nil, compileStripZero},
		{"pattern", []string{"maxLength", "minLength", "pattern"}, ofValue(keyword.CompileText)},
		{"format", []string{"format"}, ofValue(keyword.CompileFormat)},
		{"minimum", []string{"minimum", "maximum", "multipleOf"}, ofValue(keyword.CompileNumber)},
		{"items", []string{"minItems", "maxItems"}, ofValue(keyword.CompileItems)},
		{"uniqueItems", []string{"uniqueItems"}, ofValue(keyword.CompileUnique)},
		{"x-kubernetes-list-type", []string{"x-kubernetes-list-type"}, compileListType},
		{"x-kubernetes-map-type", nil, compileMapType},
		{"enum", []string{"enum"}, ofValue(keyword.CompileEnum)},
		{"properties", []string{"additionalProperties", "minProperties", "maxProperties"}, compileProperties},
		{"required", []string{"required"}, compileRequired},
		{"x-kubernetes-embedded-resource", []string{"x-kubernetes-embedded-resource"}, ofValue(keyword.CompileEmbedded)},
		{"allOf", []string{"allOf"}, junctor(AllOf, func(s *spec.Schema) []spec.Schema { return s.AllOf })},
		{"anyOf", []string{"anyOf"}, junctor(AnyOf, func(s *spec.Schema) []spec.Schema { return s.AnyOf })},
		{"oneOf", []string{"oneOf"}, junctor(OneOf, func(s *spec.Schema) []spec.Schema { return s.OneOf })},
		{"not", []string{"not"}, junctor(Not, negated)},
		{unionsKeyword, []string{unionsKeyword}, compileUnions},
		{"x-kubernetes-validations", nil, readRules}, // rules have messages and reasons of their own
		{"patternProperties", nil, refusePatternProperties},
		{"x-kubernetes-", nil, noteExtensions},
	}
}

// The extensions of KEP-2335 and KEP-4153 that the API server does not know. It drops
// them when it reads a CustomResourceDefinition.
const (
	unionsKeyword           = "x-kubernetes-unions"
	stripZeroKeyword        = "x-kubernetes-strip-zero"
	validationErrorsKeyword = "x-kubernetes-validation-errors"
	errorsKeyword           = "x-kubernetes-errors" // the same, as KEP-4153 calls it under "Design Details"
)

// keywords returns the keywords that have an effect.
func (o Options) keywords() []entry {
	return slices.DeleteFunc(keywords(), func(k entry) bool {
		return !o.Proposals && (k.name == unionsKeyword || k.name == stripZeroKeyword)
	})
}

// reports reports whether errors of the keyword have this origin.
func (k entry) reports(origin string) bool { return slices.Contains(k.origins, origin) }

// ofValue adapts a keyword of package keyword, which needs nothing but the value.
func ofValue(compile func(keyword.Source)) func(*compiler, *Node, *schemaSite) {
	return func(_ *compiler, _ *Node, s *schemaSite) { compile(s) }
}

// compileType compiles the keyword "type" and the score of each kind.
func compileType(_ *compiler, n *Node, s *schemaSite) {
	n.Score = s.Dialect().Scores(s.schema)
	check, kinds := keyword.CompileType(s)
	for _, k := range kinds {
		n.Types[k] = check
	}
}

func compileNullable(_ *compiler, n *Node, s *schemaSite) { n.Nullable = s.schema.Nullable }

// compileStripZero notes which zeros count as absent, for node.link.
func compileStripZero(c *compiler, n *Node, s *schemaSite) {
	n.zeros.strip, _ = extension[bool](s, s.keyword)
	if d := s.schema.Default; d != nil {
		n.zeros.defaulted, n.zeros.kept = true, view.Zero(d)
	}
}

func compileListType(_ *compiler, n *Node, s *schemaSite) {
	n.listKeys = keyword.CompileListType(s, reference(s.schema) != "")
}

func compileMapType(c *compiler, _ *Node, s *schemaSite) {
	if typ, ok := extension[string](s, s.keyword); ok && typ != "granular" && typ != "atomic" {
		c.mistake(s.where(), typ, "unknown map type; accepted are atomic, granular")
	}
}

// extension reads a vendor extension strictly. ok is false if the schema lacks it or its
// value is wrong. A wrong value is a mistake; the result then holds what could be read.
func extension[T any](s *schemaSite, name string) (value T, ok bool) {
	v := s.schema.Extensions[name]
	if v == nil {
		return value, false // nearly always, so that nothing is allocated for it
	}
	if value, ok = v.(T); ok {
		return value, true // as most are
	}
	out := new(T)
	data, err := json.Marshal(v)
	if err == nil {
		var unknown []error
		unknown, err = kjson.UnmarshalStrict(data, out)
		err = errors.Join(append(unknown, err)...)
	}
	if err != nil {
		s.compiler.unreadable(s.of(name).where(), v, reflect.TypeFor[T](), err)
	}
	return *out, err == nil
}

// noteExtensions records the extensions of Kubernetes that have no effect here.
func noteExtensions(c *compiler, _ *Node, s *schemaSite) {
	unknown := 0
	for name := range s.schema.Extensions {
		if strings.HasPrefix(name, "x-kubernetes-") && !c.knows(name) {
			unknown++
		}
	}
	if unknown == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(s.schema.Extensions)) {
		if strings.HasPrefix(name, "x-kubernetes-") && !c.knows(name) {
			c.ignored = append(c.ignored, text(s.of(name).where()))
		}
	}
}

// knows reports whether an extension of Kubernetes has an effect.
func (c *compiler) knows(extension string) bool {
	switch extension {
	case "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields",
		"x-kubernetes-list-map-keys":
		return true
	case validationErrorsKeyword, errorsKeyword:
		return c.opts.Proposals
	}
	return slices.ContainsFunc(c.keywords, func(k entry) bool { return k.name == extension })
}

func (c *compiler) overrides(site *schemaSite) map[string]keyword.Override {
	if !c.opts.Proposals {
		return nil
	}
	var all map[string]keyword.Override
	for _, spelling := range []string{validationErrorsKeyword, errorsKeyword} {
		all = c.readOverrides(site.of(spelling), all)
	}
	return all
}

// readOverrides adds the overrides of one spelling of the extension.
func (c *compiler) readOverrides(site *schemaSite, all map[string]keyword.Override) map[string]keyword.Override {
	written, ok := extension[map[string]keyword.Override](site, site.keyword)
	if !ok {
		return all
	}
	if all == nil {
		all = make(map[string]keyword.Override, len(written))
	}
	for name, o := range written {
		where := site.where().Key(name)
		if _, twice := all[name]; twice {
			c.mistake(where, name, "is also in %s; keep only one of them", validationErrorsKeyword)
		}
		if !slices.ContainsFunc(c.keywords, func(k entry) bool { return k.reports(name) }) {
			c.mistake(where, name, "is not a keyword that reports errors")
		}
		if o.Reason != "" {
			typ, ok := errorType(o.Reason)
			if !ok {
				c.mistake(where.Child("reason"), o.Reason, "unknown reason; accepted are %s", reasonNames())
			}
			o.Type = typ
		}
		all[name] = o
	}
	return all
}
