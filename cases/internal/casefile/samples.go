package casefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// samples is a file that tests policies in the format of another tool. It names files of objects, and says
// what the policies decide about each.
type samples struct {
	fsys fs.FS
	name string
	id   string
	list []sample
}

// sample is the objects of a file, or an object that the test itself contains.
type sample struct {
	at   strictyaml.Position // in the test
	file string              // relative to the test; empty: inline
	// inline is the object, if there is no file.
	inline map[string]any
	// complete sets the expectations of the test for the object of a case, which has the name, and returns
	// the id of the case in the file.
	complete func(c *harness.Case, name string, so *reading) (id string)
	// problems is set instead of a file, an object and complete. It returns what the test expects and the cases
	// before it did not show.
	problems func(so *reading) []problem
}

// reading is what is known of the cases of a file that were read so far.
type reading struct {
	// stored are the objects that the samples stored, by their names.
	stored map[string]map[string]any
	// seen are the objects.
	seen []map[string]any
}

// problem is an expectation of a test that nothing is compared with.
type problem struct {
	at   strictyaml.Position
	text string
}

// UnlookedError is the fault of a case that stands for an expectation of a test that nothing is compared with.
type UnlookedError struct{ Problem string }

func (e *UnlookedError) Error() string { return e.Problem }

// sampleFormat is the format of a tool.
type sampleFormat struct {
	group, kind string
	// selects is the text after "#" in the path of the file; empty: all.
	selects string
	// read returns the samples of a document, and the names that can be selected. only is the selected name.
	read func(test part, only string) (list []sample, names []string)
}

// sampleFormats lists all formats.
func sampleFormats() []sampleFormat {
	return []sampleFormat{
		{"test.gatekeeper.sh", "Suite", "a test", readGator},
		{"cli.kyverno.io", "Test", "a policy", readKyvernoTest},
		{"chainsaw.kyverno.io", "Test", "", readChainsaw},
	}
}

// sampleFormatOf returns the format of a file, by the apiVersion and kind of its first document.
func sampleFormatOf(name string, data []byte) (format sampleFormat, found bool) {
	if !bytes.Contains(data, []byte("test.gatekeeper.sh/")) && !bytes.Contains(data, []byte(".kyverno.io/")) {
		return format, false
	}
	for document := range documents.Manifest(name, data) {
		apiVersion, _ := document.Object["apiVersion"].(string)
		kind, _ := document.Object["kind"].(string)
		group, _, _ := strings.Cut(apiVersion, "/")
		at := slices.IndexFunc(sampleFormats(), func(f sampleFormat) bool { return f.group == group && f.kind == kind })
		if at < 0 {
			break
		}
		return sampleFormats()[at], true
	}
	return format, false
}

// IsSamples reports whether a file can be read and tests policies in the format of another tool.
func IsSamples(fsys fs.FS, name string) bool {
	data, err := infile.Read(fsys, name)
	if err != nil {
		return false
	}
	_, found := sampleFormatOf(name, data)
	return found
}

// open reads a test. The error is a strictyaml.Mistakes.
func (f sampleFormat) open(fsys fs.FS, name, id, only string, data []byte) (*samples, error) {
	opened := &samples{fsys: fsys, name: name, id: id}
	var mistakes strictyaml.Mistakes
	var names []string
	for document := range documents.Manifest(name, data) {
		if document.Err != nil {
			var own strictyaml.Mistakes
			if !errors.As(document.Err, &own) {
				own.Addf(document.At(name, ""), "%v", document.Err)
			}
			mistakes = append(mistakes, own...)
			continue
		}
		test := &outline{file: name, document: document}
		list, found := f.read(test.root(), only)
		opened.list, names = append(opened.list, list...), append(names, found...)
		mistakes = append(mistakes, test.mistakes...)
	}
	whole := strictyaml.Position{File: name}
	switch {
	case len(mistakes) > 0:
	case only != "" && f.selects == "":
		mistakes.Addf(whole, "#%s selects nothing in a %s of %s; name the file without it", only, f.kind, f.group)
	case only != "" && !slices.Contains(names, only):
		mistakes.Addf(whole, "#%s does not select %s of this file; accepted: %s", only, f.selects, oneof.OrNone(names))
	case len(opened.list) == 0:
		mistakes.Addf(whole, "the %s of %s has no samples", f.kind, f.group)
	}
	return opened, mistakes.Err()
}

func (s *samples) path() string { return s.name }

func (*samples) count() (int, bool) { return 0, false }

func (s *samples) cases() iter.Seq2[harness.Case, error] {
	return func(yield func(harness.Case, error) bool) {
		taken, so := map[string]int{}, &reading{stored: map[string]map[string]any{}}
		for _, of := range s.list {
			for c := range s.of(of, so) {
				if taken[c.ID]++; taken[c.ID] > 1 {
					c.ID = fmt.Sprintf("%s (%d)", c.ID, taken[c.ID])
				}
				if !yield(c, nil) {
					return
				}
			}
		}
	}
}

// of returns the cases of a sample.
func (s *samples) of(of sample, so *reading) iter.Seq[harness.Case] {
	return func(yield func(harness.Case) bool) {
		if of.problems != nil {
			for _, found := range of.problems(so) {
				if !yield(harness.Case{
					ID:     s.id + "#" + found.at.String(),
					Source: found.at.String(),
					Fault:  Faultf("%w", &UnlookedError{found.text}),
				}) {
					return
				}
			}
			return
		}
		if of.file == "" {
			c := manifest{name: s.name}.build(documents.Document{Line: of.at.Line, Object: of.inline})
			yield(s.complete(of, so, c))
			return
		}
		name := path.Join(path.Dir(s.name), of.file)
		data, err := infile.Read(s.fsys, name)
		if err != nil {
			yield(s.complete(of, so,
				harness.Case{Source: of.at.String(), Fault: Faultf("%s cannot be read: %w", of.file, infile.Cause(err))}))
			return
		}
		none := true
		for document := range documents.Manifest(name, data) {
			none = false
			if !yield(s.complete(of, so, manifest{name: name}.build(document))) {
				return
			}
		}
		if none {
			yield(s.complete(of, so, harness.Case{Source: of.at.String(), Fault: Faultf("%s has no object", of.file)}))
		}
	}
}

// complete completes a case whose object was read.
func (s *samples) complete(of sample, so *reading, c harness.Case) harness.Case {
	object, _ := c.Object.(map[string]any)
	so.seen = append(so.seen, object)
	name := nameOf(object)
	c.ID = s.id + "#" + of.complete(&c, name, so)
	return c
}

// decided sets the wanted decision of a case that can be read.
func decided(c *harness.Case, decision words.Decision) {
	if c.Fault == nil && decision != "" {
		c.WantDecision, c.WantOfGuards = decision, true
	}
}

// leaveOut makes a case one that is not compared, and says why.
func leaveOut(c *harness.Case, reason string) { c.Fault = Faultf("%w", &NotACaseError{Reason: reason}) }
