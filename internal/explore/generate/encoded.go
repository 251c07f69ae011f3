package generate

import (
	"encoding/json"
	"fmt"
)

// encoded returns a value that was made here as JSON.
func encoded(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("generate: made %v, which is not a JSON value: %v", value, err))
	}
	return data
}
