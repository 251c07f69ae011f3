package coverage_test

import (
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/coverage"
)

// TestMarkdownFits: the output is never longer than the limit, and says what was left out.
func TestMarkdownFits(t *testing.T) {
	var all coverage.Report
	for _, name := range []string{"a", "b", "c", "d"} {
		one := report([]string{"enum", "maximum", "minimum", "pattern"}).Targets[0]
		one.Suite = name
		all.Targets = append(all.Targets, one)
	}
	whole := func(most int) string {
		var out strings.Builder
		if err := all.MarkdownPart(&out, most); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	tables, full := len(whole(0)), len(whole(1<<20))
	said := 0
	for most := tables; most <= full; most++ {
		text := whole(most)
		if len(text) > most {
			t.Fatalf("%d bytes, and %d are allowed", len(text), most)
		}
		if strings.Contains(text, "do not fit") {
			said++
		}
	}
	if said == 0 || strings.Contains(whole(1<<20), "do not fit") {
		t.Errorf("%d of the texts say that something is left out", said)
	}
}
