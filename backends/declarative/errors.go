package declarative

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"
)

// stage is which part of a validation an error is from. The API server treats
// them differently.
type stage uint8

const (
	schemas   stage = iota // value validations
	listTypes              // uniqueness in lists of type set and map
	embedded               // embedded resources
	ruleStage              // x-kubernetes-validations
)

// site is what an error says about where it comes from: the keyword, and what
// x-kubernetes-validation-errors says about that.
type site struct {
	origin   string
	override *override
	stage    stage
}

// found is an error that was kept.
type found struct {
	err   *field.Error
	stage stage
}

// failed counts a failure and says whether its error is to be made. It is the
// last operand of a check's condition, so that nothing is written for a branch
// whose errors nobody will see.
func (w *walk) failed() bool {
	w.failures++
	return w.quiet == 0
}

// invalid reports an error of kube-openapi as the API server converts it.
func (w *walk) invalid(f *frame, s *site, err *openapierrors.Validation) {
	e := field.Error{Type: field.ErrorTypeInvalid, BadValue: err.Value, Detail: err.Error()}
	if e.BadValue == nil {
		e.BadValue = ""
	}
	max, _ := err.Valid.(int64)
	switch err.Code() {
	case openapierrors.InvalidTypeCode:
		e.Type = field.ErrorTypeTypeInvalid
	case openapierrors.TooLongFailCode:
		e = *field.TooLong(nil, "", int(max))
	case openapierrors.MaxItemsFailCode, openapierrors.TooManyPropertiesCode:
		actual, _ := err.Value.(int64)
		e = *field.TooMany(nil, int(actual), int(max))
	}
	w.report(f, s, e)
}

// report keeps an error at the path of a frame.
func (w *walk) report(f *frame, s *site, e field.Error) {
	if w.opts.Semantics == CustomResources && s.stage == schemas {
		e.Field = w.schemaField(f)
	} else {
		e.Field = w.field(f)
	}
	w.keep(s, e)
}

// pathless reports an error that the API server gives no field: the path is only
// in its text.
func (w *walk) pathless(f *frame, s *site, e field.Error) {
	if w.opts.Semantics == CustomResources {
		e.Field = (*field.Path)(nil).String()
		w.keep(s, e)
		return
	}
	w.report(f, s, e)
}

func (w *walk) keep(s *site, e field.Error) {
	if s.override != nil {
		if s.override.Message != "" {
			e.Detail = s.override.Message
		}
		if s.override.typ != "" {
			e.Type = s.override.typ
		}
	}
	e.Origin = s.origin
	w.errs = append(w.errs, found{err: &e, stage: s.stage})
}

// finish gives the errors in their order and lets go of the object.
func (w *walk) finish() field.ErrorList {
	w.ctx = nil
	w.cel.Reset(0)
	w.counts.forget()
	w.root = frame{deeper: w.root.deeper}
	for f := w.root.deeper; f != nil && f.parent != nil; f = f.deeper {
		*f = frame{deeper: f.deeper} // a walk that waits for the next object keeps none
	}
	if len(w.errs) == 0 {
		return nil
	}
	slices.SortStableFunc(w.errs, func(a, b found) int { return compare(a.err, b.err) })
	errs := make(field.ErrorList, 0, len(w.errs))
	for i, e := range w.errs {
		// Several branches may find the same wrong. kube-openapi keeps one of them.
		if i > 0 && e.stage == schemas && w.errs[i-1].stage == schemas && compare(w.errs[i-1].err, e.err) == 0 {
			continue
		}
		errs = append(errs, e.err)
	}
	clear(w.errs)
	return errs
}

// compare is the canonical order of errors.
func compare(a, b *field.Error) int {
	return cmp.Or(
		compareFields(a.Field, b.Field),
		cmp.Compare(a.Type, b.Type),
		cmp.Compare(a.Origin, b.Origin),
		cmp.Compare(a.Detail, b.Detail),
	)
}

// compareFields orders paths such that what is inside of a value follows it and
// items come in the order of their index (items[2] before items[10]).
func compareFields(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] == b[i] {
			continue
		}
		if start := digits(a, i); start == digits(b, i) && start >= 0 {
			if c := cmp.Compare(run(a, start), run(b, start)); c != 0 {
				return c
			}
		}
		return cmp.Compare(a[i], b[i])
	}
	return cmp.Compare(len(a), len(b))
}

// digits is where the index that s[i] is in or ends begins, or -1.
func digits(s string, i int) int {
	for i > 0 && isDigit(s[i-1]) {
		i--
	}
	if i > 0 && s[i-1] == '[' && i < len(s) && isDigit(s[i]) {
		return i
	}
	return -1
}

// run is the length of the digits from start on: of two numbers without leading
// zeros the longer is the greater.
func run(s string, start int) int {
	end := start
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	return end - start
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
