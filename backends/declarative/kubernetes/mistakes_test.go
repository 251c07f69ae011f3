package kubernetes

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
)

// TestMistakesHaveLines: a rule of the wrong type is found when its schema is compiled. The mistake
// names the line of the overlay, and shows the rule with its expressions expanded.
func TestMistakesHaveLines(t *testing.T) {
	kind := schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: "CronJob"}
	root, definitions, err := NewLibrary().Schema(kind)
	if err != nil {
		t.Fatal(err)
	}
	const broken = "io.k8s.api.batch.v1.JobSpec"
	text, err := json.Marshal(definitions[broken])
	if err != nil {
		t.Fatal(err)
	}
	var misspelt spec.Schema
	if err := json.Unmarshal(bytes.ReplaceAll(text, []byte("self.?completionMode.orValue('NonIndexed')"),
		[]byte("self.?completionMod.orValue('NonIndexed')")), &misspelt); err != nil {
		t.Fatal(err)
	}
	definitions = maps.Clone(definitions)
	definitions[broken] = &misspelt
	_, err = declarative.Compile(root, options(definitions, true))
	if err == nil {
		t.Fatal("a field that does not exist compiles")
	}
	whole := regexp.MustCompile(`^overlays/[-a-z]+\.yaml:\d+.*: definitions\[` + broken + `\].*self\.\?completionMod\.`)
	found := 0
	for _, line := range strings.Split(withLines(kind, err).Error(), "\n") {
		if !strings.Contains(line, "definitions[") {
			continue // more about the mistake above
		}
		if found++; !whole.MatchString(line) {
			t.Errorf("a mistake without its line, or without its rule: %s", line)
		}
	}
	if found == 0 {
		t.Errorf("no mistake has a place: %v", err)
	}
}
