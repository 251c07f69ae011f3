package cases_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
)

const sharedExceptions = `- id: shared
  target: example.com/v1 Widget
  class: too-loose
  field: size
  why: two suites know of it
  owner: sig-widgets
  issue: https://example.com/1
  expires: 2027-06-30
`

// twoSuites are a and b, which share a file of exceptions.
func twoSuites(nameOfB string) map[string]string {
	suite := strings.Replace(widgetSuite, "cases/*", "cases.yaml", 1) + "exceptions: ../exceptions.yaml\n"
	return map[string]string{
		"a/suite.yaml":    strings.Replace(suite, "widgets", "a", 1),
		"b/suite.yaml":    strings.Replace(suite, "widgets", nameOfB, 1),
		"a/cases.yaml":    "cases: [{name: a, object: {}}]\n",
		"b/cases.yaml":    "cases: [{name: a, object: {}}]\n",
		"exceptions.yaml": sharedExceptions,
	}
}

// A file that two suites name is loaded once: its entries are not stale if either suite uses them, and its
// mistakes are reported once.
func TestSharedFiles(t *testing.T) {
	plan, err := loadAll(twoSuites("b"), "a/suite.yaml", "b/suite.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if plan.Suites[0].Exceptions != plan.Suites[1].Exceptions || len(plan.SharedExceptions()) != 1 {
		t.Errorf("%d exceptions, shared: %t", len(plan.SharedExceptions()), plan.Suites[0].Exceptions == plan.Suites[1].Exceptions)
	}
	if usages := plan.Ledger().Usages(); len(usages) != 1 || !usages[0].Unused() {
		t.Errorf("usages of an unused exception of two suites: %+v", usages)
	}
}

func TestMistakesOfSeveralSuites(t *testing.T) {
	files := twoSuites("a")
	files["exceptions.yaml"] += "  owners: me\n"
	_, err := loadAll(files, "a/suite.yaml", "b/suite.yaml", "c/suite.yaml")
	if err == nil {
		t.Fatal("no mistake was found")
	}
	want := `b/suite.yaml: the suite in a/suite.yaml has the same name, "a"; choose a different name
c/suite.yaml: cannot be read: file does not exist
exceptions.yaml:9: unknown key "owners"; did you mean "owner"? accepted: id, target, operations, subresources, class, ` +
		`field, native, declarative, why, owner, issue, expires, maxHits`
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

const sharedRules = `- name: r
  why: two suites know of it
  target: 'TARGET'
  type: FieldValueInvalid
  native: must be alpha
  declarative: should be alpha
  examples: {match: [[must be alpha, should be alpha]], differ: [[must be beta, should be alpha]]}
`

// The same holds for a rule that can explain nothing. A rule of a shared file is stale only if the run
// includes a version that it is for.
func TestTargetsOfRules(t *testing.T) {
	for _, tc := range []struct {
		why, file, target, want string
		shared                  int
	}{
		{"the suite's own version", "s/r.yaml", "example.com/v1beta1 Widget", "", 0},
		{"a file that other suites may name", "r.yaml", "example.com/v1beta1 Widget", "", 1},
		{"a misspelled kind", "s/r.yaml", "example.com/v1 Wigdet",
			`s/r.yaml:1: rule "r": nothing validates example.com/v1 Wigdet; accepted, with * as a wildcard for a whole part: ` +
				`example.com/v1 Widget, example.com/v1beta1 Widget`, 0},
	} {
		plan, err := loadAll(map[string]string{
			"s/suite.yaml":   widgetSuite + "rules: [" + strings.Replace("../"+tc.file, "../s/", "", 1) + "]\n",
			"s/cases/a.yaml": "cases: [{name: a, object: {}}]\n",
			tc.file:          strings.Replace(sharedRules, "TARGET", tc.target, 1),
		}, "s/suite.yaml")
		switch {
		case tc.want == "" && err != nil, tc.want != "" && (err == nil || err.Error() != tc.want):
			t.Errorf("%s: got %v, want %q", tc.why, err, tc.want)
		case err == nil && len(plan.SharedRules()) != tc.shared:
			t.Errorf("%s: %d shared rules, want %d", tc.why, len(plan.SharedRules()), tc.shared)
		}
	}
}

// An exception that can accept nothing is a mistake at once, and not stale later.
func TestTargetsOfExceptions(t *testing.T) {
	const accepted = "; accepted, with * as a wildcard for a whole part: example.com/v1 Widget, example.com/v1beta1 Widget"
	for _, tc := range []struct{ why, file, target, want string }{
		{"the suite's own version", "s/e.yaml", "example.com/v1beta1 Widget", ""},
		{"whatever there is", "s/e.yaml", "*/* Widget", ""},
		{"a misspelled kind", "s/e.yaml", "example.com/v1 Wigdet",
			`s/e.yaml:1: exception "e": nothing validates example.com/v1 Wigdet` + accepted},
		{"a version that there is not", "s/e.yaml", "example.com/v9 Widget",
			`s/e.yaml:1: exception "e": nothing validates example.com/v9 Widget` + accepted},
		{"an empty pattern", "s/e.yaml", "example.com/* Gadget", `s/e.yaml:1: exception "e": nothing validates example.com/* Gadget` +
			accepted},
		{"the core group, which the suite has not", "s/e.yaml", "v1 Widget", `s/e.yaml:1: exception "e": nothing validates v1 Widget` +
			accepted},
		{"an exceptions file outside of the suite does not excuse mistakes about a builtin", "e.yaml", "example.com/v9 Widget",
			`e.yaml:1: exception "e": nothing validates example.com/v9 Widget` + accepted},
		{"nor about a group that only suites of builtins could have", "e.yaml", "example.org/v1 Widget",
			`e.yaml:1: exception "e": nothing validates example.org/v1 Widget` + accepted},
	} {
		t.Run(tc.why, func(t *testing.T) {
			ref := strings.Replace("../"+tc.file, "../s/", "", 1)
			_, err := load(t, map[string]string{
				"s/suite.yaml":   widgetSuite + "exceptions: " + ref + "\n",
				"s/cases/a.yaml": "cases: [{name: a, object: {}}]\n",
				tc.file: strings.NewReplacer("example.com/v1 Widget", "'"+tc.target+"'", "id: shared",
					"id: e").Replace(sharedExceptions),
			})
			got := ""
			if err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Of suites with the same comparison, one takes the cases that belong to none of them: the first that has
// cases of the kind, otherwise the first.
func TestLeftTo(t *testing.T) {
	widget, gadget := schema.GroupKind{Group: "example.com", Kind: "Widget"}, schema.GroupKind{Group: "example.com", Kind: "Gadget"}
	for _, tt := range []struct {
		why, casesOfA, addedToB string
		want                    []schema.GroupKind // what b leaves
		ofA                     []schema.GroupKind
	}{
		{why: "both have cases of Widgets: the first compares them", casesOfA: "widgets", want: []schema.GroupKind{widget, gadget}},
		{why: "only b has cases of Widgets", casesOfA: "gadgets", want: []schema.GroupKind{gadget}, ofA: []schema.GroupKind{widget}},
		{why: "b has its own rules, and compares differently", casesOfA: "widgets", addedToB: "rules: [rules.yaml]\n"},
	} {
		files := twoSuites("b")
		files["b/suite.yaml"] += tt.addedToB
		files["b/rules.yaml"] = "- {name: own, why: one word, type: FieldValueInvalid, native: small, declarative: little, " +
			"examples: {match: [[small, little]], differ: [[small, large]]}}\n"
		files["b/cases.yaml"] = "cases: [{name: b, object: {apiVersion: example.com/v1, kind: Widget}}]\n"
		if tt.casesOfA == "gadgets" {
			files["a/cases.yaml"] = strings.Replace(files["b/cases.yaml"], "Widget", "Gadget", 1)
		} else {
			files["a/cases.yaml"] = files["b/cases.yaml"]
		}
		plan, err := loadAll(files, "a/suite.yaml", "b/suite.yaml")
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		for i, want := range [][]schema.GroupKind{tt.ofA, tt.want} {
			var got []schema.GroupKind
			for _, kind := range []schema.GroupKind{widget, gadget} {
				if plan.Redundant(plan.Suites[i])(harness.Case{Version: kind.WithVersion("v1")}) {
					got = append(got, kind)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: suite %s leaves (-want +got):\n%s", tt.why, plan.Suites[i].Name, diff)
			}
		}
	}
}
