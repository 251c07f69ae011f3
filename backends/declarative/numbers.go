package declarative

import (
	"fmt"
	"math"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// numberCheck is the keywords minimum, maximum (and their exclusive forms) and
// multipleOf. An integer is compared as one: kube-openapi cuts the fraction off a
// bound then, and so does this.
type numberCheck struct {
	minimum, maximum, multipleOf           *float64
	exclusiveMinimum, exclusiveMaximum     bool
	minimumSite, maximumSite, multipleSite site
}

func compileNumbers(c *compiler, n *node, s schemaSite) {
	p := s.schema
	compileRange(c, n, s)
	if p.Minimum == nil && p.Maximum == nil && p.MultipleOf == nil {
		return
	}
	if p.MultipleOf != nil && *p.MultipleOf <= 0 {
		c.mistake(s.of("multipleOf").where(), *p.MultipleOf, "must be greater than 0")
		return
	}
	n.on(&numberCheck{
		minimum: p.Minimum, maximum: p.Maximum, multipleOf: p.MultipleOf,
		exclusiveMinimum: p.ExclusiveMinimum, exclusiveMaximum: p.ExclusiveMaximum,
		minimumSite:  s.of("minimum").site(),
		maximumSite:  s.of("maximum").site(),
		multipleSite: s.of("multipleOf").site(),
	}, view.Int, view.Float)
}

func (c *numberCheck) check(w *walk, f *frame) {
	if f.val.Kind() == view.Int {
		c.checkInt(w, f, f.val.Int())
		return
	}
	c.checkFloat(w, f, f.val.Float())
}

func (c *numberCheck) checkInt(w *walk, f *frame, i int64) {
	if c.multipleOf != nil && !multipleInt(i, *c.multipleOf) && w.failed() {
		w.invalid(f, &c.multipleSite, openapierrors.NotMultipleOf(w.text(f), "body", int64(*c.multipleOf), i))
	}
	if c.maximum != nil {
		max := int64(*c.maximum)
		if (i > max || (c.exclusiveMaximum && i == max)) && w.failed() {
			w.invalid(f, &c.maximumSite, openapierrors.ExceedsMaximumInt(w.text(f), "body", max, c.exclusiveMaximum, i))
		}
	}
	if c.minimum != nil {
		min := int64(*c.minimum)
		if (i < min || (c.exclusiveMinimum && i == min)) && w.failed() {
			w.invalid(f, &c.minimumSite, openapierrors.ExceedsMinimumInt(w.text(f), "body", min, c.exclusiveMinimum, i))
		}
	}
}

func (c *numberCheck) checkFloat(w *walk, f *frame, x float64) {
	if c.multipleOf != nil && !multiple(x, *c.multipleOf) && w.failed() {
		w.invalid(f, &c.multipleSite, openapierrors.NotMultipleOf(w.text(f), "body", *c.multipleOf, x))
	}
	if c.maximum != nil && (x > *c.maximum || (c.exclusiveMaximum && x == *c.maximum)) && w.failed() {
		w.invalid(f, &c.maximumSite, openapierrors.ExceedsMaximum(w.text(f), "body", *c.maximum, c.exclusiveMaximum, x))
	}
	if c.minimum != nil && (x < *c.minimum || (c.exclusiveMinimum && x == *c.minimum)) && w.failed() {
		w.invalid(f, &c.minimumSite, openapierrors.ExceedsMinimum(w.text(f), "body", *c.minimum, c.exclusiveMinimum, x))
	}
}

// multipleInt says that i is a multiple of a factor whose fraction is cut off. A
// factor below one divides every integer that its reciprocal is whole for, and
// with the fraction cut off nothing would be left of it.
func multipleInt(i int64, factor float64) bool {
	if whole := int64(factor); whole > 0 {
		return i%whole == 0
	}
	return multiple(float64(i), factor)
}

func multiple(x, factor float64) bool {
	if factor < 1 {
		return wholeNumber(1 / factor * x)
	}
	return wholeNumber(x / factor)
}

// rangeCheck is the keyword "format" on numbers: int32, int64 and float bound
// what the number may be.
type rangeCheck struct {
	site
	typ, format string
}

func compileRange(_ *compiler, n *node, s schemaSite) {
	types := typesOf(s.schema)
	if len(types) != 1 || !slices.Contains([]string{"integer", "number"}, types[0]) {
		return
	}
	check := &rangeCheck{site: s.of("format").site(), typ: types[0], format: formatOf(s.schema)}
	check.origin = "format=" + check.format
	if types[0] == "integer" {
		n.on(check, view.Int, view.Float)
	} else if check.format == "float" {
		n.on(check, view.Int, view.Float)
	}
}

func (c *rangeCheck) check(w *walk, f *frame) {
	x := f.val.Float()
	fits := true
	switch {
	case c.format == "int32":
		fits = wholeNumber(x) && x >= math.MinInt32 && x <= math.MaxInt32
	case c.typ == "integer":
		fits = f.val.Kind() == view.Int || (x == math.Trunc(x) && x >= math.MinInt64 && x < math.MaxInt64)
	case c.format == "float":
		fits = math.Abs(x) <= math.MaxFloat32
	}
	if fits || !w.failed() {
		return
	}
	format := "(default format)"
	if c.format != "" {
		format = "with format " + c.format
	}
	w.pathless(f, &c.site, field.Error{
		Type: field.ErrorTypeInvalid, BadValue: "",
		Detail: fmt.Sprintf("Checked value must be of type %s %s in %s", c.typ, format, w.text(f)),
	})
}
