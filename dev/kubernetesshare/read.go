package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// place is a line of a file of the corpus, as in "job.v1.batch.jsonl:7".
type place string

// refusal is an input that the validator of a unit test refused.
type refusal struct {
	group  string // "core" for the group of Pod
	target string // as reports name it
}

// readCorpus returns the refused inputs, by place.
func readCorpus(folder string) (map[place]refusal, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no recorded cases: run make capture-kubernetes CORPUS=%s", folder, folder)
	}
	refused := map[place]refusal{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
			var recorded struct {
				Object   struct{ APIVersion, Kind string }
				Recorded struct{ Errors []json.RawMessage }
			}
			if err := json.Unmarshal(line, &recorded); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
			}
			if len(recorded.Recorded.Errors) == 0 {
				continue
			}
			group, _, named := strings.Cut(recorded.Object.APIVersion, "/")
			if !named {
				group = "core"
			}
			at := place(filepath.Base(file) + ":" + strconv.Itoa(i+1))
			refused[at] = refusal{group, recorded.Object.APIVersion + " " + recorded.Object.Kind}
		}
	}
	return refused, nil
}

// compared is an input in one version.
type compared struct {
	at     place
	target string
}

// result is the result of a report for an input in one version.
type result struct {
	verdict string // "" if nothing compared it
	causes  []string
}

func (r result) explained() bool {
	return slices.Contains([]string{"equal", "equivalent", "ratcheting"}, r.verdict)
}

// readReport returns the results of a JSON report. A cause is the reason why an input is not
// explained: the exception that accepts a difference, or the class and field of the difference.
func readReport(file string) (map[compared]result, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var report struct {
		Results []struct {
			Source, Target, Verdict string
			Differences             []struct{ Class, Field, Rule, Exception string }
		}
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	results := map[compared]result{}
	for _, each := range report.Results {
		of := result{verdict: each.Verdict}
		for _, difference := range each.Differences {
			switch {
			case difference.Class == "default": // not part of the verdict
			case difference.Exception != "":
				of.causes = append(of.causes, difference.Exception)
			case difference.Rule == "":
				of.causes = append(of.causes, difference.Class+" at "+difference.Field)
			}
		}
		slices.Sort(of.causes)
		of.causes = slices.Compact(of.causes)
		results[compared{place(filepath.Base(each.Source)), each.Target}] = of
	}
	return results, nil
}
