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
	// maxCached is the number of bytes of text of cached schemas: about fifty of the largest
	// schemas of resources.
	maxCached = 16 << 20
	// cachedAtLeast is the number of bytes that a small schema counts as.
	cachedAtLeast = 4 << 10
)

// schemaCache compiles the schemas in lines, and keeps those that were used last, by their text. It is safe
// for concurrent use.
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

// get returns a compiled schema, or the error why it does not compile. It does not retain its arguments.
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

// compile compiles a schema on the first call.
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

// isNull reports whether a key is missing or null.
func isNull(text json.RawMessage) bool { return len(text) == 0 || string(text) == "null" }
