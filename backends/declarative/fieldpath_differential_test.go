package declarative_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestFieldPaths checks which paths the fieldPath of a rule may name, and where its error is reported: with
// CustomResources as in the API server, with NativeTypes also without the leading dot.
func TestFieldPaths(t *testing.T) {
	const schema = `type: object
properties:
  a: {type: object, properties: {b: {type: string}, c.d: {type: string}}}
  m: {type: object, additionalProperties: {type: object, properties: {b: {type: string}}}}
  "it's": {type: string}
  "[x]": {type: string}
  "back\\slash": {type: string}
  "\a\b\f\n\r\t\v": {type: string}
`
	for _, tt := range []struct {
		why, path, field string // no field: it is a mistake
		native           bool   // only with NativeTypes
	}{
		{why: "a field", path: ".a", field: "a"},
		{why: "a nested field", path: ".a.b", field: "a.b"},
		{why: "fields in brackets", path: "['a']['b']", field: "a.b"},
		{why: "both", path: ".a['c.d']", field: "a.c.d"},
		{why: "a key of a map", path: ".m.x", field: "m[x]"},
		{why: "a key in brackets, with a dot", path: ".m['x.y'].b", field: "m[x.y].b"},
		{why: "a quote is escaped", path: `['it\'s']`, field: "it's"},
		{why: "so is a backslash", path: `['back\\slash']`, field: `back\slash`},
		{why: "and one that cannot be written", path: `['\a\b\f\n\r\t\v']`, field: "\a\b\f\n\r\t\v"},
		{why: "brackets are quoted", path: "['[x]']", field: "[x]"},
		{why: "no first dot", path: "a.b", field: "a.b", native: true},
		{why: "nor before a bracket", path: "a['b']", field: "a.b", native: true},
		{why: "there is no such field", path: ".b"},
		{why: "nor below one that has no fields", path: ".a.b.c"},
		{why: "nor in the values of a map", path: ".m.x.y"},
		{why: "a map key is not a field elsewhere", path: ".a.c.d"},
		{why: "only a dot", path: "."},
		{why: "a dot at the end", path: ".a."},
		{why: "where any name is a key, too", path: ".m."},
		{why: "two dots", path: "..a"},
		{why: "the same there", path: ".m..b"},
		{why: "a dot before a bracket", path: ".['a']"},
		{why: "a bracket that opens nothing", path: ".a]"},
		{why: "the same where any name is a key", path: ".m.x]"},
		{why: "a key without quotes", path: ".m[x]"},
		{why: "a key with other quotes", path: `.m["x"]`},
		{why: "an index", path: ".m[0]"},
		{why: "a quote that only ends", path: ".m[0']"},
		{why: "only a bracket", path: ".m["},
		{why: "a key that does not end", path: ".m['x"},
		{why: "a bracket that does not", path: ".m['x'"},
		{why: "a key that goes on after its end", path: ".m['x'y']"},
		{why: "nothing between two keys", path: "['a']b"},
		{why: "an escape that ends the path", path: `.m['x\`},
		{why: "an escape that there is not", path: `.m['\x']`},
		{why: "a double quote needs none", path: `.m['\"']`},
	} {
		text := schema + "x-kubernetes-validations: [{rule: 'false', fieldPath: " + strconv.Quote(tt.path) + "}]"
		path, _, err := cel.ValidFieldPath(tt.path, served.Structural(t, served.Props(t, schema)))
		if (err == nil) != (tt.field != "" && !tt.native) || err == nil && path.String() != tt.field {
			t.Errorf("%s: %s is %s in the API server: %v", tt.why, tt.path, path, err)
		}
		for _, semantics := range []declarative.Semantics{declarative.NativeTypes, declarative.CustomResources} {
			want := tt.field
			if tt.native && semantics == declarative.CustomResources {
				want = ""
			}
			v, err := declarative.Compile(served.Schema(t, text), declarative.Options{Semantics: semantics})
			if want == "" {
				if err == nil || !strings.HasPrefix(err.Error(), "x-kubernetes-validations[0].fieldPath: ") {
					t.Errorf("%s: %s with semantics %d: %v", tt.why, tt.path, semantics, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %s with semantics %d: %v", tt.why, tt.path, semantics, err)
				continue
			}
			errs := v.Validate(t.Context(), value.NewValueInterface(map[string]any{}), nil)
			if len(errs) != 1 || errs[0].Field != want {
				t.Errorf("%s: %s with semantics %d, want %s: %s", tt.why, tt.path, semantics, want, fmt.Sprint(errs))
			}
		}
	}
}
