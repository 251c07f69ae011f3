package main

import (
	"strings"
	"testing"

	"github.com/diffrun/diffrun/dev/upstream/agreement"
	"github.com/diffrun/diffrun/dev/upstream/capture"
)

// TestFloors: any decrease fails the run, and the message says what to do.
func TestFloors(t *testing.T) {
	for _, tt := range []struct {
		why    string
		change func(r *row)
		want   string
	}{
		{"as it is", func(*row) {}, ""},
		{"one call is different", func(r *row) { r.equal--; r.different++ }, "1 differences: fix them"},
		{"fewer calls are captured", func(r *row) { r.calls-- }, "of at least"},
		{"no calls are comparable any more", func(r *row) { r.speaking = 0 }, "the others can agree on nothing"},
		{"more is explained away", func(r *row) { r.equal--; r.explained++ }, "a reason must not take in more"},
		{"a function without a floor", func(r *row) { r.function += "New" }, "no floor"},
	} {
		rows := asFloors()
		tt.change(&rows[0])
		var text []string
		for _, err := range belowFloors(rows) {
			text = append(text, err.Error())
		}
		got := strings.Join(text, "\n")
		if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: wanted %q, got %q", tt.why, tt.want, got)
		}
	}
}

// asFloors returns rows that reach their floors exactly.
func asFloors() []row {
	var rows []row
	for _, f := range floors() {
		rows = append(rows, row{
			function: f.function, way: f.way, calls: f.calls, speaking: f.speaking,
			explained: f.explained, equal: f.calls - f.explained,
		})
	}
	return rows
}

// TestTable: each verdict is counted in its own column, and the totals of different ways of comparing are
// separate.
func TestTable(t *testing.T) {
	call := &capture.Call{Function: "F"}
	finding := func(way agreement.Way, v agreement.Verdict, speaks, exact bool) agreement.Finding {
		return agreement.Finding{Call: call, Way: way, Verdict: v, Speaks: speaks, Exact: exact}
	}
	var out strings.Builder
	writeTable(&out, summarize([]agreement.Finding{
		finding(agreement.Stage, agreement.Equal, true, true),
		finding(agreement.Stage, agreement.Equal, false, false),
		finding(agreement.Stage, agreement.Refused, true, false),
		finding(agreement.Stage, agreement.Different, true, false),
		finding(agreement.Lines, agreement.Explained, true, false),
	}))
	var rows []string
	for line := range strings.Lines(out.String()) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	want := []string{"F stage 4 3 2 1 1 0 1 75.0", "F lines 1 1 0 0 0 1 0 0.0", "all lines 1 1 0 0 0 1 0 0.0",
		"all stage 4 3 2 1 1 0 1 75.0"}
	if got := strings.Join(rows[1:], "\n"); got != strings.Join(want, "\n") {
		t.Errorf("wanted\n%s\ngot\n%s", strings.Join(want, "\n"), got)
	}
}
