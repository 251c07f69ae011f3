package reports_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/reports"
	"github.com/diffrun/diffrun/reports/record"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestFormatsOfARun(t *testing.T) {
	interrupted := recording{header: recordedRun().header, footer: reports.Footer{Incomplete: true, Elapsed: 40 * time.Millisecond}}
	interrupted.results = recordedRun().results[:2]
	green := recordedRun()
	green.header.Suites, green.results = green.header.Suites[:1], green.results[:4]
	green.footer = reports.Footer{Elapsed: 5 * time.Second}
	nothing := recording{
		footer: reports.Footer{Problems: []string{"suite.yaml: the suite has no case; name files that hold some under cases"}},
	}
	for _, row := range []formatted{
		{"run.txt", "text", "what a CI log shows", reports.Options{}, recordedRun()},
		{"run-verbose.txt", "text", "what is explained is listed too", reports.Options{Verbose: true}, recordedRun()},
		{"run-narrow.txt", "text", "a terminal of 80 columns", reports.Options{Width: 80}, recordedRun()},
		{"green-narrow.txt", "text", "a table for which a terminal has no room leaves out what is zero",
			reports.Options{Width: 60}, green.summed()},
		{"run-color.txt", "text", "a terminal", reports.Options{Color: true}, recordedRun()},
		{"run.json", "json", "a script reads it as one document", reports.Options{}, recordedRun()},
		{"run.jsonl", "jsonl", "a script reads it as it comes", reports.Options{}, recordedRun()},
		{"run.junit.xml", "junit", "a CI system shows suites and tests", reports.Options{}, recordedRun()},
		{"interrupted.junit.xml", "junit", "a run that was interrupted must not pass", reports.Options{}, interrupted.summed()},
		{"nothing.junit.xml", "junit", "a problem of the run fails a test", reports.Options{}, nothing},
		{"run.md", "markdown", "a job summary, or a comment on a pull request", reports.Options{}, recordedRun()},
		{"green.md", "markdown", "nothing needs attention", reports.Options{}, green.summed()},
		{"interrupted.md", "markdown", "a run that was interrupted must not look like success", reports.Options{}, interrupted.summed()},
		{"nothing.md", "markdown", "nor one that compared nothing", reports.Options{}, nothing},
		{"run.sarif", "sarif", "a code host shows results beside lines", reports.Options{}, recordedRun()},
		{"green.sarif", "sarif", "an empty list is a list", reports.Options{}, green.summed()},
		{"nothing.sarif", "sarif", "a problem of the run is a result", reports.Options{}, nothing},
		{"run.github", "github", "annotations of a change", reports.Options{}, recordedRun()},
		{"green.github", "github", "nothing needs attention", reports.Options{}, green.summed()},
		{"interrupted.github", "github", "a run that was interrupted is an error", reports.Options{}, interrupted.summed()},
		{"green.txt", "text", "nothing needs attention, so nothing is listed", reports.Options{}, green.summed()},
		{"interrupted.txt", "text", "what was finished is told from all that was asked", reports.Options{}, interrupted.summed()},
		{"interrupted.json", "json", "the document is whole though the run was not", reports.Options{}, interrupted.summed()},
		{"nothing.txt", "text", "no result must not look like success", reports.Options{}, nothing},
		{"nothing.json", "json", "empty lists are lists", reports.Options{}, nothing},
	} {
		row.check(t)
	}
}

// Differences that the gate of a run allows are shown as allowed in every format.
func TestFormatsOfAGate(t *testing.T) {
	gated := recording{header: reports.Header{FailOn: gate.Gate{"refuses", "path"}}, results: differing()}
	allowed := recording{header: reports.Header{FailOn: gate.Gate{"refuses"}}, results: differing()[2:3], footer: reports.Footer{
		Narrowings: []record.Narrowing{{Flag: "--run replicas", Cases: 1, Of: 1234}}}}
	for _, row := range []formatted{
		{"gated.txt", "text", "what the gate allows is shown, and is not what fails", reports.Options{}, gated.summed()},
		{"gated.junit.xml", "junit", "what the gate allows is no failure", reports.Options{}, gated.summed()},
		{"gated.md", "markdown", "what fails comes first", reports.Options{}, gated.summed()},
		{"gated.sarif", "sarif", "what the gate allows is a warning", reports.Options{}, gated.summed()},
		{"gated.github", "github", "what the gate allows is a warning", reports.Options{}, gated.summed()},
		{"allowed.txt", "text", "a run that its gate lets pass must not look as if nothing differed", reports.Options{}, allowed.summed()},
		{"allowed.junit.xml", "junit", "it has no failure", reports.Options{}, allowed.summed()},
		{"allowed.md", "markdown", "it is as wanted", reports.Options{}, allowed.summed()},
		{"allowed.sarif", "sarif", "it has warnings", reports.Options{}, allowed.summed()},
		{"allowed.github", "github", "it has warnings", reports.Options{}, allowed.summed()},
	} {
		row.check(t)
	}
}

// formatted is a run in a format, and its golden file.
type formatted struct {
	golden, format, why string
	options             reports.Options
	run                 recording
}

func (f formatted) check(t *testing.T) {
	t.Helper()
	t.Run(f.golden, func(t *testing.T) {
		t.Log(f.why)
		var got bytes.Buffer
		reporter, err := reports.New(f.format, &got, f.options)
		if err != nil {
			t.Fatal(err)
		}
		f.run.play(t, reporter)
		golden(t, f.golden, got.Bytes())
	})
}

// The styles and scripts of the page are files themselves, and the browser tests are about
// them: the golden file has the rest.
func TestHTMLSkeleton(t *testing.T) {
	for name, run := range map[string]recording{
		"run.html":     recordedRun(),
		"nothing.html": {},
		"gated.html":   recording{header: reports.Header{FailOn: gate.Gate{"refuses", "path"}}, results: differing()}.summed(),
	} {
		var page bytes.Buffer
		reporter, err := reports.New("html", &page, reports.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run.play(t, reporter)
		cut := regexp.MustCompile(`(?s)(<style>|<script>).*?(</style>|</script>)`).ReplaceAll(page.Bytes(), []byte("$1…$2"))
		cut = regexp.MustCompile(`sha256-(?:[^&]|&#43;)*`).ReplaceAll(cut, []byte("sha256-…"))
		golden(t, name, bytes.ReplaceAll(cut, []byte("},{"), []byte("},\n{")))
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with -update and read it", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s has changed (-want +got); if it should, run with -update:\n%s", path, diff)
	}
}

// The golden files prove something only if they contain every feature.
func TestRecordedRunHoldsAllThereIs(t *testing.T) {
	summary := recordedRun().footer.Summary
	for _, verdict := range words.Verdicts() {
		if summary.Verdicts[verdict] == 0 {
			t.Errorf("no result with verdict %s", verdict)
		}
	}
	for _, effect := range words.Effects() {
		if summary.Effects[effect] == 0 {
			t.Errorf("no result with effect %s", effect)
		}
	}
	classes, reasons := map[any]bool{}, map[any]bool{}
	for _, result := range recordedRun().results {
		for _, pair := range result.Pairs {
			classes[pair.Class] = true
		}
		for _, fault := range []*contract.Fault{result.Fault, result.Native.Fault, result.Declarative.Fault} {
			if fault != nil {
				reasons[fault.Reason] = true
			}
		}
	}
	requireAll(t, "class", difference.Classes(), classes)
	requireAll(t, "reason of a fault", words.FaultReasons(), reasons)
}

func requireAll[T any](t *testing.T, noun string, all []T, seen map[any]bool) {
	t.Helper()
	for _, one := range all {
		if !seen[one] {
			t.Errorf("no result with %s %v", noun, one)
		}
	}
}
