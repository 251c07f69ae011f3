// Package jsonpatch applies JSON patches (RFC 6902) to documents with the values of JSON. Numbers
// keep the form that they have, and what a patch can make of a document is bounded.
package jsonpatch

import (
	"encoding/json"
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

// Read reads a JSON patch.
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

// Of makes a patch of operations that are values of JSON.
func Of(operations []any) (Operations, error) {
	text, err := json.Marshal(keepFloats(operations))
	if err != nil {
		return nil, err
	}
	return Read(text)
}

// Apply applies the patch to a document, which it leaves as it is. The error says which
// operation cannot be applied.
func (o Operations) Apply(document map[string]any) (map[string]any, error) {
	before, err := json.Marshal(keepFloats(document))
	if err != nil {
		return nil, err
	}
	after, err := o.each(before)
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

// each applies operations one at a time: twenty copies of a document into itself would
// make a million of it before anybody could look at its size.
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

// mistake says of an operation what the library says in words of Go, or not at all; "": nothing.
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
	return fmt.Sprintf("puts %s in the place of the object; only an object can stand there", value)
}

// keepFloats copies a value so that encoding writes whole floats as 1.0, which
// is read back as a float, and not as 1, which would be read as an integer.
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
