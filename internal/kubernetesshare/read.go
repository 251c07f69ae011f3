package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// place is a line of a file of the corpus, as in "job.v1.batch.jsonl:7".
type place string

// refusal is an input that the validator of a unit test refused.
type refusal struct {
	group  string // "core" for that of Pod
	target string // as reports name it
}

// readCorpus returns what was refused, by its place.
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

// readReport returns the verdicts of a JSON report.
func readReport(file string) (map[compared]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var report struct {
		Results []struct{ Source, Target, Verdict string }
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	verdicts := map[compared]string{}
	for _, result := range report.Results {
		verdicts[compared{place(filepath.Base(result.Source)), result.Target}] = result.Verdict
	}
	return verdicts, nil
}
