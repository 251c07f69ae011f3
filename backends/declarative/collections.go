package declarative

import (
	"math"

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

func (c *itemsCheck) prove(p *proof, _ view.Kind) {
	if c.min != nil {
		p.atLeast = int(min(*c.min, math.MaxInt))
	}
	if c.max != nil {
		p.atMost = int(min(*c.max, math.MaxInt))
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
	if !w.unique(f.val, asValues) && w.failed() {
		w.invalid(f, &c.site, openapierrors.DuplicateItems(w.text(f), "body"))
	}
}

func (c *uniqueCheck) prove(p *proof, k view.Kind) {
	p.values[k] = append(p.values[k], func(w *walk, v view.View) bool { return w.unique(v, asValues) })
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

func (c *propertiesCheck) prove(p *proof, k view.Kind) {
	n, spine := p.node, p.spine
	p.values[k] = append(p.values[k], func(w *walk, v view.View) bool {
		size := int64(w.present(n, spine, v))
		return (c.min == nil || size >= *c.min) && (c.max == nil || size <= *c.max)
	})
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
