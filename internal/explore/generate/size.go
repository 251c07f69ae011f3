package generate

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// sizeOf is how many bytes a value has as JSON. It counts instead of writing, for
// Grow asks all the time.
func sizeOf(value any) int {
	switch value := value.(type) {
	case nil:
		return len("null")
	case bool:
		return len(strconv.FormatBool(value))
	case int64:
		return len(strconv.FormatInt(value, 10))
	case string:
		return sizeOfText(value)
	case []any:
		size := len("[]") + max(0, len(value)-1)
		for _, item := range value {
			size += sizeOf(item)
		}
		return size
	case map[string]any:
		size := len("{}") + max(0, len(value)-1)
		for key, part := range value {
			size += sizeOfText(key) + len(":") + sizeOf(part)
		}
		return size
	default:
		return len(encoded(value))
	}
}

func sizeOfText(text string) int {
	escaped := func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"\\<>&`, r) }
	if strings.ContainsFunc(text, escaped) {
		return len(encoded(text))
	}
	return len(text) + len(`""`)
}

// encoded writes a value that was made here, so that it always is one of JSON.
func encoded(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("generate: made %v, which is not a JSON value: %v", value, err))
	}
	return data
}
