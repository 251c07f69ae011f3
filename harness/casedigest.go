package harness

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/files/documents"
)

// Digest returns a hash of all that a case asks: its objects, its request, who sends it, and what it wants. Cases with
// equal digests have equal results, if the suite and the validators are the same. The id, the source and the text
// about the case are not part of it.
func (c *Case) Digest() string {
	asked := struct {
		Version                       schema.GroupVersionKind
		Object, Old                   any
		Operation                     string
		RequestName, RequestNamespace string
		Path, Subresource             string
		Cluster                       []any
		User                          *User
		Want                          []ExpectedError
		WantsNone                     bool
		WantDecision                  words.Decision
		WantOfGuards                  bool
		Fault                         string
	}{
		Version: c.Version, Object: c.exact(c.Object), Old: c.exact(c.Old), Operation: string(c.Operation()),
		RequestName: c.RequestName, RequestNamespace: c.RequestNamespace, Path: c.Path.String(), Subresource: c.Subresource,
		User: c.User, Want: c.Want, WantsNone: c.Want != nil && len(c.Want) == 0, WantDecision: c.WantDecision,
		WantOfGuards: c.WantOfGuards,
	}
	for _, object := range c.Cluster {
		asked.Cluster = append(asked.Cluster, c.exact(object))
	}
	if c.Fault != nil {
		asked.Fault = c.Fault.Error()
	}
	text, err := json.Marshal(asked)
	if err != nil { // a Go value without JSON; the case is distinguished by its id
		text = []byte(c.ID + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// exact returns an object in which 3.0 differs from 3, if the case keeps its numbers.
func (c *Case) exact(object any) any {
	if !c.ExactNumbers {
		return object
	}
	written, _ := documents.Replaced(object, func(value any) (any, bool) {
		number, isFloat := value.(float64)
		if !isFloat || number != math.Trunc(number) {
			return value, false
		}
		return json.RawMessage(strconv.FormatFloat(number, 'e', 1, 64)), true
	})
	return written
}
