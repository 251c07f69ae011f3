package cases_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

// sized is a kind whose scheme defaults the size to 5, and whose validator refuses sizes above
// 3, or above 10 with the gate Big.
type sized struct {
	asIs
	mu   sync.Mutex
	big  bool
	sets int
}

func (s *sized) Kinds() []schema.GroupKind { return []schema.GroupKind{widget} }

func (s *sized) Target(kind schema.GroupKind) (*harness.Target, error) {
	return &harness.Target{Kind: kind, Scheme: s, Versions: []harness.Version{{GroupVersionKind: kind.WithVersion("v1"), Native: s}}}, nil
}

func (s *sized) Default(_ context.Context, _ harness.Request, object, old any) (any, any, error) {
	document := maps.Clone(object.(map[string]any))
	if _, given := document["size"]; !given {
		document["size"] = int64(5)
	}
	return document, old, nil
}

func (s *sized) Name() string { return "native" }

func (s *sized) Validate(_ context.Context, in *harness.Input) (field.ErrorList, error) {
	document, err := in.Object.Unstructured()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	bound := int64(3)
	if s.big {
		bound = 10
	}
	if size, _ := document["size"].(int64); size > bound {
		return field.ErrorList{field.Invalid(field.NewPath("size"), size, "too big")}, nil
	}
	return nil, nil
}

func (s *sized) set(gates map[string]bool) (func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.big
	for name, on := range gates {
		if name != "Big" {
			return nil, errors.New("no gate " + name)
		}
		s.big = on
		s.sets++
	}
	return func() { s.mu.Lock(); defer s.mu.Unlock(); s.big = before }, nil
}

// TestCauses: a cause is reported with its evidence, or is unknown.
func TestCauses(t *testing.T) {
	line := func(id, size, more, errs string) string {
		return `{"id":"` + id + `","object":{"apiVersion":"example.com/v1","kind":"Widget"` + size + `},"recorded":{"function":"p.F"` +
			more +
			`,"errors":[` + errs + "]}}\n"
	}
	const tooBig = `{"type":"FieldValueInvalid","field":"size","detail":"too big"}`
	const other = `{"type":"FieldValueRequired","field":"name"}`
	want := map[string]string{
		"same":       "",
		"defaults":   "defaults: without defaults and the resets of the request, the recorded errors come back",
		"gates":      "gates: with feature gate Big=true, the recorded errors come back",
		"both":       "unknown: the validator differs with and without defaults and the gates of the call; it may do more than p.F",
		"no gate":    "unknown: the feature gates of the call cannot be set: no gate Huge",
		"options":    `options: the validator returns what strict was recorded with (opts {"Strict":true})`,
		"strict":     "",
		"conversion": "conversion: without it, the recorded errors come back (when it was captured)",
		"unknown":    "unknown: the validator differs with and without defaults; it may do more than p.F",
		"state": "unknown: the case state2 has the same inputs but different errors, so the validator depends on something " +
			"else, such as the time or a cache",
		"state2": "",
	}
	files := fstest.MapFS{
		"suite/suite.yaml": {Data: []byte("name: w\nnative: {builtin: sized}\ndeclarative: {builtin: widgets}\ncases: [a.jsonl]\n")},
		"suite/a.jsonl": {Data: []byte(line("same", `,"size":4`, "", tooBig) + line("defaults", "", "", "") +
			line("gates", `,"size":7`, `,"featureGates":{"Big":true}`, "") + line("both", `,"size":8`, `,"featureGates":{"Big":true}`,
			other) +
			line("no gate", `,"size":9`, `,"featureGates":{"Huge":true}`, "") +
			line("options", `,"size":6`, `,"arguments":{"opts":{"Strict":false}}`, "") +
			line("strict", `,"size":6`, `,"arguments":{"opts":{"Strict":true}}`, tooBig) +
			line("conversion", `,"size":12`, `,"replay":"conversion: without it, the recorded errors come back"`, "") +
			line("unknown", `,"size":13`, `,"replay":"options: x"`, "") +
			line("state", `,"size":14`, "", "") + line("state2", `,"size":14`, "", tooBig))},
	}
	made := &sized{}
	with := options()
	with.Builtins["sized"] = cases.Builtin{Natives: made, Gates: made.set}
	plan, err := cases.Load([]cases.Location{{Files: &cases.Files{FS: files}, Name: "suite/suite.yaml"}}, with)
	if err != nil {
		t.Fatal(err)
	}
	check := &cases.RecordedCheck{}
	seen := 0
	for job, err := range plan.Suites[0].Jobs(cases.JobOptions{CheckRecorded: check}) {
		if err != nil {
			t.Fatal(err)
		}
		results, err := job.Harness.Check(t.Context(), job.Case)
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range results {
			seen++
			cause := ""
			if result.Verdict != words.Equal {
				cause = check.Cause(t.Context(), result)
			}
			if cause != want[result.Case.ID] {
				t.Errorf("%s: the cause is %q", result.Case.ID, cause)
			}
			if strings.HasPrefix(cause, "unknown") != strings.HasPrefix(want[result.Case.ID], "unknown") {
				t.Errorf("%s: verdict %v", result.Case.ID, result.Verdict)
			}
		}
	}
	if seen != len(want) || made.big || made.sets == 0 {
		t.Errorf("%d results; the gate is %t after %d sets", seen, made.big, made.sets)
	}
}
