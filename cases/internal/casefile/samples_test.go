package casefile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/cases/internal/casefile"
)

// pod returns a Pod as a document.
func pod(name string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: %s, namespace: shop}\n", name)
}

// library is a directory of policies with samples in the formats of their tools.
var library = fstest.MapFS{
	"gator/suite.yaml": {Data: []byte(`kind: Suite
apiVersion: test.gatekeeper.sh/v1alpha1
tests:
- name: ports
  template: template.yaml
  constraint: ports.yaml
  cases:
  - {name: good, object: samples/good.yaml}
  - {name: bad, object: samples/bad.yaml, assertions: [{violations: yes}, {violations: no, message: other}]}
  - {name: one, object: samples/bad.yaml, assertions: [{violations: 1, message: port}]}
  - {name: none, object: samples/good.yaml, assertions: [{violations: 0}]}
  - {name: no such message, object: samples/bad.yaml, assertions: [{violations: no, message: other}]}
  - {name: update, object: samples/update.yaml, assertions: [{violations: no}]}
  - {name: inventory, object: samples/good.yaml, inventory: [samples/bad.yaml]}
  - {name: lost, object: samples/lost.yaml}
  - {name: empty, object: samples/empty.yaml}
- name: network
  skip: true
  cases: [{name: good, object: samples/good.yaml}]
- {name: wrong, constraint: wrong.yaml, invalid: true}
`)},
	"gator/samples/good.yaml":  {Data: []byte(pod("good"))},
	"gator/samples/bad.yaml":   {Data: []byte(pod("bad"))},
	"gator/samples/empty.yaml": {Data: []byte("# nothing\n")},
	"gator/samples/update.yaml": {Data: []byte(`apiVersion: admission.k8s.io/v1beta1
kind: AdmissionReview
request:
  operation: UPDATE
  object: {apiVersion: v1, kind: Pod, metadata: {name: good, namespace: shop}}
`)},
	"kyverno/test/kyverno-test.yaml": {Data: []byte(`apiVersion: cli.kyverno.io/v1alpha1
kind: Test
policies: [../tag.yaml, ../ports.yaml]
resources: [resources.yaml, ../more.yaml]
results:
- {policy: tag, rule: a, kind: Pod, resources: [good, shop/bad], result: pass}
- {policy: tag, rule: b, kind: Pod, resources: [bad], result: fail}
- {policy: tag, rule: b, kind: Pod, resources: [good], result: pass}
- {policy: tag, rule: autogen-a, kind: Pod, resources: [more], result: skip}
- {policy: tag, rule: b, kind: v1/Pod, resources: [more], result: skip, operation: DELETE}
- {policy: ports, rule: c, kind: Deployment, resources: [good], result: fail}
- {policy: ports, rule: d, kind: Pod, resources: [good], result: fail}
`)},
	"kyverno/test/resources.yaml": {Data: []byte(pod("good") + "---\n" + pod("bad") + "---\n" + pod("unnamed"))},
	"kyverno/more.yaml":           {Data: []byte(pod("more"))},
	"kyverno/values.yaml": {Data: []byte(`apiVersion: cli.kyverno.io/v1alpha1
kind: Test
variables: variables.yaml
resources: [more.yaml]
results: [{policy: tag, kind: Pod, resources: [more], result: fail}]
`)},
	"chainsaw/chainsaw-test.yaml": {Data: []byte(`apiVersion: chainsaw.kyverno.io/v1alpha1
kind: Test
spec:
  steps:
  - name: policy
    try:
    - apply: {file: ../policy.yaml}
    - patch: {resource: {apiVersion: kyverno.io/v1, kind: ClusterPolicy, metadata: {name: tag}}}
    - assert: {file: ready.yaml}
  - try:
    - apply: {file: pods.yaml}
    - apply: {file: pods.yaml, expect: [{check: {($error != null): true}}]}
    - create: {resource: {apiVersion: v1, kind: Pod, metadata: {name: bad}}, expect: [{check: {($error): denied}}]}
    - delete: {ref: {apiVersion: v1, kind: Pod}}
    - apply: {file: pods.yaml, expect: [{check: {(status.phase): Running}}]}
    - script: {content: kubectl get pods}
    - apply: {file: ../gator/samples/bad.yaml, expect: [{match: {kind: Service}, check: {($error != null): true}}]}
`)},
	"chainsaw/pods.yaml": {Data: []byte(pod("good") + "---\n" + pod("other"))},
	"policy.yaml":        {Data: []byte("apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: tag}\n")},
}

const unasserted = ` has no assertions, so only the default of gator says that the object is accepted; write assertions: ` +
	`[{violations: "no"}], or what it violates`

// Test suites of other tools are cases with the decisions that they expect.
func TestSamples(t *testing.T) {
	for _, row := range []struct {
		why, file, only string
		want            []string
	}{
		{"a suite of gator", "gator/suite.yaml", "", []string{
			"ports/good CREATE admitted gator/samples/good.yaml:1",
			"gator/suite.yaml:8 CREATE  gator/suite.yaml:8: tests[0].cases[0]" + unasserted,
			"ports/bad CREATE denied gator/samples/bad.yaml:1",
			"ports/one CREATE denied gator/samples/bad.yaml:1",
			"ports/none CREATE admitted gator/samples/good.yaml:1",
			"ports/no such message CREATE  gator/samples/bad.yaml:1",
			"ports/update UPDATE admitted gator/samples/update.yaml:1",
			"ports/inventory CREATE admitted gator/samples/good.yaml:1: the case needs the objects of a cluster (inventory)",
			"ports/lost CREATE  gator/suite.yaml:15: samples/lost.yaml cannot be read: file does not exist",
			"gator/suite.yaml:15 CREATE  gator/suite.yaml:15: tests[0].cases[7]" + unasserted,
			"ports/empty CREATE  gator/suite.yaml:16: samples/empty.yaml has no object",
			"gator/suite.yaml:16 CREATE  gator/suite.yaml:16: tests[0].cases[8]" + unasserted,
			"network/good CREATE admitted gator/samples/good.yaml:1: the gator suite skips the test",
		}},
		{"one of its tests", "gator/suite.yaml", "network",
			[]string{"network/good CREATE admitted gator/samples/good.yaml:1: the gator suite skips the test"}},
		{"a test of kyverno", "kyverno/test/kyverno-test.yaml", "", []string{
			"Pod shop/good CREATE denied kyverno/test/resources.yaml:1",
			"Pod shop/bad CREATE denied kyverno/test/resources.yaml:5",
			"Pod shop/unnamed CREATE  kyverno/test/resources.yaml:9",
			"more.yaml Pod shop/more DELETE  kyverno/more.yaml:1",
			"kyverno/test/kyverno-test.yaml:11 CREATE  kyverno/test/kyverno-test.yaml:11: results[5] expects \"fail\" of Deployment " +
				"good, and the resources have no such Deployment; correct the name, or remove the result",
		}},
		{"one of its policies", "kyverno/test/kyverno-test.yaml", "tag", []string{
			"Pod shop/good CREATE admitted kyverno/test/resources.yaml:1",
			"Pod shop/bad CREATE denied kyverno/test/resources.yaml:5",
			"Pod shop/unnamed CREATE  kyverno/test/resources.yaml:9",
			"more.yaml Pod shop/more DELETE admitted kyverno/more.yaml:1",
		}},
		{"a test with values from a cluster", "kyverno/values.yaml", "", []string{
			"Pod shop/more CREATE denied kyverno/more.yaml:1: the test replaces what a cluster has (variables)",
		}},
		{"a test of chainsaw", "chainsaw/chainsaw-test.yaml", "", []string{
			"policy/policy.yaml/ClusterPolicy tag CREATE  policy.yaml:1: a policy or a definition of the test",
			"policy/patch CREATE  chainsaw/chainsaw-test.yaml:8: a policy or a definition of the test",
			"step 2/pods.yaml/Pod shop/good CREATE admitted chainsaw/pods.yaml:1",
			"step 2/pods.yaml/Pod shop/other CREATE admitted chainsaw/pods.yaml:5",
			"step 2/pods.yaml/Pod shop/good (2) UPDATE denied chainsaw/pods.yaml:1",
			"step 2/pods.yaml/Pod shop/other (2) UPDATE denied chainsaw/pods.yaml:5",
			"step 2/Pod bad CREATE denied chainsaw/chainsaw-test.yaml:13",
			"step 2/delete CREATE  chainsaw/chainsaw-test.yaml:14: a delete of the test",
			"step 2/pods.yaml/Pod shop/good (3) CREATE  chainsaw/pods.yaml:1",
			"step 2/pods.yaml/Pod shop/other (3) CREATE  chainsaw/pods.yaml:5",
			"step 2/script CREATE  chainsaw/chainsaw-test.yaml:16: a script of the test",
			"step 2/bad.yaml/Pod shop/bad CREATE  gator/samples/bad.yaml:1",
		}},
	} {
		file, err := casefile.Open(library, row.file, "", row.only)
		if err != nil {
			t.Errorf("%s: %v", row.why, err)
			continue
		}
		for range 2 { // a suite can be read twice
			if diff := cmp.Diff(row.want, drawn(t, file)); diff != "" {
				t.Errorf("%s: -want +got:\n%s", row.why, diff)
			}
		}
	}
}

// What a test expects of nothing is named, with its line.
func TestUnlooked(t *testing.T) {
	gator := "apiVersion: test.gatekeeper.sh/v1alpha1\nkind: Suite\ntests:\n"
	kyverno := "apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nresources: [pods.yaml]\nresults:\n"
	const correct = "; correct the name, or remove the result"
	for _, row := range []struct {
		why, text string
		want      []string
	}{
		{"one name of several", kyverno + "- {policy: a, kind: Pod, resources: [good, godo], result: pass}\n",
			[]string{"5: results[0] expects \"pass\" of Pod godo, and the resources have no such Pod" + correct}},
		{"the name, of a different kind", kyverno + "- {policy: a, kind: apps/v1/Deployment, resource: good, result: fail}\n",
			[]string{"5: results[0] expects \"fail\" of Deployment good, and the resources have no such Deployment" + correct}},
		{"a different namespace", kyverno + "- {policy: a, kind: Pod, resources: [sohp/good], result: skip}\n",
			[]string{"5: results[0] expects \"skip\" of Pod sohp/good, and the resources have no such Pod" + correct}},
		{"each object of a kind that no file has", kyverno + "- {policy: a, kind: Service, result: pass}\n",
			[]string{"5: results[0] expects \"pass\" of each Service, and the resources have none" + correct}},
		{"any kind", kyverno + "- {policy: a, resources: [god], result: pass}\n- {policy: a, result: pass}\n",
			[]string{"5: results[0] expects \"pass\" of object god, and the resources have no such object" + correct}},
		{"an object without a namespace is in that of Kyverno",
			kyverno + "- {policy: a, kind: Pod, resources: [default/plain, shop/good], result: pass}\n", nil},
		{"the objects are in files that are no samples", "targetResources: [other.yaml]\n" + kyverno +
			"- {policy: a, kind: Pod, resources: [other], result: pass}\n", nil},
		{"a test without cases", gator + "- {name: a, cases: []}\n- {name: b, invalid: true}\n- name: c\n  cases: [{name: d, " +
			"object: pods.yaml, assertions: [{violations: no}]}]\n", []string{"4: tests[0] has no cases; add some, or remove the test"}},
		{"no assertions", gator + "- name: a\n  cases:\n  - {name: b, object: pods.yaml, assertions: []}\n  - {name: c, object: " +
			"pods.yaml, skip: true}\n", []string{"6: tests[0].cases[0]" + unasserted}},
	} {
		files := fstest.MapFS{
			"a.yaml":    {Data: []byte(row.text)},
			"pods.yaml": {Data: []byte(pod("good") + "---\napiVersion: v1\nkind: Pod\nmetadata: {name: plain}\n")},
		}
		file, err := casefile.Open(files, "a.yaml", "", "")
		if err != nil {
			t.Errorf("%s: %v", row.why, err)
			continue
		}
		for range 2 { // a suite can be read twice
			var got []string
			for c := range file.Cases() {
				if unlooked := (*casefile.UnlookedError)(nil); c.Fault != nil && errors.As(c.Fault.Err, &unlooked) {
					got = append(got, strings.TrimPrefix(c.Source, "a.yaml:")+": "+unlooked.Problem)
				}
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("%s: -want +got:\n%s", row.why, diff)
			}
		}
	}
}

// drawn returns the cases of a file as lines.
func drawn(t *testing.T, file casefile.File) []string {
	t.Helper()
	var lines []string
	for c, err := range file.Cases() {
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%s %s %s %s", strings.TrimPrefix(c.ID, "#"), c.Operation(), c.WantDecision, c.Source)
		if c.Fault != nil {
			line += ": " + c.Fault.Err.Error()
		}
		lines = append(lines, line)
	}
	return lines
}

// An AdmissionReview in a manifest is a case for its request.
func TestReviewInManifest(t *testing.T) {
	review := "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\n"
	for _, row := range []struct{ why, text, want string }{
		{"a deletion is about the old object", review + "request: {uid: a, operation: DELETE, oldObject: {kind: Pod}}\n",
			"a DELETE  a.yaml:1"},
		{"a review without a uid", review + "request: {operation: CREATE, object: {kind: Pod}}\n", ":1 CREATE  a.yaml:1"},
		{"a review that was answered", review + "response: {uid: a}\n", ":1 CREATE  a.yaml:1: the AdmissionReview has no request"},
		{"not an object", review + "request: {operation: CREATE, object: [a]}\n",
			":1 CREATE  a.yaml:1: the AdmissionReview cannot be read: request.object must be an object, not a list"},
		{"after an object", pod("b") + "---\n" + review + "request: {operation: CREATE, subResource: resize, object: {kind: Pod}}\n",
			"Pod shop/b CREATE  a.yaml:1\n:5 CREATE  a.yaml:5"},
	} {
		file, err := casefile.Open(fstest.MapFS{"a.yaml": {Data: []byte(row.text)}}, "a.yaml", "", "")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(row.want, strings.Join(drawn(t, file), "\n")); diff != "" {
			t.Errorf("%s: -want +got:\n%s", row.why, diff)
		}
	}
}

// Mistakes in samples and in "want" have lines.
func TestMistakes(t *testing.T) {
	gator := "apiVersion: test.gatekeeper.sh/v1alpha1\nkind: Suite\n"
	kyverno := "apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\n"
	chainsaw := "apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\n"
	for _, row := range []struct{ why, text, only, want string }{
		{"all mistakes at once", gator + "tests:\n- name: [a]\n  cases:\n  - {name: b}\n  - {name: c, object: d, assertions: " +
			"[{violations: some}]}\n", "",
			"a.yaml:4: tests[0].name must be text\na.yaml:6: tests[0].cases[0] has no object\na.yaml:7: " +
				"tests[0].cases[1].assertions[0].violations must be yes, no, or a number"},
		{"tests that are not a list", gator + "tests: {a: b}\n", "", "a.yaml:3: tests must be a list"},
		{"nothing to do", gator + "tests: []\n", "", "a.yaml: the Suite of test.gatekeeper.sh has no samples"},
		{"a test that is not there", gator + "tests: [{name: a, cases: [{name: b, object: c}]}]\n", "b",
			"a.yaml: #b does not select a test of this file; accepted: a"},
		{"a result that does not exist", kyverno + "resources: [a.yaml]\nresults:\n- {policy: a, result: fails}\n", "",
			"a.yaml:5: results[0].result must be pass, fail, skip, warn or error"},
		{"a request about nothing", chainsaw + "spec:\n  steps:\n  - try:\n    - apply: {}\n", "",
			"a.yaml:6: spec.steps[0].try[0].apply names neither a file nor a resource"},
		{"no parts to select", chainsaw + "spec: {steps: [{try: [{apply: {file: a}}]}]}\n", "a",
			"a.yaml: #a selects nothing in a Test of chainsaw.kyverno.io; name the file without it"},
		{"parts of a manifest", pod("a"), "a", "has no part #a; a suite of gator and a test of kyverno have parts"},
		{"an unknown decision", "cases: [{name: a, object: {}, want: refused}]\n", "",
			"a.yaml:1: cases[0].want must be a list of errors, or one of the words admitted, denied"},
		{"an error without a type", "cases:\n- name: a\n  object: {}\n  want:\n  - {feild: b}\n", "",
			"a.yaml:2: an error under \"want\" has no type; accepted: FieldValueDuplicate, FieldValueForbidden, FieldValueInvalid, " +
				"FieldValueNotFound, FieldValueNotSupported, FieldValueRequired, FieldValueTooFew, FieldValueTooLong, FieldValueTooMany, " +
				"FieldValueTooShort, FieldValueTypeInvalid, InternalError\na.yaml:5: unknown key \"feild\"; did you mean \"field\"? " +
				"accepted: type, field, detail"},
	} {
		_, err := casefile.Open(fstest.MapFS{"a.yaml": {Data: []byte(row.text)}}, "a.yaml", "", row.only)
		if got := fmt.Sprint(err); got != row.want {
			t.Errorf("%s:\ngot  %s\nwant %s", row.why, got, row.want)
		}
	}
}

// A single word can be the expected decision.
func TestWantedDecision(t *testing.T) {
	text := "cases:\n- {name: a, object: {}, want: denied}\n- {name: b, object: {}, want: admitted}\n- {name: c, object: " +
		"{}, want: []}\n- {name: d, object: {}, want: }\n"
	file, err := casefile.Open(fstest.MapFS{"a.yaml": {Data: []byte(text)}}, "a.yaml", "", "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for c := range file.Cases() {
		got = append(got, fmt.Sprintf("%s %t", c.WantDecision, c.Want != nil))
	}
	want := []string{"denied false", "admitted false", " true", " false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
