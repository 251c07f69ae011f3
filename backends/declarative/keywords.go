package declarative

import (
	"bytes"
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// keyword is one keyword of the schema language: what it is called, and how it
// is compiled into a node. It adds nothing to the node of a schema that does not
// use it, and reports what it cannot make sense of.
type keyword struct {
	name    string
	compile func(c *compiler, n *node, s schemaSite)
}

// keywords is the whole language. A new keyword is one line here and a file for
// it; the walk does not know any of them.
func keywords() []keyword {
	return []keyword{
		{"type", compileType},
		{"nullable", compileNullable},
		{"x-kubernetes-strip-zero", compileStripZero},
		{"maxLength", compileStrings},
		{"format", compileFormat},
		{"minimum", compileNumbers},
		{"maxItems", compileItems},
		{"uniqueItems", compileUnique},
		{"x-kubernetes-list-type", compileListType},
		{"x-kubernetes-map-type", compileMapType},
		{"enum", compileEnum},
		{"properties", compileProperties},
		{"required", compileRequired},
		{"x-kubernetes-embedded-resource", compileEmbedded},
		{"allOf", compileAllOf},
		{"anyOf", compileAnyOf},
		{"oneOf", compileOneOf},
		{"not", compileNot},
		{"x-kubernetes-validations", readRules},
		{"patternProperties", refusePatternProperties},
	}
}

// schemaSite is one keyword of one schema while it is compiled.
type schemaSite struct {
	schema    *spec.Schema
	at        *field.Path
	overrides map[string]override
	keyword   string
}

// of is the same schema seen from another keyword.
func (s schemaSite) of(keyword string) schemaSite {
	s.keyword = keyword
	return s
}

// where is the place of the keyword in the schema.
func (s schemaSite) where() *field.Path { return s.at.Child(s.keyword) }

// site is what a check needs to report a failure of this keyword.
func (s schemaSite) site() site {
	made := site{origin: s.keyword}
	if o, ok := s.overrides[s.keyword]; ok {
		made.override = &o
	}
	return made
}

// extension reads a vendor extension strictly into out. It is false when the
// schema has none, or when its value is wrong, which is a mistake.
func (s schemaSite) extension(c *compiler, out any) bool {
	v, ok := s.schema.Extensions[s.keyword]
	if !ok || v == nil {
		return false
	}
	data, err := json.Marshal(v)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		err = d.Decode(out)
	}
	if err != nil {
		c.mistake(s.where(), v, "cannot be read: %v", err)
		return false
	}
	return true
}

// override is an entry of x-kubernetes-validation-errors: a message and a reason
// for the failure of one keyword (KEP-4153, "x-kubernetes extension for custom
// error messages").
type override struct {
	Message string `json:"message,omitempty"`
	Reason  string `json:"reason,omitempty"`
	typ     field.ErrorType
}

func (c *compiler) overrides(s *spec.Schema, at *field.Path) map[string]override {
	site := schemaSite{schema: s, at: at, keyword: "x-kubernetes-validation-errors"}
	var all map[string]override
	if !site.extension(c, &all) {
		return nil
	}
	for name, o := range all {
		where := site.where().Key(name)
		if !reportable(name) {
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

// reportable says that a keyword may be the origin of an error.
func reportable(name string) bool {
	switch name {
	case "type", "maxLength", "minLength", "pattern", "format", "minimum", "maximum", "multipleOf",
		"maxItems", "minItems", "uniqueItems", "maxProperties", "minProperties", "required", "enum",
		"additionalProperties", "allOf", "anyOf", "oneOf", "not",
		"x-kubernetes-list-type", "x-kubernetes-embedded-resource":
		return true
	}
	return false
}
