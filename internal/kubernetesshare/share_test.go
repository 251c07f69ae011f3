package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const corpus = `{"object":{"apiVersion":"v1","kind":"Pod"},"recorded":{"errors":[{"type":"FieldValueInvalid"}]}}
{"object":{"apiVersion":"v1","kind":"Pod"},"recorded":{"errors":[]}}
{"object":{"apiVersion":"v1","kind":"Pod"},"recorded":{"errors":[{"type":"FieldValueInvalid"}]}}
{"object":{"apiVersion":"batch/v1","kind":"Job"},"recorded":{"errors":[{"type":"FieldValueInvalid"}]}}
`

// What was accepted does not count, another version than the recorded one does not either, and what
// nothing compared is no success.
func TestShares(t *testing.T) {
	folder := t.TempDir()
	write := func(name, content string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write("mixed.jsonl", corpus)
	refused, err := readCorpus(folder)
	if err != nil {
		t.Fatal(err)
	}
	verdicts, err := readReport(write("report.json", `{"results":[
		{"source":"/x/mixed.jsonl:1","target":"v1 Pod","verdict":"equivalent"},
		{"source":"/x/mixed.jsonl:2","target":"v1 Pod","verdict":"equal"},
		{"source":"/x/mixed.jsonl:3","target":"v1 Pod","verdict":"excepted"},
		{"source":"/x/mixed.jsonl:4","target":"batch/v1beta1 Job","verdict":"equal"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	shares := count(refused, verdicts)
	printed := render(shares)
	var lines []string
	for line := range strings.Lines(printed) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	want := []string{"group invalid explained share excepted different not-compared", "batch 1 0 0.0% 0 0 1", "core 2 1 50.0% 1 0 0", "all 3 1 33.3% 1 0 1"}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if err := fallen(printed, shares); err != nil {
		t.Errorf("the shares fell below themselves: %v", err)
	}
	if err := fallen("group\ncore 2 2\n", shares); err == nil || !strings.Contains(err.Error(), "core: 1 inputs are explained, and 2 were") {
		t.Errorf("a share that fell gives %v", err)
	}
	if err := fallen("group\nnonsense\n", shares); err == nil {
		t.Error("a file that is none is accepted")
	}
}

func TestEmptyCorpus(t *testing.T) {
	if _, err := readCorpus(t.TempDir()); err == nil || !strings.Contains(err.Error(), "make capture-kubernetes") {
		t.Errorf("a folder without cases gives %v", err)
	}
}
