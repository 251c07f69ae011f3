package reports_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/testing/sealedrun"
	"github.com/diffrun/diffrun/reports"
)

// Reports in both formats are read back unchanged.
func TestRead(t *testing.T) {
	var read [][]harness.Result
	for _, format := range []string{"json", "jsonl"} {
		var report bytes.Buffer
		reporter, err := reports.New(format, &report, reports.Options{})
		if err != nil {
			t.Fatal(err)
		}
		recordedRun().play(t, reporter)
		run, err := reports.Read(&report)
		if err != nil || run.Incomplete || len(run.Narrowed) != 3 {
			t.Fatalf("incomplete %t, narrowed %q, error %v; the run is a shard and was narrowed by two flags", run.Incomplete, run.Narrowed,
				err)
		}
		read = append(read, run.Results)
	}
	if !reflect.DeepEqual(read[0], read[1]) || len(read[0]) == 0 {
		t.Errorf("json holds %+v, jsonl %+v", read[0], read[1])
	}
	classes := map[string]bool{}
	for _, result := range read[0] {
		for _, difference := range result.Pairs {
			classes[string(difference.Class)] = true
			if difference.Native == nil && difference.Declarative == nil {
				t.Errorf("%s: a difference without an error", result.Case.ID)
			}
		}
	}
	if !classes["too-loose"] || !classes["too-strict"] {
		t.Errorf("classes %v: the recorded run has more", classes)
	}
}

// Keys are case-sensitive, as in all documents; a byte order mark is skipped.
func TestReadKeys(t *testing.T) {
	run, err := sealedrun.Seal([]byte(`{"tool":"diffrun","results":[{"case":"a","verdict":"equal","CASE":"b","Target":"v1 ` +
		`Pod","Differences":[{"class":"path"}]}],"summary":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := reports.Read(strings.NewReader("\ufeff" + string(run)))
	if err != nil || len(got.Results) != 1 || got.Results[0].Case.ID != "a" || len(got.Results[0].Pairs) != 0 ||
		!got.Results[0].Version.Empty() {
		t.Errorf("read %+v (%v)", got, err)
	}
}
