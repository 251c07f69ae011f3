package soak

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/causes"
	"github.com/diffrun/diffrun/internal/infile"
	"github.com/diffrun/diffrun/internal/outfile"
)

// MaxFindings is how many signatures are kept; further ones are counted together.
const MaxFindings = 10_000

// interval is how often the state is written.
const interval = time.Second

// Names in a folder.
const (
	stateFile   = "state.json"
	differences = "differences"
	caseFile    = ".jsonl"
	textFile    = ".txt"
)

// Folder keeps what soaks find. A folder belongs to one soak at a time.
type Folder struct {
	// Replay compares a written case again, in the suite of a result. Redacted cases are replayed,
	// to see whether they still show what was found; nil: it is not known.
	Replay func(suite string, line []byte) []harness.Result

	dir    string
	redact bool
	now    func() time.Time

	state   State
	last    *harness.Case // whose results are coming in
	written time.Time     // when the state was
	began   time.Time
	before  float64 // seconds of earlier soaks
}

// Open opens a folder, and makes it where there is none. Suites and source name what will be
// run. The error says why the folder cannot be used, for instance because other suites were
// run in it. With redact, cases are written without the values of their objects.
func Open(dir string, suites []string, source string, redact bool, now func() time.Time) (*Folder, error) {
	if err := os.MkdirAll(filepath.Join(dir, differences), 0o755); err != nil {
		return nil, fmt.Errorf("the folder of the soak: %w", err)
	}
	f := &Folder{dir: dir, redact: redact, now: now, began: now()}
	f.state = State{Suites: suites, Source: source, Verdicts: map[string]int{}, Effects: map[string]int{}, Findings: map[string]FindingSeen{}}
	if err := f.read(suites, source); err != nil {
		return nil, err
	}
	f.before = f.state.Elapsed
	return f, f.adopt()
}

// read reads the state of earlier soaks.
func (f *Folder) read(suites []string, source string) error {
	file := filepath.Join(f.dir, stateFile)
	data, err := infile.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var state State
	if err := json.Unmarshal(data, &state); err != nil || state.Verdicts == nil || state.Effects == nil || state.Findings == nil || state.Position < 0 {
		return fmt.Errorf("%s is not the state of a soak; name another folder, or remove this one", file)
	}
	if !slices.Equal(state.Suites, suites) || state.Source != source {
		return fmt.Errorf("%s is of a soak of %s with %s; this one is of %s with %s: name another folder", file, strings.Join(state.Suites, ", "), state.Source, strings.Join(suites, ", "), source)
	}
	f.state = state
	return nil
}

// adopt takes in the findings that were written after the state was, before a kill.
func (f *Folder) adopt() error {
	names, err := filepath.Glob(filepath.Join(f.dir, differences, "*"+textFile))
	if err != nil {
		return err
	}
	for _, name := range names {
		class, signature := cut(strings.TrimSuffix(filepath.Base(name), textFile))
		if _, known := f.state.Findings[signature]; class != "" && !known {
			f.state.Findings[signature] = FindingSeen{Text: class, First: f.now().UTC()}
		}
	}
	return nil
}

// cut takes the name of a finding apart. A class such as too-loose has a hyphen, too.
func cut(name string) (class, signature string) {
	i := strings.LastIndex(name, "-")
	if i < 0 {
		return "", name
	}
	return name[:i], name[i+1:]
}

// State is how far the soaks in the folder came.
func (f *Folder) State() State {
	state := f.state
	state.Elapsed = f.before + f.now().Sub(f.began).Seconds()
	return state
}

// Take counts a result and writes its new findings, which it returns. Results of one case
// come one after the other.
func (f *Folder) Take(r harness.Result) ([]Found, error) {
	if r.Case != f.last {
		if err := f.finish(); err != nil {
			return nil, err
		}
		f.last = r.Case
	}
	f.state.count(&r)
	var added []Found
	for _, finding := range causes.Findings(&r) {
		seen, known := f.state.Findings[finding.Signature]
		switch {
		case known:
			seen.Count++
			f.state.Findings[finding.Signature] = seen
			continue
		case len(f.state.Findings) >= MaxFindings:
			f.state.More++
			continue
		}
		found, err := f.write(finding, &r)
		if err != nil {
			return added, err
		}
		f.state.Findings[finding.Signature] = FindingSeen{Text: finding.Text, First: f.now().UTC(), Count: 1}
		added = append(added, found)
	}
	return added, nil
}

// finish counts the case whose results are all in, and now and then writes the state.
func (f *Folder) finish() error {
	if f.last == nil {
		return nil
	}
	f.last = nil
	f.state.Cases++
	f.state.Position++
	if f.now().Sub(f.written) < interval {
		return nil
	}
	return f.Save()
}

// Pass says that all cases were run.
func (f *Folder) Pass() error {
	if err := f.finish(); err != nil {
		return err
	}
	f.state.Passes++
	f.state.Position = 0
	return f.Save()
}

// Close writes the state at the end: all results of the last case are in.
func (f *Folder) Close() error {
	if err := f.finish(); err != nil {
		return err
	}
	return f.Save()
}

// Save writes the state.
func (f *Folder) Save() error {
	data, err := json.MarshalIndent(f.State(), "", "  ")
	if err != nil {
		return err
	}
	f.written = f.now()
	return outfile.Write(filepath.Join(f.dir, stateFile), append(data, '\n'))
}

// Found is a new finding.
type Found struct {
	causes.Finding
	// Path is where the text about it is. Its case is beside it.
	Path string
	// Line is its case; nil: it has none, because it could not be read.
	Line []byte
	// Weaker: without its values, the case does not show the finding.
	Weaker bool
}

// write writes the case of a finding and its text. The text comes last: a finding that has
// one is known after a restart. What could not be read has no case.
func (f *Folder) write(finding causes.Finding, r *harness.Result) (Found, error) {
	base := filepath.Join(f.dir, differences, finding.Name())
	found := Found{Finding: finding, Path: base + textFile}
	if r.Case.Object != nil {
		line, err := f.line(finding, r.Case)
		if err != nil {
			return found, err
		}
		found.Line, found.Weaker = line, f.redact && f.Replay != nil && !shows(f.Replay(r.Suite, line), finding.Signature)
		if err := outfile.Write(base+caseFile, line); err != nil {
			return found, err
		}
	}
	return found, outfile.Write(found.Path, []byte(f.text(&found, r)))
}

// shows says whether results have a finding.
func shows(results []harness.Result, signature string) bool {
	return slices.ContainsFunc(results, func(r harness.Result) bool {
		return slices.ContainsFunc(causes.Findings(&r), func(again causes.Finding) bool { return again.Signature == signature })
	})
}
