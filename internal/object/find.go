package object

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Find returns the path of a part that errors or decoders name in a value. A dot in the text may belong to a key, and keys
// may be in brackets: the value shows which. It returns false if the value has no such part.
func Find(value any, text string) (Path, bool) {
	text = strings.TrimPrefix(text, ".")
	switch value := value.(type) {
	case map[string]any:
		if _, has := value[text]; has {
			return Path{{Name: text}}, true
		}
		if key, rest, bracketed := strings.Cut(strings.TrimPrefix(text, "["), "]"); bracketed && text[0] == '[' {
			part, has := value[key]
			return findBelow(Step{Kind: Key, Name: key}, part, has, rest)
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			rest, begins := strings.CutPrefix(text, key)
			if begins && rest != "" && (rest[0] == '.' || rest[0] == '[') {
				if found, has := findBelow(Step{Name: key}, value[key], true, rest); has {
					return found, true
				}
			}
		}
	case []any:
		digits, rest, _ := strings.Cut(strings.TrimPrefix(text, "["), "]")
		if index, err := strconv.Atoi(digits); err == nil && index >= 0 && index < len(value) {
			return findBelow(Step{Kind: Item, Index: index}, value[index], true, rest)
		}
	}
	return nil, false
}

func findBelow(step Step, part any, has bool, rest string) (Path, bool) {
	if !has || rest == "" {
		return Path{step}, has
	}
	below, has := Find(part, rest)
	return append(Path{step}, below...), has
}
