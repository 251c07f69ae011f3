package harness_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// backend is a validator over documents, under a name.
type backend struct {
	name     string
	validate func(ctx context.Context, in *harness.Input) (field.ErrorList, error)
}

func (b backend) Name() string { return b.name }
func (b backend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	return b.validate(ctx, in)
}

var (
	widgetV1      = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}
	widgetV1beta1 = schema.GroupVersionKind{Group: "example.com", Version: "v1beta1", Kind: "Widget"}
)

// atLeast rejects sizes below a bound, panics on "panic", hangs on "hang" and returns a fault on "undecided".
func atLeast(name string, bound int64) backend {
	return backend{name, func(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
		document, err := in.Object.Unstructured()
		if err != nil {
			return nil, err
		}
		switch document["name"] {
		case name + " panics":
			_ = strings.Fields(name)[len(name)]
		case name + " hangs":
			<-ctx.Done()
			time.Sleep(time.Millisecond) // as a validator that ignores its context would
		case name + " doubles":
			return field.ErrorList{field.Invalid(field.NewPath("size"), 2, "must be at least 3"),
				field.Invalid(field.NewPath("size"), 2, "is too small")}, nil
		case name + " has no words":
			return field.ErrorList{field.Required(field.NewPath("size"), "")}, nil
		case name + " rejects the root":
			return field.ErrorList{field.Forbidden(nil, "not today")}, nil
		case name + " is undecided":
			return nil, errors.New("the process died")
		}
		if size := document["size"].(int64); size < bound {
			return field.ErrorList{field.Invalid(field.NewPath("size"), size, fmt.Sprintf("must be at least %d", bound))}, nil
		}
		return nil, nil
	}}
}

func newHarness(t testing.TB, native, declarative harness.Backend) *harness.Harness {
	t.Helper()
	return newHarnessWith(t, native, declarative, harness.Options{Timeout: 200 * time.Millisecond})
}

func newHarnessWith(t testing.TB, native, declarative harness.Backend, options harness.Options) *harness.Harness {
	t.Helper()
	h, err := harness.New(&harness.Target{
		Suite: "widgets", Kind: widgetV1.GroupKind(), Scheme: harness.Documents{},
		Versions: []harness.Version{
			{GroupVersionKind: widgetV1, Native: native, Declarative: declarative},
			{GroupVersionKind: widgetV1beta1, Native: native, Declarative: declarative},
		},
	}, options)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func widget(name string, size int64) map[string]any {
	return map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "name": name, "size": size}
}

// TestUnreadable: if an object cannot be decoded, the result is unreadable, and the errors of validators are
// ignored.
func TestUnreadable(t *testing.T) {
	h := newHarness(t, atLeast("native", 3), atLeast("declarative", 3))
	for _, tc := range []struct {
		c    harness.Case
		want string
	}{
		{harness.Case{Object: widget("a", 3)}, ""},
		{harness.Case{Object: widget("native panics", 1)}, ""},
		{harness.Case{Object: widget("a", 3), Old: widget("a", 2)}, ""},
		{harness.Case{Object: widget("a", 3), Old: map[string]any(nil)}, ""},
		{harness.Case{Version: widgetV1, Object: map[string]any{"size": int64(3)}}, "has no apiVersion and no kind"},
		{harness.Case{Object: widget("a", 3), Old: map[string]any{}}, "old object: "},
	} {
		if err := h.Unreadable(t.Context(), tc.c); (err == nil) != (tc.want == "") || err != nil &&
			!strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v: %v; want %q", tc.c, err, tc.want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, tc := range []struct {
		why    string
		c      harness.Case
		bound  int64 // of the declarative side; the native one has 3
		want   words.Verdict
		fault  string
		unmet  string
		native int
	}{
		{why: "both accept", c: harness.Case{Object: widget("a", 3)}, bound: 3, want: words.Equal},
		{why: "both reject with the same error", c: harness.Case{Object: widget("a", 2)}, bound: 3, want: words.Equal, native: 1},
		{why: "only native rejects", c: harness.Case{Object: widget("a", 2)}, bound: 2, want: words.Different, native: 1},
		{why: "only the schema rejects", c: harness.Case{Object: widget("a", 3)}, bound: 4, want: words.Different},
		{why: "both reject in other words", c: harness.Case{Object: widget("a", 2)}, bound: 4, want: words.Different, native: 1},
		{
			why: "native panics: its fault, with the line", c: harness.Case{Object: widget("native panics", 3)}, bound: 3,
			want: words.Faulted, fault: "native: panic: runtime error: index out of range [6] with length 1 at github.com/diffrun/" +
				"diffrun/harness_test/harness_test.go:",
		},
		{
			why: "the schema side hangs: its fault, after the time-out", c: harness.Case{Object: widget("declarative hangs", 3)}, bound: 3,
			want: words.Faulted, fault: "declarative: timeout: the declarative backend did not answer within 200ms",
		},
		{
			why: "a backend that cannot decide is a fault, not an error", c: harness.Case{Object: widget("native is undecided", 1)},
			bound: 3,
			want:  words.Faulted, fault: "native: the process died",
		},
		{
			why: "a case that its loader could not read",
			c:   harness.Case{Fault: &contract.Fault{Reason: words.FaultInput, Err: errors.New("line 7: not JSON")}}, bound: 3,
			want: words.Faulted, fault: "case: line 7: not JSON",
		},
		{
			why: "an object of a different kind than the case", c: harness.Case{Version: widgetV1beta1, Object: widget("a", 3)}, bound: 3,
			want: words.Faulted, fault: "case: object: the case is written for example.com/v1beta1 Widget, but its object is a " +
				"example.com/v1 Widget",
		},
		{
			why: "an object without a type", c: harness.Case{Version: widgetV1, Object: map[string]any{"size": int64(3)}}, bound: 3,
			want: words.Faulted, fault: "case: object: the case is written for example.com/v1 Widget, but its object has no " +
				"apiVersion and no kind",
		},
		{
			why: "an object without a kind", c: harness.Case{
				Version: widgetV1,
				Object:  map[string]any{"apiVersion": "example.com/v1", "size": int64(3)},
			}, bound: 3,
			want: words.Faulted, fault: "case: object: the case is written for example.com/v1 Widget, but its object has no kind",
		},
		{
			why: "the type of the object is unknown", c: harness.Case{Object: map[string]any{"size": int64(3)}}, bound: 3,
			want: words.Faulted, fault: "case: object: the case names no target and the object has no apiVersion and kind",
		},
		{
			why: "the message names the old object if it cannot be decoded", c: harness.Case{Object: widget("a", 3), Old: map[string]any{}},
			bound: 3,
			want:  words.Faulted, fault: "case: old object: ",
		},
		{
			why: "an error that the case wants", c: harness.Case{
				Object: widget("a", 2),
				Want:   []harness.ExpectedError{{Type: field.ErrorTypeInvalid, Field: "size", Detail: "at least 3"}},
			},
			bound: 3, want: words.Equal, native: 1,
		},
		{
			why: "the stricter of two wants does not depend on their order", c: harness.Case{Object: widget("native doubles", 2),
				Want: []harness.ExpectedError{
					{Type: field.ErrorTypeInvalid, Field: "size"}, {Type: field.ErrorTypeInvalid, Field: "size", Detail: "at least"},
				}},
			bound: 3, want: words.Different, native: 2,
		},
		{
			why:   "a nil pointer as the old object is a create, as tables have it",
			c:     harness.Case{Object: widget("a", 3), Old: (*struct{})(nil)},
			bound: 3, want: words.Equal,
		},
		{
			why: "a nil map as the old object is a create", c: harness.Case{Object: widget("a", 3), Old: map[string]any(nil)},
			bound: 3, want: words.Equal,
		},
		{
			why:   "a Go int is not a JSON value",
			c:     harness.Case{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "sizes": []any{int64(1), 3}}},
			bound: 3,
			want:  words.Faulted, fault: "case: object: sizes[1] is a Go int; a document has",
		},
		{
			why: "a wanted error that native does not report", c: harness.Case{
				Object: widget("a", 3),
				Want:   []harness.ExpectedError{{Type: field.ErrorTypeInvalid, Field: "size"}},
			},
			bound: 3, want: words.Equal, unmet: "wanted FieldValueInvalid at size, which the native validator did not report",
		},
		{
			why: "a case that wants to be valid and is not", c: harness.Case{Object: widget("a", 2), Want: []harness.ExpectedError{}},
			bound: 3, want: words.Equal, native: 1, unmet: "the native validator reported FieldValueInvalid at size, " +
				"which the case does not want: must be at least 3",
		},
		{
			why:   "an unwanted error without a text",
			c:     harness.Case{Object: widget("native has no words", 3), Want: []harness.ExpectedError{}},
			bound: 3, want: words.Different, native: 1, unmet: "the native validator reported FieldValueRequired at size, " +
				"which the case does not want",
		},
		{
			why: "a want without a field is about the root", c: harness.Case{
				Object: widget("a", 3),
				Want:   []harness.ExpectedError{{Type: field.ErrorTypeInvalid}},
			},
			bound: 3, want: words.Equal, unmet: "wanted FieldValueInvalid at the root (no field), which the native validator " +
				"did not report",
		},
		{
			why: "the root is spelled in two ways", c: harness.Case{
				Object: widget("native rejects the root", 3),
				Want:   []harness.ExpectedError{{Type: field.ErrorTypeForbidden}},
			},
			bound: 3, want: words.Different, native: 1,
		},
		{
			why:   "an unwanted error at the root",
			c:     harness.Case{Object: widget("native rejects the root", 3), Want: []harness.ExpectedError{}},
			bound: 3, want: words.Different, native: 1, unmet: "the native validator reported FieldValueForbidden at the root (no " +
				"field), which the case does not want: not today",
		},
		{
			why: "any error denies", c: harness.Case{Object: widget("a", 2), WantDecision: words.Denied}, bound: 3,
			want: words.Equal, native: 1,
		},
		{
			why: "an error where the case must be admitted", c: harness.Case{Object: widget("a", 2), WantDecision: words.Admitted},
			bound: 3,
			want:  words.Equal, native: 1, unmet: "the case must be admitted, and the native validator denies it: FieldValueInvalid " +
				"at size: must be at least 3",
		},
		{
			why: "no error where the case must be denied", c: harness.Case{Object: widget("a", 3), WantDecision: words.Denied}, bound: 3,
			want: words.Equal, unmet: "the case must be denied, and the native validator admits it",
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			h := newHarness(t, atLeast("native", 3), atLeast("declarative", tc.bound))
			results, err := h.Check(t.Context(), tc.c)
			if err != nil {
				t.Fatal(err)
			}
			if len(results) != 2 {
				t.Fatalf("%d results for two versions", len(results))
			}
			got := results[0]
			if got.Verdict != tc.want {
				t.Errorf("verdict %q, want %q", got.Verdict, tc.want)
			}
			if len(got.Native.Errors) != tc.native {
				t.Errorf("native gave %v, want %d errors", got.Native.Errors, tc.native)
			}
			if faults := faultsOf(&got); !strings.HasPrefix(faults, tc.fault) || (tc.fault == "") != (faults == "") {
				t.Errorf("fault %q, want %q", faults, tc.fault)
			}
			if diff := cmp.Diff(tc.unmet, strings.Join(got.Unmet, "\n")); diff != "" {
				t.Errorf("unmet, -want +got:\n%s", diff)
			}
			if tc.fault == "" && (results[1].Verdict != words.Inexpressible || results[1].Inexpressible == "") {
				t.Errorf("the other version: verdict %q (%s), want a reasoned %q", results[1].Verdict, results[1].Inexpressible,
					words.Inexpressible)
			}
		})
	}
}

func faultsOf(r *harness.Result) string {
	var faults []string
	for _, of := range []struct {
		name  string
		fault *contract.Fault
	}{{"case", r.Fault}, {"native", r.Native.Fault}, {"declarative", r.Declarative.Fault}} {
		if of.fault != nil {
			faults = append(faults, of.name+": "+of.fault.Error())
		}
	}
	return strings.Join(faults, "\n")
}

func TestCheckLeavesTheCaseAlone(t *testing.T) {
	object := widget("a", 2)
	vandal := backend{"native", func(_ context.Context, in *harness.Input) (field.ErrorList, error) {
		document, err := in.Object.Unstructured()
		document["size"] = int64(99)
		return nil, err
	}}
	if _, err := newHarness(t, vandal, atLeast("declarative", 3)).Check(t.Context(), harness.Case{Object: object}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(widget("a", 2), object); diff != "" {
		t.Errorf("the case's own object was changed, -before +after:\n%s", diff)
	}
}

func TestNewNamesAllThatIsWrong(t *testing.T) {
	any := atLeast("native", 3)
	for _, tc := range []struct {
		why     string
		target  *harness.Target
		options harness.Options
		want    string
	}{
		{why: "nothing was given", target: nil, want: "the target is missing"},
		{
			why:    "everything that is missing, at once",
			target: &harness.Target{Kind: widgetV1.GroupKind(), Versions: []harness.Version{{GroupVersionKind: widgetV1}}},
			want: `target Widget.example.com: it has no scheme
target Widget.example.com: example.com/v1 Widget has no native backend
target Widget.example.com: example.com/v1 Widget has no declarative backend`,
		},
		{
			why: "not even a kind", target: &harness.Target{},
			want: `a target without a kind: it has no scheme
a target without a kind: it has no version`,
		},
		{
			why: "an invalid version, and a duplicate one",
			target: &harness.Target{
				Kind:   widgetV1.GroupKind(),
				Scheme: harness.Documents{},
				Versions: []harness.Version{
					{GroupVersionKind: widgetV1, Native: any, Declarative: any},
					{GroupVersionKind: widgetV1, Native: any, Declarative: any},
					{GroupVersionKind: schema.GroupVersionKind{}, Native: any, Declarative: any},
				},
			},
			want: `target Widget.example.com: example.com/v1 Widget is there twice
target Widget.example.com: versions[2] is empty; name a version and a kind`,
		},
		{
			why: "a time-out that is over before it begins",
			target: &harness.Target{
				Kind:     widgetV1.GroupKind(),
				Scheme:   harness.Documents{},
				Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: any, Declarative: any}},
			},
			options: harness.Options{Timeout: -1}, want: "the time-out is -1ns; it must not be negative",
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			_, err := harness.New(tc.target, tc.options)
			if err == nil || err.Error() != tc.want {
				t.Errorf("got %v, want %s", err, tc.want)
			}
		})
	}
}

// lossy is a scheme whose v1 cannot express red widgets.
type lossy struct{ anyVersion }

func (lossy) Convert(object any, version schema.GroupVersionKind) (any, error) {
	if version == widgetV1 {
		return nil, &contract.InexpressibleError{Version: version, Reason: "the color is lost"}
	}
	return object, nil
}

// The "want" of a case applies to the version that the case is written in. If nothing can be compared there,
// it cannot be checked.
func TestWantInAVersionWithoutWords(t *testing.T) {
	h, err := harness.New(&harness.Target{
		Kind: widgetV1.GroupKind(), Scheme: lossy{},
		Versions: []harness.Version{
			{GroupVersionKind: widgetV1, Native: says(nil), Declarative: says(nil)},
			{GroupVersionKind: widgetV1beta1, Native: says(nil), Declarative: says(nil)},
		},
	}, harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		version schema.GroupVersionKind
		want    []harness.ExpectedError
		unmet   []int // of v1, v1beta1
	}{
		{widgetV1, []harness.ExpectedError{{Type: field.ErrorTypeRequired, Field: "color"}}, []int{1, 0}},
		{widgetV1, []harness.ExpectedError{}, []int{1, 0}},
		{widgetV1, nil, []int{0, 0}},
		{widgetV1beta1, []harness.ExpectedError{}, []int{0, 0}},
	} {
		object := widget("a", 1)
		object["apiVersion"] = test.version.GroupVersion().String()
		c := harness.Case{Object: object, Want: test.want}
		told := &recorder{TB: t}
		if h.Test(told, c); told.failed != (test.unmet[0] > 0) {
			t.Errorf("a case in %s that wants %v: failed %t: %q", test.version.Version, test.want, told.failed, told.lines)
		}
		results, err := h.Check(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		for i, unmet := range test.unmet {
			if len(results[i].Unmet) != unmet {
				t.Errorf("a case in %s that wants %v: %s has unmet %q, want %d", test.version.Version, test.want,
					results[i].Version.Version, results[i].Unmet, unmet)
			}
		}
	}
}

// If a hand-written validator modifies the object, as those do that set defaults first, the schema must still
// see the object of the case.
func TestNativeChangesTheObject(t *testing.T) {
	corrects := backend{"native", func(_ context.Context, in *harness.Input) (field.ErrorList, error) {
		object, err := in.Object.Unstructured()
		if err == nil {
			object["size"] = int64(3)
		}
		return nil, err
	}}
	results, err := newHarness(t, corrects, atLeast("declarative", 3)).Check(t.Context(), harness.Case{Object: widget("a", 2)})
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Verdict != words.Different {
		t.Errorf("verdict %s, want %s: the schema refuses what the validator accepts", results[0].Verdict, words.Different)
	}
}
