package rundiff_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/rundiff"
)

var widget = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

func loose(at, detail string) equivalence.Pair {
	return equivalence.Pair{Native: &field.Error{Type: field.ErrorTypeInvalid, Field: at, Detail: detail}, Class: difference.TooLoose}
}

func accepted(pair equivalence.Pair) equivalence.Pair {
	pair.Exception = &equivalence.Exception{ID: "known"}
	return pair
}

func of(id string, effect words.Effect, pairs ...equivalence.Pair) harness.Result {
	return harness.Result{Case: &harness.Case{ID: id}, Version: widget, Verdict: words.Different, Effect: effect, Pairs: pairs}
}

func faulted(id, text string) harness.Result {
	r := of(id, "")
	r.Verdict, r.Native.Fault = words.Faulted, &contract.Fault{Err: errors.New(text)}
	return r
}

func unmet(id string, texts ...string) harness.Result {
	r := of(id, words.NoEffect)
	r.Unmet = texts
	return r
}

// said lists groups by their kind, case and field or text.
func said(groups *causes.Groups) string {
	var all []string
	for _, g := range groups.Sorted() {
		all = append(all, strings.TrimSpace(string(g.Kind)+" "+g.First.Case+" "+g.Cause.Field+g.First.Text))
	}
	return strings.Join(all, ", ")
}

func TestComparison(t *testing.T) {
	none, admits := words.NoEffect, words.Admits
	for _, row := range []struct {
		why                string
		old, new           []harness.Result
		isNew, gone, other string
		fails              bool
		worse              int
	}{
		{why: "the same", old: []harness.Result{of("a", none, loose("x", "y"))}, new: []harness.Result{of("a", none, loose("x", "y"))}},
		{why: "a new difference", old: []harness.Result{of("a", none)}, new: []harness.Result{of("a", none, loose("x", "y"))},
			isNew: "difference a x", fails: true},
		{why: "a new difference beside a known one", old: []harness.Result{of("a", none, loose("x", "y"))},
			new: []harness.Result{of("a", none, loose("x", "y"), loose("z", "y"))}, isNew: "difference a z", fails: true},
		{why: "a difference of a new case", new: []harness.Result{of("b", none, loose("x", "y"))}, isNew: "difference b x", fails: true},
		{why: "a new case that shows nothing", new: []harness.Result{of("b", none)}},
		{why: "a difference is gone", old: []harness.Result{of("a", none, loose("x", "y"))}, new: []harness.Result{of("a", none)},
			gone: "difference a x"},
		{why: "an exception accepts it now", old: []harness.Result{of("a", none, loose("x", "y"))},
			new: []harness.Result{of("a", none, accepted(loose("x", "y")))}, gone: "difference a x"},
		{why: "an exception accepts it no more", old: []harness.Result{of("a", none, accepted(loose("x", "y")))},
			new: []harness.Result{of("a", none, loose("x", "y"))}, isNew: "difference a x", fails: true},
		{why: "a case is gone, which does not fix its difference", old: []harness.Result{of("a", none, loose("x", "y"))}},
		{why: "other words", old: []harness.Result{of("a", none, loose("x", "y"))},
			new: []harness.Result{of("a", none, loose("x", "z"))}, other: "difference a x"},
		{why: "a different class is new", old: []harness.Result{of("a", none, loose("x", "y"))}, new: []harness.Result{of("a", none,
			equivalence.Pair{Declarative: loose("x", "y").Native, Class: difference.TooStrict})}, isNew: "difference a x",
			gone: "difference a x", fails: true},
		{why: "the verdict changes", old: []harness.Result{of("a", none, loose("x", "y"))},
			new: []harness.Result{of("a", admits, loose("x", "y"))}, fails: true, worse: 1},
		{why: "the verdict changes no more", old: []harness.Result{of("a", admits, loose("x", "y"))},
			new: []harness.Result{of("a", none, loose("x", "y"))}},
		{why: "the verdict changes as an exception accepts", old: []harness.Result{of("a", none)},
			new: []harness.Result{of("a", admits, accepted(loose("x", "y")))}},
		{why: "a fault", old: []harness.Result{of("a", none)}, new: []harness.Result{faulted("a", "killed")},
			isNew: "fault a killed", fails: true},
		{why: "the same fault with a different number", old: []harness.Result{faulted("a", "pid 7")},
			new: []harness.Result{faulted("a", "pid 8")}},
		{why: "an unmet expectation more", old: []harness.Result{unmet("a", "b")}, new: []harness.Result{unmet("a", "b", "c")},
			isNew: "unmet a c", fails: true},
		{why: "one of two cases with the same id", old: []harness.Result{of("a", none), of("a", none)},
			new: []harness.Result{of("a", none), of("a", none, loose("x", "y"))}, isNew: "difference a x", fails: true},
		{why: "a duplicate difference is distinguished from a single one", old: []harness.Result{of("a", none, loose("x", "y"))},
			new: []harness.Result{of("a", none, loose("x", "y"), loose("x", "y"))}, isNew: "difference a x", fails: true},
	} {
		t.Run(row.why, func(t *testing.T) {
			var c rundiff.Comparison
			c.AddOld(of("always", none, loose("x", "y")))
			for _, r := range row.old {
				c.AddOld(r)
			}
			c.BeginNew()
			for _, r := range row.new {
				c.AddNew(r)
			}
			c.AddNew(of("always", none, loose("x", "y")))
			c.Finish(nil, nil, false)
			got := []any{said(&c.New), said(&c.Gone), said(&c.Changed), c.Fails(), c.Worse, c.OnlyOld, c.OnlyNew}
			both := min(len(row.old), len(row.new))
			want := []any{row.isNew, row.gone, row.other, row.fails, row.worse, len(row.old) - both, len(row.new) - both}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("new, gone, changed, fails, worse, only old, only new (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFinish: a run with new problems, or one that ended early, fails without a new difference.
func TestFinish(t *testing.T) {
	stale := func(line int, id string) string {
		return fmt.Sprintf("exceptions.yaml:%d: exception %q accepted no difference; remove it", line, id)
	}
	for _, row := range []struct {
		why        string
		old, new   []string
		incomplete bool
		want       []string
		fails      bool
	}{
		{why: "a known problem whose line moved", old: []string{stale(1, "a")}, new: []string{stale(9, "a")}},
		{why: "a problem that is gone", old: []string{stale(1, "a")}},
		{why: "a stale exception beside a known one", old: []string{stale(1, "a")}, new: []string{stale(1, "a"), stale(9, "b")},
			want: []string{stale(9, "b")}, fails: true},
		{why: "a problem without a line", new: []string{"no case was run"}, want: []string{"no case was run"}, fails: true},
		{why: "an interrupted run", incomplete: true, fails: true},
	} {
		t.Run(row.why, func(t *testing.T) {
			var c rundiff.Comparison
			c.AddOld(of("a", words.NoEffect))
			c.BeginNew()
			c.AddNew(of("a", words.NoEffect))
			c.Finish(row.old, row.new, row.incomplete)
			if diff := cmp.Diff(row.want, c.NewProblems); diff != "" || c.Fails() != row.fails {
				t.Errorf("fails: %v, wanted %v; problems (-want +got):\n%s", c.Fails(), row.fails, diff)
			}
		})
	}
}
