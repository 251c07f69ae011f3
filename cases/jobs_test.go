package cases_test

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
)

// jobs gives the jobs of the suite of widgets with these case files.
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
			why: "all that a case file can say", name: "a.yaml", content: `target: example.com/v1 Widget
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
			why: "JSON lines keep integers and floats apart; empty lines are none", name: "a.jsonl", content: `{"id":"7","object":{"apiVersion":"example.com/v1","kind":"Widget","size":1,"ratio":1.0}}

{"object":{"apiVersion":"example.com/v1","kind":"Widget"},"oldObject":{"size":9007199254740993},"subresource":"status"}`,
			want: []harness.Case{
				{ID: "7", Source: "s/cases/a.jsonl:1", Version: gvk, Object: v1(object{"size": int64(1), "ratio": 1.0})},
				{ID: "cases/a.jsonl:3", Source: "s/cases/a.jsonl:3", Version: gvk, Object: v1(object{}), Old: object{"size": int64(9007199254740993)}, Subresource: "status"},
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
  metadata: {name: b, namespace: n}
- apiVersion: example.com/v1
  kind: Widget
---
`,
			want: []harness.Case{
				{ID: "cases/a.yaml#Widget a", Source: "s/cases/a.yaml:3", Version: gvk, Object: v1(object{"metadata": object{"name": "a"}})},
				{ID: "cases/a.yaml#Widget n/b", Source: "s/cases/a.yaml:10", Version: gvk, Object: v1(object{"metadata": object{"name": "b", "namespace": "n"}})},
				{ID: "cases/a.yaml:13", Source: "s/cases/a.yaml:13", Version: gvk, Object: v1(object{})},
			},
		},
		{
			why: "what kubectl get -o json prints, tabs and all", name: "a.json", content: "{\n\t\"apiVersion\": \"v1\",\n\t\"items\": [\n\t\t{\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\", \"size\": 1.0},\n\t\t{\n\t\t\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\"}\n\t],\n\t\"kind\": \"List\"\n}\n{\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\", \"items\": {}}\n",
			want: []harness.Case{
				{ID: "cases/a.json:4", Source: "s/cases/a.json:4", Version: gvk, Object: v1(object{"size": 1.0})},
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
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestFaultsOfCases(t *testing.T) {
	const good = `{"id":"good","object":{"apiVersion":"example.com/v1","kind":"Widget"}}`
	deep := strings.Repeat(`{"a":`, 1001) + "1" + strings.Repeat("}", 1001)
	large := `"` + strings.Repeat("x", 3<<20) + `"`
	for _, tc := range []struct {
		why, name, content string
		want               []string // "source target: fault" of each case; "ok" where there is none
	}{
		{
			"lines of JSON that are none hide no other", "a.jsonl",
			strings.Join([]string{
				`{"id":"a"`, "{\"id\":\"\xff\"}", `{"id":"c","object":{"a":1,"a":2}}`, `{"id":"d","objekt":{},"schema":{}}`,
				`{"id":5,"object":{}}`, `{"id":"f","object":[],"oldObject":1}`, `[]`, good,
			}, "\n"),
			[]string{
				`s/cases/a.jsonl:1  : the line is no JSON object with the keys id, object, oldObject, subresource: unexpected end of JSON input`,
				`s/cases/a.jsonl:2  : the line is not UTF-8`,
				`s/cases/a.jsonl:3  : duplicate field "object.a"`,
				`s/cases/a.jsonl:4  : unknown field "objekt"; accepted keys are id, object, oldObject and subresource; schema and root have no place in a suite, which says itself what validates its cases; the line has no object`,
				`s/cases/a.jsonl:5  : the line is no JSON object with the keys id, object, oldObject, subresource: json: cannot unmarshal number into Go struct field jsonLine.id of type string`,
				`s/cases/a.jsonl:6  : the line has no object; oldObject is no object`,
				`s/cases/a.jsonl:7  : the line is no JSON object with the keys id, object, oldObject, subresource: json: cannot unmarshal array into Go value of type cases.jsonLine`,
				`s/cases/a.jsonl:8 example.com/v1 Widget: ok`,
			},
		},
		{
			"what is too deep or too large", "a.jsonl",
			strings.Join([]string{
				`{"object":{"apiVersion":"example.com/v1","kind":"Widget","a":` + deep + `}}`,
				`{"object":{"apiVersion":"example.com/v1","kind":"Widget"},"oldObject":{"a":` + large + `}}`,
				`{"object":{"a":"` + strings.Repeat("x", 13<<20) + `"}}`, good,
			}, "\n"),
			[]string{
				`s/cases/a.jsonl:1 example.com/v1 Widget: object is nested deeper than 1000 levels`,
				`s/cases/a.jsonl:2 example.com/v1 Widget: old object is larger than 3 MiB, the most that the API server takes`,
				`s/cases/a.jsonl:3  : the line is longer than 12 MiB`,
				`s/cases/a.jsonl:4 example.com/v1 Widget: ok`,
			},
		},
		{
			"objects of other kinds, or of none", "a.jsonl",
			`{"object":{"apiVersion":"v1","kind":"Pod"}}
{"object":{"apiVersion":"example.com/v2","kind":"Widget"}}
{"object":{"apiVersion":"a/b/c","kind":"Widget"}}
{"object":{"kind":"Widget"}}
` + good,
			[]string{
				`s/cases/a.jsonl:1  : the suite has no target v1 Pod; it has Widget.example.com`,
				`s/cases/a.jsonl:2  : the suite has no target example.com/v2 Widget; it has example.com/v1 Widget, example.com/v1beta1 Widget`,
				`s/cases/a.jsonl:3  : apiVersion of the object: unexpected GroupVersion string: a/b/c`,
				`s/cases/a.jsonl:4  : the case names no target, and its object has no apiVersion and kind`,
				`s/cases/a.jsonl:5 example.com/v1 Widget: ok`,
			},
		},
		{
			"an id that stands twice would make one case of two", "a.jsonl",
			good + "\n" + good + "\n" + strings.Replace(good, "good", "other", 1),
			[]string{
				`s/cases/a.jsonl:1 example.com/v1 Widget: ok`,
				`s/cases/a.jsonl:2 example.com/v1 Widget: the id "good" is that of line 1, too; reports could not tell them apart`,
				`s/cases/a.jsonl:3 example.com/v1 Widget: ok`,
			},
		},
		{
			"an object of another kind than the case names, before its fields are looked at", "a.yaml",
			`target: example.com/v1 Widget
cases:
- {name: new, object: {kind: Service, spec: {ports: []}}}
- {name: old, object: {kind: Widget}, old: {object: {kind: Gadget}}}
- {name: none, object: {}}
`,
			[]string{
				`s/cases/a.yaml:3 example.com/v1 Widget: the object is a Service; the case is about example.com/v1 Widget`,
				`s/cases/a.yaml:4 example.com/v1 Widget: the old object is a Gadget; the case is about example.com/v1 Widget`,
				`s/cases/a.yaml:5 example.com/v1 Widget: ok`,
			},
		},
		{
			"documents of a manifest, each for itself", "a.yaml",
			`apiVersion: example.com/v1
kind: Widget
a: 1
a: 2
---
a: [
---
apiVersion: v1
kind: List
items:
- null
- a
- apiVersion: example.com/v1
  kind: Widget
  l0: &l0 [x,x,x,x,x,x,x,x,x,x]
  l1: &l1 [*l0,*l0,*l0,*l0,*l0,*l0,*l0,*l0,*l0,*l0]
  l2: &l2 [*l1,*l1,*l1,*l1,*l1,*l1,*l1,*l1,*l1,*l1]
  l3: &l3 [*l2,*l2,*l2,*l2,*l2,*l2,*l2,*l2,*l2,*l2]
  l4: &l4 [*l3,*l3,*l3,*l3,*l3,*l3,*l3,*l3,*l3,*l3]
  l5: &l5 [*l4,*l4,*l4,*l4,*l4,*l4,*l4,*l4,*l4,*l4]
--- {apiVersion: example.com/v1, kind: Widget}
`,
			[]string{
				`s/cases/a.yaml:1 example.com/v1 Widget: s/cases/a.yaml:4: key "a" stands twice; first in line 3`,
				`s/cases/a.yaml:5  : s/cases/a.yaml:6: not YAML: did not find expected node content`,
				`s/cases/a.yaml:11  : no object but null`,
				`s/cases/a.yaml:12  : s/cases/a.yaml:12: must be a mapping, not the text "a"`,
				`s/cases/a.yaml:13 example.com/v1 Widget: s/cases/a.yaml:15: aliases repeat too much of the document`,
				`s/cases/a.yaml:21 example.com/v1 Widget: ok`,
			},
		},
		{
			"JSON manifests", "a.json",
			"{\"items\": [\n{\"a\": 1, \"a\": 2},\n\"b\",\nnull]}\n{\"a\": ",
			[]string{
				`s/cases/a.json:2  : duplicate field "a"`,
				`s/cases/a.json:3  : no JSON object: json: cannot unmarshal string into Go value of type map[string]interface {}`,
				`s/cases/a.json:4  : no JSON object but null`,
				`s/cases/a.json:5  : the document that begins here is not JSON: unexpected EOF`,
			},
		},
		{
			"what stands in the objects and patches of a case file spoils only its case", "a.yaml",
			`target: example.com/v1 Widget
objects: {valid: {a: 1}, broken: {a: 1, a: 2}}
cases:
- {name: a, object: broken}
- {name: b, object: valid, jsonPatch: [{op: remove, path: /b}]}
- {name: c, object: valid, jsonPatch: [1]}
- {name: d, object: valid, old: {object: valid, patch: {<<: 3}}}
- {name: e, target: v1 Pod, object: valid}
- {name: f, object: valid, jsonPatch: [{op: replace, path: '', value: [3]}]}
- {name: g, object: valid, jsonPatch: [{op: add, path: /l, value: [x]}` + strings.Repeat(", {op: copy, from: /l, path: /l/-}", 40) + `]}
- {name: h, object: valid}
`,
			[]string{
				`s/cases/a.yaml:4 example.com/v1 Widget: object: s/cases/a.yaml:2: key "a" stands twice; first in line 2`,
				`s/cases/a.yaml:5 example.com/v1 Widget: object: jsonPatch does not apply: operation 0: error in remove for path: '/b': Unable to remove nonexistent key: b: missing value`,
				`s/cases/a.yaml:6 example.com/v1 Widget: object: jsonPatch is no list of JSON patch operations (RFC 6902): json: cannot unmarshal number into Go value of type jsonpatch.Operation`,
				`s/cases/a.yaml:7 example.com/v1 Widget: old object: s/cases/a.yaml:7: only a mapping can be merged with <<, not 3`,
				`s/cases/a.yaml:8  : the suite has no target v1 Pod; it has Widget.example.com`,
				`s/cases/a.yaml:9 example.com/v1 Widget: object: jsonPatch leaves no object but [3]`,
				`s/cases/a.yaml:10 example.com/v1 Widget: object: jsonPatch does not apply: operation 20 makes the object larger than 6 MiB`,
				`s/cases/a.yaml:11 example.com/v1 Widget: ok`,
			},
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			var got []string
			for _, job := range jobs(t, map[string]string{"s/cases/" + tc.name: tc.content}, cases.JobOptions{}) {
				text := "ok"
				if fault := job.Case.Fault; fault != nil {
					text = fault.Error()
					if fault.Reason != harness.FaultInput {
						t.Errorf("%s: reason %s", job.Case.Source, fault.Reason)
					}
				}
				got = append(got, fmt.Sprintf("%s %s: %s", job.Case.Source, harness.TargetName(job.Harness.Target().Versions[0].GroupVersionKind), text))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A case that cannot be compared gives one result, and never passes for one
// that was compared; nor does a version whose schema does not compile.
func TestFaultsAreResults(t *testing.T) {
	files := map[string]string{"s/cases/a.jsonl": `{"id":"unknown","object":{"apiVersion":"v1","kind":"Pod"}}
{"id":"good","object":{"apiVersion":"example.com/v1","kind":"Widget"}}`}
	var got []string
	broken := func(version schema.GroupVersionKind, why error) {
		text, _, _ := strings.Cut(why.Error(), "\n") // the stack is below
		got = append(got, version.Version+": "+text)
	}
	for _, job := range jobs(t, files, cases.JobOptions{Broken: broken}) {
		results, err := job.Harness.Check(t.Context(), job.Case)
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range results {
			text := fmt.Sprintf("%s %s %s %s", result.Suite, result.Case.ID, result.Version.Version, result.Verdict)
			if fault := result.Declarative.Fault; fault != nil {
				text += ": " + fault.Error()
			}
			got = append(got, text)
		}
	}
	want := []string{
		"v1beta1: compiling the schema of example.com/v1beta1 Widget panicked: the compiler has a bug",
		"widgets unknown  fault",
		"widgets good v1 equal",
		"widgets good v1beta1 fault: there is no usable schema of example.com/v1beta1 Widget; the problems of the run say why",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Only leaves out cases by their id, before their kinds are looked at.
func TestOnly(t *testing.T) {
	files := map[string]string{"s/cases/a.jsonl": `{"id":"first","object":{"apiVersion":"v1","kind":"Pod"}}
{"id":"second","object":{"apiVersion":"example.com/v1","kind":"Widget"}}`}
	found := jobs(t, files, cases.JobOptions{Only: regexp.MustCompile("^sec")})
	if len(found) != 1 || found[0].Case.ID != "second" {
		t.Errorf("got %d jobs", len(found))
	}
}

// The suite's own files are no cases, whatever the patterns match; a file that
// two patterns match is read once, and files come in the order of the patterns.
func TestPatterns(t *testing.T) {
	suite, err := load(t, map[string]string{
		"s/suite.yaml":      strings.Replace(widgetSuite, "[cases/*]", "['z*.yaml', '*.yaml', ../more/*.jsonl]", 1) + "exceptions: exceptions.yaml\n",
		"s/exceptions.yaml": "[]\n",
		"s/a.yaml":          "cases: [{name: a, object: {}}]\n",
		"s/z.yaml":          "cases: [{name: z, object: {}}, {name: y, object: {}}]\n",
		"more/b.jsonl":      `{"id": "b"}`,
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for c, err := range suite.Cases() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c.ID)
	}
	if diff := cmp.Diff([]string{"z.yaml#z", "z.yaml#y", "a.yaml#a", "b"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if n, exact := suite.Count(); n != 3 || exact {
		t.Errorf("Count is %d, exact %t; want at least 3", n, exact)
	}
}

// The objects that cases share stay as they are, however cases patch them.
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

// A file that cannot be read any more ends the jobs with an error: what it held
// is not passed over.
func TestFileThatIsGone(t *testing.T) {
	for _, name := range []string{"s/cases/a.jsonl", "s/cases/a.json"} {
		t.Run(name, func(t *testing.T) {
			fsys := mapFS(map[string]string{"s/suite.yaml": widgetSuite, name: "{}"})
			plan, err := cases.Load([]cases.Place{{Files: &cases.Files{FS: fsys}, Name: "s/suite.yaml"}}, options())
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
