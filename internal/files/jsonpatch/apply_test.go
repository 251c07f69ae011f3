package jsonpatch_test

import (
	"testing"

	"github.com/diffrun/diffrun/internal/files/jsonpatch"
)

// TestWrongPatches: mistakes in a patch are described in the terms of JSON patches.
func TestWrongPatches(t *testing.T) {
	const notAList = "is not a list of JSON patch operations (RFC 6902): "
	for _, tt := range []struct{ patch, why, want string }{
		{`{"op":"add","path":"/a","value":1}`, "one operation is no patch", notAList + "it must be a list, not an object"},
		{`7`, "neither is a number", notAList + "it must be a list, not a number"},
		{`[1]`, "an operation has fields", notAList + "an operation must be an object, not a number"},
		{`[`, "it is no JSON", notAList + "the JSON ends too early"},
		{`[null]`, "an operation has fields", "does not apply: operation 0 is null; write an object with op and path"},
		{`[{"path":"/a"}]`, "op is missing", `does not apply: operation 0 has no op; accepted: add, remove, replace, move, copy, test`},
		{`[{"op":"test","path":"/a","value":1},{"op":"put","path":"/a"}]`, "op is not known",
			`does not apply: operation 1 has the op "put"; accepted: add, remove, replace, move, copy, test`},
		{`[{"op":7,"path":"/a"}]`, "op is no text",
			`does not apply: operation 0 has no op; accepted: add, remove, replace, move, copy, test`},
		{`[{"op":"replace","path":"","value":"x"}]`, "a text is no object",
			`does not apply: operation 0 replaces the object by "x"; it must stay an object`},
		{`[{"op":"replace","path":""}]`, "nothing is no object", `does not apply: operation 0 replaces the object by nothing; ` +
			`it must stay an object`},
		{`[{"op":"replace","path":"","value":null}]`, "null is no object",
			`does not apply: operation 0 replaces the object by null; it must stay an object`},
		{`[{"op":"replace","path":"","value":[1]}]`, "a list is no object",
			`does not apply: operation 0 replaces the object by [1]; it must stay an object`},
	} {
		patch, err := jsonpatch.Read([]byte(tt.patch))
		if err == nil {
			_, err = patch.Apply(map[string]any{"a": int64(1)})
		}
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %s:\ngot  %v\nwant %s", tt.patch, tt.why, err, tt.want)
		}
	}
}

func TestReplaceAll(t *testing.T) {
	patch, err := jsonpatch.Read([]byte(`[{"op":"replace","path":"","value":{"b":2}}]`))
	if err != nil {
		t.Fatal(err)
	}
	if patched, err := patch.Apply(map[string]any{"a": int64(1)}); err != nil || len(patched) != 1 || patched["b"] != int64(2) {
		t.Errorf("got %v, %v", patched, err)
	}
}
