package walk

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/cel"
	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Rules are applied in a second visit of the object, to the parts that have any.
// Everything is visited in one order, because that decides which rules a budget
// is enough for.

// blocked says that the API server would not run rules on an object with these
// errors, and reports that it does not. Under NativeTypes nothing blocks rules.
func (w *walk) blocked() bool {
	if !w.opts.CustomResource || !w.opts.Blocking || w.anyway {
		return false
	}
	for _, e := range w.errs {
		if BlocksRules(e.err) {
			w.errs = append(w.errs, found{stage: keyword.Rules, err: RulesNotChecked()})
			return true
		}
	}
	return false
}

// branchRules applies the rules in a branch of anyOf, oneOf or not, which decide
// with the rest of the branch whether it is valid.
func (w *walk) branchRules(branch *graph.Node, f *frame) {
	if branch.HasRules {
		w.applyRules(branch, f, f)
	}
}

// applyRules applies the rules of a node to the value of a frame, and those below
// to what is in it. branch is the frame that a branch of a junctor was entered at:
// in it, errors are ratcheted with what contains that value and not with parts of
// it. It is nil outside of branches.
func (w *walk) applyRules(n *graph.Node, f, branch *frame) {
	if f.val.Kind() == view.Null || w.stopped || f.depth > maxDepth {
		return
	}
	unchanged := w.unchangedForRules(f, branch)
	if len(n.Rules) > 0 {
		w.cel.Next(w.opts.CustomResource)
	}
	for i := 0; i < len(n.Rules) && !w.stopped; i++ {
		if r := &n.Rules[i]; !unchanged || r.Program.UsesOldSelf {
			w.applyRule(r, f, branch)
		}
	}
	if w.stopped {
		return
	}
	for _, base := range n.Referenced {
		if base.HasRules {
			w.applyRules(base, f, branch)
		}
	}
	for _, b := range n.AllOf {
		if b.HasRules {
			in := branch
			if in == nil {
				in = f
			}
			w.applyRules(b, f, in)
		}
	}
	switch f.val.Kind() {
	case view.Map:
		w.rulesOfEntries(n, f, branch)
	case view.List:
		w.rulesOfItems(n, f, branch)
	}
}

// applyRule runs one rule. A transition rule needs an old value, unless it says
// that oldSelf is optional.
func (w *walk) applyRule(r *graph.Rule, f, branch *frame) {
	var old view.View
	hasOld := false
	if w.updating && r.Program.WantsOld {
		old, hasOld = w.old(f)
		hasOld = hasOld && old.Kind() != view.Null
	}
	if r.Program.UsesOldSelf && !hasOld && !r.Program.OptionalOld() {
		return
	}
	outcome, detail := w.cel.Run(w.ctx, r.Program, f.val, old, hasOld)
	switch outcome {
	case cel.Failed:
		if !r.Program.UsesOldSelf && w.ratchetsRule(f, branch) {
			return
		}
		if w.failed() {
			w.ruleFailed(r, f, detail)
		}
	case cel.Broken:
		if w.explained(f, branch) {
			return
		}
		switch {
		case !w.failed():
		case w.anyway:
			w.ruleFailed(r, f, r.Program.Message())
		default:
			w.ruleBroken(r, f, detail)
		}
	case cel.Exhausted:
		w.stopped = true
		if w.failed() {
			w.ruleBroken(r, f, detail)
		}
	}
}

// unchangedForRules says that an update did not change the value of a frame for the rules
// on it: those that do not look at oldSelf need not run, because the failure of one would
// be dropped. In custom resources all rules run, because the API server reports a rule that
// cannot be evaluated on an unchanged value too.
//
// Only the object, its fields and the items of lists are compared, so that nothing is
// compared at every level; what is in an unchanged value is unchanged.
func (w *walk) unchangedForRules(f, branch *frame) bool {
	if !w.skipUnchanged || typeMeta(f) {
		return false
	}
	if branch != nil {
		at := branch.parentFrame()
		return at != nil && at.old.same == sameYes
	}
	switch {
	case f.step != graph.ToRoot && f.parent.old.same == sameYes:
		f.old.same = sameYes
	case f.step == graph.ToRoot || f.parent.step == graph.ToRoot || f.step == graph.ToItem:
		return w.unchanged(f)
	}
	return f.old.same == sameYes
}

// ratchetsRule says that the failure of a rule is to be dropped: the value, or
// the nearest above it that has an old value, did not change.
func (w *walk) ratchetsRule(f, branch *frame) bool {
	if !w.ratcheting || typeMeta(f) {
		return false
	}
	at := f
	if branch != nil {
		at = branch.parentFrame()
	}
	for at != nil && !w.hasOld(at) {
		at = at.parentFrame()
	}
	return at != nil && w.unchanged(at)
}

func (f *frame) parentFrame() *frame {
	if f.step == graph.ToRoot {
		return nil
	}
	return f.parent
}

// explained says that a rule which could not be evaluated is not to be reported
// because something else is: the value has errors that explain it, or it has not
// changed. In the API server such a rule is an error always; under NativeTypes,
// where rules run on values with errors, it would be noise.
func (w *walk) explained(f, branch *frame) bool {
	if w.opts.CustomResource {
		return false
	}
	if w.ratchetsRule(f, branch) {
		return true
	}
	at := w.field(f)
	for _, e := range w.errs {
		rest, within := strings.CutPrefix(e.err.Field, at)
		if e.stage != keyword.Rules && (f.step == graph.ToRoot || (within && (rest == "" || rest[0] == '.' || rest[0] == '['))) {
			return true
		}
	}
	return false
}

// ruleFailed reports a rule that is false, with its reason and at its field.
func (w *walk) ruleFailed(r *graph.Rule, f *frame, detail string) {
	e := field.Error{Type: r.Type, Detail: detail, BadValue: field.OmitValueType{}}
	if !r.Omit {
		e.BadValue = f.val.JSON()
	}
	switch r.Type {
	case field.ErrorTypeForbidden, field.ErrorTypeRequired:
		e.BadValue = ""
	case field.ErrorTypeDuplicate:
		e.Detail = ""
	}
	e.Field = w.field(f)
	if r.Path != "" {
		if e.Field += "." + r.Path; f.step == graph.ToRoot {
			e.Field = r.Path
		}
	}
	w.keep(&keyword.Site{Origin: ruleOrigin, Stage: keyword.Rules}, e)
}

// ruleBroken reports a rule that could not be evaluated.
func (w *walk) ruleBroken(r *graph.Rule, f *frame, detail string) {
	w.keep(&keyword.Site{Origin: ruleOrigin, Stage: keyword.Rules}, field.Error{
		Type: field.ErrorTypeInvalid, Field: w.field(f), BadValue: r.TypeName, Detail: detail,
	})
}
