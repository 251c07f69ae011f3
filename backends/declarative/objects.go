package declarative

import (
	"sort"

	"k8s.io/apimachinery/pkg/util/validation/field"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// compileProperties compiles the entries of an object and what is said about them
// as a whole.
func compileProperties(_ *compiler, n *node, s schemaSite) {
	p := s.schema
	if extra := p.AdditionalProperties; extra != nil && !extra.Allows && extra.Schema == nil {
		n.on(&closedCheck{site: s.of("additionalProperties").site()}, view.Map)
	}
	if p.MinProperties != nil || p.MaxProperties != nil {
		n.on(&propertiesCheck{
			min: p.MinProperties, minSite: s.of("minProperties").site(),
			max: p.MaxProperties, maxSite: s.of("maxProperties").site(),
		}, view.Map)
	}
}

func sortedNames(m map[string]spec.Schema) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// closedCheck is "additionalProperties: false".
type closedCheck struct{ site }

func (c *closedCheck) check(w *walk, f *frame) {
	for _, key := range w.read.Keys(f.val) {
		if f.node.property(key) == nil && w.failed() {
			w.invalid(f, &c.site, openapierrors.PropertyNotAllowed(w.text(f), "body", key))
		}
	}
}

// requiredCheck is the keyword "required". The error is at the property that is
// missing.
type requiredCheck struct {
	site
	names []string
}

func compileRequired(_ *compiler, n *node, s schemaSite) {
	if len(s.schema.Required) > 0 {
		n.on(&requiredCheck{site: s.site(), names: s.schema.Required}, view.Map)
	}
}

func (c *requiredCheck) check(w *walk, f *frame) {
	plain := !f.node.zeroless && !f.spine.zeroless
	for _, name := range c.names {
		v, ok := w.read.Field(f.val, name)
		if ok && plain && (v.Kind() != view.Null || !v.Typed()) {
			continue
		}
		if ok && (!w.read.Zero(v) || !w.absent(f.partNode(name), v)) {
			continue
		}
		if w.failed() {
			w.child(f, name, func(missing *frame) {
				w.report(missing, &c.site, field.Error{Type: field.ErrorTypeRequired, BadValue: ""})
			})
		}
	}
}

// absent says that an entry counts as not there: a zero value where the schema
// strips zeros (KEP-4153, x-kubernetes-strip-zero), and a null in a typed object
// where the schema does not accept null, for that is how Go writes a slice, map
// or pointer that was not set and whose field has no omitempty. A null in JSON
// data is a null.
func (w *walk) absent(n *node, v view.View) bool {
	if v.Kind() == view.Null && v.Typed() {
		return n == nil || !n.nullable
	}
	return n != nil && n.stripZero && w.read.Zero(v)
}

func refusePatternProperties(c *compiler, _ *node, s schemaSite) {
	p := s.schema
	if len(p.PatternProperties) > 0 {
		c.mistake(s.where(), "", "is not supported, as in a CRD: use additionalProperties")
	}
	if len(p.Dependencies) > 0 {
		c.mistake(s.of("dependencies").where(), "", "is not supported, as in a CRD: use x-kubernetes-validations")
	}
}
