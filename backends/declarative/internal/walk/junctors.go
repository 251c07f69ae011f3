package walk

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
)

// join checks a value against the branches of a junctor.
func (w *schemaVisit) join(j *graph.Junctor, f *frame) {
	switch j.Kind {
	case graph.AllOf:
		w.allOf(j, f)
	case graph.AnyOf:
		w.anyOf(j, f)
	case graph.OneOf:
		w.oneOf(j, f)
	case graph.Not:
		if valid, _ := w.try(j.Branches[0], f); valid && w.failed(&j.Site) {
			w.junctor(f, &j.Site, "must not validate the schema (not)")
		}
	}
}

// junctor reports the failure of a junctor as a whole.
func (w *schemaVisit) junctor(f *frame, s *keyword.Site, format string, args ...any) {
	w.pathless(f, s, field.Error{
		Type: field.ErrorTypeInvalid, BadValue: "",
		Detail: fmt.Sprintf("%q %s", w.text(f), fmt.Sprintf(format, args...)),
	})
}

// allOf reports the errors of all branches, and one more for the junctor.
func (w *schemaVisit) allOf(j *graph.Junctor, f *frame) {
	valid := 0
	for _, branch := range j.Branches {
		w.rules.proving = w.rules.proving && !branch.HasRules
		before := w.failures
		w.branch(branch, f)
		if w.failures == before {
			valid++
		}
	}
	if valid == len(j.Branches) || !w.failed(&j.Site) {
		return
	}
	none := ""
	if valid == 0 {
		none = ". None validated"
	}
	w.junctor(f, &j.Site, "must validate all the schemas (allOf)%s", none)
}

// branch applies a branch of a junctor. Its errors belong to the value that has the junctor:
// they are dropped if that value is unchanged, not if only a part of it is.
func (w *schemaVisit) branch(n *graph.Node, f *frame) {
	w.branches++
	w.apply(n, f)
	w.branches--
}

// try applies a branch, rules included, without keeping its errors. It returns whether the
// branch is valid, and its score.
func (w *schemaVisit) try(branch *graph.Node, f *frame) (valid bool, score int) {
	failures, before := w.failures, w.score
	w.quiet++
	w.branch(branch, f)
	w.rules.applyBranch(branch, f)
	w.quiet--
	valid, score = w.failures == failures, w.score-before
	w.failures, w.score = failures, before
	return valid, score
}

// anyOf stops at the first valid branch.
func (w *schemaVisit) anyOf(j *graph.Junctor, f *frame) {
	best, most := j.Branches[0], -1
	for _, branch := range j.Branches {
		valid, score := w.try(branch, f)
		if valid {
			w.score += score
			return
		}
		if score > most {
			best, most = branch, score
		}
	}
	if w.failed(&j.Site) {
		w.junctor(f, &j.Site, "must validate at least one schema (anyOf)")
	}
	w.explain(best, most, f)
}

// explain adds the errors of the branch with the highest score.
func (w *schemaVisit) explain(best *graph.Node, score int, f *frame) {
	if w.quiet > 0 {
		w.score += score
		return
	}
	w.branch(best, f)
	w.rules.applyBranch(best, f)
}

// oneOf requires exactly one valid branch.
func (w *schemaVisit) oneOf(j *graph.Junctor, f *frame) {
	best, most, valids, first := j.Branches[0], -1, 0, 0
	for _, branch := range j.Branches {
		valid, score := w.try(branch, f)
		switch {
		case valid:
			if valids == 0 {
				first = score
			}
			valids++
		case score > most:
			best, most = branch, score
		}
	}
	switch {
	case valids == 1:
		w.score += first
	case valids == 0:
		if w.failed(&j.Site) {
			w.junctor(f, &j.Site, "must validate one and only one schema (oneOf). Found none valid")
		}
		w.explain(best, most, f)
	case w.failed(&j.Site):
		w.junctor(f, &j.Site, "must validate one and only one schema (oneOf). Found %d valid alternatives", valids)
	}
}
