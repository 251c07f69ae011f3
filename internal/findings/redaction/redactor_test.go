package redaction_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/redaction"
	"github.com/diffrun/diffrun/internal/testing/served"
)

var cage = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Cage"}

// declared is a schema whose names also occur as texts of objects.
func declared(t testing.TB) difference.Declarations {
	t.Helper()
	v, err := declarative.Compile(served.Schema(t, `
type: object
properties:
  spec:
    type: object
    properties:
      size: {type: integer}
      mode: {type: string, enum: [Always, Never]}
      birds: {type: array, items: {type: object, properties: {species: {type: string}}}}
      tags: {type: object, additionalProperties: {type: object, properties: {weight: {type: string}}}}
      open: {type: object, x-kubernetes-preserve-unknown-fields: true}
      pod: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
`), declarative.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v.Declarations()
}

// said returns a result about an object, in which the native side reports an error.
func said(t testing.TB, object any, err *field.Error) harness.Result {
	t.Helper()
	pair := equivalence.Pair{Native: err, Class: difference.TooLoose}
	return harness.Result{
		Suite: "cages", Version: cage, Verdict: words.Different, Effect: words.Admits, Declared: declared(t),
		Case:   &harness.Case{ID: "secret id", Source: "stdin:7", Version: cage, Object: object},
		Native: harness.Outcome{Errors: field.ErrorList{err}}, Pairs: []equivalence.Pair{pair},
	}
}

const object = `{"apiVersion":"example.com/v1","kind":"Cage",
	"metadata":{"name":"polly","namespace":"species","labels":{"size":"Always","app.example.com/tier":"back-end"},` +
	`"annotations":{"note":"spec, size and Kakapo"}},
	"spec":{"size":4711,"mode":"Always","birds":[{"species":"blue macaw"}],"tags":{"birds":{"weight":"12kg","extra":"ballast"}},
		"open":{"size":"must","code":"ZmxlZGdsaW5nIG5lc3Q="},"pod":{"apiVersion":"v1","kind":"Secret","metadata":{"name":"inner"}` +
	`,"data":{"k":"v"}}}}`

func parsed(t testing.TB, text string) map[string]any {
	t.Helper()
	var document map[string]any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return document
}

func TestMessages(t *testing.T) {
	for _, tt := range []struct{ why, message, want string }{
		{"words that no object has stay", "must be at most 3 characters long", "must be at most # characters long"},
		{"a name without quotes", "polly is taken", "# is taken"},
		{"in other letters", "POLLY is taken", "# is taken"},
		{"glued to others", "svc-polly2.cluster and pollytail", "svc-#.cluster and #"},
		{"cut off", "the pond pol… and kaka... are", "the pond #… and #... are"},
		{"a part of a text", "a macaw is a kakapo", "a # is a #"},
		{"a namespace that is the name of a field, too", "the namespace species is closed", "the namespace # is closed"},
		{"a key that is one, and a value of an enum", "label size=Always", "label #=#"},
		{"a word of the schema that is a part of a text is one of the schema", "spec must have it", "spec must have it"},
		{"a word that all messages have reveals nothing", "must not be", "must not be"},
		{"a text with punctuation", "label app.example.com/tier: back-end", "label #: #"},
		{"a text inside of base64", "fledgling nest", "#"},
		{"numbers and quoted texts, as without redaction", `4711 and "polly" and 'x'`, "# and # and #"},
		{"the kind of a part", "the Secret inner", "the # #"},
		{"the kind of the object is that of the schema", "no Cage is open", "no Cage is open"},
		{"a map as Go prints it", fmt.Sprint(map[string]any{"birds": map[string]any{"weight": "12kg"}}), "map[#:map[weight:#]]"},
		{"the id of the case", "secret id", "#"},
		{"a long message ends in a text", strings.Repeat("a ", 2040) + strings.Repeat("polly", 20),
			strings.TrimSpace(strings.Repeat("a ", 200))},
	} {
		result := said(t, parsed(t, object), field.Invalid(field.NewPath("spec", "size"), "polly", tt.message))
		shown := (&redaction.Redactor{}).Result(result)
		if got := shown.Native.Errors[0].Detail; got != tt.want || shown.Pairs[0].Native.Detail != tt.want {
			t.Errorf("%s: %q\ngot  %s\nwant %s", tt.why, tt.message, got, tt.want)
		}
		if value := shown.Pairs[0].Native.BadValue; value != (field.OmitValueType{}) {
			t.Errorf("%s: the value is %v", tt.why, value)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, tt := range []struct{ why, path, want string }{
		{"declared fields and indices", "spec.birds[3].species", "spec.birds[#].species"},
		{"a key, whatever it is", "spec.tags[birds].weight", "spec.tags[#].weight"},
		{"a key after a dot that is a field elsewhere", "spec.tags.birds.weight", "spec.tags.#.weight"},
		{"a key that is a field of the kind", "metadata.labels[size]", "metadata.labels[#]"},
		{"a field that only the object has", "spec.tags.birds.extra", "spec.tags.#.#"},
		{"a field of an open part", "spec.open.code", "spec.open.#"},
		{"metadata of a part", "spec.pod.metadata.name", "spec.pod.metadata.name"},
		{"fields of a part", "spec.pod.data.k", "spec.pod.#.#"},
		{"a field that neither has belongs to the validator", "spec.replicas", "spec.replicas"},
		{"a path of a scale", ".spec.size", ".spec.size"},
		{"no path", "<nil>", "<nil>"},
		{"a text in its place", "polly of species", "# of #"},
	} {
		shown := (&redaction.Redactor{}).Result(said(t, parsed(t, object), &field.Error{Type: field.ErrorTypeInvalid, Field: tt.path}))
		if got := shown.Pairs[0].Native.Field; got != tt.want {
			t.Errorf("%s: %s is %s, want %s", tt.why, tt.path, got, tt.want)
		}
	}
}

// TestShape: an object keeps the fields that the schema declares, and no text.
func TestShape(t *testing.T) {
	result := said(t, parsed(t, object), field.Required(field.NewPath("spec"), ""))
	result.Case.Old = parsed(t, `{"apiVersion":"example.com/v1","kind":"Other","spec":{"tags":{"ab":{},"cd":{},"xx":{}}},`+
		`"status":{"on":true,"null":null}}`)
	shown := (&redaction.Redactor{}).Result(result)
	want := parsed(t, `{"apiVersion":"example.com/v1","kind":"Cage",
	"metadata":{"name":"xxxxx","namespace":"xxxxxxx","labels":{"xxxx":"Xxxxxx","xxx.xxxxxxx.xxx/xxxx":"xxxx-xxx"},`+
		`"annotations":{"xxxx":"xxxx, xxxx xxx Xxxxxx"}},
	"spec":{"size":1111.5,"mode":"Xxxxxx","birds":[{"species":"xxxx xxxxx"}],"tags":{"xxxxx":{"weight":"00xx","xxxxx":"xxxxxxx"}},
		"open":{"xxxx":"XxxxXXxxxX0xXX0xx0X=","xxxx-2":"xxxx"},"pod":{"apiVersion":"x0","kind":"Xxxxxx","metadata":{`+
		`"name":"xxxxx"},"xxxx":{"x":"x"}}}}`)
	if d := cmp.Diff(want, shown.Case.Object); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	old := parsed(t, `{"apiVersion":"example.com/v1","kind":"Xxxxx","spec":{"tags":{"xx":{},"xx-2":{},"xx-3":{}}},"xxxxxx":{`+
		`"xx":true,"xxxx":null}}`)
	if d := cmp.Diff(any(old), shown.Case.Old); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if shown.Case.ID != "stdin:7" {
		t.Errorf("the case is called %s", shown.Case.ID)
	}
}

// TestOneCase: the results of a case share a redacted id, which no other case has.
func TestOneCase(t *testing.T) {
	equal := harness.Result{Case: &harness.Case{ID: "a", Object: parsed(t, object)}, Verdict: words.Equal}
	differs := said(t, nil, field.Required(field.NewPath("spec"), ""))
	differs.Case = equal.Case
	other := said(t, parsed(t, object), field.Required(field.NewPath("spec"), ""))
	var redactor redaction.Redactor
	first, second, third := redactor.Result(equal), redactor.Result(differs), redactor.Result(other)
	if first.Case != second.Case || second.Case == third.Case || second.Case.Object.(map[string]any)["spec"] == nil {
		t.Errorf("the cases are %v, %v, %v", first.Case, second.Case, third.Case)
	}
}

// TestSignature: redaction keeps the signature of a finding whose messages have no text of an object, and
// gives findings that differ only in such texts the same signature.
func TestSignature(t *testing.T) {
	signature := func(r harness.Result) string { return causes.Findings(&r)[0].Signature }
	redacted := func(r harness.Result) string { return signature((&redaction.Redactor{}).Result(r)) }
	plain := said(t, parsed(t, object), field.Invalid(field.NewPath("spec", "tags").Key("birds"), 1, `must be less than 3 for "polly"`))
	if signature(plain) != redacted(plain) {
		t.Error("a message without texts has two signatures")
	}
	names := [2]string{}
	for i, name := range []string{"polly", "coco"} {
		names[i] = redacted(said(t, map[string]any{"metadata": map[string]any{"name": name}},
			field.Invalid(field.NewPath("spec"), 1, name+" is taken")))
	}
	if names[0] != names[1] {
		t.Error("two objects have two signatures")
	}
}

// TestFaults: faults may quote objects, too, even those that cannot be decoded.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		why    string
		object any
		fault  contract.Fault
		want   string
	}{
		{"the text of a validator", parsed(t, object), contract.Fault{Reason: words.FaultError, Err: errors.New("polly cannot be asked")},
			"# cannot be asked"},
		{"a panic has the line that it came from", parsed(t, object), contract.Fault{
			Reason: words.FaultPanic,
			Err:    errors.New("no polly"),
			Stack:  "x\npanic(1)\n\t/p.go:1\nexample.com/birds.fly()\n\t/home/birds/fly.go:7 +0x1\n",
		}, "panic: no # at example.com/birds/fly.go:7"},
		{"a panic has a text of several lines", parsed(t, object), contract.Fault{
			Reason: words.FaultPanic,
			Err:    errors.New("no polly\nor kakapo"),
		}, "panic: no #\nor #"},
		{"texts that the decoder quotes", nil, contract.Fault{
			Reason: words.FaultInput,
			Err:    errors.New(`the key "polly" is twice in the line: object.polly.coco must be a number`),
		}, "the key # is twice in the line"},
		{"a panic about an undecodable object may contain anything", nil, contract.Fault{
			Reason: words.FaultPanic,
			Err:    errors.New("no polly"),
		}, "panic: the text of the panic is left out"},
		{"an invalid object", make(chan int), contract.Fault{Reason: words.FaultInput, Err: errors.New("no polly")}, "#"},
	} {
		result := harness.Result{
			Case:    &harness.Case{ID: "a", Version: cage, Object: tt.object},
			Version: cage,
			Fault:   &tt.fault,
			Verdict: words.Faulted,
		}
		if got := (&redaction.Redactor{}).Result(result).Fault.Error(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestFaultsOfBackends: the stderr of a process may be about other objects.
func TestFaultsOfBackends(t *testing.T) {
	for text, want := range map[string]string{
		"./validator: it ended without an answer (exit status 2); on stderr:\n\tvalidating other-bird": "./validator: " +
			"it ended without an answer (exit status #)",
		"the response is one to another request; that is other-bird": "the response is one to another request",
		"polly cannot be asked\nother-bird":                          "# cannot be asked",
	} {
		result := said(t, parsed(t, object), field.Required(nil, ""))
		result.Native.Fault = &contract.Fault{Reason: words.FaultError, Err: errors.New(text)}
		if got := (&redaction.Redactor{}).Result(result).Native.Fault.Error(); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// TestKindOfTheObjectAlone: if no suite has a kind, its name counts as a text of the object.
func TestKindOfTheObjectAlone(t *testing.T) {
	result := harness.Result{
		Verdict: words.Faulted, Fault: &contract.Fault{Reason: words.FaultInput, Err: errors.New("the object is a Parrot")},
		Case: &harness.Case{
			ID:      "a",
			Version: cage.GroupVersion().WithKind("Parrot"),
			Object:  parsed(t, `{"apiVersion":"example.com/v1","kind":"Parrot"}`),
		},
	}
	shown := (&redaction.Redactor{}).Result(result)
	if d := cmp.Diff(any(map[string]any{"apiVersion": "xxxxxxx.xxx/x0", "kind": "Xxxxxx"}), shown.Case.Object); d != "" ||
		!shown.Case.Version.Empty() || shown.Fault.Error() != "the object is a #" {
		t.Errorf("%v, %v (-want +got):\n%s", shown.Case.Version, shown.Fault, d)
	}
}

// TestUnknownType: a Go validator may return errors of any type.
func TestUnknownType(t *testing.T) {
	shown := (&redaction.Redactor{}).Result(said(t, parsed(t, object), &field.Error{Type: "polly", Field: "spec", Origin: "polly"}))
	if err := shown.Pairs[0].Native; err.Type != "#" || err.Origin != "" {
		t.Errorf("got %q, %q", err.Type, err.Origin)
	}
}

// TestTypedObject: the texts of a typed object are redacted like those of a document.
func TestTypedObject(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "polly", Labels: map[string]string{"coop": "kakapo"}}}
	shown := (&redaction.Redactor{}).Result(said(t, pod, field.Invalid(field.NewPath("spec"), 1, "polly of coop kakapo is taken")))
	if got := shown.Pairs[0].Native.Detail; got != "# of # # is taken" {
		t.Errorf("got %s", got)
	}
}
