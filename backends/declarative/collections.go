package declarative

import (
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// itemsCheck is the keywords minItems and maxItems.
type itemsCheck struct {
	min, max         *int64
	minSite, maxSite site
}

// compileItems compiles what is said about a list as a whole, and its items.
func compileItems(c *compiler, n *node, s schemaSite) {
	p := s.schema
	if p.MinItems != nil || p.MaxItems != nil {
		n.on(&itemsCheck{
			min: p.MinItems, minSite: s.of("minItems").site(),
			max: p.MaxItems, maxSite: s.of("maxItems").site(),
		}, view.List)
	}
	if p.AdditionalItems != nil {
		c.mistake(s.of("additionalItems").where(), "", "is not supported, as in a CRD: give one schema for all items")
	}
	if p.Items != nil && p.Items.Schema == nil {
		c.mistake(s.of("items").where(), "", "must be one schema for all items, as in a CRD")
	}
}

func (c *itemsCheck) check(w *walk, f *frame) {
	size := int64(w.read.Len(f.val))
	if c.min != nil && size < *c.min && w.failed() {
		w.invalid(f, &c.minSite, openapierrors.TooFewItems(w.text(f), "body", *c.min, size))
	}
	if c.max != nil && size > *c.max && w.failed() {
		w.invalid(f, &c.maxSite, openapierrors.TooManyItems(w.text(f), "body", *c.max, size))
	}
}

// uniqueCheck is the keyword uniqueItems.
type uniqueCheck struct{ site }

func compileUnique(_ *compiler, n *node, s schemaSite) {
	if s.schema.UniqueItems {
		n.on(&uniqueCheck{site: s.site()}, view.List)
	}
}

func (c *uniqueCheck) check(w *walk, f *frame) {
	if !w.unique(f.val) && w.failed() {
		w.invalid(f, &c.site, openapierrors.DuplicateItems(w.text(f), "body"))
	}
}

// propertiesCheck is the keywords minProperties and maxProperties. An entry that
// counts as absent does not count.
type propertiesCheck struct {
	min, max         *int64
	minSite, maxSite site
}

func (c *propertiesCheck) check(w *walk, f *frame) {
	size := int64(w.present(f.node, f.spine, f.val))
	if c.min != nil && size < *c.min && w.failed() {
		w.invalid(f, &c.minSite, openapierrors.TooFewProperties(w.text(f), "body", *c.min, size))
	}
	if c.max != nil && size > *c.max && w.failed() {
		w.invalid(f, &c.maxSite, openapierrors.TooManyProperties(w.text(f), "body", *c.max, size))
	}
}

// present counts the entries of a map that do not count as absent.
func (w *walk) present(n, spine *node, v view.View) int {
	size := w.read.Len(v)
	if !v.Typed() && !spine.strips {
		return size
	}
	for _, key := range w.read.Keys(v) {
		if x, _ := w.read.Field(v, key); w.absent(partNode(n, spine, key), x) {
			size--
		}
	}
	return size
}
