package walk

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"

	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// found is an error with the stage that found it, and its declaration if places are counted.
type found struct {
	err   *field.Error
	stage keyword.Stage
	place tally.ID
}

// failed counts a failure of a keyword and reports whether to create its error. Checks call it
// last, so a branch whose errors are dropped formats no messages.
func (w *walk) failed(s *keyword.Site) bool {
	w.failures++
	if s.Tally != 0 {
		w.tally.Fail(s.Tally)
	}
	return w.quiet == 0
}

// invalid reports an error of kube-openapi as the API server converts it.
func (w *walk) invalid(f *frame, s *keyword.Site, err *openapierrors.Validation) {
	w.report(f, s, keyword.Converted(err))
}

// report keeps an error at the path of a frame.
func (w *walk) report(f *frame, s *keyword.Site, e field.Error) {
	if w.opts.CustomResource && s.Stage == keyword.Schemas {
		e.Field = w.schemaField(f)
	} else {
		e.Field = w.field(f)
	}
	w.keep(s, e)
}

// pathless reports an error to which the API server assigns no field; only its text has the path.
func (w *walk) pathless(f *frame, s *keyword.Site, e field.Error) {
	if w.opts.CustomResource {
		e.Field = (*field.Path)(nil).String()
		w.keep(s, e)
		return
	}
	w.report(f, s, e)
}

func (w *walk) keep(s *keyword.Site, e field.Error) {
	if s.Override != nil {
		if s.Override.Message != "" {
			e.Detail = s.Override.Message
		}
		if s.Override.Type != "" {
			e.Type = s.Override.Type
		}
	}
	e.Origin = s.Origin
	w.errs = append(w.errs, found{err: &e, stage: s.Stage, place: s.Tally})
}

// finish returns the errors in canonical order and releases the object.
func (w *walk) finish() field.ErrorList {
	located := w.tally.Located(w.ctx)
	w.ctx = nil
	w.rules.cel.Reset(0)
	w.root = frame{deeper: w.root.deeper}
	for f := w.root.deeper; f != nil && f.parent != nil; f = f.deeper {
		*f = frame{deeper: f.deeper} // a pooled walk keeps no object
	}
	if len(w.errs) == 0 {
		return nil
	}
	slices.SortStableFunc(w.errs, func(a, b found) int { return fielderror.Compare(a.err, b.err) })
	errs := make(field.ErrorList, 0, len(w.errs))
	for i, e := range w.errs {
		// Several branches may report the same error. kube-openapi keeps one of them.
		if i > 0 && e.stage == keyword.Schemas && w.errs[i-1].stage == keyword.Schemas && sameText(w.errs[i-1].err, e.err) {
			w.locate(located, errs[len(errs)-1], e)
			continue
		}
		errs = append(errs, e.err)
		w.locate(located, e.err, e)
	}
	clear(w.errs)
	return errs
}

// locate records the declaration of an error, if the context asks for it.
func (w *walk) locate(in *tally.Located, err *field.Error, e found) {
	if in != nil {
		in.Add(err, w.tally.Declared(e.place))
	}
}

// sameText reports whether two errors at one place have the same text.
func sameText(a, b *field.Error) bool {
	return a.Field == b.Field && a.Type == b.Type && a.Origin == b.Origin && a.Detail == b.Detail
}
