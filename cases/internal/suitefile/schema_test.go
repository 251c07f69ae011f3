package suitefile

import (
	"flag"
	"reflect"
	"testing"

	"github.com/diffrun/diffrun/internal/testing/fileschema"
)

var _ = flag.Bool("update", false, "write the published schemas anew")

// The published schema of suites is that of the decoder.
func TestPublishedSchema(t *testing.T) {
	fileschema.File{
		Name: "suite", Title: "A suite of diffrun", Type: reflect.TypeFor[File](), Keys: "Keys", Root: "../../..",
		Pages: []string{"suites.md", "suites-native.md", "suites-declarative.md", "suites-worlds.md", "suites-policies.md"},
		Alike: map[string]string{"mutate": "then"},
	}.Check(t)
}
