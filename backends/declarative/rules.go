package declarative

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/cel"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Rules are applied in a second visit of the object, to the parts that have any.
// Everything is visited in one order, because that decides which rules a budget
// is enough for.

// blocked says that the API server would not run rules on an object with these
// errors, and reports that it does not. Under NativeTypes nothing blocks rules.
func (w *walk) blocked() bool {
	if w.opts.Semantics != CustomResources || w.opts.Blocking == BlockingOff || w.anyway {
		return false
	}
	for _, e := range w.errs {
		if BlocksRules(e.err) {
			w.errs = append(w.errs, found{stage: ruleStage, err: RulesNotChecked()})
			return true
		}
	}
	return false
}

// branchRules applies the rules in a branch of anyOf, oneOf or not, which decide
// with the rest of the branch whether it is valid.
func (w *walk) branchRules(branch *node, f *frame) {
	if branch.hasRules {
		w.applyRules(branch, f, f)
	}
}

// applyRules applies the rules of a node to the value of a frame, and those below
// to what is in it. branch is the frame that a branch of a junctor was entered at:
// in it, errors are ratcheted with what contains that value and not with parts of
// it. It is nil outside of branches.
func (w *walk) applyRules(n *node, f, branch *frame) {
	if f.val.Kind() == view.Null || w.stopped || f.depth > maxDepth {
		return
	}
	unchanged := w.unchangedForRules(f, branch)
	if len(n.rules) > 0 {
		w.cel.Next(w.opts.Semantics == CustomResources)
	}
	for i := 0; i < len(n.rules) && !w.stopped; i++ {
		if r := &n.rules[i]; !unchanged || r.program.UsesOldSelf {
			w.applyRule(r, f, branch)
		}
	}
	if w.stopped {
		return
	}
	for _, base := range n.also {
		if base.hasRules {
			w.applyRules(base, f, branch)
		}
	}
	for _, b := range n.allOf {
		if b.hasRules {
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
func (w *walk) applyRule(r *rule, f, branch *frame) {
	var old view.View
	hasOld := false
	if w.updating && r.program.WantsOld {
		old, hasOld = w.old(f)
		hasOld = hasOld && old.Kind() != view.Null
	}
	if r.program.UsesOldSelf && !hasOld && !r.program.OptionalOld() {
		return
	}
	outcome, detail := w.cel.Run(w.ctx, r.program, f.val, old, hasOld)
	switch outcome {
	case cel.Failed:
		if !r.program.UsesOldSelf && w.ratchetsRule(f, branch) {
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
			w.ruleFailed(r, f, r.program.Message())
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
	case f.step != toRoot && f.parent.old.same == sameYes:
		f.old.same = sameYes
	case f.step == toRoot || f.parent.step == toRoot || f.step == toItem:
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
	if f.step == toRoot {
		return nil
	}
	return f.parent
}

// explained says that a rule which could not be evaluated is not to be reported
// because something else is: the value has errors that explain it, or it has not
// changed. In the API server such a rule is an error always; under NativeTypes,
// where rules run on values with errors, it would be noise.
func (w *walk) explained(f, branch *frame) bool {
	if w.opts.Semantics == CustomResources {
		return false
	}
	if w.ratchetsRule(f, branch) {
		return true
	}
	at := w.field(f)
	for _, e := range w.errs {
		rest, within := strings.CutPrefix(e.err.Field, at)
		if e.stage != ruleStage && (f.step == toRoot || (within && (rest == "" || rest[0] == '.' || rest[0] == '['))) {
			return true
		}
	}
	return false
}

// ruleFailed reports a rule that is false, with its reason and at its field.
func (w *walk) ruleFailed(r *rule, f *frame, detail string) {
	e := field.Error{Type: r.typ, Detail: detail, BadValue: field.OmitValueType{}}
	if !r.omit {
		e.BadValue = f.val.JSON()
	}
	switch r.typ {
	case field.ErrorTypeForbidden, field.ErrorTypeRequired:
		e.BadValue = ""
	case field.ErrorTypeDuplicate:
		e.Detail = ""
	}
	e.Field = w.field(f)
	if r.path != "" {
		if e.Field += "." + r.path; f.step == toRoot {
			e.Field = r.path
		}
	}
	w.keep(&site{origin: ruleOrigin, stage: ruleStage}, e)
}

// ruleBroken reports a rule that could not be evaluated.
func (w *walk) ruleBroken(r *rule, f *frame, detail string) {
	w.keep(&site{origin: ruleOrigin, stage: ruleStage}, field.Error{
		Type: field.ErrorTypeInvalid, Field: w.field(f), BadValue: r.typeName, Detail: detail,
	})
}
