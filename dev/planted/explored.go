package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"sigs.k8s.io/yaml"
)

// result is what an exploration found of a mistake.
type result struct {
	number  int
	of      subject
	mistake mistake
	text    string // the line about the first verdict that the mistake changed; empty: none was found
	seconds float64
	fields  int // of the small case
}

// String returns the result for people.
func (r result) String() string {
	word, fields := "MISSED", "-"
	if r.text != "" {
		word, fields = "found", strconv.Itoa(max(0, r.fields-r.of.least))
	}
	text := fmt.Sprintf("%2d %-6s %5.1fs %3s more fields  %-12s  %s %s: %s\n", r.number, word, r.seconds, fields,
		r.mistake.family, r.of.name, r.mistake.place, r.mistake.what)
	if r.text != "" {
		text += fmt.Sprintf("     %s\n", short(r.text))
	}
	return text
}

// errUnstorable says that no API server would store a definition or policy with the mistake.
var errUnstorable = errors.New("the definition or policy cannot be stored")

// explored explores the suite that write writes, until the time is over or a changed verdict is about the
// field of the mistake. Changed verdicts that are found without the mistake as well do not count.
func explored(of subject, write func(folder string) error, planted mistake) (result, error) {
	folder, err := os.MkdirTemp("", "planted")
	if err != nil {
		return result{}, err
	}
	defer os.RemoveAll(folder)
	if err := write(folder); err != nil {
		return result{}, err
	}
	written := filepath.Join(folder, "found")
	command := exec.Command(*diffrun, "explore", "--duration", "10m", "--write-cases", written, filepath.Join(folder, "suite.yaml"))
	stderr, err := command.StderrPipe()
	if err != nil {
		return result{}, err
	}
	if err := command.Start(); err != nil {
		return result{}, err
	}
	said := &printed{}
	read := make(chan struct{})
	go func() {
		defer close(read)
		lines := bufio.NewScanner(stderr)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			said.add(line{lines.Text(), processorTime(command.Process.Pid)})
		}
	}()
	for waiting := true; waiting && !said.about(planted); {
		select {
		case <-read:
			waiting = false
		case <-time.After(100 * time.Millisecond):
			waiting = processorTime(command.Process.Pid) < *seconds
		}
	}
	_ = command.Process.Signal(syscall.SIGINT)
	<-read
	_ = command.Wait() // its exit status says that differences were found
	switch all := said.all(); {
	case strings.Contains(all, "would not store"), strings.Contains(all, "planted.yaml:"):
		return result{}, errUnstorable
	case !strings.Contains(all, "exploring"):
		return result{}, fmt.Errorf("not explored:\n%s", all)
	}
	cases, err := changedBy(of, folder, written)
	if err != nil {
		return result{}, err
	}
	return said.first(cases), nil
}

// line is a line that the explorer printed, and its processor time by then.
type line struct {
	text    string
	seconds float64
}

// printed has the lines so far.
type printed struct {
	lock  sync.Mutex
	lines []line
}

func (p *printed) add(l line) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.lines = append(p.lines, l)
}

const newLine = "diffrun: new: "

// about reports whether a changed verdict is about the field of a mistake.
func (p *printed) about(planted mistake) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	field := planted.place[strings.LastIndex(planted.place, ".")+1:]
	for _, l := range p.lines {
		if text, isNew := strings.CutPrefix(l.text, newLine); isNew && strings.Contains(text, field) &&
			strings.Contains(planted.place, ".") {
			return true
		}
	}
	return false
}

func (p *printed) all() string {
	var text strings.Builder
	for _, l := range p.lines {
		text.WriteString(l.text + "\n")
	}
	return text.String()
}

// first returns the first line about one of some cases.
func (p *printed) first(cases []writtenCase) result {
	for _, l := range p.lines {
		text, isNew := strings.CutPrefix(l.text, newLine)
		for _, c := range cases {
			why, _, _ := strings.Cut(c.Why, ". An accepted object was changed")
			if isNew && strings.HasSuffix(text, why) {
				return result{text: text, seconds: l.seconds, fields: c.fields()}
			}
		}
	}
	return result{seconds: *seconds}
}

// writtenCase is a case that the explorer wrote.
type writtenCase struct {
	Name   string         `json:"name"`
	Why    string         `json:"why"`
	Object map[string]any `json:"object"`
}

func (c writtenCase) fields() int {
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		delete(c.Object, name)
	}
	return count(c.Object)
}

var casesOfSuite = regexp.MustCompile(`(?m)^cases: .*$`)

// changedBy returns the cases in a folder whose verdict changes with the mistake, and not without it.
func changedBy(of subject, folder, written string) ([]writtenCase, error) {
	files, err := filepath.Glob(filepath.Join(written, "*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, err
	}
	with, err := changed(folder)
	if err != nil {
		return nil, err
	}
	_, today, err := of.fresh()
	if err != nil {
		return nil, err
	}
	if err := today(folder); err != nil {
		return nil, err
	}
	without, err := changed(folder)
	if err != nil {
		return nil, err
	}
	var all []writtenCase
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var cases struct{ Cases []writtenCase }
		if err := yaml.Unmarshal(text, &cases); err != nil {
			return nil, err
		}
		for _, one := range cases.Cases {
			if with[one.Name] && !without[one.Name] {
				all = append(all, one)
			}
		}
	}
	return all, nil
}

// nameOfCase matches the name of a case that was found. Requests about its stored object have more words.
var nameOfCase = regexp.MustCompile(`^.* \[[0-9a-f]{8}\]`)

// changed compares the cases that were found by the suite of a folder, and returns the names of those whose
// verdict changes.
func changed(folder string) (map[string]bool, error) {
	suite, report := filepath.Join(folder, "suite.yaml"), filepath.Join(folder, "report.json")
	text, err := os.ReadFile(suite)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(suite, casesOfSuite.ReplaceAll(text, []byte("cases: [found/*.yaml]")), 0o666); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(report); err != nil { // that of another run is no answer
		return nil, err
	}
	// its exit status says that differences were found
	output, _ := exec.Command(*diffrun, "run", "-o", "json="+report, suite).CombinedOutput()
	var run struct {
		Results []struct{ Case, Effect, Verdict string }
	}
	text, err = os.ReadFile(report)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, output)
	}
	if err := json.Unmarshal(text, &run); err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, one := range run.Results {
		if one.Verdict == "different" && one.Effect != "none" && one.Effect != "" {
			_, name, _ := strings.Cut(one.Case, "#")
			all[nameOfCase.FindString(name)] = true
		}
	}
	return all, nil
}

// processorTime returns the seconds that a process has used.
func processorTime(pid int) float64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return *seconds
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 { // it ended
		return *seconds
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100
}

// count returns the number of values in a document that are neither objects nor lists, and of empty ones.
func count(value any) (n int) {
	switch value := value.(type) {
	case map[string]any:
		for _, field := range value {
			n += count(field)
		}
		return max(n, 1)
	case []any:
		for _, item := range value {
			n += count(item)
		}
		return max(n, 1)
	}
	return 1
}
