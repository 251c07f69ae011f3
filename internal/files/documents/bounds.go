package documents

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

const (
	// MaxSize is the number of bytes of compact JSON that an object may have. It is the limit of
	// the API server for the body of a request.
	MaxSize = 3 << 20
	// MaxDepth is how deeply an object may be nested.
	MaxDepth = strictyaml.MaxDepth
)

// CheckBounds returns an error if a JSON value is too deep or too large, such as "is nested deeper
// than …".
func CheckBounds(value any) error {
	extent := extent{left: MaxSize}
	switch {
	case !extent.take(value, 0):
		return fmt.Errorf("is nested deeper than %d levels", MaxDepth)
	case extent.left < 0:
		return fmt.Errorf("is larger than %d MiB, the most that the API server takes", MaxSize>>20)
	}
	return nil
}

// WithinBounds reports whether a value that was decoded from a text is surely within the bounds of
// CheckBounds, because the text is short. It may be within them otherwise, too.
func WithinBounds(text []byte) bool {
	// A number is at most longestNumber bytes long, and its text at least one.
	const longestNumber = 400
	return len(text) <= MaxSize/longestNumber && bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("[")) < MaxDepth
}

// extent measures an object as compact JSON without counting escapes.
type extent struct{ left int }

// take counts a value, and returns false if it is nested too deep. It stops when nothing is left, so a
// value with many references to itself is cheap.
func (e *extent) take(value any, depth int) bool {
	if depth > MaxDepth {
		return false
	}
	switch value := value.(type) {
	case map[string]any:
		e.left -= 2
		for key, member := range value {
			e.left -= len(key) + 4
			if e.left >= 0 && !e.take(member, depth+1) {
				return false
			}
		}
	case []any:
		e.left -= 2
		for _, item := range value {
			e.left--
			if e.left >= 0 && !e.take(item, depth+1) {
				return false
			}
		}
	case string:
		e.left -= len(value) + 2
	case int64:
		e.left -= len(strconv.FormatInt(value, 10))
	case float64:
		e.left -= len(strconv.FormatFloat(value, 'g', -1, 64))
	default:
		e.left -= len("null")
	}
	return true
}
