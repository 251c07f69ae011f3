package diff_test

import (
	"strings"
	"testing"

	schemadiff "github.com/diffrun/diffrun/internal/schema/diff"
)

// TestOnceStored: each change that makes a schema narrower says what becomes of a stored object.
func TestOnceStored(t *testing.T) {
	for _, row := range []struct {
		why, a, b string
		want      schemadiff.OnceStored
	}{
		{"an unchanged value ratchets", `size: {type: integer}`, `size: {type: integer, maximum: 5}`, schemadiff.StaysEditable},
		{"so does a rule of the value", `size: {type: integer}`, `size: {type: integer, x-kubernetes-validations: [{rule: self < 5}] }`, schemadiff.StaysEditable},
		{"a rule about the whole sees the labels change", `size: {type: integer}`, `size: {type: integer}}, x-kubernetes-validations: [{rule: "!has(self.size) || self.size < 5"}]`, schemadiff.BecomesStuck},
		{"a field is pruned, which refuses no update", `size: {type: integer}}`, `}`, schemadiff.StaysEditable},
		{"what B accepts says nothing", `size: {type: integer, maximum: 5}`, `size: {type: integer}`, ""},
	} {
		t.Run(row.why, func(t *testing.T) {
			a, b := side(t, definition(row.a)), side(t, definition(row.b))
			shown, err := schemadiff.Witness(t.Context(), a, b, schemadiff.Walk(a, b), 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, change := range shown {
				for _, example := range change.Examples {
					if example.OnceStored != row.want {
						t.Errorf("%s %s: %q, want %q", change.Path, change.What, example.OnceStored, row.want)
					}
				}
				if change.Kind != "required" && len(change.Examples) == 0 {
					t.Errorf("%s %s has no example", change.Path, change.What)
				}
			}
			if len(shown) == 0 {
				t.Error("no change was found")
			}
		})
	}
}

// definition returns a schema with some fields, and keywords after them if the text closes the fields.
func definition(fields string) string {
	if !strings.Contains(fields, "}}") && fields != "}" {
		fields += "}"
	}
	return `{type: object, properties: {metadata: {type: object}, ` + fields + `}`
}
