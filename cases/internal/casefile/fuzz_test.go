package casefile

import (
	"testing"
	"testing/fstest"
)

// Reading a case file neither panics nor hangs, whatever the file contains, and every case has either an
// object or a fault. The fuzzer calls this package directly: Load would spend nearly all its time on the
// built-in rules.
func FuzzSources(f *testing.F) {
	for _, seed := range []string{
		`{"id":"a","object":{"apiVersion":"example.com/v1","kind":"Widget"}}`,
		"cases: [{name: a, object: &a {b: [*a]}, jsonPatch: [{op: copy, from: /b, path: /c}]}]",
		"cases: [{name: a, object: {b: {c: 1.0}}, patch: {b: {c: null, d: [null]}}, old: {object: {}}}]",
		"--- {apiVersion: v1, kind: List, items: [a, {b: c}]}\n---\n%YAML 1.2\n...\n",
		`{"items": [{"a": 1}, null], "kind": "List"} 3`,
		"apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nrequest: {operation: UPDATE, object: {a: b}}\n",
		"apiVersion: test.gatekeeper.sh/v1alpha1\nkind: Suite\ntests: [{name: a, cases: [{name: b, object: a.yaml, assertions: " +
			"[{violations: yes}]}]}]\n",
		"apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nresources: [a.yaml]\nresults: [{policy: a, result: fail, kind: Pod}]\n",
		"apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nspec: {steps: [{try: [{apply: {file: a.yaml}}, {create: " +
			"{resource: {a: b}}}]}]}\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"a.yaml", "a.json", "a.jsonl"} {
			source, err := Open(fstest.MapFS{name: {Data: data}}, name, name, "")
			if err != nil {
				continue // a case file with mistakes
			}
			for c, err := range source.Cases() {
				if err != nil {
					t.Fatal(err)
				}
				if c.Fault == nil && c.Object == nil {
					t.Errorf("%s: neither an object nor a fault", c.Source)
				}
			}
		}
	})
}
