package explore_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// partsOf returns the paths of all parts of a value.
func partsOf(at object.Path, value any) (all []object.Path) {
	switch value := value.(type) {
	case map[string]any:
		for name := range value {
			all = append(append(all, at.Field(name)), partsOf(at.Field(name), value[name])...)
		}
	case []any:
		for i := range value {
			all = append(append(all, at.Item(i)), partsOf(at.Item(i), value[i])...)
		}
	}
	return all
}

// behaviors returns the errors of an answer.
func behaviors(answer explore.Answer) (all []string) {
	for _, err := range answer.Errors {
		all = append(all, err.Behavior)
	}
	return all
}

// TestShrinkKeeps: whatever the input, the small one shows the same difference at least as urgently, adds no error, is no
// larger, and no field can be taken out of it.
func TestShrinkKeeps(t *testing.T) {
	schema := served.Props(t, queueSchema)
	start := served.Object(t, `{apiVersion: example.com/v1, kind: Queue, metadata: {name: a, labels: {a: b}}, spec: {mode: `+
		`Progressing, limit: 7,
  name: name, class: x, tags: [a, b, c], steps: [{name: a, weight: 1}, {name: b}, {name: c}]}}`)
	for _, mistake := range []string{
		"must be 1 to 100", "spec.mode: required", "if the mode is Progressing", "duplicate", "too many", "too long", "immutable",
	} {
		ask, shrunk := asking(without(mistake)), 0
		vary := explore.New(explore.Options{Schema: schema, Starts: []explore.Input{{Object: start}}})
		for seed := range uint64(400) {
			in := explore.Input{Object: start}
			for more := range seed % 4 {
				in = vary.Vary(in, seed*4+more)
			}
			answer, err := ask(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			for _, finding := range answer.Findings {
				var asked atomic.Int64
				small, err := explore.Shrink(t.Context(), func(ctx context.Context, in explore.Input) (explore.Answer, error) {
					asked.Add(1)
					return ask(ctx, in)
				}, in, finding)
				if err != nil {
					t.Fatal(err)
				}
				checkShrunk(t, fmt.Sprintf("%s, seed %d", mistake, seed), ask, in, small, answer)
				if asked.Load() > 1700 { // 1,500, those that were asked at once in vain, and those about old objects
					t.Errorf("%s, seed %d: %d questions", mistake, seed, asked.Load())
				}
				shrunk++
			}
		}
		if shrunk < 3 {
			t.Errorf("%s: only %d inputs show it", mistake, shrunk)
		}
	}
}

// checkShrunk compares a small input with that of a finding.
func checkShrunk(t *testing.T, why string, ask explore.Ask, in explore.Input, small explore.Found, before explore.Answer) {
	t.Helper()
	answer, err := ask(t.Context(), small.Input)
	if err != nil {
		t.Fatal(err)
	}
	shows := func(of explore.Answer) bool {
		return slices.ContainsFunc(of.Findings,
			func(f explore.Finding) bool { return f.Cause == small.Cause && f.Urgency >= small.Urgency })
	}
	if !shows(answer) {
		t.Errorf("%s: the small input does not show the difference: %s", why, asJSON(t, small.Input))
	}
	for _, err := range behaviors(answer) {
		if !slices.Contains(behaviors(before), err) {
			t.Errorf("%s: the small input has another error, %q: %s", why, err, asJSON(t, small.Input))
		}
	}
	if len(asJSON(t, small.Input)) > len(asJSON(t, in)) {
		t.Errorf("%s: the small input is larger: %s", why, asJSON(t, small.Input))
	}
	if small.Urgency == 0 || small.Input.IsUpdate() { // few questions are asked; old objects must be storable
		return
	}
	for _, path := range partsOf(nil, small.Input.Object) {
		if last := path[len(path)-1]; len(path) == 1 && (last.Name == "apiVersion" || last.Name == "kind") || last.Kind == object.Item {
			continue
		}
		smaller, err := ask(t.Context(), explore.Input{Object: path.Delete(small.Input.Object)})
		if err != nil {
			t.Fatal(err)
		}
		if shows(smaller) && !slices.ContainsFunc(behaviors(smaller),
			func(err string) bool { return !slices.Contains(behaviors(answer), err) }) {
			t.Errorf("%s: %s can be taken out of %s", why, path, asJSON(t, small.Input))
		}
	}
}

// TestShrinkUpdates: an update becomes a creation if that shows the same, both objects become small, and the old one keeps
// its name.
func TestShrinkUpdates(t *testing.T) {
	object := func(text string) map[string]any { return served.Object(t, text) }
	for _, row := range []struct {
		why     string
		mistake string
		in      explore.Input
		want    explore.Input
	}{
		{"a creation shows the same", "too many", explore.Input{
			Object: object(`{metadata: {name: a, resourceVersion: "1"}, spec: {mode: x,
  steps: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}]}}`),
			Old: object(`{metadata: {name: a, resourceVersion: "1"}, spec: {mode: x}}`),
		}, explore.Input{Object: object(`{spec: {mode: x, steps: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}]}}`)}},
		{"only an update shows it", "immutable", explore.Input{
			Object: object(`{metadata: {name: a}, spec: {mode: long text, class: other, limit: 7, tags: [a]}}`),
			Old:    object(`{metadata: {name: a}, spec: {mode: long text, class: some, limit: 7}}`),
		}, explore.Input{Object: object(`{spec: {mode: a}}`), Old: object(`{metadata: {name: a}, spec: {mode: a, class: some}}`)}},
	} {
		ask := asking(without(row.mistake))
		answer, err := ask(t.Context(), row.in)
		if err != nil || len(answer.Findings) != 1 {
			t.Fatal(row.why, err, answer.Findings)
		}
		small, err := explore.Shrink(t.Context(), ask, row.in, answer.Findings[0])
		if err != nil || !reflect.DeepEqual(small.Input, row.want) {
			t.Errorf("%s: %s, %v; want %s", row.why, asJSON(t, small.Input), err, asJSON(t, row.want))
		}
	}
}

// TestShrinkEnds: if the validators fail, the input is what it was by then, with the error; if the context ends, without one.
func TestShrinkEnds(t *testing.T) {
	in := explore.Input{Object: served.Object(t, `{spec: {mode: x, limit: 700, class: x, name: x}}`)}
	ask := asking(without("must be 1 to 100"))
	answer, err := ask(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		why    string
		ended  bool
		failed bool
	}{{"the validators fail", false, true}, {"the context ends", true, false}} {
		ctx, cancel := context.WithCancel(t.Context())
		var asked atomic.Int64
		small, err := explore.Shrink(ctx, func(ctx context.Context, in explore.Input) (explore.Answer, error) {
			if asked.Add(1) > 4 {
				if row.ended {
					cancel()
				}
				return explore.Answer{}, fmt.Errorf("no answer")
			}
			return ask(ctx, in)
		}, in, answer.Findings[0])
		cancel()
		if (err != nil) != row.failed {
			t.Errorf("%s: %v", row.why, err)
		}
		if answer, err := ask(t.Context(), small.Input); err != nil || len(answer.Findings) == 0 {
			t.Errorf("%s: the difference was lost: %s", row.why, asJSON(t, small.Input))
		}
	}
}

// TestVarySeeds: the same seed makes the same bytes, other seeds make other inputs, and the input itself stays.
func TestVarySeeds(t *testing.T) {
	in := explore.Input{Object: served.Object(t, shelf)}
	made := func(seed uint64) string {
		e := explore.New(explore.Options{Schema: served.Props(t, shelfSchema), Object: generate.ObjectOptions{Kind: "Shelf"}})
		return asJSON(t, e.Vary(in, seed))
	}
	different := map[string]bool{}
	for seed := range uint64(100) {
		one := made(seed)
		if again := made(seed); one != again {
			t.Fatalf("seed %d: %s, and then %s", seed, one, again)
		}
		different[one] = true
	}
	if len(different) < 80 {
		t.Errorf("100 seeds make %d inputs", len(different))
	}
	if asJSON(t, in.Object) != asJSON(t, served.Object(t, shelf)) {
		t.Error("the input itself was changed")
	}
}
