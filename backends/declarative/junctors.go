package declarative

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// A failed anyOf or oneOf is reported together with the errors of one branch:
// the one that got furthest. How far a branch got is a score that follows
// kube-openapi's match count, so that the same branch is chosen: every value that
// was looked at counts for each group of keywords that applies to its kind,
// failed or not, only a wrong type counts one less.

// scores gives the score of a value for each kind.
func scores(s *spec.Schema, how Semantics) (all [view.Kinds]int) {
	typed := len(typesOf(s)) > 0 || formatOf(s, how) != ""
	for k := range view.Kinds {
		const junctors, enum, value = 2, 1, 1
		score := junctors + enum + value
		if typed {
			score += 2
		}
		switch k {
		case view.Null:
			score = 1
		case view.String:
			score++
			if textFormat(s, how) != "" {
				score++
			}
		case view.Int, view.Float, view.List:
			score += 2
		case view.Map:
			score++
		}
		all[k] = score
	}
	return all
}

func compileBranches(c *compiler, n *node, s schemaSite, schemas []spec.Schema) []*node {
	var branches []*node
	for i := range schemas {
		branches = append(branches, c.node(&schemas[i], place{keyword: s.keyword, index: i, indexed: true}, whole{of: n}))
	}
	return branches
}

func everyKind(n *node, check check, branches ...*node) {
	n.branches = append(n.branches, branches...)
	for k := range view.Kinds {
		if k != view.Null { // as in kube-openapi, null only meets type and enum
			n.on(check, k)
		}
	}
}

// junctor reports the failure of a junctor as a whole.
func (w *walk) junctor(f *frame, s *site, format string, args ...any) {
	w.pathless(f, s, field.Error{
		Type: field.ErrorTypeInvalid, BadValue: "",
		Detail: fmt.Sprintf("%q %s", w.text(f), fmt.Sprintf(format, args...)),
	})
}

// allOfCheck is the keyword "allOf": the errors of all branches count, and one
// more says that they belong together.
type allOfCheck struct {
	site
	branches []*node
}

func compileAllOf(c *compiler, n *node, s schemaSite) {
	if len(s.schema.AllOf) > 0 {
		n.allOf = compileBranches(c, n, s, s.schema.AllOf)
		everyKind(n, &allOfCheck{site: s.site(), branches: n.allOf})
	}
}

func (c *allOfCheck) check(w *walk, f *frame) {
	valid := 0
	for _, branch := range c.branches {
		before := w.failures
		w.branch(branch, f)
		if w.failures == before {
			valid++
		}
	}
	if valid == len(c.branches) || !w.failed() {
		return
	}
	none := ""
	if valid == 0 {
		none = ". None validated"
	}
	w.junctor(f, &c.site, "must validate all the schemas (allOf)%s", none)
}

// branch applies a branch of a junctor. Errors in it belong to the value that has
// the junctor: they are dropped when that is unchanged, not when a part of it is.
func (w *walk) branch(n *node, f *frame) {
	w.branches++
	w.apply(n, f)
	w.branches--
}

// try applies a branch without keeping its errors: it says whether the branch is
// valid and how far it got. Rules in a branch are part of it.
func (w *walk) try(branch *node, f *frame) (valid bool, score int) {
	failures, before := w.failures, w.score
	w.quiet++
	w.branch(branch, f)
	w.branchRules(branch, f)
	w.quiet--
	valid, score = w.failures == failures, w.score-before
	w.failures, w.score = failures, before
	return valid, score
}

// anyOfCheck is the keyword "anyOf". The first valid branch is enough.
type anyOfCheck struct {
	site
	branches []*node
}

func compileAnyOf(c *compiler, n *node, s schemaSite) {
	if len(s.schema.AnyOf) > 0 {
		branches := compileBranches(c, n, s, s.schema.AnyOf)
		everyKind(n, &anyOfCheck{site: s.site(), branches: branches}, branches...)
	}
}

func (c *anyOfCheck) check(w *walk, f *frame) {
	best, most := c.branches[0], -1
	for _, branch := range c.branches {
		valid, score := w.try(branch, f)
		if valid {
			w.score += score
			return
		}
		if score > most {
			best, most = branch, score
		}
	}
	if w.failed() {
		w.junctor(f, &c.site, "must validate at least one schema (anyOf)")
	}
	w.explain(best, most, f)
}

// explain adds the errors of the branch that got furthest.
func (w *walk) explain(best *node, score int, f *frame) {
	if w.quiet > 0 {
		w.score += score
		return
	}
	w.branch(best, f)
	w.branchRules(best, f)
}

// oneOfCheck is the keyword "oneOf". Exactly one branch must be valid.
type oneOfCheck struct {
	site
	branches []*node
}

func compileOneOf(c *compiler, n *node, s schemaSite) {
	if len(s.schema.OneOf) > 0 {
		branches := compileBranches(c, n, s, s.schema.OneOf)
		everyKind(n, &oneOfCheck{site: s.site(), branches: branches}, branches...)
	}
}

func (c *oneOfCheck) check(w *walk, f *frame) {
	best, most, valids, first := c.branches[0], -1, 0, 0
	for _, branch := range c.branches {
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
		if w.failed() {
			w.junctor(f, &c.site, "must validate one and only one schema (oneOf). Found none valid")
		}
		w.explain(best, most, f)
	case w.failed():
		w.junctor(f, &c.site, "must validate one and only one schema (oneOf). Found %d valid alternatives", valids)
	}
}

// notCheck is the keyword "not".
type notCheck struct {
	site
	branch *node
}

func compileNot(c *compiler, n *node, s schemaSite) {
	if s.schema.Not != nil {
		branch := c.node(s.schema.Not, place{keyword: s.keyword}, whole{of: n})
		everyKind(n, &notCheck{site: s.site(), branch: branch}, branch)
	}
}

func (c *notCheck) check(w *walk, f *frame) {
	if valid, _ := w.try(c.branch, f); valid && w.failed() {
		w.junctor(f, &c.site, "must not validate the schema (not)")
	}
}
