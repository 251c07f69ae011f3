package explore_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// run explores queues until nothing is left to try, and returns the inputs and what was found.
func run(t *testing.T, options explore.Options) (e *explore.Explorer, inputs []explore.Input, found []explore.Found) {
	t.Helper()
	options.Seed, options.Object.APIVersion, options.Object.Kind = 1, "example.com/v1", "Queue"
	if options.Schema == nil {
		options.Schema = served.Props(t, queueSchema)
	}
	options.Observe = func(in explore.Input, _ explore.Answer) error { inputs = append(inputs, in); return nil }
	options.Found = func(one explore.Found) error { found = append(found, one); return nil }
	e = explore.New(options)
	for steps := 0; steps < 200 && !e.Done(300); steps++ {
		if err := e.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e, inputs, found
}

func queueStart(t *testing.T) []explore.Input {
	return []explore.Input{{Object: served.Object(t,
		`{apiVersion: example.com/v1, kind: Queue, metadata: {name: a, namespace: b}, spec: {mode: x,
  limit: 7, name: b, class: c, tags: [a, b], steps: [{name: s, weight: 1}]}}`)}}
}

// TestFields: only the values of the chosen fields are changed, and of those that a rule reads with them.
func TestFields(t *testing.T) {
	for _, row := range []struct {
		fields []string
		at     []object.Path
	}{
		{[]string{"spec.limit"}, []object.Path{object.Of("spec", "limit"), object.Of("spec", "mode")}},
		{[]string{"spec.steps[*].name", "spec.tags"}, []object.Path{object.Of("spec", "steps"), object.Of("spec", "tags")}},
	} {
		starts := queueStart(t)
		_, inputs, _ := run(t, explore.Options{Starts: starts, Fields: row.fields, Ask: asking(queue)})
		changed := map[string]bool{}
		without := func(of map[string]any) map[string]any {
			of = object.Of("metadata").Delete(of) // updates have a version, and are of labels and finalizers
			for _, path := range row.at {
				of = path.Delete(of)
			}
			return of
		}
		for _, in := range inputs {
			if !reflect.DeepEqual(in.Object["spec"], starts[0].Object["spec"]) {
				changed[asJSON(t, in.Object["spec"])] = true
			}
			spec, isMap := in.Object["spec"].(map[string]any)
			if isMap && spec["class"] == "c" && !reflect.DeepEqual(without(in.Object), without(starts[0].Object)) {
				t.Errorf("%s: another field was changed: %s", row.fields, asJSON(t, in))
			}
		}
		if len(changed) < 20 {
			t.Errorf("%s: only %d values were tried", row.fields, len(changed))
		}
	}
}

// TestOnlyUpdates: where nothing is created, each input is an update of an object with a name and a version.
func TestOnlyUpdates(t *testing.T) {
	_, inputs, found := run(t, explore.Options{Starts: queueStart(t), Updates: true, Ask: asking(without("must be 1 to 100"))})
	for _, in := range inputs {
		for _, one := range []map[string]any{in.Object, in.Old} {
			if version, _ := object.Of("metadata", "resourceVersion").Get(one); in.IsUpdate() && version != "1" && one["metadata"] != nil {
				if _, isMap := one["metadata"].(map[string]any); isMap {
					t.Fatalf("an object without a version is updated: %s", asJSON(t, in))
				}
			}
		}
		if !in.IsUpdate() {
			t.Fatalf("an object is created: %s", asJSON(t, in))
		}
	}
	if !slices.ContainsFunc(found, func(f explore.Found) bool { return f.Urgency > 0 }) {
		t.Error("the limit was not found")
	}
}

// TestGoesOn: an explorer that knows what an earlier one tried and kept shows its findings again, with far fewer inputs.
func TestGoesOn(t *testing.T) {
	ask := asking(without("duplicate"))
	first, inputs, found := run(t, explore.Options{Starts: queueStart(t), Ask: ask})
	_, again, same := run(t, explore.Options{Starts: queueStart(t), Ask: ask, Known: first.Corpus(), Tried: first.Tried()})
	signatures := func(all []explore.Found) (out []string) {
		for _, one := range all {
			out = append(out, one.Signature)
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	if len(found) == 0 || !reflect.DeepEqual(signatures(found), signatures(same)) {
		t.Errorf("found %v, and then %v", signatures(found), signatures(same))
	}
	if len(again) >= len(inputs) {
		t.Errorf("%d inputs, and then %d", len(inputs), len(again))
	}
	stats := first.Stats()
	if stats.Inputs != len(inputs) || stats.Planned != 0 || stats.Accepted == 0 || stats.Findings == 0 {
		t.Errorf("%d inputs: %+v", len(inputs), stats)
	}
}

// TestLearns: values that only an error, a rule, another field or another object shows are found.
func TestLearns(t *testing.T) {
	const schema = `{type: object, properties: {spec: {type: object, properties: {kind: {type: string}, other: {type: string},
  part: {type: object, required: [word], properties: {word: {type: string}, size: {type: integer}}}, one: {type: object,
  properties: {deep: {type: integer}}}, type: {type: string, enum: [One, Two]}, two: {type: object}, high: {type: integer}, low: ` +
		`{type: integer}}}}}`
	at := func(in explore.Input, path string) any { value, _ := object.Parse(path).Get(in.Object); return value }
	whole := func(value any) int64 { n, _ := value.(int64); return n }
	for _, row := range []struct {
		why    string
		refuse func(in explore.Input) string // by both sides
		hidden func(in explore.Input) bool   // by one side
		rule   string
	}{
		{"a word that an error quotes", func(in explore.Input) string {
			if word := at(in, "spec.kind"); word != nil && word != "unheard-of" {
				return `spec.kind: must be "unheard-of"`
			}
			return ""
		}, func(in explore.Input) bool { return at(in, "spec.kind") == "unheard-of" }, ""},
		{"an example in an error, below a part that is opened", func(in explore.Input) string {
			if word, _ := at(in, "spec.part.word").(string); at(in, "spec.part") != nil && !strings.HasPrefix(word, "zz/") {
				return "spec.part.word: wrong form, e.g. 'zz/a'"
			}
			return ""
		}, func(in explore.Input) bool {
			return whole(at(in, "spec.part.size")) == 257 || whole(at(in, "spec.part.size")) > 1000
		}, ""},
		{"a number that an error names", func(in explore.Input) string {
			if whole(at(in, "spec.high")) > 4711 {
				return "spec.high: must be at most 4711"
			}
			return ""
		}, func(in explore.Input) bool { return whole(at(in, "spec.high")) == 4711 }, ""},
		{"a literal of a rule", nil, func(in explore.Input) bool { return at(in, "spec.kind") == "special" },
			"self.spec.kind != 'special'"},
		{"two fields of a rule", nil, func(in explore.Input) bool {
			return at(in, "spec.high") != nil && whole(at(in, "spec.high")) == whole(at(in, "spec.low"))+13
		}, "self.spec.high - self.spec.low != 13"},
		{"a member of a union that needs its discriminator", func(in explore.Input) string {
			if (at(in, "spec.one") != nil) != (at(in, "spec.type") == "One") {
				return "spec.type: does not say what is set"
			}
			return ""
		}, func(in explore.Input) bool { return whole(at(in, "spec.one.deep")) == 100 }, ""},
	} {
		ask := func(_ context.Context, in explore.Input) (explore.Answer, error) {
			answer := explore.Answer{Accepted: [2]bool{true, true}}
			if row.refuse != nil && row.refuse(in) != "" {
				place, text, _ := strings.Cut(row.refuse(in), ": ")
				answer.Accepted = [2]bool{}
				answer.Errors = []explore.Error{{Mistake: generate.Mistake{Field: place, Text: text}, Behavior: text, Alone: true}}
			} else if row.hidden(in) {
				answer.Accepted[1] = false
				answer.Findings = []explore.Finding{{Signature: "it", Cause: "it", Urgency: 1}}
			}
			return answer, nil
		}
		options := explore.Options{Schema: served.Props(t, schema), Ask: ask}
		if rule, ok := explore.ParseRule(row.rule, nil); ok {
			options.Rules = []explore.Rule{rule}
		}
		e, inputs, found := run(t, options)
		if len(found) != 1 {
			t.Errorf("%s: %d findings in %s", row.why, len(found), fmt.Sprintf("%d inputs, %+v", len(inputs), e.Stats()))
		}
	}
}
