// Package jsonpatch applies JSON patches (RFC 6902) to JSON values. Numbers stay as written, and the
// size of the result is limited.
package jsonpatch

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	upstream "gopkg.in/evanphx/json-patch.v4"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

// Operations are a JSON patch.
type Operations upstream.Patch

// Read decodes a JSON patch.
func Read(text []byte) (Operations, error) {
	patch, err := upstream.DecodePatch(text)
	if err != nil {
		what := "an operation"
		if list := []json.RawMessage(nil); json.Unmarshal(text, &list) != nil {
			what = "it"
		}
		return nil, fmt.Errorf("is not a list of JSON patch operations (RFC 6902): %w", jsonerrors.Of(err, what))
	}
	return Operations(patch), nil
}

// Of returns the patch with operations that are JSON values.
func Of(operations []any) (Operations, error) {
	text, err := json.Marshal(keepFloats(operations))
	if err != nil {
		return nil, err
	}
	return Read(text)
}

// Apply applies the patch to a copy of a document. The error says which operation cannot be applied.
func (o Operations) Apply(document map[string]any) (map[string]any, error) {
	before, err := json.Marshal(keepFloats(document))
	if err != nil {
		return nil, err
	}
	after, err := o.together(before)
	if err != nil {
		after, err = o.each(before)
	}
	if err != nil {
		return nil, fmt.Errorf("does not apply: %w", err)
	}
	var patched any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(after, &patched); err != nil {
		return nil, err
	}
	object, isObject := patched.(map[string]any)
	if !isObject {
		return nil, fmt.Errorf("leaves no object but %s", after)
	}
	return object, nil
}

// together applies operations at once if none of them copies: the others add no more than the patch has. The error says
// only that some operation cannot be applied.
func (o Operations) together(document []byte) ([]byte, error) {
	for i := range o {
		if o[i].Kind() == "copy" || mistake(o[i]) != "" {
			return nil, errors.ErrUnsupported
		}
	}
	patched, err := upstream.Patch(o).Apply(document)
	if err == nil && len(patched) > 2*documents.MaxSize {
		err = errors.ErrUnsupported
	}
	return patched, err
}

// each applies operations one at a time and checks the size after each, because twenty copies of a
// document into itself multiply it by a million.
func (o Operations) each(document []byte) ([]byte, error) {
	for i := range o {
		if wrong := mistake(o[i]); wrong != "" {
			return nil, fmt.Errorf("operation %d %s", i, wrong)
		}
		patched, err := upstream.Patch(o[i : i+1]).Apply(document)
		if err != nil {
			return nil, fmt.Errorf("operation %d: %w", i, err)
		}
		if len(patched) > 2*documents.MaxSize {
			return nil, fmt.Errorf("operation %d makes the object larger than %d MiB", i, 2*documents.MaxSize>>20)
		}
		document = patched
	}
	return document, nil
}

// mistake returns a mistake in an operation that the library reports in terms of Go or not at all, or
// "".
func mistake(of upstream.Operation) string {
	kinds := []string{"add", "remove", "replace", "move", "copy", "test"}
	accepted := "; accepted: " + strings.Join(kinds, ", ")
	var kind string
	switch raw := of["op"]; {
	case of == nil:
		return "is null; write an object with op and path"
	case raw == nil || json.Unmarshal(*raw, &kind) != nil || kind == "":
		return "has no op" + accepted
	case !slices.Contains(kinds, kind):
		return fmt.Sprintf("has the op %q", kind) + accepted
	case kind != "replace":
		return ""
	}
	path, err := of.Path()
	if err != nil || path != "" {
		return ""
	}
	value := []byte("nothing")
	if raw, has := of["value"]; has && raw != nil {
		value = *raw
	} else if has {
		value = []byte("null")
	}
	if value[0] == '{' {
		return ""
	}
	return fmt.Sprintf("replaces the object by %s; it must stay an object", value)
}

// keepFloats copies a value so that whole floats are encoded as 1.0 and decoded as floats, not as 1.
func keepFloats(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := make(map[string]any, len(value))
		for key, member := range value {
			kept[key] = keepFloats(member)
		}
		return kept
	case []any:
		kept := make([]any, len(value))
		for i, item := range value {
			kept[i] = keepFloats(item)
		}
		return kept
	case float64:
		if value == math.Trunc(value) && math.Abs(value) < 1e21 {
			return json.Number(fmt.Sprintf("%.1f", value))
		}
	}
	return value
}
