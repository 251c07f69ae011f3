package harness_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
)

// A failing test shows the difference first, once for all affected versions, shortens values that are in the
// test itself, and gives its advice once.
func TestFailureOutput(t *testing.T) {
	long := strings.Repeat("x", 5000)
	native := says(field.ErrorList{field.Invalid(field.NewPath("size"), long, "must be odd")})
	h, err := harness.New(&harness.Target{
		Kind: widgetV1.GroupKind(), Scheme: anyVersion{}, Versions: []harness.Version{
			{GroupVersionKind: widgetV1, Native: native, Declarative: says(nil)},
			{GroupVersionKind: widgetV1beta1, Native: native, Declarative: says(nil)},
		},
	}, harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	told := &recorder{TB: t}
	for range 2 {
		h.Test(told, harness.Case{Object: widget("a", 2)})
	}
	if len(told.lines) != 3 {
		t.Fatalf("told %d things, want the difference of each call once, and once what to do:\n%s", len(told.lines),
			strings.Join(told.lines, "\n"))
	}
	first := told.lines[0]
	if want := "too-loose at size in example.com/v1 Widget, example.com/v1beta1 Widget\n\t      native       FieldValueInvalid " +
		" \"xxx"; !strings.HasPrefix(first, want) {
		t.Errorf("begins with %.120q, want %q", first, want)
	}
	if len(first) > 400 || !strings.Contains(first, "must be odd") {
		t.Errorf("%d bytes, want the value cut and the text whole: %s", len(first), first)
	}
	if !strings.HasPrefix(told.lines[1], "what to do: fix the validator or the schema") {
		t.Errorf("told %q, want what to do", told.lines[1])
	}
}
