package keyword

import (
	"cmp"
	"fmt"
	"math"

	"k8s.io/apimachinery/pkg/util/validation/field"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// numberCheck checks minimum, maximum (also exclusive), multipleOf, and the range of the type
// and format. It follows kube-openapi: an integer is compared with the bound without its
// fraction. A bound that is out of range is one more error; then values are compared as floats.
type numberCheck struct {
	typ, format string // both empty when the type is not one

	minimum, maximum, multipleOf bound
	rangeSite                    Site
}

// bound is the number of a keyword.
type bound struct {
	site      Site
	set       bool
	value     float64
	exclusive bool
	outside   bool // of the range of the type and format
}

// CompileNumber compiles minimum, maximum, multipleOf, and the range of numeric formats.
func CompileNumber(s Source) {
	p := s.Schema()
	if p.Minimum == nil && p.Maximum == nil && p.MultipleOf == nil &&
		(len(p.Type) == 0 || p.Type[0] != "integer" && p.Type[0] != "number") {
		return
	}
	check := &numberCheck{rangeSite: s.Site("format")}
	if types := s.Dialect().Types(p); len(types) == 1 && (types[0] == "integer" || types[0] == "number") {
		check.typ, check.format = types[0], s.Dialect().format(p)
	}
	if check.format != "" {
		check.rangeSite.Origin = "format=" + check.format
	}
	check.minimum = check.bound(s.Site("minimum"), p.Minimum, p.ExclusiveMinimum)
	check.maximum = check.bound(s.Site("maximum"), p.Maximum, p.ExclusiveMaximum)
	check.multipleOf = check.bound(s.Site("multipleOf"), p.MultipleOf, false)
	// The API server stores such a definition, and then refuses every number.
	if check.multipleOf.set && check.multipleOf.value <= 0 && !s.Dialect().CustomResource {
		s.Mistakef("multipleOf", check.multipleOf.value, "must be greater than 0")
		return
	}
	if check.typ == "integer" || check.format == "float" || check.minimum.set || check.maximum.set || check.multipleOf.set {
		s.On(check, view.Int, view.Float)
	}
}

func (c *numberCheck) bound(s Site, value *float64, exclusive bool) bound {
	if value == nil {
		return bound{}
	}
	return bound{site: s, set: true, value: *value, exclusive: exclusive, outside: !c.inRange(*value)}
}

// inRange reports whether a float fits into the type and format. kube-openapi parses its
// shortest decimal digits, and those of -2^63 are out of range.
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

// Check reports all violations: of the range, then of each bound.
func (c *numberCheck) Check(s Subject) {
	x := s.Value().Float()
	whole := s.Value().Kind() == view.Int
	if !c.ranged(x, whole) && s.Failed(&c.rangeSite) {
		c.outOfRange(s, &c.rangeSite, "Checked")
	}
	c.checkMultiple(s, x, whole)
	c.checkMaximum(s, x, whole)
	c.checkMinimum(s, x, whole)
}

// ranged reports whether a value fits into the type and format. An int64 always fits into an
// integer, even if a float cannot hold it.
func (c *numberCheck) ranged(x float64, whole bool) bool {
	return c.inRange(x) || (whole && c.typ == "integer" && c.format != "int32")
}

func (c *numberCheck) outOfRange(s Subject, at *Site, what string) {
	format := "(default format)"
	if c.format != "" {
		format = "with format " + c.format
	}
	s.ReportPathless(at, field.Error{
		Type: field.ErrorTypeInvalid, BadValue: "",
		Detail: fmt.Sprintf("%s value must be of type %s %s in %s", what, c.typ, format, s.Path()),
	})
}

// usable reports whether a bound applies, and whether it is compared as an integer. It adds the
// error of a bound that is out of range.
func (c *numberCheck) usable(s Subject, b *bound, whole bool, what string) (applies, asInt bool) {
	if !b.set {
		return false, false
	}
	if b.outside && s.Failed(&b.site) {
		c.outOfRange(s, &b.site, what)
	}
	return true, whole && !b.outside
}

func (c *numberCheck) checkMultiple(s Subject, x float64, whole bool) {
	b := &c.multipleOf
	applies, asInt := c.usable(s, b, whole, "MultipleOf")
	factor, i := int64(b.value), s.Value().Int()
	switch {
	case !applies || asInt && factor > 0 && i%factor == 0 || !asInt && multiple(x, b.value) || !s.Failed(&b.site):
	case !asInt && b.value <= 0:
		invalid(s, &b.site, openapierrors.MultipleOfMustBePositive(s.Path(), "body", b.value))
	case !asInt:
		invalid(s, &b.site, openapierrors.NotMultipleOf(s.Path(), "body", b.value, x))
	case factor <= 0:
		invalid(s, &b.site, openapierrors.MultipleOfMustBePositive(s.Path(), "body", factor))
	default:
		invalid(s, &b.site, openapierrors.NotMultipleOf(s.Path(), "body", factor, i))
	}
}

// within reports whether a value is on the right side of a bound. order is the result of
// compare, negated for a minimum.
func (b *bound) within(order int) bool { return order < 0 || order == 0 && !b.exclusive }

// compare compares a value with a bound, an integer with the bound without its fraction.
func (b *bound) compare(x float64, i int64, asInt bool) int {
	if asInt {
		return cmp.Compare(i, int64(b.value))
	}
	return cmp.Compare(x, b.value)
}

func (c *numberCheck) checkMaximum(s Subject, x float64, whole bool) {
	b := &c.maximum
	applies, asInt := c.usable(s, b, whole, "Maximum boundary")
	switch i := s.Value().Int(); {
	case !applies || math.IsNaN(x) || b.within(b.compare(x, i, asInt)) || !s.Failed(&b.site):
	case !asInt:
		invalid(s, &b.site, openapierrors.ExceedsMaximum(s.Path(), "body", b.value, b.exclusive, x))
	default:
		invalid(s, &b.site, openapierrors.ExceedsMaximumInt(s.Path(), "body", int64(b.value), b.exclusive, i))
	}
}

func (c *numberCheck) checkMinimum(s Subject, x float64, whole bool) {
	b := &c.minimum
	applies, asInt := c.usable(s, b, whole, "Minimum boundary")
	switch i := s.Value().Int(); {
	case !applies || math.IsNaN(x) || b.within(-b.compare(x, i, asInt)) || !s.Failed(&b.site):
	case !asInt:
		invalid(s, &b.site, openapierrors.ExceedsMinimum(s.Path(), "body", b.value, b.exclusive, x))
	default:
		invalid(s, &b.site, openapierrors.ExceedsMinimumInt(s.Path(), "body", int64(b.value), b.exclusive, i))
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
