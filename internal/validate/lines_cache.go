package validate

import (
	"container/list"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sync"

	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

const (
	// maxCached bounds the text of the schemas that are kept compiled, in bytes:
	// some fifty of the largest that resources have.
	maxCached = 16 << 20
	// cachedAtLeast is what the smallest schema counts.
	cachedAtLeast = 4 << 10
)

// schemaCache compiles the schemas that stand in lines, and keeps those that
// were used last, by their text. Safe for use by several goroutines.
type schemaCache struct {
	compiler compiler

	mu     sync.Mutex
	byText map[[sha256.Size]byte]*list.Element // of *cachedSchema
	recent *list.List                          // the most recently used first
	weight int
}

type cachedSchema struct {
	key      [sha256.Size]byte
	weight   int
	compiled *byRole
}

func newSchemaCache(c compiler) *schemaCache {
	return &schemaCache{compiler: c, byText: map[[sha256.Size]byte]*list.Element{}, recent: list.New()}
}

// get gives a schema compiled, or why it does not compile. What it is given is
// kept by no one.
func (c *schemaCache) get(text []byte) *byRole {
	key := sha256.Sum256(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if found, ok := c.byText[key]; ok {
		c.recent.MoveToFront(found)
		return found.Value.(*cachedSchema).compiled
	}
	added := &cachedSchema{key: key, weight: max(len(text), cachedAtLeast), compiled: c.compile(text)}
	c.byText[key] = c.recent.PushFront(added)
	for c.weight += added.weight; c.weight > maxCached && c.recent.Len() > 1; {
		last := c.recent.Remove(c.recent.Back()).(*cachedSchema)
		delete(c.byText, last.key)
		c.weight -= last.weight
	}
	return added.compiled
}

// compile readies a schema; the work is done by whoever asks for it first.
func (c *schemaCache) compile(text []byte) *byRole {
	text = append([]byte(nil), text...)
	return newByRole(func(as role) (*compiled, error) {
		var value any
		mistakes, err := kjson.UnmarshalStrict(text, &value)
		if err = jsonerrors.In(text, err, "it"); err == nil {
			err = documents.InOneLine(mistakes)
		}
		if err == nil {
			err = documents.CheckBounds(value)
		}
		if err != nil {
			return nil, fmt.Errorf("schema: %w", onOneLine(err))
		}
		read, err := definitions.ToSchema(value)
		if err != nil {
			return nil, fmt.Errorf("schema: %w", onOneLine(err))
		}
		made, err := c.compiler.schema(read, as)
		if err != nil {
			return nil, fmt.Errorf("the schema does not compile: %w", onOneLine(err))
		}
		return made, nil
	})
}

// isNull says that a key is not there, or is there without a value.
func isNull(text json.RawMessage) bool { return len(text) == 0 || string(text) == "null" }
