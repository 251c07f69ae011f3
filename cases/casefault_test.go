package cases_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
)

func TestFaultsOfCases(t *testing.T) {
	const good = `{"id":"good","object":{"apiVersion":"example.com/v1","kind":"Widget"}}`
	deep := strings.Repeat(`{"a":`, 1001) + "1" + strings.Repeat("}", 1001)
	large := `"` + strings.Repeat("x", 3<<20) + `"`
	for _, tc := range []struct {
		why, name, content string
		want               []string // "source target: fault" of each case; "ok" where there is none
	}{
		{
			"lines that are not JSON do not hide others", "a.jsonl",
			strings.Join([]string{
				`{"id":"a"`, "{\"id\":\"\xff\"}", `{"id":"c","object":{"a":1,"a":2}}`, `{"id":"d","objekt":{},"schema":{}}`,
				`{"id":5,"object":{}}`, `{"id":"f","object":[],"oldObject":1}`, `[]`, good,
			}, "\n"),
			[]string{
				`s/cases/a.jsonl:1  : the line is not a case, a JSON object with the keys cluster, id, object, oldObject, operation, ` +
					`recorded, request, subresource: the JSON ends too early`,
				`s/cases/a.jsonl:2  : the line is not UTF-8`,
				`s/cases/a.jsonl:3  : duplicate field "object.a"`,
				`s/cases/a.jsonl:4  : unknown field "objekt"; accepted keys are cluster, id, object, oldObject, operation, recorded, ` +
					`request and subresource; schema and root are not accepted in a suite: the suite names its validators; the ` +
					`line has no object`,
				`s/cases/a.jsonl:5  : the line is not a case, a JSON object with the keys cluster, id, object, oldObject, operation, ` +
					`recorded, request, subresource: id must be text, not a number`,
				`s/cases/a.jsonl:6  : object must be an object of the API, with apiVersion and kind; oldObject must be an object of ` +
					`the API, with apiVersion and kind`,
				`s/cases/a.jsonl:7  : the line is not a case, a JSON object with the keys cluster, id, object, oldObject, operation, ` +
					`recorded, request, subresource: the line must be an object, not a list`,
				`s/cases/a.jsonl:8 example.com/v1 Widget: ok`,
			},
		},
		{
			"objects that are too deep or too large", "a.jsonl",
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
				`s/cases/a.jsonl:2  : the suite has no target example.com/v2 Widget; it has example.com/v1 Widget, ` +
					`example.com/v1beta1 Widget`,
				`s/cases/a.jsonl:3  : apiVersion of the object: unexpected GroupVersion string: a/b/c`,
				`s/cases/a.jsonl:4  : the case names no target, and its object has no apiVersion and kind`,
				`s/cases/a.jsonl:5 example.com/v1 Widget: ok`,
			},
		},
		{
			"a duplicate id would make one case of two", "a.jsonl",
			good + "\n" + good + "\n" + strings.Replace(good, "good", "other", 1),
			[]string{
				`s/cases/a.jsonl:1 example.com/v1 Widget: ok`,
				`s/cases/a.jsonl:2 example.com/v1 Widget: the id "good" is that of line 1, too; reports could not distinguish them`,
				`s/cases/a.jsonl:3 example.com/v1 Widget: ok`,
			},
		},
		{
			"an object of a different kind than the case, before its fields are checked", "a.yaml",
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
			"documents of a manifest, each separately", "a.yaml",
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
---
{apiVersion: example.com/v1, kind: Widget}
--- {apiVersion: example.com/v1, kind: Widget}
---
apiVersion: example.com/v1
kind: Widget
...
apiVersion: example.com/v1
kind: Widget
`,
			[]string{
				`s/cases/a.yaml:1 example.com/v1 Widget: s/cases/a.yaml:4: key "a" is set twice; first in line 3`,
				`s/cases/a.yaml:5  : s/cases/a.yaml:6: not YAML: did not find expected node content`,
				`s/cases/a.yaml:11  : no object but null`,
				`s/cases/a.yaml:12  : s/cases/a.yaml:12: the object must be a mapping, not the text "a"`,
				`s/cases/a.yaml:13 example.com/v1 Widget: s/cases/a.yaml:15: aliases repeat too much of the document`,
				`s/cases/a.yaml:22 example.com/v1 Widget: ok`,
				`s/cases/a.yaml:23  : s/cases/a.yaml:23: kubectl does not read a document that begins on the line of its mark; ` +
					`write nothing except a comment after ---, and end lines with LF or CRLF`,
				`s/cases/a.yaml:25 example.com/v1 Widget: ok`,
				`s/cases/a.yaml:28  : s/cases/a.yaml:28: kubectl does not read this, because the document has ended; begin another ` +
					`document with a line ---, and end lines with LF or CRLF`,
			},
		},
		{
			"lines end with LF or CRLF, and hold one value", "a.jsonl",
			good + " {}\n" + good + "\r" + good + "\n" + good + "\r\n",
			[]string{
				`s/cases/a.jsonl:1  : the line is not a case, a JSON object with the keys cluster, id, object, oldObject, operation, ` +
					`recorded, request, subresource: invalid character '{' after top-level value`,
				`s/cases/a.jsonl:2  : the line is not a case, a JSON object with the keys cluster, id, object, oldObject, operation, ` +
					`recorded, request, subresource: invalid character '{' after top-level value`,
				`s/cases/a.jsonl:3 example.com/v1 Widget: ok`,
			},
		},
		{
			"JSON manifests", "a.json",
			"{\"items\": [\n{\"a\": 1, \"a\": 2},\n\"b\",\nnull]}\n{\"a\": ",
			[]string{
				`s/cases/a.json:2  : duplicate field "a"`,
				`s/cases/a.json:3  : no JSON object: the document must be an object, not text`,
				`s/cases/a.json:4  : no JSON object but null`,
				`s/cases/a.json:5  : the document that begins here is not JSON: the JSON ends too early`,
			},
		},
		{
			"a JSON array is not a List", "a.json",
			`[{"apiVersion": "example.com/v1", "kind": "Widget"}]`,
			[]string{`s/cases/a.json:1  : a list, which is not an object; put it under "items" of an object of kind List`},
		},
		{
			"a mistake in the objects or patches of a case file affects only its case", "a.yaml",
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
				`s/cases/a.yaml:4 example.com/v1 Widget: object: s/cases/a.yaml:2: key "a" is set twice; first in line 2`,
				`s/cases/a.yaml:5 example.com/v1 Widget: object: jsonPatch does not apply: operation 0: error in remove for path: ` +
					`'/b': Unable to remove nonexistent key: b: missing value`,
				`s/cases/a.yaml:6 example.com/v1 Widget: object: jsonPatch is not a list of JSON patch operations (RFC 6902): ` +
					`an operation must be an object, not a number`,
				`s/cases/a.yaml:7 example.com/v1 Widget: old object: s/cases/a.yaml:7: only a mapping can be merged with <<, not 3`,
				`s/cases/a.yaml:8  : the suite has no target v1 Pod; it has Widget.example.com`,
				`s/cases/a.yaml:9 example.com/v1 Widget: object: jsonPatch does not apply: operation 0 replaces the object by [3]; ` +
					`it must stay an object`,
				`s/cases/a.yaml:10 example.com/v1 Widget: object: jsonPatch does not apply: operation 20 makes the object larger ` +
					`than 6 MiB`,
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
					if want := reasonOf(text); fault.Reason != want {
						t.Errorf("%s: reason %s", job.Case.Source, fault.Reason)
					}
				}
				got = append(got,
					fmt.Sprintf("%s %s: %s", job.Case.Source, apiname.Target(job.Harness.Target().Versions[0].GroupVersionKind), text))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A case that cannot be compared has one result, and never counts as compared; nor does a version whose
// schema does not compile.
func TestFaultsAreResults(t *testing.T) {
	files := map[string]string{"s/cases/a.jsonl": `{"id":"unknown","object":{"apiVersion":"v1","kind":"Pod"}}
{"id":"good","object":{"apiVersion":"example.com/v1","kind":"Widget"}}`}
	files["s/suite.yaml"] = widgetSuite
	suite, err := load(t, files)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for event, err := range suite.Events(cases.JobOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if broken, is := event.(cases.BrokenSchema); is {
			text, _, _ := strings.Cut(broken.Err.Error(), "\n") // the stack is below
			got = append(got, broken.Version.Version+": "+text)
			continue
		}
		job := event.(cases.Job)
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
		"widgets unknown  fault",
		"v1beta1: compiling the schema of example.com/v1beta1 Widget panicked: the compiler has a bug",
		"widgets good v1 equal",
		"widgets good v1beta1 fault: example.com/v1beta1 Widget has no usable schema; the problems of the run say why",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// reasonOf returns the reason of a fault with this text.
func reasonOf(text string) words.FaultReason {
	if strings.HasPrefix(text, "the suite has no target") {
		return words.FaultTarget
	}
	return words.FaultInput
}
