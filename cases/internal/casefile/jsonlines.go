package casefile

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	admissionv1 "k8s.io/api/admission/v1"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/recorded"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

// jsonLines is a file with one case on each line. It is read during the run.
type jsonLines struct {
	fsys fs.FS
	name string
	id   string
}

func (s jsonLines) path() string { return s.name }

func (jsonLines) count() (int, bool) { return 0, false }

func (s jsonLines) cases() iter.Seq2[harness.Case, error] {
	return func(yield func(harness.Case, error) bool) {
		file, err := s.fsys.Open(s.name)
		if err != nil {
			yield(harness.Case{}, err)
			return
		}
		defer file.Close()
		// The hash of the id and the number are all that is kept of a line: a file may have millions.
		seen := map[[16]byte]int32{}
		for c, err := range s.read(file) {
			if err != nil {
				yield(c, err)
				return
			}
			number := c.Number
			c.Number = 0
			id := hashOf(c.ID)
			if first, twice := seen[id]; twice {
				c.Fault = Faultf("the id %q is that of line %d, too; reports could not distinguish them", c.ID, first)
				c.ID = s.numbered(number)
				id = hashOf(c.ID)
			}
			seen[id] = int32(min(number, math.MaxInt32))
			if !yield(c, nil) {
				return
			}
		}
	}
}

// hashOf returns a hash that identifies an id within a file.
func hashOf(id string) [16]byte {
	sum := sha256.Sum256([]byte(id))
	return [16]byte(sum[:16])
}

// Lines returns the cases of lines of JSON from a stream; see cases.Lines.
func Lines(in io.Reader, name string) iter.Seq2[harness.Case, error] {
	return func(yield func(harness.Case, error) bool) {
		for c, err := range (jsonLines{name: name, id: name}).read(in) {
			if err == nil && c.Fault == nil {
				c.Fault = bounded(&c)
			}
			c.Number = 0
			if !yield(c, err) {
				return
			}
		}
	}
}

// read returns the cases of lines, with the numbers of the lines as their numbers.
func (s jsonLines) read(in io.Reader) iter.Seq2[harness.Case, error] {
	return func(yield func(harness.Case, error) bool) {
		lines, recorded := documents.NewLineReader(in), requests{}
		for {
			data, err := lines.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil && !errors.Is(err, documents.ErrLongLine) {
				yield(harness.Case{}, fmt.Errorf("%s: %w", s.name, err))
				return
			}
			if len(data) == 0 && err == nil {
				continue // an empty line is not a case
			}
			c := s.build(&recorded, lines.Number(), data, err)
			c.Number = lines.Number()
			if !yield(c, nil) {
				return
			}
		}
	}
}

// jsonLine is one line. Schema and Root exist only to reject these keys by name.
type jsonLine struct {
	ID          string `json:"id"`
	Object      any    `json:"object"`
	OldObject   any    `json:"oldObject"`
	Operation   string `json:"operation"`
	Subresource string `json:"subresource"`
	// Request is the path of the request, as in a file of cases.
	Request struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"request"`
	// Cluster has the objects that are in the cluster.
	Cluster []map[string]any `json:"cluster"`
	// Recorded is the call that diffrun capture recorded.
	Recorded *recorded.Call `json:"recorded"`
	Schema   any            `json:"schema"`
	Root     any            `json:"root"`
}

// build creates the case of a line. tooLong is the error of a line that was too long to keep.
func (s jsonLines) build(recorded *requests, number int, data []byte, tooLong error) harness.Case {
	c := harness.Case{
		ExactNumbers: true,
		ID:           s.numbered(number),
		Source:       strictyaml.Position{File: s.name, Line: number}.String(),
	}
	if tooLong != nil {
		c.Fault = Faultf("%w", tooLong)
		return c
	}
	if of, found, err := recorded.read(data); found {
		of.ID, of.Source, of.ExactNumbers = cmp.Or(of.ID, c.ID), c.Source, true
		if err != nil {
			of.Fault = Faultf("%w", err)
		}
		return of
	}
	line, err := parseLine(data)
	if line.ID != "" {
		c.ID = line.ID
	}
	c.Why = whyRecorded(line.Recorded)
	c.Subresource, c.Deletes, c.Connects = line.Subresource, line.Operation == string(admissionv1.Delete), line.Operation ==
		string(admissionv1.Connect)
	if err != nil {
		c.Fault = Faultf("%w", err)
		return c
	}
	c.Object, c.Cluster = line.Object, line.Cluster
	c.RequestName, c.RequestNamespace = line.Request.Name, line.Request.Namespace
	if line.OldObject != nil {
		c.Old = line.OldObject
	}
	return c
}

// numbered returns the id of a line without an id.
func (s jsonLines) numbered(number int) string { return fmt.Sprintf("%s:%d", s.id, number) }

// parseLine decodes a line and returns all its mistakes.
func parseLine(data []byte) (jsonLine, error) {
	var line jsonLine
	if !utf8.Valid(data) {
		return line, errors.New("the line is not UTF-8")
	}
	mistakes, err := kjson.UnmarshalStrict(data, &line)
	if err != nil {
		return line, fmt.Errorf("the line is not a case, a JSON object with the keys cluster, id, object, oldObject, operation, "+
			"recorded, request, subresource: %w", jsonerrors.In(data, err, "the line"))
	}
	misplaced := line.Schema != nil || line.Root != nil
	if misplaced || slices.ContainsFunc(mistakes, func(err error) bool { return strings.HasPrefix(err.Error(), "unknown field") }) {
		mistakes = append(mistakes, errors.New("accepted keys are cluster, id, object, oldObject, operation, recorded, "+
			"request and subresource"))
	}
	if misplaced {
		mistakes = append(mistakes, errors.New("schema and root are not accepted in a suite: the suite names its validators"))
	}
	if err := fitsOperation(line.Operation, line.OldObject != nil); err != nil {
		mistakes = append(mistakes, err)
	}
	if _, isObject := line.Object.(map[string]any); line.Object == nil {
		mistakes = append(mistakes, errors.New("the line has no object"))
	} else if !isObject {
		mistakes = append(mistakes, errors.New("object must be an object of the API, with apiVersion and kind"))
	}
	if _, isObject := line.OldObject.(map[string]any); line.OldObject != nil && !isObject {
		mistakes = append(mistakes, errors.New("oldObject must be an object of the API, with apiVersion and kind"))
	}
	return line, documents.InOneLine(mistakes)
}

// whyRecorded returns the test that a case comes from, and the other inputs of the call.
func whyRecorded(call *recorded.Call) string {
	if call == nil {
		return ""
	}
	from := call.Test + " (" + call.Source + ") calls " + call.Function[strings.LastIndex(call.Function, "/")+1:]
	return strings.Join(append([]string{from}, call.Inputs()...), "; ")
}
