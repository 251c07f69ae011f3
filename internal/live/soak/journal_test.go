package soak_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/diffrun/diffrun/internal/live/counters"
	"github.com/diffrun/diffrun/internal/live/soak"
)

// at is the folder of a soak whose clock does not move, so that the state is written with the first case
// only.
func at(t *testing.T, dir string) *soak.Folder {
	t.Helper()
	folder, err := soak.Open(t.Context(), dir, soak.Options{
		Suites: []string{"widgets"}, Source: "stdin", Now: func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) },
		OnFinding: func(soak.Found, counters.Fate, error) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// killed returns a copy of what a killed process left: the process no longer locks its folder.
func killed(t *testing.T, dir string) string {
	t.Helper()
	left := filepath.Join(t.TempDir(), "left")
	if err := os.CopyFS(left, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return left
}

// compareAll compares cases with one of two findings, alternating.
func compareAll(t *testing.T, folder *soak.Folder, cases int) {
	t.Helper()
	for i := range cases {
		if err := folder.Take(different(fmt.Sprint("field", string(rune('a'+i%2))))); err != nil {
			t.Fatal(err)
		}
	}
}

// counted checks the counts of a folder: each case has one input and one finding.
func counted(t *testing.T, folder *soak.Folder, want int) {
	t.Helper()
	state, found := folder.State(), 0
	for _, finding := range state.Findings {
		found += finding.Count
	}
	if state.Cases != want || state.Position != want || state.Inputs != want || state.Verdicts["different"] != want || found != want {
		t.Errorf("%d cases, position %d, %d inputs, %d different, %d findings; want %d of each", state.Cases, state.Position,
			state.Inputs, state.Verdicts["different"], found, want)
	}
}

// TestKilledSoak: killing the process loses the case that was being compared, and no other.
func TestKilledSoak(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "found")
	compareAll(t, at(t, dir), 10) // maybe not all results of the tenth
	dir = killed(t, dir)
	second := at(t, dir)
	counted(t, second, 9)
	compareAll(t, second, 5)
	dir = killed(t, dir)
	third := at(t, dir)
	counted(t, third, 13)
	if err := third.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	counted(t, at(t, dir), 13)
}

// TestFindingThatIsNotWritten: if a soak ends because a finding cannot be written, the case does not count as
// compared. The next soak compares it again, and finds the same.
func TestFindingThatIsNotWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "found")
	full := at(t, dir)
	compareAll(t, full, 4)
	differences, aside := filepath.Join(dir, "differences"), filepath.Join(dir, "aside")
	if err := errors.Join(os.Rename(differences, aside), os.WriteFile(differences, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := full.Take(different("another")); err == nil {
		t.Error("the finding cannot be written, and nothing says so")
	}
	if err := full.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if err := errors.Join(os.Remove(differences), os.Rename(aside, differences)); err != nil {
		t.Fatal(err)
	}
	counted(t, at(t, dir), 4)
}

// TestFolderWithBrackets: the name of a folder is not a pattern.
func TestFolderWithBrackets(t *testing.T) {
	for _, name := range []string{"found[1]", "found["} {
		dir := filepath.Join(t.TempDir(), name)
		compareAll(t, at(t, dir), 2) // killed with the second case: its finding is written, but not counted
		if found := len(at(t, killed(t, dir)).State().Findings); found != 2 {
			t.Errorf("%s: %d findings are known, want 2", name, found)
		}
	}
}

// TestJournalOfAKilledSoak: what a kill leaves in the journal.
func TestJournalOfAKilledSoak(t *testing.T) {
	for _, tt := range []struct {
		why    string
		change func(journal string) string
		want   int    // cases
		wrong  string // or a mistake
	}{
		{why: "the last line was being written", change: func(journal string) string { return journal[:len(journal)-20] }, want: 8},
		{why: "the state was written, and the journal not emptied", change: func(journal string) string { return journal + journal },
			want: 9},
		{why: "somebody wrote into the journal", change: func(journal string) string { return "{}\n" + journal },
			wrong: "state.log:1: this line is not as a soak wrote it to its journal: verdicts or effects are missing"},
		{why: "a line is gone", change: func(journal string) string { return strings.SplitAfterN(journal, "\n", 2)[1] },
			wrong: "state.log:1: this line is not as a soak wrote it to its journal: it is about case 3, but the previous " +
				"line is about case 1"},
		{why: "a count was changed", change: func(journal string) string {
			return strings.Replace(journal, `"count":2`, `"count":3`, 1)
		}, wrong: "it does not match its digest"},
		{why: "two lines became one", change: func(journal string) string { return strings.Replace(journal, "}\n{", "}{", 1) },
			wrong: "state.log:1: "},
	} {
		dir := filepath.Join(t.TempDir(), "found")
		compareAll(t, at(t, dir), 10)
		dir = killed(t, dir)
		file := filepath.Join(dir, "state.log")
		journal, err := os.ReadFile(file)
		if err != nil || len(journal) == 0 {
			t.Fatalf("no journal: %v", err)
		}
		if err := os.WriteFile(file, []byte(tt.change(string(journal))), 0o600); err != nil {
			t.Fatal(err)
		}
		if tt.wrong == "" {
			counted(t, at(t, dir), tt.want)
			continue
		}
		if _, err := soak.Open(t.Context(), dir, soak.Options{Suites: []string{"widgets"}, Source: "stdin", Now: time.Now}); err == nil ||
			!strings.Contains(err.Error(), tt.wrong) {
			t.Errorf("%s: %v, want %q", tt.why, err, tt.wrong)
		}
	}
}
