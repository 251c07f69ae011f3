package declarative

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	kjson "sigs.k8s.io/json"
)

// keyword is one keyword of the schema language, or a few that are compiled
// together: what it is called, which origins its errors have, and how it is
// compiled into a node. It adds nothing to the node of a schema that does not use
// it, and reports what it cannot make sense of.
type keyword struct {
	name    string
	origins []string
	compile func(c *compiler, n *node, s schemaSite)
}

// keywords is the whole language. A new keyword is one line here and a file for
// it; the walk does not know any of them.
func keywords() []keyword {
	return []keyword{
		{"type", []string{"type"}, (*compiler).typed},
		{"nullable", nil, compileNullable},
		{"x-kubernetes-strip-zero", nil, compileStripZero},
		{"pattern", []string{"maxLength", "minLength", "pattern"}, compileStrings},
		{"format", []string{"format"}, compileFormat},
		{"minimum", []string{"minimum", "maximum", "multipleOf"}, compileNumbers},
		{"items", []string{"minItems", "maxItems"}, compileItems},
		{"uniqueItems", []string{"uniqueItems"}, compileUnique},
		{"x-kubernetes-list-type", []string{"x-kubernetes-list-type"}, compileListType},
		{"x-kubernetes-map-type", nil, compileMapType},
		{"enum", []string{"enum"}, compileEnum},
		{"properties", []string{"additionalProperties", "minProperties", "maxProperties"}, compileProperties},
		{"required", []string{"required"}, compileRequired},
		{"x-kubernetes-embedded-resource", []string{"x-kubernetes-embedded-resource"}, compileEmbedded},
		{"allOf", []string{"allOf"}, compileAllOf},
		{"anyOf", []string{"anyOf"}, compileAnyOf},
		{"oneOf", []string{"oneOf"}, compileOneOf},
		{"not", []string{"not"}, compileNot},
		{unionsKeyword, []string{unionsKeyword}, compileUnions},
		{"x-kubernetes-validations", nil, readRules}, // rules have messages and reasons of their own
		{"patternProperties", nil, refusePatternProperties},
		{"x-kubernetes-", nil, noteExtensions},
	}
}

// reports says that errors of the keyword have an origin.
func (k keyword) reports(origin string) bool { return slices.Contains(k.origins, origin) }

// schemaSite is one keyword of one schema while it is compiled.
type schemaSite struct {
	schema    *spec.Schema
	compiler  *compiler
	overrides map[string]override
	keyword   string
}

// of is the same schema seen from another keyword.
func (s schemaSite) of(keyword string) schemaSite {
	s.keyword = keyword
	return s
}

// where is the place of the keyword in the schema.
func (s schemaSite) where() *field.Path { return s.compiler.at(s.compiler.current).Child(s.keyword) }

// site is what a check needs to report a failure of this keyword.
func (s schemaSite) site() site {
	made := site{origin: s.keyword}
	if o, ok := s.overrides[s.keyword]; ok {
		made.override = &o
	}
	return made
}

// extension reads a vendor extension strictly. It is not ok when the schema has none, or
// when its value is wrong, which is a mistake; then it gives what could be read.
func extension[T any](c *compiler, s schemaSite) (value T, ok bool) {
	v := s.schema.Extensions[s.keyword]
	if v == nil {
		return value, false // nearly always, so that nothing is allocated for it
	}
	out := new(T)
	if taken(v, out) {
		return *out, true
	}
	data, err := json.Marshal(v)
	if err == nil {
		var unknown []error
		unknown, err = kjson.UnmarshalStrict(data, out)
		err = errors.Join(append(unknown, err)...)
	}
	if err != nil {
		c.unreadable(s.where(), v, reflect.TypeFor[T](), err)
	}
	return *out, err == nil
}

// taken takes over a value that is of the right type already, as most are.
func taken(v, out any) bool {
	switch out := out.(type) {
	case *string:
		text, ok := v.(string)
		if ok {
			*out = text
		}
		return ok
	case *bool:
		set, ok := v.(bool)
		if ok {
			*out = set
		}
		return ok
	case *[]string:
		list, ok := v.([]any)
		if !ok {
			return false
		}
		texts := make([]string, len(list))
		for i, x := range list {
			if texts[i], ok = x.(string); !ok {
				return false
			}
		}
		*out = texts
		return true
	}
	return false
}

// noteExtensions notes the extensions of Kubernetes that have no effect here.
func noteExtensions(c *compiler, _ *node, s schemaSite) {
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

// knows says that an extension of Kubernetes has an effect.
func (c *compiler) knows(extension string) bool {
	switch extension {
	case "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields",
		"x-kubernetes-list-map-keys", "x-kubernetes-validation-errors":
		return true
	}
	return slices.ContainsFunc(c.keywords, func(k keyword) bool { return k.name == extension })
}

// override is an entry of x-kubernetes-validation-errors: a message and a reason
// for the failure of one keyword (KEP-4153, "x-kubernetes extension for custom
// error messages").
type override struct {
	Message string `json:"message,omitempty"`
	Reason  string `json:"reason,omitempty"`
	typ     field.ErrorType
}

func (c *compiler) overrides(site schemaSite) map[string]override {
	site = site.of("x-kubernetes-validation-errors")
	all, ok := extension[map[string]override](c, site)
	if !ok {
		return nil
	}
	for name, o := range all {
		where := site.where().Key(name)
		if !slices.ContainsFunc(c.keywords, func(k keyword) bool { return k.reports(name) }) {
			c.mistake(where, name, "is no keyword that reports errors")
		}
		if o.Reason != "" {
			typ, ok := errorType(o.Reason)
			if !ok {
				c.mistake(where.Child("reason"), o.Reason, "unknown reason; accepted are %s", reasonNames())
			}
			o.typ = typ
		}
		all[name] = o
	}
	return all
}
