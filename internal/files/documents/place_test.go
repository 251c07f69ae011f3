package documents

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// stepSlowly compares a path with every key.
func (p *place) stepSlowly(path string) (next *place, rest string) {
	path = strings.TrimPrefix(path, ".")
	if index, after, ok := cutIndex(path); ok && index < len(p.items) {
		return p.items[index], after
	}
	longest := -1
	for name, member := range p.members {
		for i, written := range []string{name, "[" + name + "]"} {
			after, ok := strings.CutPrefix(path, written)
			if taken := len(path) - len(after); ok && (after == "" || after[0] == '.' || after[0] == '[') && 2*taken-i > longest {
				longest, next, rest = 2*taken-i, member, after
			}
		}
	}
	return next, rest
}

// A path leads to the same place as if all keys were compared with it: an object with many fields has many
// errors, and each needs its line.
func TestStep(t *testing.T) {
	key := rapid.StringOfN(rapid.RuneFrom([]rune("ab.[]0")), 1, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		p := &place{members: map[string]*place{}}
		for _, name := range rapid.SliceOf(key).Draw(t, "keys") {
			p.members[name] = &place{}
		}
		for range rapid.IntRange(0, 2).Draw(t, "items") {
			p.items = append(p.items, &place{})
		}
		path := rapid.StringOfN(rapid.RuneFrom([]rune("ab.[]0")), 1, 12, -1).Draw(t, "path")
		next, rest := p.step(path)
		if slow, slowRest := p.stepSlowly(path); next != slow || rest != slowRest {
			t.Fatalf("%q: got %p and %q, want %p and %q of %v", path, next, rest, slow, slowRest, p.members)
		}
	})
}
