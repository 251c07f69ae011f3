package walk

import (
	"iter"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/backends/declarative/tally"
)

// subject is the value of a frame for the check of a keyword. It implements
// keyword.Subject.
type subject struct {
	visit *schemaVisit
	frame *frame
}

// subject returns the value of a frame for one check. It is valid until the next call.
func (w *schemaVisit) subject(f *frame) keyword.Subject {
	w.at = subject{w, f}
	return &w.at
}

func (s *subject) Value() view.View { return s.frame.val }

func (s *subject) Reader() *view.Reader { return s.visit.read }

func (s *subject) Duplicates(keys []string, numbers view.Numbers) iter.Seq[int] {
	return s.visit.duplicates(s.frame.val, keys, numbers)
}

func (s *subject) Failed(at *keyword.Site) bool { return s.visit.failed(at) }

func (s *subject) Undecided(sites ...*keyword.Site) {
	for _, at := range sites {
		if at.Tally != 0 {
			s.visit.tally.Undecided(at.Tally)
		}
	}
}

func (s *subject) Reached(places []tally.ID) { s.visit.tally.Reach(places) }

func (s *subject) Path() string { return s.visit.text(s.frame) }

func (s *subject) Report(at *keyword.Site, e field.Error) { s.visit.report(s.frame, at, e) }

func (s *subject) ReportItem(index int, at *keyword.Site, e field.Error) {
	s.visit.report(s.visit.part(s.frame, graph.ToItem, "", index), at, e)
}

func (s *subject) ReportPathless(at *keyword.Site, e field.Error) { s.visit.pathless(s.frame, at, e) }

func (s *subject) ReportAs(at *keyword.Site, make func(*field.Path) field.ErrorList) {
	var path *field.Path
	if s.frame.step != graph.ToRoot {
		path = field.NewPath(s.visit.field(s.frame))
	}
	for _, e := range make(path) {
		site := *at
		if e.Origin != "" {
			site.Origin = e.Origin
		}
		if s.visit.failed(&site) {
			s.visit.keep(&site, *e)
		}
	}
}
