package declarative

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"

	"github.com/diffrun/diffrun/internal/fielderror"
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
	w.root = frame{deeper: w.root.deeper}
	for f := w.root.deeper; f != nil && f.parent != nil; f = f.deeper {
		*f = frame{deeper: f.deeper} // a walk that waits for the next object keeps none
	}
	if len(w.errs) == 0 {
		return nil
	}
	slices.SortStableFunc(w.errs, func(a, b found) int { return fielderror.Compare(a.err, b.err) })
	errs := make(field.ErrorList, 0, len(w.errs))
	for i, e := range w.errs {
		// Several branches may find the same wrong. kube-openapi keeps one of them.
		if i > 0 && e.stage == schemas && w.errs[i-1].stage == schemas && saysTheSame(w.errs[i-1].err, e.err) {
			continue
		}
		errs = append(errs, e.err)
	}
	clear(w.errs)
	return errs
}

// saysTheSame says that two errors at one place differ in nothing that a reader sees.
func saysTheSame(a, b *field.Error) bool {
	return a.Field == b.Field && a.Type == b.Type && a.Origin == b.Origin && a.Detail == b.Detail
}
