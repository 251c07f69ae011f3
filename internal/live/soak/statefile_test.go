package soak_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/diffrun/diffrun/internal/live/soak"
)

func reopen(t *testing.T, dir string, redact bool) error {
	t.Helper()
	folder, err := soak.Open(t.Context(), dir, soak.Options{Suites: []string{"widgets"}, Source: "stdin", Redact: redact, Now: time.Now})
	if err == nil {
		err = folder.Close(context.Background())
	}
	return err
}

// ended makes the folder of a soak that ended.
func ended(t *testing.T) (dir, file string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "found")
	folder := at(t, dir)
	compareAll(t, folder, 12)
	if err := folder.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	return dir, filepath.Join(dir, "state.json")
}

// TestDamagedState: a state with a missing, duplicate or changed line is rejected with the line and what to
// do.
func TestDamagedState(t *testing.T) {
	dir, file := ended(t)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	number := regexp.MustCompile("[0-9]")
	tried := 0
	for i := range lines[:len(lines)-1] {
		for what, line := range map[string][]byte{
			"gone": nil, "twice": append(bytes.Clone(lines[i]), lines[i]...),
			"changed":     number.ReplaceAllFunc(lines[i], func(digit []byte) []byte { return []byte{'0' + (digit[0]-'0'+1)%10} }),
			"in conflict": append([]byte("<<<<<<< HEAD\n"), lines[i]...),
		} {
			if bytes.Equal(line, lines[i]) {
				continue
			}
			tried++
			damaged := append(append(bytes.Join(lines[:i], nil), line...), bytes.Join(lines[i+1:], nil)...)
			if err := os.WriteFile(file, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			want := regexp.MustCompile("^" + regexp.QuoteMeta(file) + `:[0-9]+: this is not the state as a soak wrote it: .*; ` +
				`the counts of this folder cannot be trusted; restore the file from a copy, or name another folder$`)
			if err := reopen(t, dir, false); err == nil || !want.MatchString(err.Error()) {
				t.Errorf("line %d (%s) is %s: %v", i+1, bytes.TrimSpace(lines[i]), what, err)
			}
			if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, damaged) {
				t.Errorf("line %d: the file was changed, %v", i+1, err)
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d changes", tried)
	}
	for text, wantLine := range map[string]int{
		"":                           1,
		"null":                       1,
		string(whole) + "{}":         bytes.Count(whole, []byte("\n")) + 1,
		string(whole[:len(whole)/2]): 0,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := reopen(t, dir, false); err == nil || wantLine > 0 &&
			!strings.Contains(err.Error(), fmt.Sprintf("state.json:%d: ", wantLine)) {
			t.Errorf("%.20q…: %v", text, err)
		}
	}
}

// TestStateOfAnEarlierVersion: it has no digest, and is only checked for consistency.
func TestStateOfAnEarlierVersion(t *testing.T) {
	dir, file := ended(t)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before := regexp.MustCompile(`,\s*"digest": "[0-9a-f]+"`).ReplaceAll(whole, nil)
	if err := os.WriteFile(file, before, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := reopen(t, dir, false); err != nil {
		t.Error(err)
	}
}

// TestTwoSoaks: a folder belongs to one soak at a time, whatever its name, and to the next one after that.
func TestTwoSoaks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "found")
	first := at(t, dir)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip("no links: ", err)
	}
	for _, name := range []string{dir, link} {
		want := fmt.Sprintf("%s is in use by another process (%d): a folder belongs to one soak at a time; name another folder, "+
			"or wait for its end", name, os.Getpid())
		if err := reopen(t, name, false); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	compareAll(t, first, 3)
	if err := first.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	counted(t, at(t, dir), 3)
}

// TestRedactedFolder: a folder never has both redacted and unredacted findings.
func TestRedactedFolder(t *testing.T) {
	dir, _ := ended(t)
	if err := reopen(t, dir, true); err == nil || !strings.Contains(err.Error(), "state.json was written without --redact, "+
		"or by an earlier version: name another folder") {
		t.Errorf("got %v", err)
	}
	redacted := filepath.Join(t.TempDir(), "redacted")
	if err := reopen(t, redacted, true); err != nil {
		t.Fatal(err)
	}
	if err := reopen(t, redacted, false); err == nil ||
		!strings.Contains(err.Error(), "state.json was written with --redact: name another folder") {
		t.Errorf("got %v", err)
	}
}

// TestLostState: a folder that lost its state has differences that no soak would count.
func TestLostState(t *testing.T) {
	dir, file := ended(t)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	want := file + ": the state of the soak is gone, and the folder has 2 findings of it; restore the file from a copy, or " +
		"name another folder"
	if err := reopen(t, dir, false); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	fresh := filepath.Join(t.TempDir(), "fresh")
	for range 2 { // a folder in which no case was compared may be used again
		if err := reopen(t, fresh, false); err != nil {
			t.Error(err)
		}
	}
}
