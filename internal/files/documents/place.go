package documents

import (
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// place is the line of a value, with the places of its children.
type place struct {
	line    int // of an entry of a mapping: that of its key
	members map[string]*place
	items   []*place
}

// At returns the position of a field. Its line is that of LineOf.
func (d Document) At(file, path string) strictyaml.Position {
	return strictyaml.Position{File: file, Line: d.LineOf(path)}
}

// LineOf returns the line of a field by its path in validation errors: spec.containers[0].name,
// metadata.labels[example.com/app]. If the field is not in the file, it is the line of its nearest
// parent. A dot in a path may be a part of a key, so the keys in the file decide.
func (d Document) LineOf(path string) int {
	if d.places == nil {
		return d.Line
	}
	return d.places().find(path).line
}

func (p *place) find(path string) *place {
	for path != "" {
		next, rest := p.step(path)
		if next == nil {
			break
		}
		p, path = next, rest
	}
	return p
}

// step returns the child of p with the longest key that the path begins with, or nil.
func (p *place) step(path string) (next *place, rest string) {
	path = strings.TrimPrefix(path, ".")
	if index, after, ok := cutIndex(path); ok && index < len(p.items) {
		return p.items[index], after
	}
	for _, end := range slices.Backward(ends(path)) {
		if member := p.members[path[:end]]; member != nil {
			return member, path[end:]
		}
		if path[0] == '[' && path[end-1] == ']' {
			if member := p.members[path[1:end-1]]; member != nil {
				return member, path[end:]
			}
		}
	}
	return nil, ""
}

// mostParts is the limit of path elements that may be one key.
const mostParts = 1_000

// ends returns the offsets at which the first key of a path may end.
func ends(path string) []int {
	var all []int
	for at := 1; at <= len(path) && len(all) < mostParts; at++ {
		if at == len(path) || path[at] == '.' || path[at] == '[' {
			all = append(all, at)
		}
	}
	return all
}

// cutIndex removes "[12]" from the front of a path.
func cutIndex(path string) (index int, rest string, ok bool) {
	digits, rest, ok := strings.Cut(strings.TrimPrefix(path, "["), "]")
	if !ok || digits == "" || path[0] != '[' {
		return 0, "", false
	}
	for _, digit := range digits {
		if digit < '0' || digit > '9' || index > 1<<30 {
			return 0, "", false
		}
		index = 10*index + int(digit-'0')
	}
	return index, rest, true
}
