package walk

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"

	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// checkEntries checks required, minProperties, maxProperties and additionalProperties: false.
func (w *schemaVisit) checkEntries(n *graph.Node, f *frame) {
	if n.Closed != nil {
		for _, key := range w.read.Keys(f.val) {
			if n.Property(key) == nil && w.failed(n.Closed) {
				w.invalid(f, n.Closed, openapierrors.PropertyNotAllowed(w.text(f), "body", key))
			}
		}
	}
	if n.Size != nil {
		w.checkSize(n, f)
	}
	if n.Required != nil {
		w.checkRequired(n, f)
	}
}

// checkSize checks the number of entries that are present.
func (w *schemaVisit) checkSize(n *graph.Node, f *frame) {
	size := int64(w.present(f))
	if c := n.Size; c.Min != nil && size < *c.Min && w.failed(&c.MinSite) {
		w.invalid(f, &c.MinSite, openapierrors.TooFewProperties(w.text(f), "body", *c.Min, size))
	}
	if c := n.Size; c.Max != nil && size > *c.Max && w.failed(&c.MaxSite) {
		w.invalid(f, &c.MaxSite, openapierrors.TooManyProperties(w.text(f), "body", *c.Max, size))
	}
}

// present counts the entries of a map that are not absent.
func (w *schemaVisit) present(f *frame) int {
	size := w.read.Len(f.val)
	if !f.val.Typed() && !f.declaring.Strips {
		return size
	}
	for _, key := range w.read.Keys(f.val) {
		if x, _ := w.read.Field(f.val, key); f.partNode(key).Absent(w.read, x) {
			size--
		}
	}
	return size
}

func (w *schemaVisit) checkRequired(n *graph.Node, f *frame) {
	plain := !n.Zeroless && !f.declaring.Zeroless
	for i, name := range n.Required.Names {
		v, ok := n.Required.In(w.read, f.val, i)
		if ok && plain && (v.Kind() != view.Null || !v.Typed()) {
			continue
		}
		if ok && (!w.read.Zero(v) || !f.partNode(name).Absent(w.read, v)) {
			continue
		}
		site := n.Required.At(i)
		if w.failed(&site) {
			missing := w.part(f, graph.ToField, name, 0)
			w.report(missing, &site, field.Error{Type: field.ErrorTypeRequired, BadValue: ""})
		}
	}
}

// checkType checks the type of a value. Null is accepted where a schema is nullable. A
// wrong type counts one less in the choice of a branch (keyword.Dialect.Scores).
func (w *schemaVisit) checkType(check *keyword.TypeCheck, f *frame) {
	if f.val.Kind() == view.Null && (f.node.Nullable || f.declaring.Nullable) || !check.Violated(f.val) {
		return
	}
	w.score--
	check.Check(w.subject(f))
}
