package walk

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel"
	"github.com/diffrun/diffrun/backends/declarative/internal/graph"
	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// The visit for the schema proves rules. If all are proven, which is usual, nothing else happens.
// Otherwise the rules run in a second visit of the object, which goes only where there are rules. Its
// order is fixed, because it decides which rules run before the budget is used up.

// ruleVisit runs the rules of a schema on an object.
type ruleVisit struct {
	*walk
	cel            *cel.Evaluator
	proving        bool        // the visit for the schema has proven all rules so far
	stopped        bool        // the budget is used up
	ignoreBlocking bool        // rules run on an object with blocking errors
	onUnchanged    bool        // all rules run on unchanged values
	reached        [1]tally.ID // see count
}

// blocked reports whether the API server runs no rules on an object with these errors, and
// adds the error that says so. It applies to custom resources only.
func (w *ruleVisit) blocked() bool {
	if !w.opts.CustomResource || !w.opts.Blocking || w.ignoreBlocking {
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

// applyBranch applies the rules in a branch of anyOf, oneOf or not. They are part of what
// makes the branch valid.
func (w *ruleVisit) applyBranch(branch *graph.Node, f *frame) {
	if branch.HasRules {
		w.apply(branch, f, f)
	}
}

// apply applies the rules of a node to the value of a frame, and the rules below it to
// the parts of the value. Inside a branch of a junctor, branch is the frame that has the
// junctor: its errors are ratcheted with the value around it. Otherwise branch is nil.
func (w *ruleVisit) apply(n *graph.Node, f, branch *frame) {
	if f.val.Kind() == view.Null || w.stopped || f.depth > maxDepth {
		return
	}
	w.applyOwn(n, f, branch)
	if w.stopped {
		return
	}
	for _, base := range n.Referenced {
		if base.HasRules {
			w.apply(base, f, branch)
		}
	}
	for _, b := range n.AllOf {
		if b.HasRules {
			in := branch
			if in == nil {
				in = f
			}
			w.apply(b, f, in)
		}
	}
	switch f.val.Kind() {
	case view.Map:
		w.applyEntries(n, f, branch)
	case view.List:
		w.applyItems(n, f, branch)
	}
}

// applyOwn applies the rules of a node to the value of a frame.
func (w *ruleVisit) applyOwn(n *graph.Node, f, branch *frame) {
	unchanged := w.unchangedForRules(f, branch)
	if len(n.Rules) == 0 {
		return
	}
	w.cel.Next()
	proven := uint64(0) // of n.Groups, a bit each
	if w.ctx.Err() == nil {
		proven, _ = w.provenGroups(n, f, unchanged)
	}
	for i := 0; i < len(n.Rules) && !w.stopped; i++ {
		r := &n.Rules[i]
		switch {
		case unchanged && !r.Program.UsesOldSelf || !r.For.Includes(w.opts.Subresource):
		case proven&r.Group == 0:
			w.run(r, f, branch)
		case r.Tally != 0:
			w.count(r.Tally, cel.Passed)
		}
	}
}

// prove proves the rules of a node on the value of a frame, whose parts were visited. Nothing is proven
// after a failure of the schema, so no plan runs on an object that is nested too deep.
func (w *ruleVisit) prove(n *graph.Node, f *frame) {
	if w.proving = w.proving && w.failures == 0; !w.proving || len(n.Rules) == 0 || f.val.Kind() == view.Null {
		return
	}
	w.cel.Next()
	_, all := w.provenGroups(n, f, w.unchangedForRules(f, nil))
	w.proving = all && n.Grouped
}

// provenGroups returns the groups of rules that are proven, a bit each, and whether these are all that
// apply. If the value is unchanged, only rules that use oldSelf apply.
func (w *ruleVisit) provenGroups(n *graph.Node, f *frame, unchanged bool) (proven uint64, all bool) {
	all = true
	for i := range n.Groups {
		g := &n.Groups[i]
		old, hasOld := w.oldForRules(f, g.WantsOld)
		earlier := &old
		if !hasOld {
			earlier = nil
		}
		switch {
		case !g.For.Includes(w.opts.Subresource), g.NeedsOld && !hasOld, unchanged && !g.WantsOld: // its rules do not apply
		case w.cel.Proves(g.Proof, &f.val, earlier):
			proven |= 1 << i
		default:
			all = false
		}
	}
	return proven, all
}

// ruleSite is the Site of errors of rules.
var ruleSite = &keyword.Site{Origin: ruleOrigin, Stage: keyword.Rules}

// count notes how a rule ended.
func (w *ruleVisit) count(place tally.ID, outcome cel.Outcome) {
	w.reached[0] = place
	w.tally.Reach(w.reached[:])
	switch outcome {
	case cel.Failed:
		w.tally.Fail(place)
	case cel.Broken, cel.Exhausted:
		w.tally.Undecided(place)
	}
}

// oldForRules returns the old value if rules want it and it is not null.
func (w *ruleVisit) oldForRules(f *frame, wanted bool) (old view.View, ok bool) {
	if w.updating && wanted {
		old, ok = w.old(f)
	}
	return old, ok && old.Kind() != view.Null
}

// run runs one rule. A transition rule runs only if there is an old value, unless it
// sets optionalOldSelf.
func (w *ruleVisit) run(r *graph.Rule, f, branch *frame) {
	old, hasOld := w.oldForRules(f, r.Program.WantsOld)
	if r.Program.NeedsOld() && !hasOld {
		return
	}
	outcome, details := w.cel.Run(w.ctx, r.Program, f.val, old, hasOld)
	if r.Tally != 0 {
		w.count(r.Tally, outcome)
	}
	switch outcome {
	case cel.Failed:
		if !r.Program.UsesOldSelf && w.ratchetsRule(f, branch) {
			return
		}
		for _, detail := range details {
			if w.failed(ruleSite) {
				w.ruleFailed(r, f, detail)
			}
		}
	case cel.Broken:
		if w.hasOtherCause(f, branch) {
			return
		}
		switch {
		case !w.failed(ruleSite):
		case w.ignoreBlocking:
			w.ruleFailed(r, f, r.Program.Message())
		default:
			w.ruleBroken(r, f, details[0])
		}
	case cel.Exhausted:
		w.stopped = true
		if w.failed(ruleSite) {
			w.ruleBroken(r, f, details[0])
		}
	}
}

// unchangedForRules reports whether an update left the value of a frame unchanged, so rules
// without oldSelf need not run: their failures would be dropped. In custom resources all
// rules run, because the API server also reports a rule that cannot be evaluated on an
// unchanged value.
//
// It compares only the object, its fields and the items of lists, so no value is compared
// at every level. The parts of an unchanged value are unchanged.
func (w *ruleVisit) unchangedForRules(f, branch *frame) bool {
	if !w.ratcheting() || w.opts.CustomResource || w.onUnchanged || typeMeta(f) {
		return false
	}
	if branch != nil {
		at := branch.parentFrame()
		return at != nil && at.old.same == yes
	}
	switch {
	case f.step != graph.ToRoot && f.parent.old.same == yes:
		f.old.same = yes
	case f.step == graph.ToRoot || f.parent.step == graph.ToRoot || f.step == graph.ToItem:
		return w.unchanged(f)
	case f.old.same == unknown:
		f.old.same = w.alreadyCompared(f)
	}
	return f.old.same == yes
}

// ratchetsRule reports whether to drop the failure of a rule: the value, or the nearest
// value around it that has an old value, did not change.
func (w *ruleVisit) ratchetsRule(f, branch *frame) bool {
	if !w.ratcheting() || typeMeta(f) {
		return false
	}
	at := f
	if branch != nil {
		at = branch.parentFrame()
	}
	for at != nil && !w.hasOld(at) {
		at = at.parentFrame()
	}
	return at != nil && (w.equalsOld(at) || w.listStays(at))
}

// listStays reports whether a value is in a list of type map that did not change. If a key is there
// twice, the old item that a value is compared with may be another one.
func (w *walk) listStays(f *frame) bool {
	if w.opts.CustomResource {
		return false
	}
	for at := f; at != nil; at = at.parentFrame() {
		if at.step == graph.ToItem && at.parent.declaring.MapKeys() != nil && w.hasOld(at.parent) && w.equalsOld(at.parent) {
			return true
		}
	}
	return false
}

// hasOtherCause reports whether to drop a rule that could not be evaluated, because the value
// has other errors or has not changed. For custom resources it is always an error, as in
// the API server. Native types run rules on values with errors, so it would be noise.
func (w *ruleVisit) hasOtherCause(f, branch *frame) bool {
	if w.opts.CustomResource {
		return false
	}
	if w.ratchetsRule(f, branch) {
		return true
	}
	at := w.field(f)
	for _, e := range w.errs {
		if e.stage != keyword.Rules && (f.step == graph.ToRoot || fieldpath.AtOrBelow(e.err.Field, at)) {
			return true
		}
	}
	return false
}

// ruleFailed reports a message of a rule that is false, with its reason and at its field.
func (w *ruleVisit) ruleFailed(r *graph.Rule, f *frame, detail string) {
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
	w.keepOf(r, e)
}

// keepOf keeps an error of a rule.
func (w *ruleVisit) keepOf(r *graph.Rule, e field.Error) {
	site := *ruleSite
	site.Tally = r.Tally
	w.keep(&site, e)
}

// ruleBroken reports a rule that could not be evaluated.
func (w *ruleVisit) ruleBroken(r *graph.Rule, f *frame, detail string) {
	w.keepOf(r, field.Error{Type: field.ErrorTypeInvalid, Field: w.field(f), BadValue: r.TypeName, Detail: detail})
}
