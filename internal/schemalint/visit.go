package schemalint

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/structural/openapi"
)

// visit is a schema while it is looked at.
type visit struct {
	w  *walker
	s  *spec.Schema
	x  openapi.Extensions
	at *field.Path

	root    bool // of a resource
	implied bool // it is apiVersion, kind or metadata of a resource
	branch  bool // it stands below a junctor and only constrains
	rules   []*rule
	readers []*rule // those above that read its value, and its own
}

// walker visits all schemas.
type walker struct {
	lints   []Lint
	opts    Options
	costs   map[string]uint64 // of rules by their places, in CEL's units
	total   uint64
	ignored map[string]bool     // places of what has no effect
	shapes  map[string][]shaped // objects by their fields
	found   []Finding
}

func (w *walker) schema(s *spec.Schema, v *visit) {
	v.w, v.s = w, s
	v.x, _ = openapi.ReadExtensions(s, v.at) // a schema that compiles has no wrong ones
	for i, r := range v.x.Validations {
		parsed := newRule(r.Rule, v.at.Child("x-kubernetes-validations").Index(i))
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
	v.note()
	w.parts(v)
	for _, junctor := range []struct {
		name    string
		schemas []spec.Schema
	}{{"allOf", s.AllOf}, {"anyOf", s.AnyOf}, {"oneOf", s.OneOf}} {
		for i := range junctor.schemas {
			w.schema(&junctor.schemas[i], &visit{at: v.at.Child(junctor.name).Index(i), branch: true})
		}
	}
	if s.Not != nil {
		w.schema(s.Not, &visit{at: v.at.Child("not"), branch: true})
	}
}

// parts visits the schemas of what is in a value.
func (w *walker) parts(v *visit) {
	s := v.s
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		w.schema(&property, &visit{
			at: v.at.Child("properties").Key(name), branch: v.branch,
			implied: v.implies(name), readers: reading(v.readers, name),
		})
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		w.schema(s.AdditionalProperties.Schema, &visit{at: v.at.Child("additionalProperties"), branch: v.branch, readers: v.readers})
	}
	if s.Items != nil && s.Items.Schema != nil {
		w.schema(s.Items.Schema, &visit{at: v.at.Child("items"), branch: v.branch, readers: v.readers})
	}
}

// reading are the rules that read a field.
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
	w.found = append(w.found, Finding{Lint: l.Name, At: text(h.at), What: h.what, Why: l.Why, Do: l.Do})
}

// whole finds what is about the schema as a whole.
func (w *walker) whole() {
	for _, l := range w.lints {
		switch l.Name {
		case sumOfCosts:
			if w.opts.Costs && w.total > totalLimit/2 {
				w.add(l, hit{what: fmt.Sprintf("all rules are estimated to cost %d, of %d at most", w.total, totalLimit)})
			}
		case requiredDiffers:
			for _, fields := range slices.Sorted(maps.Keys(w.shapes)) {
				for _, h := range differing(w.shapes[fields]) {
					w.add(l, h)
				}
			}
		}
	}
}

func (v *visit) typ() string {
	if len(v.s.Type) == 0 {
		return ""
	}
	return v.s.Type[0]
}

// one is a single hit at a keyword of the schema, "" for the schema itself.
func (v *visit) one(keyword, format string, args ...any) []hit {
	at := v.at
	if keyword != "" {
		at = v.at.Child(keyword)
	}
	return []hit{{at, fmt.Sprintf(format, args...)}}
}
