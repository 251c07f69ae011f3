package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/reports"
)

// What is written is read again, in both formats.
func TestRead(t *testing.T) {
	var read [][]reports.Recorded
	for _, format := range []string{"json", "jsonl"} {
		var report bytes.Buffer
		reporter, err := reports.New(format, &report, reports.Options{})
		if err != nil {
			t.Fatal(err)
		}
		recordedRun().play(t, reporter)
		results, err := reports.Read(&report)
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, results)
	}
	if diff := cmp.Diff(read[0], read[1]); diff != "" || len(read[0]) == 0 {
		t.Errorf("%d results; the formats hold different ones (-json +jsonl):\n%s", len(read[0]), diff)
	}
	classes := map[string]bool{}
	for _, result := range read[0] {
		for _, difference := range result.Differences {
			classes[string(difference.Class)] = true
			if difference.Native == nil && difference.Declarative == nil {
				t.Errorf("%s: a difference without an error", result.Case)
			}
		}
	}
	if !classes["too-loose"] || !classes["too-strict"] {
		t.Errorf("classes %v: the recorded run has more", classes)
	}
}

func TestReadMistakes(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":     "",
		"no JSON":     "suite apps",
		"other JSON":  `{"kind":"List"}`,
		"cut short":   `{"tool":"diffrun","version":"","suites":[]}` + "\n" + `{"case":"a","target":"v1 Pod"}`,
		"bad targets": `{"results":[{"case":"a","target":"Pod"}],"summary":{}}`,
	} {
		if _, err := reports.Read(strings.NewReader(text)); err == nil {
			t.Errorf("%s: it was read", name)
		}
	}
}
