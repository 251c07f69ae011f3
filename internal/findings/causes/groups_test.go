package causes_test

import (
	"errors"
	"fmt"
	"runtime"
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
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/fieldvalue"
)

var (
	v1     = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	v1beta = schema.GroupVersionKind{Group: "apps", Version: "v1beta1", Kind: "Deployment"}
)

func loose(at string, value any, detail string) equivalence.Pair {
	return equivalence.Pair{
		Native: &field.Error{Type: field.ErrorTypeInvalid, Field: at, BadValue: value, Detail: detail},
		Class:  difference.TooLoose,
	}
}

func different(c *harness.Case, version schema.GroupVersionKind, effect words.Effect, pairs ...equivalence.Pair) harness.Result {
	return harness.Result{Case: c, Version: version, Verdict: words.Different, Effect: effect, Pairs: pairs}
}

// row is the part of a group that tests compare.
type row struct {
	What                 causes.FindingKind
	Effect               words.Effect
	Field                string
	Found, Inputs, Cases int
	Targets, First       string
}

func rows(groups *causes.Groups) []row {
	var all []row
	for _, g := range groups.Sorted() {
		all = append(all, row{g.Kind, g.Effect, g.Cause.Field, g.Found, g.Inputs, g.Cases, strings.Join(g.Targets, ", "), g.First.Case})
	}
	return all
}

func TestGroups(t *testing.T) {
	a, b := &harness.Case{ID: "a"}, &harness.Case{ID: "b"}
	at := func(i int) equivalence.Pair {
		return loose(fmt.Sprintf("spec.ports[%d]", i), i, fmt.Sprintf("port %d of \"p%d\" is taken", i, i))
	}
	accepted := at(7)
	accepted.Exception = &equivalence.Exception{ID: "known"}
	hung := harness.Result{
		Case:    b,
		Version: v1,
		Verdict: words.Faulted,
		Native:  harness.Outcome{Fault: &contract.Fault{Err: errors.New("no answer in 10s")}},
	}
	unmet := harness.Result{Case: b, Version: v1beta, Verdict: words.Equal, Unmet: []string{"wanted FieldValueInvalid"}}
	var groups causes.Groups
	for _, r := range []harness.Result{
		different(a, v1, words.NoEffect, at(0), at(1), accepted),
		different(a, v1beta, words.NoEffect, at(2)),
		different(b, v1, words.NoEffect, at(0), loose("spec.ports", 1, "port 0 of \"p0\" is taken")),
		different(b, v1, words.Admits, at(9)),
		hung, unmet,
	} {
		groups.Add(r)
	}
	want := []row{
		{causes.Fault, "", "", 1, 1, 1, "apps/v1 Deployment", "b"},
		{causes.Difference, words.Admits, "spec.ports[*]", 1, 1, 1, "apps/v1 Deployment", "b"},
		{causes.Difference, words.NoEffect, "spec.ports[*]", 4, 3, 2, "apps/v1 Deployment, apps/v1beta1 Deployment", "a"},
		{causes.Difference, words.NoEffect, "spec.ports", 1, 1, 1, "apps/v1 Deployment", "b"},
		{causes.Unmet, "", "", 1, 1, 1, "apps/v1beta1 Deployment", "b"},
	}
	if diff := cmp.Diff(want, rows(&groups)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	ids := map[string]bool{}
	for _, g := range groups.Sorted() {
		ids[g.ID] = true
	}
	if len(ids) != len(want) {
		t.Errorf("%d groups have %d ids", len(want), len(ids))
	}
	if got := groups.Sorted()[2].First.Native.String(); got != `Invalid value: 0: port 0 of "p0" is taken` {
		t.Errorf("the first example is shown as %s", got)
	}
}

// TestFindings: what two versions of a kind show is one finding, named as the run names it.
func TestFindings(t *testing.T) {
	c := &harness.Case{ID: "a"}
	pair := loose("spec.ports[0]", 1, "port 1 is taken")
	unread := contract.Fault{Reason: words.FaultInput, Err: errors.New("object: line 3")}
	signature := func(r harness.Result) string {
		t.Helper()
		found := causes.Findings(&r)
		if len(found) != 1 {
			t.Fatalf("%d findings; want 1", len(found))
		}
		return found[0].Signature
	}
	inV1, inV1beta := different(c, v1, words.Admits, pair), different(c, v1beta, words.Admits, pair)
	if a, b := signature(inV1), signature(inV1beta); a != b {
		t.Errorf("a difference has the signature %s in v1 and %s in v1beta1", a, b)
	}
	var groups causes.Groups
	if a, b := signature(inV1), groups.Add(inV1)[0].ID; a != b {
		t.Errorf("the signature is %s, and a run calls the group %s", a, b)
	}
	faultIn := func(version schema.GroupVersionKind) harness.Result {
		return harness.Result{Case: c, Version: version, Verdict: words.Faulted, Fault: &unread}
	}
	if a, b := signature(faultIn(v1)), signature(faultIn(v1beta)); a != b {
		t.Errorf("the fault of a case has the signature %s in v1 and %s in v1beta1", a, b)
	}
	if signature(inV1) == signature(different(c, v1, words.NoEffect, pair)) {
		t.Error("differences that admit and that have no effect have one signature")
	}
}

// TestDenialsOfAnEngine: a policy engine lists all its denials in one text. Each is a finding, once, and each
// line has what is said, with the subresource.
func TestDenialsOfAnEngine(t *testing.T) {
	text := `[psp] profile 'not configured' of container 'a' is denied. Found at: no profile
[psp] profile 'not configured' of container 'b' is denied. Found at: no profile
[psp] profile 'unconfined' of container 'c' is denied. Found at: annotation`
	err := &field.Error{Type: field.ErrorTypeInvalid, Detail: text, Origin: fielderror.OriginText}
	r := different(&harness.Case{ID: "a", Subresource: "status"}, v1, words.Admits,
		equivalence.Pair{Native: err, Class: difference.TooLoose})
	var got []string
	for _, finding := range causes.Findings(&r) {
		got = append(got, finding.Text+": "+finding.Message)
	}
	want := []string{
		"too-loose (admits): apps/v1 Deployment/status <nil>: native: Invalid value: [psp] profile # of container # is denied. " +
			"Found at: no profile",
		"too-loose (admits): apps/v1 Deployment/status <nil>: native: Invalid value: [psp] profile # of container # is denied. " +
			"Found at: annotation",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if signature := causes.Findings(&r)[1].Signature; signature == causes.Findings(&r)[0].Signature {
		t.Error("two places of an engine have one signature")
	}
}

// TestKindsOfOneName: kinds of different API groups have different validators, so a finding in one can also
// occur in the other. A kind that moved between groups is one kind, because its cases are compared in all of
// its versions.
func TestKindsOfOneName(t *testing.T) {
	other := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Deployment"}
	pair := loose("spec.ports[0]", 1, "port 1 is taken")
	unread := contract.Fault{Reason: words.FaultInput, Err: errors.New("object: line 3")}
	for what, of := range map[string]func(written, in schema.GroupVersionKind) harness.Result{
		"a difference": func(written, in schema.GroupVersionKind) harness.Result {
			return different(&harness.Case{Version: written}, in, words.Admits, pair)
		},
		"a fault": func(written, in schema.GroupVersionKind) harness.Result {
			return harness.Result{Case: &harness.Case{Version: written}, Version: in, Verdict: words.Faulted, Fault: &unread}
		},
	} {
		ids := map[string]bool{}
		var groups causes.Groups
		for _, result := range []harness.Result{
			of(v1, v1),
			of(v1, schema.GroupVersionKind{Group: "extensions", Version: "v1beta1", Kind: "Deployment"}),
			of(other, other),
		} {
			ids[causes.Findings(&result)[0].Signature] = true
			groups.Add(result)
		}
		if len(ids) != 2 {
			t.Errorf("%s: %d signatures, want one for each kind", what, len(ids))
		}
		if found := len(groups.Sorted()); what == "a difference" && found != 2 {
			t.Errorf("%s: %d groups, want one for each kind", what, found)
		}
	}
}

// A validator can put anything into its errors, and each error can be its own cause.
func TestGroupsAreBounded(t *testing.T) {
	var groups causes.Groups
	add := func(from, n int) {
		for i := from; i < from+n; i++ {
			text := strings.Repeat("x", 100_000)
			groups.Add(different(&harness.Case{ID: fmt.Sprint(i), Object: text}, v1, words.NoEffect,
				loose("spec."+strings.Repeat("a", i), text, text)))
		}
	}
	add(1, 300)
	before := heap()
	add(301, causes.MaxGroups)
	if grown := heap() - before; grown > 16<<20 {
		t.Errorf("%d groups grew by %d bytes", causes.MaxGroups, grown)
	}
	found := groups.More
	for _, g := range groups.Sorted() {
		found += g.Found
	}
	if found != causes.MaxGroups+300 {
		t.Errorf("%d of %d differences are counted", found, causes.MaxGroups+300)
	}
}

func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// Defaults do not affect the verdict: if an input is admitted and also differs in a default, it is admitted
// because of the error that the schema lacks.
func TestDefaultsChangeNoVerdict(t *testing.T) {
	defaulted := equivalence.Pair{
		Native:      fieldvalue.Default("spec.replicas", 1),
		Declarative: fieldvalue.Default("spec.replicas", nil),
		Class:       difference.Default,
	}
	a := &harness.Case{ID: "a"}
	result := different(a, v1, words.Admits, defaulted, loose("spec.paused", true, "no"))
	var groups causes.Groups
	groups.Add(result)
	groups.Add(different(a, v1beta, words.NoEffect, defaulted))
	want := []row{
		{causes.Difference, words.Admits, "spec.paused", 1, 1, 1, "apps/v1 Deployment", "a"},
		{causes.Difference, words.NoEffect, "spec.replicas", 2, 2, 1, "apps/v1 Deployment, apps/v1beta1 Deployment", "a"},
	}
	if diff := cmp.Diff(want, rows(&groups)); diff != "" {
		t.Errorf("groups of a run (-want +got):\n%s", diff)
	}
	var texts []string
	for _, finding := range causes.Findings(&result) {
		texts = append(texts, finding.Text)
	}
	wantTexts := []string{"default (none): apps/v1 Deployment spec.replicas", "too-loose (admits): apps/v1 Deployment spec.paused"}
	if diff := cmp.Diff(wantTexts, texts); diff != "" {
		t.Errorf("findings of a soak (-want +got):\n%s", diff)
	}
}

// TestFindingsOfOneResult: differences of one result that are alike have the findings that each has alone, with its own
// pair.
func TestFindingsOfOneResult(t *testing.T) {
	object := map[string]any{
		"apiVersion": "apps/v1",
		"kind":       "Deployment",
		"metadata":   map[string]any{"name": "shopping"},
		"spec":       map[string]any{"note": "urgently"},
	}
	c := &harness.Case{ID: "a", Object: object}
	var pairs []equivalence.Pair
	for i := range 3_000 {
		pairs = append(pairs, loose(fmt.Sprintf("spec.ports[%d]", i), i, fmt.Sprintf("port %d of shopping is taken", i)))
		if i%1_000 == 0 {
			pairs = append(pairs,
				loose(fmt.Sprintf("spec.ports[%d]", i), i, "another text"),
				loose("spec.note", "urgently", "urgently is no note"),
				equivalence.Pair{
					Declarative: field.Invalid(field.NewPath("spec", "note"), "urgently", "urgently is no note"),
					Class:       difference.TooStrict,
				})
		}
	}
	whole := different(c, v1, words.Admits, pairs...)
	found := causes.Findings(&whole)
	if len(found) != len(pairs) {
		t.Fatalf("%d findings of %d differences", len(found), len(pairs))
	}
	distinct := map[string]bool{}
	for i, pair := range pairs {
		if distinct[found[i].Signature] = true; i > 50 && i%97 != 0 {
			continue
		}
		single := different(c, v1, words.Admits, pair)
		if alone := causes.Findings(&single)[0]; alone.Signature != found[i].Signature || alone.Message != found[i].Message ||
			found[i].Pair.Field() != pair.Field() {
			t.Errorf("%s: alone %s %q, among others %s %q of %s", pair.Field(), alone.Signature, alone.Message, found[i].Signature,
				found[i].Message, found[i].Pair.Field())
		}
	}
	if len(distinct) != 4 {
		t.Errorf("%d causes, want 4", len(distinct))
	}
}
