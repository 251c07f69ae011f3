package generate

import (
	"encoding/json"
	"fmt"
)

// sizeOf returns the number of bytes of a value as JSON.
func sizeOf(value any) int { return len(encoded(value)) }

// encoded returns a value that was made here as JSON.
func encoded(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("generate: made %v, which is not a JSON value: %v", value, err))
	}
	return data
}
