package harness_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

// Compare takes the errors in the test as the native ones, and returns them.
func TestCompare(t *testing.T) {
	tooSmall := field.ErrorList{field.Invalid(field.NewPath("size"), 2, "must be at least 3")}
	for _, tc := range []struct {
		why   string
		c     harness.Case
		given field.ErrorList
		says  string
	}{
		{why: "the schema reports the same", c: harness.Case{Object: widget("a", 2)}, given: tooSmall},
		{why: "the function found nothing, which is an answer", c: harness.Case{Object: widget("a", 2)}, says: "too-strict"},
		{why: "the function found an error that the schema does not report", c: harness.Case{Object: widget("a", 3)},
			given: tooSmall, says: "too-loose"},
		{
			why:   "the function begins its paths somewhere else",
			c:     harness.Case{Object: widget("a", 2), Path: field.NewPath("items").Index(1)},
			given: field.ErrorList{field.Invalid(field.NewPath("items").Index(1).Child("size"), 2, "must be at least 3")},
		},
		{
			why:   "an error that is not below the path of the test is at a different field",
			c:     harness.Case{Object: widget("a", 2), Path: field.NewPath("items")},
			given: tooSmall, says: "declarative  items.size",
		},
		{
			why:   "no error is below that path, so it is not that of the call",
			c:     harness.Case{Object: widget("a", 2), Path: field.NewPath("items")},
			given: tooSmall, says: "set the same Path in the case",
		},
		{
			why:   "not a version of the target",
			c:     harness.Case{Object: widget("a", 2), Version: widgetV1.GroupVersion().WithKind("Gadget")},
			given: tooSmall,
			says: `the case names the version "example.com/v1 Gadget"; the target compares "example.com/v1 Widget", ` +
				`"example.com/v1beta1 Widget"`,
		},
		{why: "deletions are not validated", c: harness.Case{Object: widget("a", 2), Deletes: true}, given: tooSmall,
			says: "neither validator looks at a DELETE"},
		{why: "a pointer to no object", c: harness.Case{Object: (*struct{})(nil)}, given: tooSmall, says: "the case has no object"},
		{
			why: "an old object of a different type, whose rules could not be checked",
			c:   harness.Case{Object: widget("a", 2), Old: &struct{}{}}, given: tooSmall,
			says: "the old object is a *struct {} and the new one a map[string]interface {}; use the same type for both",
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			told := &recorder{TB: t}
			fails := backend{"native", func(context.Context, *harness.Input) (field.ErrorList, error) {
				t.Error("the native backend of the target was asked")
				return nil, nil
			}}
			errs := newHarness(t, fails, atLeast("declarative", 3)).Compare(told, tc.c, tc.given)
			if len(errs) != len(tc.given) || len(errs) > 0 && errs[0] != tc.given[0] {
				t.Errorf("gave back %v", errs)
			}
			text := strings.Join(told.lines, "\n")
			if told.failed != (tc.says != "") || !strings.Contains(text, tc.says) {
				t.Errorf("failed: %v; told:\n%s", told.failed, text)
			}
		})
	}
}

// Rules and exceptions use the paths of the kind, whatever the test calls its root.
func TestCompareWithExceptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "exceptions.yaml")
	text := "- {id: sizes, target: example.com/v1 Widget, class: too-strict, field: size, why: known, owner: me, issue: " +
		"'https://example.com', expires: 2100-01-01}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var seen []harness.Result
	both := harness.For(t, &harness.Target{
		Kind: widgetV1.GroupKind(), Scheme: harness.Documents{},
		Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: atLeast("native", 3), Declarative: atLeast("declarative", 3)}},
	}, harness.WithExceptions(file), harness.WithSink(func(r harness.Result) { seen = append(seen, r) }))
	both.Compare(t, harness.Case{Object: widget("a", 2), Path: field.NewPath("spec", "widget")}, nil)
	if len(seen) != 1 || seen[0].Verdict != words.Excepted || seen[0].Pairs[0].Declarative.Field != "spec.widget.size" {
		t.Errorf("got %+v, want a difference at spec.widget.size that the exception accepts", seen)
	}
}
