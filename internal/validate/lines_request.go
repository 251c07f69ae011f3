package validate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

// lineRequest is a line of the input.
type lineRequest struct {
	ID          string          `json:"id"`
	Schema      json.RawMessage `json:"schema"`
	Object      any             `json:"object"`
	OldObject   any             `json:"oldObject"`
	Subresource string          `json:"subresource"`
	Root        *bool           `json:"root"`
}

// line is a line that was read, or was too long.
type line struct {
	number int
	text   []byte
	err    error
}

// A batch has at most so many lines and about so many bytes, and only lines that need not be waited for: a program may
// write a line after it has read the answer to the line before.
const (
	batchLines = 64
	batchBytes = 64 << 10
)

// readLines returns copies of the lines of in, in batches.
func readLines(in io.Reader) iter.Seq2[[]line, error] {
	return func(yield func([]line, error) bool) {
		for lines := documents.NewLineReader(in); ; {
			batch, err := readBatch(lines)
			if len(batch) > 0 && !yield(batch, nil) || errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, fmt.Errorf("stdin: %w", err))
				return
			}
		}
	}
}

// readBatch returns copies of the next lines, and the error that ended them.
func readBatch(lines *documents.LineReader) (batch []line, err error) {
	var texts []byte
	for len(batch) == 0 || len(batch) < batchLines && len(texts) < batchBytes && lines.Ready() {
		text, err := lines.Next()
		if err != nil && !errors.Is(err, documents.ErrLongLine) {
			return batch, err
		}
		if texts == nil {
			texts = make([]byte, 0, len(text)+lines.Buffered())
		}
		start := len(texts)
		texts = append(texts, text...)
		batch = append(batch, line{lines.Number(), texts[start:len(texts):len(texts)], err})
	}
	return batch, nil
}

// parse decodes a line and returns all its mistakes.
func (l line) parse() (lineRequest, error) {
	if request, plain := l.parsePlain(); plain {
		return request, nil
	}
	var request lineRequest
	switch {
	case l.err != nil:
		return request, l.err
	case len(l.text) == 0:
		return request, errors.New("the line is empty; expected a JSON object")
	case isNull(l.text):
		return request, errors.New("the line is null; expected a JSON object")
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
	if !documents.WithinBounds(l.text) {
		mistakes = append(mistakes, request.outOfBounds()...)
	}
	if slices.ContainsFunc(mistakes, func(err error) bool { return strings.HasPrefix(err.Error(), "unknown field") }) {
		mistakes = append(mistakes, errors.New("accepted keys: id, schema, object, oldObject, subresource, root"))
	}
	return request, documents.InOneLine(mistakes)
}

// parsePlain decodes a usual line, without mistakes. It returns false for any other line.
func (l line) parsePlain() (request lineRequest, plain bool) {
	if l.err != nil || !documents.WithinBounds(l.text) {
		return lineRequest{}, false
	}
	plain = documents.ReadFields(l.text, func(name string, value documents.Reader) (err error) {
		switch name {
		case "id":
			request.ID, err = value.Text()
		case "object":
			request.Object, err = value.Value()
		case "oldObject":
			request.OldObject, err = value.Value()
		case "subresource":
			request.Subresource, err = value.Text()
		default:
			err = errors.New("unusual")
		}
		return err
	})
	return request, plain && request.Object != nil
}

// outOfBounds returns the mistakes of objects that are too large or nested too deep.
func (r lineRequest) outOfBounds() (mistakes []error) {
	for _, part := range []struct {
		name  string
		value any
	}{{"object", r.Object}, {"oldObject", r.OldObject}} {
		if err := documents.CheckBounds(part.value); err != nil {
			mistakes = append(mistakes, fmt.Errorf("%s %w", part.name, err))
		}
	}
	return mistakes
}

// lineError returns the error about a line that cannot be decoded.
func lineError(text []byte, err error) error {
	const keys = "id, schema, object, oldObject, subresource, root"
	said := jsonerrors.In(text, err, "the line")
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) && wrong.Field != "" {
		return said
	}
	return fmt.Errorf("the line is not a JSON object with the keys %s: %w", keys, said)
}

// id returns the id of a line that cannot be decoded, as written, to identify the answer.
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

// has reports whether the line, a JSON object, has a key, perhaps with the value null.
func (l line) has(key string) bool {
	var keys map[string]json.RawMessage
	if json.Unmarshal(l.text, &keys) != nil {
		return false
	}
	_, there := keys[key]
	return there
}

// role returns the role of a schema without a resource for a line.
func (r lineRequest) role() (role, error) {
	isRoot := r.Root != nil && *r.Root
	switch {
	case r.Subresource == "" && isRoot:
		return rootRole, nil
	case r.Subresource == "":
		return innerRole, nil
	case r.Subresource != subresource.StatusName:
		return 0, fmt.Errorf("a schema alone has no subresource %q, only status; name a CustomResourceDefinition with --crd", r.Subresource)
	case r.Root != nil && !isRoot:
		return 0, errors.New("a schema that is not of a resource's root has no subresources")
	}
	return statusRole, nil
}
