package equivalence_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
)

// today is the clock of these tests.
func today() time.Time { return time.Date(2027, 6, 30, 23, 59, 0, 0, time.UTC) }

// entry writes an exception; changes replace or add keys ("key: value") and
// drop them ("key").
func entry(changes ...string) string {
	keys := []string{"id", "target", "class", "field", "why", "owner", "issue", "expires"}
	values := map[string]string{
		"id": "known", "target": "apps/v1 Deployment", "class": "detail", "field": "spec.a",
		"why": "it is known", "owner": "sig-apps", "issue": "https://example.com/1", "expires": "2027-06-30",
	}
	for _, change := range changes {
		key, value, given := strings.Cut(change, ": ")
		if _, known := values[key]; !known {
			keys = append(keys, key)
		}
		if values[key] = value; !given {
			delete(values, key)
		}
	}
	var text strings.Builder
	mark := "- "
	for _, key := range keys {
		if value, ok := values[key]; ok {
			fmt.Fprintf(&text, "%s%s: %s\n", mark, key, value)
			mark = "  "
		}
	}
	return text.String()
}

func load(t *testing.T, entries ...string) *equivalence.Exceptions {
	t.Helper()
	exceptions, err := equivalence.LoadExceptions("exceptions.yaml", []byte(strings.Join(entries, "")), today())
	if err != nil {
		t.Fatal(err)
	}
	return exceptions
}

func deployment(version string) equivalence.Subject {
	return equivalence.Subject{
		GroupVersionKind: schema.GroupVersionKind{Group: "apps", Version: version, Kind: "Deployment"},
		Operation:        "CREATE",
	}
}

func TestExceptionsAccept(t *testing.T) {
	detail := equivalence.Pair{
		Native:      invalid("spec.a", nil, "must be odd"),
		Declarative: invalid("spec.a", nil, "spec.a in body is even"),
		Class:       difference.Detail,
	}
	tooLoose := equivalence.Pair{Native: invalid("spec.items[1].name", nil, "must be odd"), Class: difference.TooLoose}
	tooStrict := equivalence.Pair{Declarative: invalid("spec.a", nil, "is even"), Class: difference.TooStrict}
	moved := equivalence.Pair{Native: invalid("spec.old", nil, "x"), Declarative: invalid("spec.new", nil, "x"), Class: difference.Path}
	nested := equivalence.Pair{
		Native:      invalid("spec.a.b", nil, "must be odd"),
		Declarative: required("spec.a", "is even"),
		Class:       difference.Path,
	}
	repeated := equivalence.Pair{Native: required("spec.a", ""), Declarative: required("spec.a", ""), NativeCount: 2,
		Class: difference.Count}
	more := equivalence.Pair{Native: required("spec.a", ""), Class: difference.Count}
	differsTwice, tooLooseTwice := detail, tooLoose
	differsTwice.NativeCount, tooLooseTwice.NativeCount = 2, 2
	rooted := equivalence.Pair{Native: invalid("<nil>", nil, "x"), Class: difference.TooLoose}
	pod := equivalence.Subject{GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, Operation: "CREATE"}
	update, status := deployment("v1"), deployment("v1")
	update.Operation = "UPDATE"
	status.Subresource = "status"

	for name, test := range map[string]struct {
		why     string
		entry   string
		subject equivalence.Subject
		pair    equivalence.Pair
		want    bool
	}{
		"plain":              {"the minimum of an exception", entry(), deployment("v1"), detail, true},
		"other version":      {"one version is named", entry(), deployment("v1beta1"), detail, false},
		"any version":        {"* matches a version", entry("target: apps/* Deployment"), deployment("v1beta1"), detail, true},
		"any group":          {"* matches a group", entry("target: '*/* Deployment'"), deployment("v1"), detail, true},
		"core is any group":  {"the core group is a group", entry("target: '*/* Pod'"), pod, detail, true},
		"core":               {"the core group is left out, as in apiVersion", entry("target: v1 Pod"), pod, detail, true},
		"core is not apps":   {"no group is the core group, not any", entry("target: v1 Deployment"), deployment("v1"), detail, false},
		"other kind":         {"the kind is named", entry("target: apps/v1 StatefulSet"), deployment("v1"), detail, false},
		"any kind":           {"* matches a kind", entry("target: 'apps/v1 *'"), deployment("v1"), detail, true},
		"operation":          {"it is listed", entry("operations: [CREATE]"), deployment("v1"), detail, true},
		"other operation":    {"it is not listed", entry("operations: [CREATE]"), update, detail, false},
		"subresource":        {"not named: holds for every one", entry(), status, detail, true},
		"other subresource":  {"the main resource only", entry("subresources: ['']"), status, detail, false},
		"listed subresource": {"it is listed", entry("subresources: [status]"), status, detail, true},
		"other class": {"a difference of a different class is a different difference", entry("class: type"),
			deployment("v1"), detail, false},
		"other field": {"the field is named", entry("field: spec.b"), deployment("v1"), detail, false},
		"child field": {"a field is not its children", entry("field: spec"), deployment("v1"), detail, false},
		"subtree": {".** adds all that is below", entry("class: too-loose", "field: spec.items.**"),
			deployment("v1"), tooLoose, true},
		"top of a subtree": {"and the field itself is named as well", entry("field: spec.a.**"), deployment("v1"), detail, true},
		"other subtree": {"but no field that only begins alike", entry("class: too-loose", "field: spec.item.**"),
			deployment("v1"), tooLoose, false},
		"any item": {"[*] matches an index", entry("class: too-loose", "field: 'spec.items[*].name'"),
			deployment("v1"), tooLoose, true},
		"one item": {"an index is compared as it is", entry("class: too-loose", "field: 'spec.items[0].name'"),
			deployment("v1"), tooLoose, false},
		"root":              {"<nil> is the root", entry("class: too-loose", "field: <nil>"), deployment("v1"), rooted, true},
		"native text":       {"the text matches", entry("native: {detail: must be .+}"), deployment("v1"), detail, true},
		"part of the text":  {"a pattern covers the whole text", entry("native: {detail: must}"), deployment("v1"), detail, false},
		"declarative text":  {"the field's own name is left out", entry("declarative: {detail: is even}"), deployment("v1"), detail, true},
		"whole text":        {"or it is not", entry("declarative: {detail: spec.a in body is even}"), deployment("v1"), detail, true},
		"native type":       {"the type is named", entry("native: {type: FieldValueInvalid}"), deployment("v1"), detail, true},
		"other native type": {"a different type is named", entry("native: {type: FieldValueRequired}"), deployment("v1"), detail, false},
		"too strict": {"only the declarative side has an error", entry("class: too-strict", "declarative: {detail: is even}"),
			deployment("v1"), tooStrict, true},
		"path by old field": {"the native error determines the place of the difference",
			entry("class: path", "field: spec.old", "declarative: {field: spec.new}"), deployment("v1"), moved, true},
		"path to a third field": {"it was accepted that the schema reports spec.new",
			entry("class: path", "field: spec.old", "declarative: {field: spec.third}"), deployment("v1"), moved, false},
		"path to a subtree": {"the schema's field is a pattern", entry("class: path", "field: spec.old",
			"declarative: {field: 'spec.**'}"), deployment("v1"), moved, true},
		"path by new field": {"the native error determines the place of the difference",
			entry("class: path", "field: spec.new", "declarative: {field: spec.new}"), deployment("v1"), moved, false},
		"nested, fields alone": {"fields accept the same text elsewhere, but no other mistake nearby",
			entry("class: path", "field: spec.a.b", "declarative: {field: spec.a}"), deployment("v1"), nested, false},
		"nested, one side": {"the text of the schema is not named", entry("class: path", "field: spec.a.b",
			"native: {detail: must be odd}", "declarative: {field: spec.a}"), deployment("v1"), nested, false},
		"nested, both sides": {"the texts of both sides are named", entry("class: path", "field: spec.a.b",
			"native: {type: FieldValueInvalid}", "declarative: {field: spec.a, detail: is even}"), deployment("v1"), nested, true},
		"count": {"it is reported as often", entry("class: count", "native: {count: 2}", "declarative: {count: 1}"),
			deployment("v1"), repeated, true},
		"the count is not named": {"nobody says how often", entry("class: count", "native: {type: FieldValueRequired}"),
			deployment("v1"), repeated, true},
		"other count": {"three times is more than was accepted", entry("class: count", "native: {count: 3}"),
			deployment("v1"), repeated, false},
		"count of a pair": {"an error that is there is there once", entry("native: {count: 1}"), deployment("v1"), detail, true},
		"words and count": {"one difference was accepted, and these are two", entry("native: {detail: must be .+}"),
			deployment("v1"), differsTwice, false},
		"words and their count": {"both were accepted", entry("native: {detail: must be .+, count: 2}"), deployment("v1"), differsTwice,
			true},
		"more of one side": {"the schema has no such error, however often hand-written code reports it",
			entry("class: too-loose", "field: spec.items.**"), deployment("v1"), tooLooseTwice, true},
		"more than was dropped": {"hand-written code reports it more often than an update drops it",
			entry("class: count", "native: {type: FieldValueRequired}"), deployment("v1"), more, true},
		"last day":            {"it holds until the end of its day", entry("expires: 2027-06-30"), deployment("v1"), detail, true},
		"day after":           {"an expired exception accepts nothing", entry("expires: 2027-06-29"), deployment("v1"), detail, false},
		"more hits than said": {"hits are counted by the ledger, not refused", entry("maxHits: 1"), deployment("v1"), detail, true},
	} {
		t.Run(name, func(t *testing.T) {
			exceptions := load(t, test.entry)
			agreement := equivalence.Pair{Native: test.pair.Native, Declarative: test.pair.Native}
			pairs := []equivalence.Pair{agreement, test.pair}
			got := exceptions.Explain(test.subject, pairs)
			if got[0].Exception != nil {
				t.Error("a pair that agrees got an exception")
			}
			if accepted := got[1].Exception != nil; accepted != test.want || got[1].Explained() != test.want {
				t.Errorf("%s: accepted %v, want %v", test.why, accepted, test.want)
			}
			if pairs[1].Exception != nil {
				t.Error("the pairs that were handed in have changed")
			}
		})
	}
}

// An exception accepts the differences that it names, not the case they occur in.
func TestExceptionAcceptsOneDifference(t *testing.T) {
	pairs := equivalence.NewMatcher(nil).Match(
		field.ErrorList{invalid("spec.a", nil, "must be odd"), invalid("spec.b", nil, "must be small")},
		field.ErrorList{invalid("spec.a", nil, "is even"), invalid("spec.b", nil, "is big")})
	explained := load(t, entry()).Explain(deployment("v1"), pairs)
	if len(explained) != 2 || !explained[0].Explained() || explained[1].Explained() {
		t.Errorf("want the first of two explained: %q", summary(explained))
	}
	var none *equivalence.Exceptions
	if got := none.Explain(deployment("v1"), pairs); len(got) != 2 || got[0].Explained() {
		t.Errorf("no list of exceptions explains: %q", summary(got))
	}
}

func TestLedger(t *testing.T) {
	rules, err := equivalence.LoadRules("rules.yaml", []byte(`
- name: used
  why: the words of two sides
  type: FieldValueInvalid
  native: alpha text
  declarative: beta text
  examples: {match: [[alpha text, beta text]], differ: [[beta text, beta text]]}
- name: idle
  why: the words of two sides
  type: FieldValueInvalid
  native: gamma text
  declarative: delta text
  examples: {match: [[gamma text, delta text]], differ: [[delta text, delta text]]}
`))
	if err != nil {
		t.Fatal(err)
	}
	joined, err := builtinRules(t).With(rules)
	if err != nil {
		t.Fatal(err)
	}
	exceptions := load(t,
		entry("id: enough", "maxHits: 8"),
		entry("id: too-often", "field: spec.b", "maxHits: 7"),
		entry("id: idle", "field: spec.c"),
		entry("id: old", "field: spec.d", "expires: 2027-06-29"))
	matcher, ledger := equivalence.NewMatcher(joined), equivalence.NewLedger(joined, exceptions, nil)

	var inputs sync.WaitGroup
	for range 8 {
		inputs.Go(func() {
			pairs := matcher.Match(
				field.ErrorList{invalid("spec.a", nil, "x"), invalid("spec.b", nil, "x"), invalid("spec.e", nil, "alpha text")},
				field.ErrorList{invalid("spec.a", nil, "y"), invalid("spec.b", nil, "y"), invalid("spec.e", nil, "beta text")})
			ledger.Record(exceptions.Explain(deployment("v1"), pairs))
		})
	}
	inputs.Wait()

	var got []string
	for _, usage := range ledger.Usages() {
		if usage.Rule == "used" && usage.Hits != 8 {
			t.Errorf("rule used was hit %d times, want 8", usage.Hits)
		}
		if problem := usage.Problem(); problem != "" {
			got = append(got, problem)
		}
	}
	want := []string{
		`rules.yaml:8: rule "idle" made no pair of errors equivalent; remove it, or add the case that needs it`,
		`exceptions.yaml:10: exception "too-often" accepted 8 differences, maxHits is 7; look at the new ones and say maxHits: 8, ` +
			`or narrow it`,
		`exceptions.yaml:19: exception "idle" accepted no difference; remove it`,
		`exceptions.yaml:27: exception "old" expired on 2027-06-29; sig-apps must renew it (https://example.com/1) or remove it`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
