package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/documents"
	"github.com/diffrun/diffrun/internal/jsonwords"
	"github.com/diffrun/diffrun/internal/plaintext"
	"github.com/diffrun/diffrun/reports"
)

// lineRequest is a line of stdin.
type lineRequest struct {
	ID          string          `json:"id"`
	Schema      json.RawMessage `json:"schema"`
	Object      any             `json:"object"`
	OldObject   any             `json:"oldObject"`
	Subresource string          `json:"subresource"`
	Root        *bool           `json:"root"`
}

// lineAnswer is a line of stdout. There is either a fault or a verdict.
type lineAnswer struct {
	ID    string `json:"id"`
	Valid bool   `json:"valid"`
	// Object is what was validated, and Dropped the fields that it lost, where
	// objects are pruned or defaulted.
	Object  *any             `json:"object,omitempty"`
	Dropped []string         `json:"dropped,omitempty"`
	Errors  []*reports.Error `json:"errors"`
	Fault   string           `json:"fault,omitempty"`
}

// line is one that was read, or was too long to be.
type line struct {
	number int
	text   []byte
	err    error
}

// lineServer answers lines.
type lineServer struct {
	flags   validateFlags
	flagged lineSchema // nil: every line must have a schema
	cache   *schemaCache
	out     *plaintext.Printer
	total   int
	faults  int
}

// lineSchema is what the flags say about lines that have no schema.
type lineSchema interface {
	// find gives what validates a line.
	find(lineRequest) (*compiled, error)
}

// validateLines answers each line of stdin with a line on stdout.
func (p *program) validateLines(ctx context.Context, flags validateFlags) error {
	flagged, err := p.lineSchema(&flags)
	if err != nil {
		return err
	}
	s := &lineServer{flags: flags, flagged: flagged, cache: newSchemaCache(flags.compiler()), out: p.stdout.printer()}
	queue := taskQueue[line, lineAnswer]{parallel: flags.parallel, work: s.answer, take: s.write, idle: s.out.Flush}
	ctx, stop := interruptible(ctx, func() {})
	defer stop()
	err = s.out.FlushAfter(queue.run(ctx, readLines(p.stdin)))
	switch {
	case ctx.Err() != nil:
		return &exitError{statusInterrupted, fmt.Errorf("interrupted; lines answered: %d", s.total)}
	case err != nil:
		return err
	case s.total == 0:
		return &exitError{statusMistake, errors.New("no line on stdin: nothing was validated")}
	case s.faults > 0:
		return &exitError{statusFault, fmt.Errorf("no verdict on %d of %d lines; their \"fault\" says why", s.faults, s.total)}
	}
	return nil
}

// readLines gives the lines of in, each its own.
func readLines(in io.Reader) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		for lines := documents.NewLineReader(in); ; {
			text, err := lines.Next()
			switch {
			case errors.Is(err, io.EOF):
				return
			case err != nil && !errors.Is(err, documents.ErrLongLine):
				yield(line{}, fmt.Errorf("stdin: %w", err))
				return
			}
			if !yield(line{lines.Number(), slices.Clone(text), err}, nil) {
				return
			}
		}
	}
}

func (s *lineServer) write(answer lineAnswer) error {
	s.total++
	if answer.Fault != "" {
		s.faults++
	}
	encoded, err := plaintext.JSON(answer)
	if err != nil {
		return err
	}
	s.out.Printf("%s\n", plaintext.Text(encoded))
	return nil
}

// answer answers a line.
func (s *lineServer) answer(ctx context.Context, l line) lineAnswer {
	request, err := l.parse()
	answer := lineAnswer{ID: request.ID, Errors: []*reports.Error{}}
	if err != nil {
		answer.Fault = fmt.Sprintf("line %d: %v", l.number, err)
		return answer
	}
	if request.Subresource == "" {
		request.Subresource = s.flags.subresource
	}
	outcome, made := s.validate(ctx, request)
	if outcome.Fault != nil {
		answer.Fault = fmt.Sprintf("line %d: %s", l.number, s.flags.faultText(outcome.Fault))
		return answer
	}
	if made != nil {
		answer.Object = &made.value
		if s.flags.prune == pruneReport {
			answer.Dropped = made.dropped
		}
	}
	answer.Valid = len(outcome.Errors) == 0
	for _, err := range outcome.Errors {
		said := reports.NewError(err)
		said.Detail = detailWithoutGo(err)
		answer.Errors = append(answer.Errors, said)
	}
	return answer
}

// validate gives what the backend of a line says, and the object where it was
// prepared.
func (s *lineServer) validate(ctx context.Context, r lineRequest) (harness.Outcome, *prepared) {
	in := &harness.Input{
		Request: harness.Request{Version: versionOf(r.Object), Operation: harness.Create, Subresource: r.Subresource},
		Object:  harness.NewView(r.Object),
	}
	if r.OldObject != nil {
		in.Operation, in.Old = harness.Update, harness.NewView(r.OldObject)
	}
	backend := &foundBackend{name: s.flags.backend, find: func() (*compiled, error) { return s.find(r) }}
	outcome := harness.Ask(ctx, backend, in, s.flags.timeout)
	if outcome.Fault != nil {
		return outcome, nil // the backend may still be at work
	}
	return outcome, backend.prepared
}

// find gives what validates a line. The error says that there is nothing.
func (s *lineServer) find(r lineRequest) (*compiled, error) {
	switch {
	case !isNull(r.Schema):
		as, err := r.role()
		if err != nil {
			return nil, err
		}
		return s.cache.get(r.Schema).in(as)
	case s.flagged != nil:
		return s.flagged.find(r)
	}
	return nil, errors.New("the line has no schema, and neither --crd nor --schema gives one; accepted: one of these three (the built-in schemas of Kubernetes kinds are for manifests, with -f)")
}

// role is what a schema that stands alone is for a line.
func (r lineRequest) role() (role, error) {
	isRoot := r.Root != nil && *r.Root
	switch {
	case r.Subresource == "" && isRoot:
		return rootRole, nil
	case r.Subresource == "":
		return innerRole, nil
	case r.Subresource != subresource.StatusName:
		return 0, fmt.Errorf("a schema alone has no subresource %q, only status; give a CustomResourceDefinition with --crd", r.Subresource)
	case r.Root != nil && !isRoot:
		return 0, errors.New("a schema that is not of a resource's root has no subresources")
	}
	return statusRole, nil
}

// versionOf is what an object says that it is, as far as it does.
func versionOf(object any) schema.GroupVersionKind {
	document, _ := object.(map[string]any)
	apiVersion, _ := document["apiVersion"].(string)
	kind, _ := document["kind"].(string)
	return schema.FromAPIVersionAndKind(apiVersion, kind)
}

// parse reads a line and says all that is wrong with it.
func (l line) parse() (lineRequest, error) {
	var request lineRequest
	switch {
	case l.err != nil:
		return request, l.err
	case len(l.text) == 0:
		return request, errors.New("the line is empty; a JSON object is wanted")
	case isNull(l.text):
		return request, errors.New("the line is null; a JSON object is wanted")
	case !utf8.Valid(l.text):
		return request, errors.New("the line is not UTF-8")
	}
	mistakes, err := kjson.UnmarshalStrict(l.text, &request)
	if err != nil {
		return lineRequest{ID: l.id()}, lineError(l.text, err)
	}
	if request.Object == nil && !l.has("object") {
		mistakes = append(mistakes, errors.New("there is no object"))
	}
	for _, part := range []struct {
		name  string
		value any
	}{{"object", request.Object}, {"oldObject", request.OldObject}} {
		if err := documents.CheckBounds(part.value); err != nil {
			mistakes = append(mistakes, fmt.Errorf("%s %w", part.name, err))
		}
	}
	if slices.ContainsFunc(mistakes, func(err error) bool { return strings.HasPrefix(err.Error(), "unknown field") }) {
		mistakes = append(mistakes, errors.New("accepted keys: id, schema, object, oldObject, subresource, root"))
	}
	return request, documents.InOneLine(mistakes)
}

// lineError says why a line that cannot be read is none.
func lineError(text []byte, err error) error {
	const keys = "id, schema, object, oldObject, subresource, root"
	said := jsonwords.In(text, err, "the line")
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) && wrong.Field != "" {
		return said
	}
	return fmt.Errorf("the line is no JSON object with the keys %s: %w", keys, said)
}

// id is the id of a line that cannot be read, as it is written, so that the answer can
// be told from others.
func (l line) id() string {
	var keys map[string]json.RawMessage
	if json.Unmarshal(l.text, &keys) != nil {
		return ""
	}
	var id string
	if json.Unmarshal(keys["id"], &id) != nil {
		id = string(keys["id"])
	}
	return id
}

// has says that the line, which is a JSON object, has a key. The value null may
// be one to validate.
func (l line) has(key string) bool {
	var keys map[string]json.RawMessage
	if json.Unmarshal(l.text, &keys) != nil {
		return false
	}
	_, there := keys[key]
	return there
}
