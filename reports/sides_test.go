package reports_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/reports"
)

// named returns the recorded run as one of a suite whose sides have names.
func named(names contract.SideNames) recording {
	run := recordedRun()
	run.footer.Summary = harness.Summary{}
	for i := range run.header.Suites {
		run.header.Suites[i].Compared.Called = names
	}
	for i, result := range run.results {
		result.Sides.Called = names
		for at, text := range result.Unmet {
			result.Unmet[at] = strings.ReplaceAll(text, "the webhook", names.Title(contract.NativeName))
		}
		run.results[i] = result
	}
	return run.summed()
}

// formatsForPeople are the formats in which people read sentences about the sides.
var formatsForPeople = []string{"text", "markdown", "html", "junit", "sarif", "github"}

func drawnAs(t *testing.T, format string, run recording) string {
	t.Helper()
	var got bytes.Buffer
	reporter, err := reports.New(format, &got, reports.Options{Verbose: true})
	if err != nil {
		t.Fatal(err)
	}
	run.play(t, reporter)
	return got.String()
}

// generic matches what the sides are called without names. The texts of the recorded errors and files have none of it.
var generic = regexp.MustCompile(`the (schema|native|declarative)\b|\b(native|declarative) (validator|backend)`)

func TestFormatsCallTheSidesByTheirNames(t *testing.T) {
	run := named(contract.SideNames{Native: "v1.33", Declarative: "v1.36"})
	for _, format := range formatsForPeople {
		page := drawnAs(t, format, run)
		if format == "html" { // the scripts and styles of the page are the same for each run
			page = regexp.MustCompile(`(?s)(<style>|<script>).*?(</style>|</script>)`).ReplaceAllString(page, "")
		}
		for line := range strings.Lines(page) {
			if said := generic.FindString(line); said != "" && !strings.Contains(line, "answer within") {
				t.Errorf("%s says %q: %.300s", format, said, line)
			}
		}
		for _, want := range []string{"v1.33", "v1.36"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s does not name %s", format, want)
			}
		}
	}
}

func TestFormatsSayWhatClassesAndEffectsMean(t *testing.T) {
	run := named(contract.SideNames{Native: "v1.33", Declarative: "v1.36"})
	for _, format := range formatsForPeople {
		page := drawnAs(t, format, run)
		for _, want := range []string{"v1.36 lacks an error of v1.33", "v1.36 has an error that v1.33 lacks"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s does not say %q", format, want)
			}
		}
		linked := strings.Contains(page, causetext.Glossary)
		if needs := slices.Contains([]string{"text", "markdown", "html"}, format); linked != needs {
			t.Errorf("%s: linked with the glossary: %v", format, linked)
		}
	}
	if n := strings.Count(drawnAs(t, "text", run), causetext.Glossary); n != 1 {
		t.Errorf("a text links the glossary %d times, not once at its end", n)
	}
}

// The names of sides come from files of users.
func TestHostileNamesOfSides(t *testing.T) {
	run := named(contract.SideNames{Native: "<b>*a*</b>|`", Declarative: "]]>::error::$(x)"})
	for format, never := range map[string][]string{
		"html":     {"<b>*a*</b>"},
		"markdown": {"and <b>*a*", "that <b>*a*", "that ]]>"},
		"junit":    {"]]>::"}, // it would end a section of data
		"github":   {"\n::error::$"},
	} {
		page := drawnAs(t, format, run)
		for _, text := range never {
			if strings.Contains(page, text) {
				t.Errorf("%s has %q unescaped", format, text)
			}
		}
	}
}

// A recorded run has names that a suite can have, or is no report.
func TestPlayRefusesNamesOfNoSuite(t *testing.T) {
	run := named(contract.SideNames{Native: "today", Declarative: "tomorrow"})
	document := drawnAs(t, "json", run)
	for _, tt := range []struct{ why, name, want string }{
		{"a command of a terminal", `\u001b[31m`, "must be one line"},
		{"the name of the other side", "tomorrow", `both sides have the name "tomorrow"`},
	} {
		changed := strings.ReplaceAll(document, `"native":"today"`, `"native":"`+tt.name+`"`)
		err := reports.Play(strings.NewReader(changed), &counter{})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want %s", tt.why, err, tt.want)
		}
	}
}

// A heading above the causes of several suites names no side that only one of them has.
func TestHeadingsOfSeveralSuites(t *testing.T) {
	run := recordedRun()
	for i, result := range run.results {
		if result.Effect == words.Admits {
			result.Sides = harness.Sides{Called: contract.SideNames{Native: "webhook", Declarative: "v1.36"}}
			run.results[i] = result
			break
		}
	}
	page := drawnAs(t, "text", run.summed())
	if strings.Contains(page, "admits: v1.36 accepts") {
		t.Errorf("the heading of several suites has the names of one:\n%s", page)
	}
}
