package skeleton_test

import (
	"strings"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi/skeleton"
	"github.com/diffrun/diffrun/internal/testing/served"
)

func TestCycles(t *testing.T) {
	n, err := skeleton.Compile(served.Schema(t, `{$ref: "#/definitions/Node"}`), map[string]*spec.Schema{
		"Node": served.Schema(t, `{type: object, properties: {next: {$ref: "#/components/schemas/Node"}, name: {type: string}}}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	deep := n
	for range 10 {
		if deep = deep.Properties["next"]; deep == nil {
			t.Fatal("the cycle ends")
		}
	}
	if deep.Properties["name"] == nil || deep.Properties["other"] != nil {
		t.Error("what a reference names has other fields than its definition")
	}
}

func TestWhatStandsBesideAReference(t *testing.T) {
	n, err := skeleton.Compile(served.Schema(t, `{type: object, properties: {a: {$ref: "#/definitions/A", nullable: true, `+
		`default: {own: 1}, properties: {own: {type: integer}}}}}`),
		map[string]*spec.Schema{
			"A": served.Schema(t, `{type: object, default: {}, properties: {theirs: {type: string}, own: {type: object}}, `+
				`x-kubernetes-preserve-unknown-fields: true}`),
		})
	if err != nil {
		t.Fatal(err)
	}
	a := n.Properties["a"]
	if !a.Nullable || !a.Preserve || a.Properties["theirs"] == nil || a.Properties["own"] == nil {
		t.Errorf("got %+v; what stands beside the reference is to be joined with what it names", a)
	}
	if own, ok := a.Default.(map[string]any); !ok || own["own"] != int64(1) {
		t.Errorf("default %v; the nearer one wins, with integers as int64", a.Default)
	}
}

func TestMistakes(t *testing.T) {
	for _, tt := range []struct {
		name, why, schema string
		want              []string
	}{
		{
			"several", "all are named at once, with their places",
			`{type: object, properties: {a: {$ref: "#/definitions/None"}, b: {$ref: "elsewhere.json"}, c: {items: [{type: ` +
				`string}]}, d: {x-kubernetes-embedded-resource: 5}}}`,
			[]string{
				`properties[a].$ref: Not found: "#/definitions/None"`, `properties[b].$ref: Invalid value: "elsewhere.json": ` +
					`must be #/definitions/NAME`,
				`properties[c].items: Forbidden`, `properties[d].x-kubernetes-embedded-resource: Invalid value`,
			},
		},
		{"whole document", "it is no definition", `{type: object, properties: {a: {$ref: "#"}, b: {allOf: [{$ref: "#"}]}}}`,
			[]string{`properties[a].$ref: Invalid value: "#": must be #/definitions/NAME`,
				`properties[b].$ref: Invalid value: "#": must be`}},
		{"circle", "a reference to itself names nothing", `{$ref: "#/definitions/Circle"}`,
			[]string{"definitions[Circle]", "refers back to itself"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := skeleton.Compile(served.Schema(t, tt.schema),
				map[string]*spec.Schema{"Circle": served.Schema(t, `{$ref: "#/definitions/Circle"}`)})
			if err == nil {
				t.Fatalf("%s: no error", tt.why)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s: want %q in %v", tt.why, want, err)
				}
			}
		})
	}
}
