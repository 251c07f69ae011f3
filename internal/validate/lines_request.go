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

// readLines returns copies of the lines of in.
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

// parse decodes a line and returns all its mistakes.
func (l line) parse() (lineRequest, error) {
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
