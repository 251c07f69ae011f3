package infer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/infer/proposal"
	"github.com/diffrun/diffrun/internal/testing/served"
)

const generatedDefinition = `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.22.0
  name: things.example.com
spec:
  group: example.com
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        properties:
          spec:
            description: |-
              Spec is what people want.

              It may be long.
            properties:
              mode:
                description: 'Mode is quoted: it has
                  a colon'
                enum:
                - A
                # the last one
                - B
                type: string
              size:
                description: Size is folded into
                  two lines
                maximum: 100   # for now
                type: integer
            required:
            - mode
            type: object

            # rules come here
            x-kubernetes-validations:
            - message: first
              rule: self.size > 0
        type: object
    served: true # v1 is served
    storage: true
---
kind: Other
`

// TestPatchedLines: only lines with rules differ from those of a definition as controller-gen writes it.
func TestPatchedLines(t *testing.T) {
	const spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec"
	rule := map[string]any{"rule": "has(self.mode)", "message": "must be set"}
	for _, tt := range []struct {
		why        string
		operations []proposal.Operation
		after      string // the line before the first new one, or that is replaced
		want       string // the new lines
		replaced   bool
	}{
		{"a keyword at the end of a mapping", []proposal.Operation{{Op: "add", Path: spec + "/properties/mode/maxLength", Value: int64(3)}},
			"                type: string\n", "                maxLength: 3\n", false},
		{"a keyword in place of another value keeps the comment",
			[]proposal.Operation{{Op: "add", Path: spec + "/properties/size/maximum", Value: int64(50)}},
			"                maximum: 100   # for now\n", "                maximum: 50   # for now\n", true},
		{"one more required field", []proposal.Operation{{Op: "add", Path: spec + "/required/-", Value: "size"}},
			"            - mode\n", "            - size\n", false},
		{"one more rule", []proposal.Operation{{Op: "add", Path: spec + "/x-kubernetes-validations/-", Value: rule}},
			"              rule: self.size > 0\n", "            - rule: has(self.mode)\n              message: must be set\n", false},
		{"the first rules of a field, in their order", []proposal.Operation{
			{Op: "add", Path: spec + "/properties/size/minimum", Value: int64(1)},
			{Op: "add", Path: spec + "/properties/size/x-kubernetes-validations", Value: []any{rule}},
			{Op: "add", Path: spec + "/properties/size/x-kubernetes-validations/-", Value: map[string]any{"rule": "self != 7"}},
		}, "                type: integer\n", "                minimum: 1\n                x-kubernetes-validations:\n      " +
			"          - rule: has(self.mode)\n                  message: must be set\n                - rule: self != 7\n", false},
		{"at the end of a version", []proposal.Operation{{Op: "add", Path: "/spec/versions/0/schema/openAPIV3Schema/required",
			Value: []any{"spec"}}},
			"        type: object\n", "        required:\n        - spec\n", false},
	} {
		got, err := patched(generatedDefinition, "things.example.com", tt.operations...)
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		at := strings.LastIndex(generatedDefinition, "\n"+tt.after) + 1
		end := at + len(tt.after)
		if !tt.replaced {
			at = end
		}
		if want := generatedDefinition[:at] + tt.want + generatedDefinition[end:]; got != want {
			t.Errorf("%s: got\n%s", tt.why, got)
		}
	}
}

// TestPatchedFlow: where a part is written in flow style, the file is written anew.
func TestPatchedFlow(t *testing.T) {
	got, err := patched("kind: CustomResourceDefinition\nmetadata: {name: a.b}\nspec:\n    size: {type: integer}\n",
		"a.b", proposal.Operation{Op: "add", Path: "/spec/size/maximum", Value: int64(5)})
	const want = "kind: CustomResourceDefinition\nmetadata: {name: a.b}\nspec:\n  size: {type: integer, maximum: 5}\n"
	if err != nil || got != want {
		t.Errorf("got %v\n%s", err, got)
	}
	if _, err := patched("kind: CustomResourceDefinition\nmetadata: {name: a.b}\n", "c.d"); err == nil {
		t.Error("another definition was written")
	}
}

// TestPatchedJSON: a JSON file stays JSON, with the order of its keys, its indentation and its numbers.
func TestPatchedJSON(t *testing.T) {
	const head = `{"spec": {"size": {"type": "integer", "maximum": 1e3}, "name": {"description": "<a> \u00e9 1"}}, "kind": ` +
		`"CustomResourceDefinition", "metadata": {"name": "a.b", "1": true}}`
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, []byte(head), "", "    "); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ why, data, want string }{
		{"in one line", head, `{"spec":{"size":{"type":"integer","maximum":1e3,"minimum":5},"name":{"description":"<a> é ` +
			`1"}},"kind":"CustomResourceDefinition","metadata":{"name":"a.b","1":true}}`},
		{"with four blanks and a newline", pretty.String() + "\n",
			strings.Replace(strings.Replace(pretty.String(), "1e3\n", "1e3,\n            \"minimum\": 5\n", 1), `\u00e9`, "é", 1) + "\n"},
	} {
		got, err := patched(tt.data, "a.b", proposal.Operation{Op: "add", Path: "/spec/size/minimum", Value: int64(5)})
		if err != nil || got != tt.want {
			t.Errorf("%s: got %v\n%s\nwant\n%s", tt.why, err, got, tt.want)
		}
		if got, err := patched(tt.data, "a.b"); err != nil || got != tt.data {
			t.Errorf("%s: without rules it is written anew: %v\n%s", tt.why, err, got)
		}
	}
}

// TestPatchedReal adds a rule to each schema of real definitions: all lines stay, in their order.
func TestPatchedReal(t *testing.T) {
	for _, file := range served.Definitions(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var root map[string]any
		if err := yaml.Unmarshal(data, &root); err != nil {
			t.Fatal(err)
		}
		var operations []proposal.Operation
		versions := root["spec"].(map[string]any)["versions"].([]any)
		for n, version := range versions {
			schema := version.(map[string]any)["schema"].(map[string]any)["openAPIV3Schema"]
			rulesEverywhere(&operations, fmt.Sprintf("/spec/versions/%d/schema/openAPIV3Schema", n), schema)
		}
		got, err := patched(string(data), root["metadata"].(map[string]any)["name"].(string), operations...)
		if err != nil {
			t.Fatal(err)
		}
		left := slices.Collect(strings.Lines(string(data)))
		for line := range strings.Lines(got) {
			if len(left) > 0 && line == left[0] {
				left = left[1:]
			}
		}
		if len(left) > 0 {
			t.Errorf("%s: after %d rules, the line %q is not where it was", file, len(operations), left[0])
		}
		t.Logf("%s: %d rules", filepath.Base(file), len(operations))
	}
}

// rulesEverywhere adds operations that add a rule to a schema and all schemas in it.
func rulesEverywhere(all *[]proposal.Operation, pointer string, schema any) {
	fields, is := schema.(map[string]any)
	if !is {
		return
	}
	rule := map[string]any{"rule": "self == self", "message": "is itself: always"}
	if fields["x-kubernetes-validations"] != nil {
		*all = append(*all, proposal.Operation{Op: "add", Path: pointer + "/x-kubernetes-validations/-", Value: rule})
	} else {
		*all = append(*all, proposal.Operation{Op: "add", Path: pointer + "/x-kubernetes-validations", Value: []any{rule}})
	}
	properties, _ := fields["properties"].(map[string]any)
	for name, child := range properties {
		rulesEverywhere(all, pointer+"/properties/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), child)
	}
	rulesEverywhere(all, pointer+"/items", fields["items"])
	rulesEverywhere(all, pointer+"/additionalProperties", fields["additionalProperties"])
}

// patched returns the text of a file with a definition after operations.
func patched(data, name string, operations ...proposal.Operation) (string, error) {
	out, err := proposal.Patched([]byte(data), name, operations)
	return string(out), err
}
