package infer

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// TestPanicIsNoRule: a panic of a webhook refuses an object, and is a site that no rule is made of, however simple its
// condition is. The rules of other errors are proven beside it.
func TestPanicIsNoRule(t *testing.T) {
	t.Parallel()
	const place = "example.com/api/thing.go:7 (api.validate)"
	for _, tt := range []struct{ why, place, message string }{
		{"a place that is known", place, "panic: runtime error: index out of range [5] with length 5 [recovered]"},
		{"a remote webhook, of which only the message is known", "", "panic: oh [recovered]"},
	} {
		report := run(t, definition("size: {type: integer}"), func(s, _ spec) field.ErrorList {
			switch {
			case s.number("size") == 5:
				return field.ErrorList{fielderror.Panic(tt.message, tt.place)}
			case s.number("size") > 9:
				return field.ErrorList{field.Invalid(field.NewPath("spec", "size"), s.number("size"), "must be at most 9")}
			}
			return nil
		}, spec{"size": int64(4)}, spec{"size": int64(5)}, spec{"size": int64(6)}, spec{"size": int64(12)})
		panics := 0
		for _, s := range report.Sites {
			if s.Detail != tt.message {
				if s.Status != proposal.Proven {
					t.Errorf("%s: %+v", tt.why, s)
				}
				continue
			}
			panics++
			if s.Status != proposal.NotExpressed || len(s.Rules) > 0 || s.Source != tt.place || s.Differs == nil ||
				!strings.Contains(s.Why, "panicked") {
				t.Errorf("%s: %+v", tt.why, s)
			}
		}
		if panics != 1 || len(report.Sites) != 2 || report.Faults != nil || len(report.Rules) != 1 || report.Admits == 0 {
			t.Errorf("%s: faults %v, rules %v\n%s", tt.why, report.Faults, report.Rules, report.Text())
		}
	}
}
