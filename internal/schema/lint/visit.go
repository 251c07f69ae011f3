package lint

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// visit is a schema with its context.
type visit struct {
	w  *walker
	s  *spec.Schema
	x  openapi.Extensions
	at *field.Path

	root    bool // of a resource
	implied bool // apiVersion, kind or metadata of a resource
	// required means that an object always has the value if it has the value around it, or that the
	// schema is that of a type.
	required bool
	// optional means that the value is an optional field.
	optional bool
	branch   bool // it is in a junctor and only adds constraints
	// declaring is the schema outside all junctors of the same value; nil if there is none.
	declaring *spec.Schema
	rules     []*rule
	readers   []*rule // its own, and those of values around it that read its value
	// steps leads to the value from the object of examples.
	steps    []string
	examples *examples
}

// walker visits all schemas.
type walker struct {
	lints   []Lint
	opts    Options
	costs   map[string]uint64 // of rules by their places, in CEL's units
	total   uint64
	ignored map[string]bool // the places of keywords without effect
	found   []Finding
}

func (w *walker) schema(s *spec.Schema, v *visit) {
	v.w, v.s = w, s
	v.x, _ = openapi.ReadExtensions(s, v.at) // a schema that compiles has no wrong extensions
	for i, r := range v.x.Validations {
		parsed := newRule(r.Rule, v.at.Child(openapi.XValidations).Index(i))
		parsed.optional = r.OptionalOldSelf != nil && *r.OptionalOldSelf
		v.rules = append(v.rules, parsed)
	}
	v.readers = append(slices.Clip(v.readers), v.rules...)
	for _, l := range w.lints {
		if l.of == nil {
			continue
		}
		for _, h := range l.of(v) {
			w.add(l, h)
		}
	}
	for child := range openapi.Children(s) {
		if child.IsPart() || child.IsBranch() {
			w.schema(child.Schema, v.child(child))
		}
	}
}

// child returns the visit of a schema inside the visited one.
func (v *visit) child(c openapi.Child) *visit {
	inside := &visit{at: c.At(v.at), branch: v.branch || c.IsBranch(), declaring: c.Declaring(v.s, v.declaring), examples: v.examples}
	switch {
	case c.IsBranch():
	case c.Keyword != "properties":
		inside.readers, inside.steps = v.readers, append(slices.Clip(v.steps), "[*]")
	default:
		inside.steps = append(slices.Clip(v.steps), c.Name)
		required, defaulted := slices.Contains(v.s.Required, c.Name), c.Schema.Default != nil
		inside.required = required && !defaulted
		inside.optional = !v.branch && !required && !defaulted
		inside.implied, inside.readers = v.implies(c.Name), reading(v.readers, c.Name)
	}
	return inside
}

// reading returns the rules that read a field.
func reading(rules []*rule, name string) []*rule {
	var those []*rule
	for _, r := range rules {
		if r.names[name] {
			those = append(those, r)
		}
	}
	return those
}

func (w *walker) add(l Lint, h hit) {
	w.found = append(w.found, Finding{
		Lint:     l.Name,
		Severity: cmp.Or(h.severity, l.Severity),
		At:       text(h.at),
		What:     h.what,
		Why:      l.Why,
		Do:       l.Do,
	})
}

// whole runs the lints about the whole schema.
func (w *walker) whole() {
	for _, l := range w.lints {
		if l.Name == sumOfCosts && w.opts.Costs && w.total > totalLimit/2 {
			h := hit{what: fmt.Sprintf("all rules are estimated to cost %d of at most %d: %s", w.total, totalLimit,
				share(w.total, totalLimit))}
			if w.total > totalLimit {
				h.severity = Error
			}
			w.add(l, h)
		}
	}
}

func (v *visit) typ() string {
	if len(v.s.Type) == 0 {
		return ""
	}
	return v.s.Type[0]
}

// one returns a single hit at a keyword of the schema, or at the schema itself for "".
func (v *visit) one(keyword, format string, args ...any) []hit {
	at := v.at
	if keyword != "" {
		at = v.at.Child(keyword)
	}
	return []hit{{at: at, what: fmt.Sprintf(format, args...)}}
}
