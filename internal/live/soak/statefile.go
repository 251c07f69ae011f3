package soak

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/userfile"
)

// restart is the advice for a damaged state.
const restart = "the counts of this folder cannot be trusted; restore the file from a copy, or name another folder"

// digestOf returns a short digest of a value, whose own digest must be empty.
func digestOf(value any) (string, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8]), nil
}

// encode returns the content of the state file, with a digest.
func (s State) encode() ([]byte, error) {
	var err error
	s.Digest = ""
	if s.Digest, err = digestOf(s); err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(s, "", "  ")
	return append(data, '\n'), err
}

// read reads the state of earlier soaks and compares its suites and source with this one.
func (f *Folder) read() error {
	file := filepath.Join(f.dir, stateFile)
	data, err := infile.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return f.isNew(file)
	}
	if err != nil {
		return err
	}
	var state State
	if err := decodeWhole(file, data, &state); err != nil {
		return err
	}
	if err := state.intact(file, data); err != nil {
		return err
	}
	if err := state.check(file, data); err != nil {
		return err
	}
	if !slices.Equal(state.Suites, f.state.Suites) || state.Source != f.state.Source {
		return fmt.Errorf("%s is of a soak of %s with %s; this one is of %s with %s: name another folder", file,
			strings.Join(state.Suites, ", "), state.Source, strings.Join(f.state.Suites, ", "), f.state.Source)
	}
	if state.Redacted != f.state.Redacted {
		kind := map[bool]string{true: "with --redact", false: "without --redact, or by an earlier version"}
		return fmt.Errorf("%s was written %s: name another folder, so that only one of them has texts of objects", file,
			kind[state.Redacted])
	}
	f.state = state
	return f.state.replay(filepath.Join(f.dir, journalFile))
}

// isNew returns an error if a folder without a state was used by a soak, which writes its state first.
func (f *Folder) isNew(file string) error {
	journal, err := infile.ReadFile(filepath.Join(f.dir, journalFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	names, err := f.to.names()
	if err != nil {
		return err
	}
	if len(names) > 0 || len(journal) > 0 {
		return userfile.Mistake{
			Position: userfile.Position{File: file},
			Message: fmt.Sprintf("the state of the soak is gone, and the folder has %s of it; restore the file from a copy, "+
				"or name another folder", plaintext.Count(len(names), "finding")),
		}
	}
	return nil
}

// decodeWhole reads a JSON document. It rejects unknown keys.
func decodeWhole(file string, data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	at := decoder.InputOffset()
	if err == nil {
		if rest := bytes.TrimSpace(data[at:]); len(rest) > 0 {
			at, err = int64(len(data)-len(bytes.TrimLeft(data[at:], " \t\r\n"))), errors.New("the file continues after the state")
		}
	}
	if err == nil {
		return nil
	}
	return damagedAt(file, cmp.Or(jsonerrors.Line(data, err), lineAt(data, int(at))), jsonerrors.Of(err, "the state").Error())
}

// damaged is a mistake at an offset of a file.
func damaged(file string, data []byte, at int, what string) error {
	return damagedAt(file, lineAt(data, at), what)
}

func lineAt(data []byte, at int) int { return 1 + bytes.Count(data[:min(at, len(data))], []byte("\n")) }

func damagedAt(file string, line int, what string) error {
	return userfile.Mistake{
		Position: userfile.Position{File: file, Line: line},
		Message:  "this is not the state as a soak wrote it: " + what + "; " + restart,
	}
}

// intact returns an error unless the file is as a soak wrote it, byte for byte.
func (s *State) intact(file string, data []byte) error {
	switch {
	case len(s.Suites) == 0:
		return damaged(file, data, keyAt(data, "suites"), "suites is missing or empty")
	case s.Digest == "":
		return nil // of an earlier version
	}
	written, err := s.encode()
	if err != nil || bytes.Equal(written, data) {
		return err
	}
	same := 0
	for same < min(len(written), len(data)) && written[same] == data[same] {
		same++
	}
	return damaged(file, data, same, "it does not match its digest")
}

// check returns an error if the values of the state contradict each other.
func (s *State) check(file string, data []byte) error {
	for _, key := range []struct {
		name  string
		wrong bool
	}{
		{"source", s.Source == ""}, {"verdicts", s.Verdicts == nil}, {"effects", s.Effects == nil}, {"findings", s.Findings == nil},
		{"passes", s.Passes < 0}, {"seconds", s.Elapsed < 0},
	} {
		if key.wrong {
			return damaged(file, data, keyAt(data, key.name), key.name+" is missing or below zero")
		}
	}
	if wrong := s.Counts.wrong(); wrong != "" {
		return damaged(file, data, keyAt(data, "verdicts"), wrong)
	}
	for signature, seen := range s.Findings {
		if seen.Count < 0 {
			return damaged(file, data, keyAt(data, signature), "the count of a finding is below zero")
		}
	}
	return nil
}

// wrong describes what is impossible in the counts, or returns "".
func (c *Counts) wrong() string {
	sum := 0
	for verdict, n := range c.Verdicts {
		if n < 0 {
			return "a count is below zero"
		}
		if verdict != string(words.Inexpressible) {
			sum += n
		}
	}
	switch {
	case c.Position < 0 || c.Cases < 0 || c.More < 0:
		return "a count is below zero"
	case sum != c.Inputs:
		return fmt.Sprintf("the verdicts count %d inputs, but inputs is %d", sum, c.Inputs)
	}
	return ""
}

// keyAt returns the offset of a key in a document, or zero.
func keyAt(data []byte, key string) int { return max(0, bytes.Index(data, []byte(`"`+key+`"`))) }
