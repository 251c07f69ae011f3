package cases_test

import (
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
)

// jobs returns the jobs of the suite of widgets with these case files.
func jobs(t *testing.T, files map[string]string, options cases.JobOptions) []harness.Job {
	t.Helper()
	all := map[string]string{"s/suite.yaml": widgetSuite}
	maps.Copy(all, files)
	suite, err := load(t, all)
	if err != nil {
		t.Fatal(err)
	}
	var found []harness.Job
	for job, err := range suite.Jobs(options) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, job)
	}
	return found
}

type object = map[string]any

// v1 is the document of a widget.
func v1(members object) object {
	members["apiVersion"], members["kind"] = "example.com/v1", "Widget"
	return members
}

func TestCases(t *testing.T) {
	gvk := widget.WithVersion("v1")
	for _, tc := range []struct {
		why, name, content string
		want               []harness.Case
	}{
		{
			why: "every key of a case file", name: "a.yaml", content: `target: example.com/v1 Widget
objects:
  valid: {apiVersion: example.com/v1, kind: Widget, size: 1, ratio: 1.0, tags: {a: b, c: d}}
cases:
- {name: plain, object: valid, want: []}
- name: merged
  why: null removes, objects merge, lists replace
  object: valid
  patch: {size: 2, tags: {a: null, e: [f]}}
  want: [{type: FieldValueInvalid, field: size, detail: too big}]
- name: moved
  target: example.com/v1beta1 Widget
  subresource: status
  object: valid
  jsonPatch: [{op: replace, path: /apiVersion, value: example.com/v1beta1}, {op: remove, path: /tags}]
  old: {object: {size: 3}, patch: {size: 4}}
`,
			want: []harness.Case{
				{ID: "cases/a.yaml#plain", Source: "s/cases/a.yaml:5", Version: gvk, Want: []harness.ExpectedError{},
					Object: v1(object{"size": int64(1), "ratio": 1.0, "tags": object{"a": "b", "c": "d"}})},
				{ID: "cases/a.yaml#merged", Source: "s/cases/a.yaml:6", Version: gvk, Why: "null removes, objects merge, lists replace",
					Want:   []harness.ExpectedError{{Type: field.ErrorTypeInvalid, Field: "size", Detail: "too big"}},
					Object: v1(object{"size": int64(2), "ratio": 1.0, "tags": object{"c": "d", "e": []any{"f"}}})},
				{ID: "cases/a.yaml#moved", Source: "s/cases/a.yaml:11", Version: widget.WithVersion("v1beta1"), Subresource: "status",
					Object: object{"apiVersion": "example.com/v1beta1", "kind": "Widget", "size": int64(1), "ratio": 1.0},
					Old:    object{"size": int64(4)}},
			},
		},
		{
			why: "JSON lines keep integers and floats apart; empty lines are none", name: "a.jsonl",
			content: `{"id":"7","object":{"apiVersion":"example.com/v1","kind":"Widget","size":1,"ratio":1.0}}

{"object":{"apiVersion":"example.com/v1","kind":"Widget"},"oldObject":{"size":9007199254740993},"subresource":"status"}`,
			want: []harness.Case{
				{ExactNumbers: true, ID: "7", Source: "s/cases/a.jsonl:1", Version: gvk,
					Object: v1(object{"size": int64(1), "ratio": 1.0})},
				{ExactNumbers: true, ID: "cases/a.jsonl:3", Source: "s/cases/a.jsonl:3", Version: gvk, Object: v1(object{}),
					Old: object{"size": int64(9007199254740993)}, Subresource: "status"},
			},
		},
		{
			why: "documents and the items of a list are cases", name: "a.yaml", content: `# what stands before is no document
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: a}
--- # the second
apiVersion: v1
kind: List
items:
- apiVersion: example.com/v1
  kind: Widget
  metadata: {name: b, namespace: shop}
- apiVersion: example.com/v1
  kind: Widget
---
`,
			want: []harness.Case{
				{ID: "cases/a.yaml#Widget a", Source: "s/cases/a.yaml:3", Version: gvk,
					Object: v1(object{"metadata": object{"name": "a"}})},
				{ID: "cases/a.yaml#Widget shop/b", Source: "s/cases/a.yaml:10", Version: gvk,
					Object: v1(object{"metadata": object{"name": "b", "namespace": "shop"}})},
				{ID: "cases/a.yaml:13", Source: "s/cases/a.yaml:13", Version: gvk, Object: v1(object{})},
			},
		},
		{
			why: "the output of kubectl get -o json, including tabs", name: "a.json",
			content: "{\n\t\"apiVersion\": \"v1\",\n\t\"items\": [\n\t\t{\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\", " +
				"\"size\": 1.0},\n\t\t{\n\t\t\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\"}\n\t],\n\t\"kind\": " +
				"\"List\"\n}\n{\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\", \"items\": {}}\n",
			want: []harness.Case{
				{ID: "cases/a.json:4", Source: "s/cases/a.json:4", Version: gvk, Object: v1(object{"size": int64(1)})},
				{ID: "cases/a.json:5", Source: "s/cases/a.json:5", Version: gvk, Object: v1(object{})},
				{ID: "cases/a.json:10", Source: "s/cases/a.json:10", Version: gvk, Object: v1(object{"items": object{}})},
			},
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			var got []harness.Case
			for _, job := range jobs(t, map[string]string{"s/cases/" + tc.name: tc.content}, cases.JobOptions{}) {
				got = append(got, job.Case)
				if want := widget; job.Harness.Target().Kind != want {
					t.Errorf("%s: bound to %s, want %s", job.Case.ID, job.Harness.Target().Kind, want)
				}
			}
			if diff := cmp.Diff(tc.want, got, cmpopts.IgnoreUnexported(harness.Case{})); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Only excludes cases by their id, before their kinds are looked up.
func TestOnly(t *testing.T) {
	files := map[string]string{"s/cases/a.jsonl": `{"id":"first","object":{"apiVersion":"v1","kind":"Pod"}}
{"id":"second","object":{"apiVersion":"example.com/v1","kind":"Widget"}}`}
	found := jobs(t, files, cases.JobOptions{Only: regexp.MustCompile("^sec")})
	if len(found) != 1 || found[0].Case.ID != "second" {
		t.Errorf("got %d jobs", len(found))
	}
}

// Events has the cases that are not compared, with the reason, in the order in which they are read.
func TestEvents(t *testing.T) {
	suite, err := load(t, map[string]string{
		"s/suite.yaml":    strings.Replace(widgetSuite, "[cases/*]", "[cases/*, more/*]", 1),
		"s/cases/a.jsonl": "\n",
		"s/cases/b.jsonl": `{"id":"other","object":{"apiVersion":"example.com/v1","kind":"Widget"}}
{"id":"a pod","object":{"apiVersion":"v1","kind":"Pod"}}
{"id":"a widget","object":{"apiVersion":"example.com/v1","kind":"Widget"}}
{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"a connect","operation":"PATCH"}}
`,
		"s/more/c.jsonl": `{"id":"a widget"}`,
	})
	if err != nil {
		t.Fatal(err)
	}
	options := cases.JobOptions{
		Only: regexp.MustCompile("^a "), SkipMissing: true,
		SelectFile: func(path string) bool { return path != "s/more/c.jsonl" },
	}
	var got []cases.Event
	for event, err := range suite.Events(options) {
		if err != nil {
			t.Fatal(err)
		}
		switch of := event.(type) {
		case cases.Job:
			event = cases.Job{Job: harness.Job{Case: harness.Case{ID: of.Case.ID}}}
		case cases.BrokenSchema:
			event = cases.BrokenSchema{Version: of.Version}
		}
		got = append(got, event)
	}
	want := []cases.Event{
		cases.EmptyFile{Path: "s/cases/a.jsonl"},
		cases.Skipped{Reason: cases.NotSelected, Case: "other"},
		cases.Skipped{Reason: cases.NoTarget, Case: "a pod", Version: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}},
		cases.BrokenSchema{Version: widget.WithVersion("v1beta1")},
		cases.Job{Job: harness.Job{Case: harness.Case{ID: "a widget"}}},
		cases.Skipped{Reason: cases.NotACase, Case: "a connect", Detail: `the operation "PATCH" is not CREATE, UPDATE, DELETE or CONNECT`},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(harness.Case{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The suite's own files are not cases, whatever the patterns match; a file that two patterns match is read
// once, and files are in the order of the patterns.
func TestPatterns(t *testing.T) {
	suite, err := load(t, map[string]string{
		"s/suite.yaml": strings.Replace(widgetSuite, "[cases/*]", "['z*.yaml', '*.yaml', ../more/*.jsonl]", 1) +
			"exceptions: exceptions.yaml\n",
		"s/exceptions.yaml": "[]\n",
		"s/a.yaml":          "cases: [{name: a, object: {}}]\n",
		"s/z.yaml":          "cases: [{name: z, object: {}}, {name: y, object: {}}]\n",
		"more/b.jsonl":      `{"id": "b"}`,
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for job, err := range suite.Jobs(cases.JobOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, job.Case.ID)
	}
	if diff := cmp.Diff([]string{"z.yaml#z", "z.yaml#y", "a.yaml#a", "b"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if n, exact := suite.Count(); n != 3 || exact {
		t.Errorf("Count is %d, exact %t; want at least 3", n, exact)
	}
}

// Objects that cases share are not changed by the patches of cases.
func TestSharedObjects(t *testing.T) {
	found := jobs(t, map[string]string{"s/cases/a.yaml": `target: example.com/v1 Widget
objects: {valid: {tags: {a: b}}}
cases:
- {name: a, object: valid, patch: {tags: {a: c}}}
- {name: b, object: valid}
`}, cases.JobOptions{})
	want := object{"tags": object{"a": "b"}}
	if diff := cmp.Diff(want, found[1].Case.Object); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if found[1].Case.Version != (schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}) {
		t.Errorf("version %s", found[1].Case.Version)
	}
}

// If a file can no longer be read, the jobs end with an error: its cases are not skipped.
func TestFileThatIsGone(t *testing.T) {
	for _, name := range []string{"s/cases/a.jsonl", "s/cases/a.json"} {
		t.Run(name, func(t *testing.T) {
			fsys := mapFS(map[string]string{"s/suite.yaml": widgetSuite, name: "{}"})
			plan, err := cases.Load([]cases.Location{{Files: &cases.Files{FS: fsys}, Name: "s/suite.yaml"}}, options())
			if err != nil {
				t.Fatal(err)
			}
			delete(fsys, name)
			var errs []error
			for _, err := range plan.Suites[0].Jobs(cases.JobOptions{}) {
				errs = append(errs, err)
			}
			if len(errs) != 1 || errs[0] == nil {
				t.Errorf("got %v", errs)
			}
		})
	}
}
