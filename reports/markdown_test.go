package reports_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/reports"
	"github.com/diffrun/diffrun/reports/record"
)

// commentLimit is the maximal number of characters in a comment on GitHub.
const commentLimit = 65_536

// manyCauses are n results of many targets, each with its own cause and with long texts that try to escape
// from their place in the Markdown.
func manyCauses(n, length int) recording {
	run := recording{header: reports.Header{Suites: []record.Suite{{Name: "a"}, {Name: "b"}}}}
	hostile := "```` ``` `` ` </details><img src=x> @everyone | #1 [a](http://example.com)" + strings.Repeat("x ", length/2)
	for i := range n {
		word := strings.Repeat(string(rune('a'+i%26)), 1+i/26) // which groups no two of them
		c := &harness.Case{ID: word + hostile, Source: hostile + ":1", Object: map[string]any{}}
		version := schema.GroupVersionKind{Group: hostile, Version: fmt.Sprint("v", i%200), Kind: hostile}
		pair := equivalence.Pair{Native: invalid("spec."+word+"["+hostile+"]", hostile, word+hostile), Class: difference.TooLoose}
		run.results = append(run.results, paired(c, version, words.Different, pair))
		run.footer.Problems = append(run.footer.Problems, hostile)
		run.footer.LeftOut = append(run.footer.LeftOut, record.LeftOut{Suite: hostile, Target: hostile, Cases: 1})
	}
	return run.summed()
}

func TestMarkdownIsNeverTooLong(t *testing.T) {
	for _, row := range []struct{ results, length int }{{1, 0}, {40, 10}, {500, 100}, {3000, 0}, {300, 20_000}, {1, 200_000}} {
		var out bytes.Buffer
		reporter, _ := reports.New("markdown", &out, reports.Options{})
		manyCauses(row.results, row.length).play(t, reporter)
		text := out.String()
		if n := utf8.RuneCountInString(text); n >= commentLimit {
			t.Errorf("%+v: %d characters", row, n)
		}
		if opened, closed := strings.Count(text, "\n<details"), strings.Count(text, "\n</details>\n"); opened != closed || opened == 0 {
			t.Errorf("%+v: %d of %d are closed", row, closed, opened)
		}
		shown := 0
		for _, found := range regexp.MustCompile(`<b>(\d+)×</b>|found (\d+) times`).FindAllStringSubmatch(text, -1) {
			n, _ := strconv.Atoi(found[1] + found[2])
			shown += n
		}
		if shown != row.results {
			t.Errorf("%+v: %d differences are counted", row, shown)
		}
		if !strings.Contains(text, "* next: make the schema") {
			t.Errorf("%+v: it does not say what to do", row)
		}
	}
}

// Texts from outside are never Markdown or HTML: they are in code.
func TestMarkdownOfHostileTexts(t *testing.T) {
	var out bytes.Buffer
	reporter, _ := reports.New("markdown", &out, reports.Options{})
	manyCauses(3, 0).play(t, reporter)
	text := regexp.MustCompile("(?s)\n```[a-z]*\n.*?\n```\n").ReplaceAllString(out.String(), "\n") // blocks
	text = strings.ReplaceAll(text, "]("+causetext.Glossary, "](our own page")                     // words of reports are linked
	for fence := 6; fence > 0; fence-- {
		ticks := strings.Repeat("`", fence)
		text = regexp.MustCompile("(^|[^`])"+ticks+"([^`\n]|[^`\n][^\n]*?[^`\n])"+ticks+"([^`]|$)").ReplaceAllString(text, "$1$3")
	}
	for _, wrong := range []string{"@everyone", "<img", "](http", "`"} {
		if at := strings.Index(regexp.MustCompile("<code>[^<]*</code>").ReplaceAllString(text, ""), wrong); at >= 0 {
			t.Errorf("%q stands outside of code in:\n%s", wrong, text)
		}
	}
	for line := range strings.Lines(out.String()) {
		if bars := strings.Count(line, "|") - strings.Count(line, `\|`); strings.HasPrefix(line, "| ✗") && bars != 3+7 {
			t.Errorf("%d bars in the row %s", bars, line)
		}
	}
}
