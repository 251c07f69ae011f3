package marker

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// JSON decodes one JSON value of a marker. Integers become int64.
func JSON(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if decoder.More() {
		return nil, fmt.Errorf("more than one JSON value")
	}
	return plainNumbers(value)
}

func plainNumbers(value any) (any, error) {
	switch value := value.(type) {
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return whole, nil
		}
		return value.Float64()
	case []any:
		for i := range value {
			plain, err := plainNumbers(value[i])
			if err != nil {
				return nil, err
			}
			value[i] = plain
		}
	case map[string]any:
		for key := range value {
			plain, err := plainNumbers(value[key])
			if err != nil {
				return nil, err
			}
			value[key] = plain
		}
	}
	return value, nil
}
