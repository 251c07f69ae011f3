package equivalence

import (
	"reflect"
	"testing"

	"github.com/diffrun/diffrun/internal/testing/fileschema"
)

// The published schemas of rules and exceptions are those of the decoders.
func TestPublishedSchemas(t *testing.T) {
	for _, file := range []fileschema.File{
		{Name: "rules", Title: "A file of rules of diffrun", Type: reflect.TypeFor[[]ruleEntry](), Pages: []string{"rules.md"},
			Keys: "Keys", Root: ".."},
		{Name: "exceptions", Title: "A file of exceptions of diffrun", Type: reflect.TypeFor[[]exceptionEntry](),
			Pages: []string{"exceptions.md"}, Keys: "Keys", Root: "..", Alike: map[string]string{"declarative": "native"}},
	} {
		file.Check(t)
	}
}
