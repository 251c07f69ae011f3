package reports_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/testing/sariflog"
	"github.com/diffrun/diffrun/reports"
)

func TestSARIFIsValid(t *testing.T) {
	run := sariflog.Read(t, played(t, "sarif"))
	summary := recordedRun().footer.Summary
	want := len(recordedRun().footer.Problems)
	for class, n := range summary.Classes {
		if !class.Explained() {
			want += n
		}
	}
	for _, result := range recordedRun().results {
		want += len(result.Unmet)
		for _, fault := range []bool{result.Fault != nil, result.Native.Fault != nil, result.Declarative.Fault != nil} {
			if fault {
				want++
			}
		}
	}
	if len(run.Results) != want {
		t.Errorf("%d results, want %d: one for each difference, fault, unmet expectation and problem", len(run.Results), want)
	}
	prints := map[string]bool{}
	for _, result := range run.Results {
		if *result.RuleID != *run.Tool.Driver.Rules[result.RuleIndex].ID {
			t.Errorf("rule %d is not %s", result.RuleIndex, *result.RuleID)
		}
		if prints[result.PartialFingerprints["diffrun/v1"]] {
			t.Errorf("two results have one fingerprint; one is %s", *result.Message.Text)
		}
		prints[result.PartialFingerprints["diffrun/v1"]] = true
		if len(result.Locations) == 0 {
			t.Errorf("no place: %s", *result.Message.Text)
		}
	}
	var rules []string
	for _, rule := range run.Tool.Driver.Rules {
		rules = append(rules, *rule.ID)
	}
	for i, class := range difference.Classes() {
		if rules[i] != string(class) {
			t.Errorf("rule %d is %s, not class %s", i, rules[i], class)
		}
	}
}

// If a case moves in its file, tools that compare two logs see the same result.
func TestSARIFOfMovedCases(t *testing.T) {
	print := func(source string) string {
		run := recordedRun()
		run.results = differing()[:1]
		run.results[0].Case.Source = source
		var out bytes.Buffer
		reporter, _ := reports.New("sarif", &out, reports.Options{})
		run.play(t, reporter)
		return sariflog.Read(t, out.Bytes()).Results[0].PartialFingerprints["diffrun/v1"]
	}
	if print("a.yaml:1") != print("a.yaml:200") {
		t.Error("the fingerprint is another one")
	}
}

// GitHub shows ten annotations of each level: the most urgent ones, and the number of the others.
func TestGitHubShowsWhatItCan(t *testing.T) {
	var out bytes.Buffer
	reporter, _ := reports.New("github", &out, reports.Options{})
	manyCauses(300, 0).play(t, reporter)
	text := out.String()
	if n := strings.Count(text, "\n::error ") + 1; n != 10 {
		t.Errorf("%d errors", n)
	}
	if want := fmt.Sprintf("… and %d more annotations", 300+300-10); !strings.Contains(text, want) {
		t.Errorf("it does not say %q:\n%s", want, text)
	}
	for line := range strings.Lines(text) {
		if !regexp.MustCompile(`^::(error|warning|notice) (file=[^,:]+,)?(line=\d+,)?title=[^,:]+::[^\r\n]+\n$`).MatchString(line) {
			t.Errorf("the line %q is no annotation", line)
		}
	}
}
