package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/acceptance"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
)

// TestDialogue: each cause is shown and asked about; a review needs real texts, and offers those of the one before.
func TestDialogue(t *testing.T) {
	source := filepath.Join(t.TempDir(), "cases.yaml")
	if err := os.WriteFile(source, []byte("cases:\n- name: below\n  object: {size: -1}\n- {name: oval}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cause := func(id, name string, line int) *acceptance.Cause {
		return &acceptance.Cause{
			Group: &causes.Group{
				ID: id, Effect: words.Admits, Cause: causes.Cause{Class: difference.TooLoose, Field: "size"},
				First: causes.Example{
					Case: name, Source: fmt.Sprintf("%s:%d", source, line), Target: "example.com/v1 Widget",
					Sides:  harness.Sides{First: "native", Second: "declarative"},
					Native: &causes.Error{Type: field.ErrorTypeInvalid, Field: "size", Detail: "must not be negative"},
				},
			},
			Differences: make([]exceptionfile.Difference, 2), Cases: []string{name, name},
		}
	}
	answers := []string{
		"x", "case", "a", "WHY", "as today", "me", "https://example.com/1", "2027-06-30", // the first cause
		"accept", "", "you", "", "", // the second one, by somebody else
		"s", "q", // the others
	}
	var shown strings.Builder
	dialogue := acceptance.Dialogue{
		In: strings.NewReader(strings.Join(answers, "\n") + "\n"),
		Print: func(format string, args ...any) {
			_, _ = fmt.Fprintf(&shown, format, args...)
		},
	}
	decisions, err := dialogue.Ask([]*acceptance.Cause{
		cause("1", "below", 2), cause("2", "oval", 4), cause("3", "oval", 4), cause("4", "oval", 4),
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, decision := range decisions {
		got = append(got, fmt.Sprintf("%s %v", decision.Cause.ID, decision.Review))
	}
	want := []string{"1 {as today me https://example.com/1 2027-06-30}", "2 {as today you https://example.com/1 2027-06-30}"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
	for _, part := range []string{
		"\n1 of 4  too-loose, effect admits: example.com/v1 Widget size\n",
		"  native       size FieldValueInvalid: must not be negative\n  declarative  no such error\n",
		"  covers       2 differences of 1 case: \"below\"\n",
		"answer with one of these letters\n",
		"  - name: below\n    object: {size: -1}\naccept, skip",
		"a text that nobody wrote is no review\n",
		"owner (who is responsible for it) [me]? ",
	} {
		if !strings.Contains(shown.String(), part) {
			t.Errorf("no %q in:\n%s", part, &shown)
		}
	}
	dialogue.In = strings.NewReader("a\nas today\n")
	if _, err := dialogue.Ask([]*acceptance.Cause{cause("1", "below", 2)}); err == nil {
		t.Error("answers that end are no decision")
	}
}
