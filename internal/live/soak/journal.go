package soak

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"

	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
	"github.com/diffrun/diffrun/userfile"
)

// The state may be large, so it is written only from time to time. The counts since then are in a
// journal, one line for each case. A process that is killed loses only the cases that were being
// compared.

const journalFile = "state.log"

// entry is a line of the journal: all counts after a case, and the findings of the case.
type entry struct {
	Counts
	Findings map[string]FindingSeen `json:"findings,omitempty"`
	// Digest is the digest of the entry without this key.
	Digest string `json:"digest,omitempty"`
}

// replay adds the lines of a journal to the state. It skips lines that the state already has: the
// process was killed after it wrote the state.
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
			return nil // the process was killed while it wrote this line
		}
		data = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		e, err := decodeEntry(line)
		if err == nil && e.Cases > s.Cases+1 {
			err = fmt.Errorf("it is about case %d, but the previous line is about case %d", e.Cases, s.Cases)
		}
		if err != nil {
			return userfile.Mistake{
				Position: userfile.Position{File: file, Line: number},
				Message:  "this line is not as a soak wrote it to its journal: " + err.Error() + "; " + restart,
			}
		}
		if e.Cases <= s.Cases {
			continue
		}
		s.Counts = e.Counts
		maps.Copy(s.Findings, e.Findings)
	}
}

// decodeEntry reads a line and checks its digest.
func decodeEntry(line []byte) (e entry, err error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&e); err != nil {
		return e, jsonerrors.Of(err, "the line")
	}
	switch {
	case e.Verdicts == nil || e.Effects == nil:
		return e, errors.New("verdicts or effects are missing")
	case e.wrong() != "":
		return e, errors.New(e.wrong())
	case e.Digest == "":
		return e, nil // of an earlier version
	}
	if written, err := e.encode(); err != nil || !bytes.Equal(bytes.TrimSuffix(written, []byte("\n")), line) {
		return e, errors.Join(err, errors.New("it does not match its digest"))
	}
	return e, nil
}

// encode returns the entry as its line, with a digest.
func (e entry) encode() ([]byte, error) {
	var err error
	e.Digest = ""
	if e.Digest, err = digestOf(e); err != nil {
		return nil, err
	}
	line, err := json.Marshal(e)
	return append(line, '\n'), err
}

// log adds a case to the journal.
func (f *Folder) log() error {
	if f.journal == nil {
		return nil
	}
	line, err := entry{Counts: f.state.Counts, Findings: f.changed}.encode()
	if err != nil {
		return err
	}
	return f.journal.Add(line)
}
