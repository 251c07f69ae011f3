package casefile

import (
	"flag"
	"reflect"
	"testing"

	"github.com/diffrun/diffrun/internal/testing/fileschema"
)

var _ = flag.Bool("update", false, "write the published schemas anew")

// The published schema of cases is that of the decoder.
func TestPublishedSchema(t *testing.T) {
	fileschema.File{
		Name:  "cases",
		Title: "A file of cases of diffrun",
		Type:  reflect.TypeFor[caseFile](),
		Pages: []string{"cases.md"},
		Keys:  "Keys of a file of cases",
		Root:  "../../..",
	}.Check(t)
}
