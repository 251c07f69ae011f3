package equivalence

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/plaintext"
)

// NewDefault gives one side of a pair of class Default: the value that the field at a path, such as
// spec.ports[0].protocol, has after defaulting. The value is one of decoded JSON; nil stands for an
// absent field. Detail has it as JSON.
func NewDefault(at string, value any) *field.Error {
	side := &field.Error{Type: plaintext.FieldDefault, Field: at, BadValue: value, Detail: "absent after defaulting"}
	if value == nil {
		return side
	}
	text, err := json.Marshal(value)
	if err != nil {
		text = fmt.Append(nil, value)
	}
	side.Detail = string(text) + " after defaulting"
	return side
}
