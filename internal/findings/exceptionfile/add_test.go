package exceptionfile_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
)

func deploymentOf(version, operation string) equivalence.Subject {
	return equivalence.Subject{
		GroupVersionKind: schema.GroupVersionKind{Group: "apps", Version: version, Kind: "Deployment"},
		Operation:        operation,
	}
}

func review() exceptionfile.Review {
	return exceptionfile.Review{Why: "a controller checks it: later", Owner: "sig-apps", Issue: "https://example.com/1",
		Expires: "2027-06-30"}
}

const sortedFile = `# What was accepted.

- id: a # first
  target: apps/v1 Deployment
  class: too-loose
  field: spec.a
  why: why not
  owner: sig-apps
  issue: https://example.com/1
  expires: 2027-06-30

# Below here is what starts with z.
- id: z
  target: apps/v1 Deployment
  class: too-loose
  field: spec.z
  why: why not
  owner: sig-apps
  issue: https://example.com/1
  expires: 2027-06-30
`

func TestAddExceptions(t *testing.T) {
	found := []exceptionfile.Difference{
		{Subject: deploymentOf("v1", "UPDATE"), Class: difference.TooLoose, Native: invalid("spec.items[1].size", 1, "must be (odd)")},
		{Subject: deploymentOf("v1beta1", "CREATE"), Class: difference.TooLoose, Native: invalid("spec.items[2].size", 1, "must be (odd)")},
		{Subject: deploymentOf("v1", "CREATE"), Class: difference.Count, Native: required("spec.a", ""),
			Declarative: required("spec.a", ""), NativeCount: 2, DeclarativeCount: 1},
		{Subject: deploymentOf("v1", "CREATE"), Class: difference.Detail, Native: invalid("spec.b", 1, "must be odd"),
			Declarative: invalid("spec.b", 1, "is even"), NativeCount: 2, DeclarativeCount: 1},
		{Subject: deploymentOf("v1", "UPDATE"), Class: difference.Detail, Native: invalid("spec.b", 1, "must be odd"),
			Declarative: invalid("spec.b", 1, "is even"), NativeCount: 2, DeclarativeCount: 2},
		{Subject: deploymentOf("v1", "CREATE"), Class: difference.Type, Native: invalid("<nil>", 1, "must be odd"),
			Declarative: &field.Error{Type: field.ErrorTypeForbidden}},
		{Subject: deploymentOf("v1", "CREATE"), Class: difference.Path, Native: invalid("spec.old", 1, ""),
			Declarative: invalid("spec.items[0]", 1, "")},
		{Subject: deploymentOf("v1", "UPDATE"), Class: difference.Path, Native: invalid("spec.old", 1, ""),
			Declarative: invalid("spec.items[1]", 1, "")},
		{Subject: deploymentOf("v1", "CREATE"), Class: difference.Path, Native: invalid("spec.old", 1, ""),
			Declarative: invalid("spec.new", 1, "")},
	}
	content, ids, err := exceptionfile.Add("exceptions.yaml", []byte(sortedFile), found, review(), today())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{
		"deployment-nil-type",
		"deployment-spec-a-count",
		"deployment-spec-b-detail",
		"deployment-spec-b-detail-2",
		"deployment-spec-items-size-too-loose",
		"deployment-spec-old-path",
		"deployment-spec-old-path-2",
	}, ids); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
	added := `- id: deployment-nil-type
  target: apps/v1 Deployment
  operations: [CREATE]
  class: type
  field: <nil>
  native: {type: FieldValueInvalid, detail: must be odd}
  declarative: {type: FieldValueForbidden, detail: ""}
  why: 'a controller checks it: later'
  owner: sig-apps
  issue: https://example.com/1
  expires: 2027-06-30
  maxHits: 1
- id: deployment-spec-a-count
  target: apps/v1 Deployment
  operations: [CREATE]
  class: count
  field: spec.a
  native: {type: FieldValueRequired, detail: "", count: 2}
  declarative: {type: FieldValueRequired, detail: "", count: 1}
  why: 'a controller checks it: later'
  owner: sig-apps
  issue: https://example.com/1
  expires: 2027-06-30
  maxHits: 1
- id: deployment-spec-b-detail
  target: apps/v1 Deployment
  operations: [CREATE]
  class: detail
  field: spec.b
  native: {type: FieldValueInvalid, detail: must be odd, count: 2}
  declarative: {type: FieldValueInvalid, detail: is even, count: 1}
  why: 'a controller checks it: later'
  owner: sig-apps
  issue: https://example.com/1
  expires: 2027-06-30
  maxHits: 1
- id: deployment-spec-b-detail-2
  target: apps/v1 Deployment
  operations: [UPDATE]
  class: detail
  field: spec.b
  native: {type: FieldValueInvalid, detail: must be odd}
  declarative: {type: FieldValueInvalid, detail: is even}
  why: 'a controller checks it: later'
  owner: sig-apps
  issue: https://example.com/1
  expires: 2027-06-30
  maxHits: 1
- id: deployment-spec-items-size-too-loose
  target: apps/* Deployment
  operations: [CREATE, UPDATE]
  class: too-loose
  field: spec.items[*].size
  native: {type: FieldValueInvalid, detail: must be \(odd\)}
  why: 'a controller checks it: later'
  owner: sig-apps
  issue: https://example.com/1
  expires: 2027-06-30
  maxHits: 2
- id: deployment-spec-old-path
  target: apps/v1 Deployment
  operations: [CREATE, UPDATE]
  class: path
  field: spec.old
  native: {type: FieldValueInvalid, detail: ""}
  declarative: {field: 'spec.items[*]', type: FieldValueInvalid, detail: ""}
  why: 'a controller checks it: later'
  owner: sig-apps
  issue: https://example.com/1
  expires: 2027-06-30
  maxHits: 2
- id: deployment-spec-old-path-2
  target: apps/v1 Deployment
  operations: [CREATE]
  class: path
  field: spec.old
  native: {type: FieldValueInvalid, detail: ""}
  declarative: {field: spec.new, type: FieldValueInvalid, detail: ""}
  why: 'a controller checks it: later'
  owner: sig-apps
  issue: https://example.com/1
  expires: 2027-06-30
  maxHits: 1
`
	want := strings.Replace(sortedFile, "# Below here", added+"# Below here", 1)
	if diff := cmp.Diff(want, string(content)); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}

	exceptions, err := equivalence.LoadExceptions("exceptions.yaml", content, today())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		pairs := exceptions.Explain(f.Subject, []equivalence.Pair{{
			Native: f.Native, Declarative: f.Declarative, NativeCount: f.NativeCount, DeclarativeCount: f.DeclarativeCount, Class: f.Class,
		}})
		if !pairs[0].Explained() {
			t.Errorf("%s at %s is not accepted by what was added for it", f.Class, pairs[0].Field())
		}
	}
}

func TestAddExceptionsPlace(t *testing.T) {
	found := []exceptionfile.Difference{{Subject: deploymentOf("v1", "CREATE"), Class: difference.TooStrict,
		Declarative: required("spec.b", "")}}
	unsorted := strings.Replace(sortedFile, "id: a ", "id: zz ", 1)
	for name, test := range map[string]struct{ why, before, prefix string }{
		"an empty file":       {"the first entry", "", ""},
		"an empty list":       {"it was made by hand", "[]\n", ""},
		"list and comment":    {"the comment stays", "# What was accepted.\n[] # none yet\n", "# What was accepted.\n"},
		"comments alone":      {"the last entry was removed", "# What was accepted.\n", "# What was accepted.\n"},
		"no order":            {"the author's order is different, and cannot be guessed", unsorted, unsorted},
		"no end of last line": {"the entry begins on a line of its own", strings.TrimSpace(unsorted), strings.TrimSpace(unsorted) + "\n"},
	} {
		content, _, err := exceptionfile.Add("exceptions.yaml", []byte(test.before), found, review(), today())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if rest, ok := strings.CutPrefix(string(content), test.prefix); !ok ||
			!strings.HasPrefix(rest, "- id: deployment-spec-b-too-strict\n") {
			t.Errorf("%s: %s; got:\n%s", name, test.why, content)
		}
	}
}

func TestAddExceptionsMistakes(t *testing.T) {
	found := []exceptionfile.Difference{{Subject: deploymentOf("v1", "CREATE"), Class: difference.TooLoose, Native: required("spec.a", "")}}
	expired := strings.Replace(sortedFile, "2027-06-30", "2020-06-30", 1)
	narrower := strings.Replace(sortedFile, "field: spec.a\n", "field: spec.a\n  operations: [UPDATE, CREATE]\n  native: "+
		"{detail: has 7 items}\n", 1)
	varying := []exceptionfile.Difference{
		{Subject: deploymentOf("v1", "CREATE"), Class: difference.TooLoose, Native: required("spec.a", "has 5 items")},
		{Subject: deploymentOf("v1", "CREATE"), Class: difference.TooLoose, Native: required("spec.a", "has 6 items")},
	}
	for name, test := range map[string]struct {
		why, before string
		found       []exceptionfile.Difference
		review      exceptionfile.Review
		want        string
	}{
		"known": {
			"the line is that of the file as it is, not as it would be", sortedFile, found, review(),
			`exceptions.yaml:3: exception "a" accepts the difference of class too-loose at spec.a of apps/v1 Deployment already; ` +
				`where a run counts more than its maxHits, look at the new ones and raise that here`,
		},
		"expired": {
			"it would be renewed twice", expired, found, review(),
			`exceptions.yaml:3: exception "a" is about the difference of class too-loose at spec.a of apps/v1 Deployment and ` +
				`expired on 2020-06-30; renew it, or remove it before adding a new one`,
		},
		"overlap": {
			"the existing entry is about a different text, which the new one would accept, too", narrower, varying, review(),
			`exceptions.yaml:3: exception "a" could accept the same as one for the difference of class too-loose at spec.a of ` +
				`apps/v1 Deployment would; narrow it first`,
		},
		"review": {
			"the text of a review is not at a line", sortedFile, found, exceptionfile.Review{
				Why:     "why",
				Owner:   "me",
				Issue:   "none",
				Expires: "soon",
			},
			`issue "none" is not the URL of a page; write https://…; "soon" is not a day; write it as 2027-06-30`,
		},
	} {
		_, _, err := exceptionfile.Add("exceptions.yaml", []byte(test.before), test.found, test.review, today())
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %s: error %v, want %q", name, test.why, err, test.want)
		}
	}
}

// The API server reports ".spec.replicas" for a value that a scale cannot represent.
func TestAddExceptionsFields(t *testing.T) {
	for _, at := range []string{".spec.replicas", ".spec.items[0].size", "spec.replicas", "", "[0].a"} {
		found := exceptionfile.Difference{
			Subject:     deploymentOf("v1", "CREATE"),
			Class:       difference.TooStrict,
			Declarative: invalid(at, -1, "must not be negative"),
		}
		content, _, err := exceptionfile.Add("exceptions.yaml", nil, []exceptionfile.Difference{found}, review(), today())
		if err != nil {
			t.Errorf("%q: %v", at, err)
			continue
		}
		exceptions, err := equivalence.LoadExceptions("exceptions.yaml", content, today())
		if err != nil {
			t.Fatal(err)
		}
		pairs := exceptions.Explain(found.Subject,
			[]equivalence.Pair{{Declarative: found.Declarative, DeclarativeCount: 1, Class: found.Class}})
		if !pairs[0].Explained() {
			t.Errorf("the difference at %q is not accepted by what was added for it:\n%s", at, content)
		}
	}
}

// An exception for one list item also accepts the next item, and one for a text about a value also accepts it
// for other values: an entry is for a cause, not for a case.
func TestAddExceptionsByCause(t *testing.T) {
	port := func(i, value int) *field.Error {
		at := fmt.Sprintf("spec.ports[%d].number", i)
		return invalid(at, value, fmt.Sprintf("%s in body should be less than or equal to 9", at))
	}
	anyOf := func(i int) *field.Error {
		return invalid(fmt.Sprintf("spec.hosts[%d]", i), "x", fmt.Sprintf(`"spec.hosts[%d]" must validate at least one schema (anyOf)`, i))
	}
	bytes := func(key string) *field.Error {
		return invalid("data["+key+"]", "x", "data."+key+" in body must be of type byte")
	}
	twice := func(name string, owners int) *field.Error {
		return invalid("spec.names", name, fmt.Sprintf("%q is owned by %d (at most 2)", name, owners))
	}
	strict := func(subresource string, err *field.Error) exceptionfile.Difference {
		subject := deploymentOf("v1", "CREATE")
		subject.Subresource = subresource
		return exceptionfile.Difference{Subject: subject, Class: difference.TooStrict, Declarative: err}
	}
	found := []exceptionfile.Difference{
		strict("", port(0, 10)), strict("", port(7, 11)),
		strict("", anyOf(3)),
		strict("", bytes("logo.png")),
		strict("", twice("a", 3)), strict("", twice("b", 4)), strict("", invalid("spec.names", "c", "other words")),
		strict("", invalid("spec.names", "c", "")),
		strict("", required("spec.host", "give it")), strict("status", required("spec.host", "give it")),
	}
	content, ids, err := exceptionfile.Add("exceptions.yaml", nil, found, review(), today())
	if err != nil {
		t.Fatal(err)
	}
	if len(ids) != 7 {
		t.Errorf("%d entries for 7 causes: %q", len(ids), ids)
	}
	for _, want := range []string{
		"detail: should be less than or equal to 9}",
		`detail: '"spec\.hosts(?:\[[^\]]*\]|\.[^ ]+)" must validate at least one schema \(anyOf\)'}`,
		`detail: '"(?:[^"\\]|\\.)*" is owned by [0-9]+ \(at most 2\)'}`,
		`subresources: ["", status]`,
	} {
		if !strings.Contains(string(content), want) {
			t.Errorf("no entry has %s:\n%s", want, content)
		}
	}
	exceptions, err := equivalence.LoadExceptions("exceptions.yaml", content, today())
	if err != nil {
		t.Fatal(err)
	}
	accepted := func(f exceptionfile.Difference) bool {
		return exceptions.Explain(f.Subject, []equivalence.Pair{{Declarative: f.Declarative, Class: f.Class}})[0].Explained()
	}
	for _, next := range append(found, strict("", port(9, 12)), strict("", anyOf(4)), strict("", bytes("a")), strict("", twice("c", 5))) {
		if !accepted(next) {
			t.Errorf("%v is not accepted", next.Declarative)
		}
	}
	larger := port(0, 10)
	larger.Detail = strings.Replace(larger.Detail, "to 9", "to 8", 1)
	for _, other := range []exceptionfile.Difference{
		strict("", larger),
		strict("", invalid("spec.names", "c", "more words")),
		strict("", invalid("spec.names", "c", `"c" is owned by 5 (at most 3)`)),
	} {
		if accepted(other) {
			t.Errorf("%v is accepted, and nobody found it", other.Declarative)
		}
	}
}

func today() time.Time { return time.Date(2027, 6, 30, 23, 59, 0, 0, time.UTC) }

func invalid(at string, value any, detail string) *field.Error {
	return &field.Error{Type: field.ErrorTypeInvalid, Field: at, BadValue: value, Detail: detail}
}

func required(at, detail string) *field.Error {
	return &field.Error{Type: field.ErrorTypeRequired, Field: at, BadValue: "", Detail: detail}
}
