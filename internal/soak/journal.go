package soak

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"

	"github.com/diffrun/diffrun/internal/infile"
)

// The state may be large, so that it is written now and then. What was counted since is in a
// journal, a line for each case, so that a process that is killed loses nothing but the cases that
// were being compared.

const journalFile = "state.log"

// entry is a line of the journal: all counts after a case, and the findings that the case has.
type entry struct {
	Counts
	Findings map[string]FindingSeen `json:"findings,omitempty"`
}

// replay adds the lines of a journal to the state. Lines that the state has already are those of a
// process that was killed after it wrote the state.
func (s *State) replay(file string) error {
	data, err := infile.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for number := 1; ; number++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			return nil // a part of a line was being written
		}
		data = rest
		var e entry
		if err := json.Unmarshal(line, &e); err != nil || e.Verdicts == nil || e.Effects == nil {
			return fmt.Errorf("%s:%d: this is no line of the journal of a soak; name another folder, or remove this one", file, number)
		}
		if e.Cases <= s.Cases {
			continue
		}
		s.Counts = e.Counts
		maps.Copy(s.Findings, e.Findings)
	}
}

// log adds a case to the journal.
func (f *Folder) log() error {
	if f.journal == nil {
		return nil
	}
	line, err := json.Marshal(entry{f.state.Counts, f.changed})
	if err != nil {
		return err
	}
	return f.journal.Add(append(line, '\n'))
}
