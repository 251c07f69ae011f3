package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/files/checksum"
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
		run, err := reports.ReadRun(&report)
		if err != nil || run.Incomplete || len(run.Narrowed) != 3 {
			t.Fatalf("incomplete %t, narrowed %q, error %v; the run is a shard and was narrowed by two flags", run.Incomplete, run.Narrowed, err)
		}
		read = append(read, run.Results)
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

// Keys are case-sensitive, as those of all documents are; a byte order mark is passed over.
func TestReadKeys(t *testing.T) {
	run, err := checksum.Sealed([]byte(`{"tool":"diffrun","results":[{"case":"a","verdict":"equal","CASE":"b","Target":"v1 Pod","Differences":[{"class":"path"}]}],"summary":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := reports.Read(strings.NewReader("\ufeff" + string(run)))
	if err != nil || len(got) != 1 || got[0].Case != "a" || len(got[0].Differences) != 0 || !got[0].Version.Empty() {
		t.Errorf("read %+v (%v)", got, err)
	}
}
