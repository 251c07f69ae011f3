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
{"object":{"apiVersion":"v1","kind":"Node"},"recorded":{"errors":[{"type":"FieldValueInvalid"}]}}
`

// Accepted differences do not count, nor does a version other than the recorded one, and a run that compared
// nothing is a failure.
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
	results, err := readReport(write("report.json", `{"results":[
		{"source":"/x/mixed.jsonl:1","target":"v1 Pod","verdict":"equivalent","differences":[{"class":"detail","rule":"minimum"}]},
		{"source":"/x/mixed.jsonl:2","target":"v1 Pod","verdict":"equal"},
		{"source":"/x/mixed.jsonl:3","target":"v1 Pod","verdict":"excepted","differences":[
			{"class":"path","rule":"minimum"},{"class":"path","exception":"pod-path"},{"class":"count","exception":"pod-count"}`+
		`,{"class":"default","exception":"default-pod"},{"class":"path","exception":"pod-path"}]},
		{"source":"/x/mixed.jsonl:4","target":"batch/v1beta1 Job","verdict":"equal"},
		{"source":"/x/mixed.jsonl:5","target":"v1 Node","verdict":"different","differences":[{"class":"too-loose",`+
		`"field":"spec.podCIDR"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	shares := count(refused, results)
	printed := render(shares)
	var lines []string
	for line := range strings.Lines(printed) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		"group invalid explained share excepted different not-compared",
		"batch 1 0 0.0% 0 0 1",
		"core 3 1 33.3% 1 1 0",
		"first-kinds 3 1 33.3% 1 0 1",
		"all 4 1 25.0% 1 1 1",
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if err := fallen(printed, shares); err != nil {
		t.Errorf("the shares fell below themselves: %v", err)
	}
	if err := fallen("group\ncore 2 2\n", shares); err == nil ||
		!strings.Contains(err.Error(), "core: 1 inputs are explained, and 2 were") {
		t.Errorf("a share that fell gives %v", err)
	}
	wantCauses := "   1  nothing compares a batch/v1 Job, first in mixed.jsonl:4\n   1  pod-count, pod-path, " +
		"first in mixed.jsonl:3\n   1  too-loose at spec.podCIDR, first in mixed.jsonl:5\n"
	if got := causes(refused, results); got != wantCauses {
		t.Errorf("causes are\n%s\nwant\n%s", got, wantCauses)
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
