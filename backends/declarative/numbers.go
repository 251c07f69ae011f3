package declarative

import (
	"fmt"
	"math"

	"k8s.io/apimachinery/pkg/util/validation/field"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// numberCheck is the keywords minimum, maximum (and their exclusive forms) and
// multipleOf, and the range that the type and format of a number have. It follows
// kube-openapi: an integer is compared with the bound without its fraction, and a
// bound that is out of the range itself is one more error, after which everything
// is compared as a float.
type numberCheck struct {
	typ, format string // both empty when the type is not one

	minimum, maximum, multipleOf bound
	rangeSite                    site
}

// bound is a number that a keyword gives.
type bound struct {
	site
	set       bool
	value     float64
	exclusive bool
	outside   bool // of the range of the type and format
}

func compileNumbers(c *compiler, n *node, s schemaSite) {
	p := s.schema
	if p.Minimum == nil && p.Maximum == nil && p.MultipleOf == nil && (len(p.Type) == 0 || p.Type[0] != "integer" && p.Type[0] != "number") {
		return
	}
	check := &numberCheck{rangeSite: s.of("format").site()}
	if types := typesOf(p); len(types) == 1 && (types[0] == "integer" || types[0] == "number") {
		check.typ, check.format = types[0], formatOf(p, c.opts.Semantics)
	}
	if check.format != "" {
		check.rangeSite.origin = "format=" + check.format
	}
	check.minimum = check.bound(s.of("minimum"), p.Minimum, p.ExclusiveMinimum)
	check.maximum = check.bound(s.of("maximum"), p.Maximum, p.ExclusiveMaximum)
	check.multipleOf = check.bound(s.of("multipleOf"), p.MultipleOf, false)
	// The API server stores such a definition, and then refuses every number.
	if check.multipleOf.set && check.multipleOf.value <= 0 && c.opts.Semantics != CustomResources {
		c.mistake(s.of("multipleOf").where(), check.multipleOf.value, "must be greater than 0")
		return
	}
	if check.typ == "integer" || check.format == "float" || check.minimum.set || check.maximum.set || check.multipleOf.set {
		n.on(check, view.Int, view.Float)
	}
}

func (c *numberCheck) bound(s schemaSite, value *float64, exclusive bool) bound {
	if value == nil {
		return bound{}
	}
	return bound{site: s.site(), set: true, value: *value, exclusive: exclusive, outside: !c.inRange(*value)}
}

// inRange says that a float fits into the type and format. kube-openapi finds out by
// its shortest decimal digits: those of -2^63 are beyond it.
func (c *numberCheck) inRange(x float64) bool {
	switch {
	case c.format == "int32":
		return x == math.Trunc(x) && x >= math.MinInt32 && x <= math.MaxInt32
	case c.typ == "integer":
		return x == math.Trunc(x) && x > math.MinInt64 && x < math.MaxInt64
	case c.format == "float":
		return !math.IsInf(float64(float32(x)), 0)
	}
	return true
}

func (c *numberCheck) check(w *walk, f *frame) {
	x := f.val.Float()
	whole := f.val.Kind() == view.Int
	if !c.ranged(x, whole) && w.failed() {
		c.outOfRange(w, f, &c.rangeSite, "Checked")
	}
	c.checkMultiple(w, f, x, whole)
	c.checkMaximum(w, f, x, whole)
	c.checkMinimum(w, f, x, whole)
}

// ranged says that a value fits into the type and format. An int64 is one, whatever of
// it a float can hold.
func (c *numberCheck) ranged(x float64, whole bool) bool {
	return c.inRange(x) || (whole && c.typ == "integer" && c.format != "int32")
}

func (c *numberCheck) outOfRange(w *walk, f *frame, s *site, what string) {
	format := "(default format)"
	if c.format != "" {
		format = "with format " + c.format
	}
	w.pathless(f, s, field.Error{
		Type: field.ErrorTypeInvalid, BadValue: "",
		Detail: fmt.Sprintf("%s value must be of type %s %s in %s", what, c.typ, format, w.text(f)),
	})
}

// usable says that a bound applies, and whether to an integer as such. It reports
// a bound that is out of range.
func (c *numberCheck) usable(w *walk, f *frame, b *bound, whole bool, what string) (applies, asInt bool) {
	if !b.set {
		return false, false
	}
	if b.outside && w.failed() {
		c.outOfRange(w, f, &b.site, what)
	}
	return true, whole && !b.outside
}

func (c *numberCheck) checkMultiple(w *walk, f *frame, x float64, whole bool) {
	b := &c.multipleOf
	applies, asInt := c.usable(w, f, b, whole, "MultipleOf")
	switch {
	case !applies || b.divides(x, f.val.Int(), asInt) || !w.failed():
	case !asInt && b.value <= 0:
		w.invalid(f, &b.site, openapierrors.MultipleOfMustBePositive(w.text(f), "body", b.value))
	case !asInt:
		w.invalid(f, &b.site, openapierrors.NotMultipleOf(w.text(f), "body", b.value, x))
	case int64(b.value) <= 0:
		w.invalid(f, &b.site, openapierrors.MultipleOfMustBePositive(w.text(f), "body", int64(b.value)))
	default:
		w.invalid(f, &b.site, openapierrors.NotMultipleOf(w.text(f), "body", int64(b.value), f.val.Int()))
	}
}

// divides, notBelow and notAbove hold a value against a bound: as an integer, against
// the bound without its fraction, or as a float.
func (b *bound) divides(x float64, i int64, asInt bool) bool {
	if !asInt {
		return multiple(x, b.value)
	}
	return int64(b.value) > 0 && i%int64(b.value) == 0
}

func (b *bound) notBelow(x float64, i int64, asInt bool) bool {
	if !asInt {
		return !(x > b.value || (b.exclusive && x == b.value))
	}
	return !(i > int64(b.value) || (b.exclusive && i == int64(b.value)))
}

func (b *bound) notAbove(x float64, i int64, asInt bool) bool {
	if !asInt {
		return !(x < b.value || (b.exclusive && x == b.value))
	}
	return !(i < int64(b.value) || (b.exclusive && i == int64(b.value)))
}

func (c *numberCheck) checkMaximum(w *walk, f *frame, x float64, whole bool) {
	b := &c.maximum
	applies, asInt := c.usable(w, f, b, whole, "Maximum boundary")
	switch {
	case !applies || b.notBelow(x, f.val.Int(), asInt) || !w.failed():
	case !asInt:
		w.invalid(f, &b.site, openapierrors.ExceedsMaximum(w.text(f), "body", b.value, b.exclusive, x))
	default:
		w.invalid(f, &b.site, openapierrors.ExceedsMaximumInt(w.text(f), "body", int64(b.value), b.exclusive, f.val.Int()))
	}
}

func (c *numberCheck) checkMinimum(w *walk, f *frame, x float64, whole bool) {
	b := &c.minimum
	applies, asInt := c.usable(w, f, b, whole, "Minimum boundary")
	switch {
	case !applies || b.notAbove(x, f.val.Int(), asInt) || !w.failed():
	case !asInt:
		w.invalid(f, &b.site, openapierrors.ExceedsMinimum(w.text(f), "body", b.value, b.exclusive, x))
	default:
		w.invalid(f, &b.site, openapierrors.ExceedsMinimumInt(w.text(f), "body", int64(b.value), b.exclusive, f.val.Int()))
	}
}

func multiple(x, factor float64) bool {
	switch {
	case factor <= 0:
		return false
	case factor < 1:
		return wholeNumber(1 / factor * x)
	}
	return wholeNumber(x / factor)
}
