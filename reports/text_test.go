package reports_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/reports"
)

// drawn returns the lines that the text report has for one difference.
func drawn(t *testing.T, pair equivalence.Pair) []string {
	t.Helper()
	var out bytes.Buffer
	reporter, err := reports.New("text", &out, reports.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &harness.Case{ID: "case", Object: map[string]any{}}
	run := recording{results: []harness.Result{paired(c, pod, words.Different, pair)}}
	run.play(t, reporter)
	block, _, _ := strings.Cut(out.String(), "\n\n")
	return strings.Split(block, "\n")[2:]
}

func TestMarksShowWhereErrorsPart(t *testing.T) {
	for _, row := range []struct {
		why                 string
		native, declarative string
		want                []string
	}{
		{"a whole number is marked, not the digit that is more", "at most 1", "at most 10", []string{
			"      native       FieldValueInvalid  0  at most 1",
			"      declarative  FieldValueInvalid  0  at most 10",
			"                                                 ~~",
		}},
		{"each has its own tildes where the columns have shifted", "at most 1 of these 5", "at most 10 of these 6", []string{
			"      native       FieldValueInvalid  0  at most 1 of these 5",
			"                                                 ~          ~",
			"      declarative  FieldValueInvalid  0  at most 10 of these 6",
			"                                                 ~~          ~",
		}},
		{"one row of tildes serves both if they first differ in the same column", "must be set", "should be set", []string{
			"      native       FieldValueInvalid  0  must be set",
			"      declarative  FieldValueInvalid  0  should be set",
			"                                         ~~~~~~",
		}},
		{"text that only one side has is marked there", "must be set", "must not be set", []string{
			"      native       FieldValueInvalid  0  must be set",
			"      declarative  FieldValueInvalid  0  must not be set",
			"                                              ~~~",
		}},
		{"two places are marked separately, not the equal text between them", "a cat and a dog", "a cow and a fox", []string{
			"      native       FieldValueInvalid  0  a cat and a dog",
			"      declarative  FieldValueInvalid  0  a cow and a fox",
			"                                           ~~~       ~~~",
		}},
		{"texts with little in common would be marked all over, so not at all", "must be set", "unknown strategy, try Recreate", []string{
			"      native       FieldValueInvalid  0  must be set",
			"      declarative  FieldValueInvalid  0  unknown strategy, try Recreate",
		}},
		{"a space too many is hard to see", "must be set", "must be  set", []string{
			"      native       FieldValueInvalid  0  must be set",
			"      declarative  FieldValueInvalid  0  must be  set",
			"                                                 ~",
		}},
		{"an error without text", "", "must be set", []string{
			"      native       FieldValueInvalid  0",
			"      declarative  FieldValueInvalid  0  must be set",
		}},
	} {
		t.Run(row.why, func(t *testing.T) {
			got := drawn(t, equivalence.Pair{
				Native: invalid("spec.x", 0, row.native), Declarative: invalid("spec.x", 0, row.declarative), Class: difference.Detail,
			})
			if diff := cmp.Diff(append([]string{"    detail  spec.x"}, row.want...), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Comparing two texts of thousands of words must not take minutes, and the place where they first differ is
// shown.
func TestMarksOfHugeTexts(t *testing.T) {
	many := strings.Repeat("one two ", 20_000)
	lines := drawn(t, equivalence.Pair{
		Native: invalid("spec.x", 0, many+"three"), Declarative: invalid("spec.x", 0, many+"four"), Class: difference.Detail,
	})
	if marked := strings.Count(strings.Join(lines, "\n"), "~"); marked != len("three")+len("four") {
		t.Errorf("%d columns are marked, want those of the last words only", marked)
	}
}

// Lines of a report stay readable whatever the texts are.
func TestTextStaysNarrow(t *testing.T) {
	run := recordedRun()
	var out bytes.Buffer
	reporter, _ := reports.New("text", &out, reports.Options{})
	run.play(t, reporter)
	for line := range strings.Lines(out.String()) {
		if width := len([]rune(line)); width > 175 { // the table, with all possible columns
			t.Errorf("%d columns: %s", width, line)
		}
	}
}

// Accepted differences must not hide the others: a long list is one line, unless it is requested.
func TestManyExceptionsAreCounted(t *testing.T) {
	for _, row := range []struct {
		why     string
		options reports.Options
		listed  bool
	}{
		{why: "a screenful of ids does not help anybody", listed: false},
		{why: "who asks for it gets it", options: reports.Options{Verbose: true}, listed: true},
	} {
		t.Run(row.why, func(t *testing.T) {
			var run recording
			for i := range 20 {
				id := fmt.Sprintf("exception-%02d", i)
				accepted := equivalence.Pair{Native: invalid("spec.a", 0, "x"), Class: difference.TooLoose,
					Exception: &equivalence.Exception{ID: id}}
				run.results = append(run.results, paired(document(id, nil), pod, words.Excepted, accepted, accepted))
			}
			var out bytes.Buffer
			reporter, err := reports.New("text", &out, row.options)
			if err != nil {
				t.Fatal(err)
			}
			run.play(t, reporter)
			if counted := strings.Contains(out.String(),
				"40 differences accepted by 20 exceptions; --verbose lists them"); counted == row.listed {
				t.Errorf("counted in a line: %v\n%s", counted, &out)
			}
			if listed := strings.Contains(out.String(), "exception-07  2 differences"); listed != row.listed {
				t.Errorf("listed: %v, want %v\n%s", listed, row.listed, &out)
			}
		})
	}
}
