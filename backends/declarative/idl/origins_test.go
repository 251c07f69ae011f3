package idl_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/userfile"
)

// TestOriginsOfRules: each rule has the line of a marker, in whichever dialect it is written and however its
// type is copied.
func TestOriginsOfRules(t *testing.T) {
	for _, row := range []struct{ in, root string }{
		{"k8s", "Root"},
		{"kep", "DeploymentSpec"},
		{"kep", "ExampleSpec"},
		{"markers", "Shapes"},
		{"markers", "Aimed"},
	} {
		result, err := idl.Generate(idl.Config{Roots: roots(testdata+row.in, row.root), Reading: idl.Reading{Stage: idl.StageAlpha}})
		if err != nil {
			t.Fatal(err)
		}
		rules := 0
		for name, definition := range result.Definitions {
			eachRule(definition, "definitions["+name+"]", func(place string) {
				rules++
				at, ok := result.Origins[place]
				if line := strings.TrimSpace(lineAt(t, at)); !ok || !strings.HasPrefix(line, "// +") {
					t.Errorf("%s: %s has the line %s: %q", row.in, place, at, line)
				}
			})
		}
		if rules == 0 {
			t.Errorf("%s has no rules", row.in)
		}
	}
}

// TestOrigins: a keyword has the line of its marker; a field without markers has its own line.
func TestOrigins(t *testing.T) {
	root := roots(testdata+"k8s", "Root")
	result, err := idl.Generate(idl.Config{Roots: root, Reading: idl.Reading{Stage: idl.StageAlpha}})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ why, place, want string }{
		{"a keyword", "properties[number].minimum", "+k8s:minimum"},
		{"presence", "properties[name].required", "+k8s:required"},
		{"a field", "properties[number]", "Number"},
		{"keywords without a marker", "properties[number].type", "Number"},
		{"the type", "", "Root"},
		{"a place that is not there", "properties[nothing].minimum", "Root"},
	} {
		at, ok := result.Origins.At(strings.TrimSuffix("definitions["+root[0].Definition()+"]."+row.place, "."))
		if line := lineAt(t, at); !ok || !strings.Contains(line, row.want) {
			t.Errorf("%s: %s has the line %s: %q, want %s", row.why, row.place, at, line, row.want)
		}
	}
}

func eachRule(s *spec.Schema, place string, visit func(place string)) {
	rules, _ := s.Extensions["x-kubernetes-validations"].([]any)
	for i := range rules {
		visit(fmt.Sprintf("%s.x-kubernetes-validations[%d]", place, i))
	}
	for name, property := range s.Properties {
		eachRule(&property, place+".properties["+name+"]", visit)
	}
	if s.Items != nil {
		eachRule(s.Items.Schema, place+".items", visit)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		eachRule(s.AdditionalProperties.Schema, place+".additionalProperties", visit)
	}
}

func lineAt(t *testing.T, at userfile.Position) string {
	t.Helper()
	data, err := os.ReadFile(at.File)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	if at.Line < 1 || at.Line > len(lines) {
		return ""
	}
	return lines[at.Line-1]
}
