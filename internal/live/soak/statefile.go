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

	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/userfile"
)

// restart is what to do about a state that is damaged.
const restart = "the counts of this folder cannot be trusted; restore the file from a copy, or name another folder"

// digestOf returns a short digest of a value, which must not have one.
func digestOf(value any) (string, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8]), nil
}

// encode returns the state as its file has it, with a digest.
func (s State) encode() ([]byte, error) {
	var err error
	s.Digest = ""
	if s.Digest, err = digestOf(s); err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(s, "", "  ")
	return append(data, '\n'), err
}

// read reads the state of earlier soaks, and holds it against that of this one.
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
		return fmt.Errorf("%s is of a soak of %s with %s; this one is of %s with %s: name another folder", file, strings.Join(state.Suites, ", "), state.Source, strings.Join(f.state.Suites, ", "), f.state.Source)
	}
	if state.Redacted != f.state.Redacted {
		kind := map[bool]string{true: "with --redact", false: "without --redact, or by an earlier version"}
		return fmt.Errorf("%s was written %s: name another folder, so that one has texts of objects and the other one has none", file, kind[state.Redacted])
	}
	f.state = state
	return f.state.replay(filepath.Join(f.dir, journalFile))
}

// isNew says whether a folder without a state may be one that no soak has used. Each soak writes the
// state before anything else.
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
		return userfile.Mistake{Position: userfile.Position{File: file}, Message: fmt.Sprintf("the state of the soak is gone, and the folder has %s of it; restore the file from a copy, or name another folder", plaintext.Count(len(names), "finding"))}
	}
	return nil
}

// decodeWhole reads a JSON document that has no other keys than a value.
func decodeWhole(file string, data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	at := decoder.InputOffset()
	if err == nil {
		if rest := bytes.TrimSpace(data[at:]); len(rest) > 0 {
			at, err = int64(len(data)-len(bytes.TrimLeft(data[at:], " \t\r\n"))), errors.New("there is more behind the state")
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
	return userfile.Mistake{Position: userfile.Position{File: file, Line: line}, Message: "this is not the state of a soak as one was written: " + what + "; " + restart}
}

// intact says whether a file is as a soak wrote it, byte for byte.
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
	return damaged(file, data, same, "a line was changed, or its digest is that of another text")
}

// check holds a state against itself.
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

// wrong says what cannot be of counts.
func (c *Counts) wrong() string {
	sum := 0
	for verdict, n := range c.Verdicts {
		if n < 0 {
			return "a count is below zero"
		}
		if verdict != string(inexpressible) {
			sum += n
		}
	}
	switch {
	case c.Position < 0 || c.Cases < 0 || c.More < 0:
		return "a count is below zero"
	case sum != c.Inputs:
		return fmt.Sprintf("the verdicts are of %d inputs, and inputs is %d", sum, c.Inputs)
	}
	return ""
}

// keyAt finds a key of a document; zero: it does not have it.
func keyAt(data []byte, key string) int { return max(0, bytes.Index(data, []byte(`"`+key+`"`))) }
