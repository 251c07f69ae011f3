package strictyaml

import (
	"math"
	"slices"

	"go.yaml.in/yaml/v3"
)

// entry is one key of a mapping with its value, after merge keys are resolved.
type entry struct {
	key       string
	at, value *yaml.Node
}

// Entries returns the keys of a mapping with their values, including those that "<<" merges in. The
// mapping must have been decoded before without mistakes.
func Entries(mapping *yaml.Node, yield func(key, value *yaml.Node)) {
	d := decoder{budget: math.MaxInt}
	for _, entry := range d.entries(mapping) {
		yield(entry.at, entry.value)
	}
}

// entries returns the keys of a mapping in the order of the file. A duplicate key is a mistake. If "<<"
// merges in the same key, the last value counts, as in kubectl's reader (sigs.k8s.io/yaml); according to
// https://yaml.org/type/merge.html the mapping's own value would win wherever it is.
func (d *decoder) entries(node *yaml.Node) []entry {
	m := merger{decoder: d}
	m.mapping(node, true)
	return m.entries
}

// merger collects the entries of one mapping.
type merger struct {
	*decoder
	entries []entry
	// index is the index of each key in the entries. It is nil before the first merge.
	index map[string]int
	// within are the mappings that are being merged, each inside the one before.
	within []*yaml.Node
}

// mapping sets the keys of a mapping, and those that it merges. Duplicate keys are reported where the
// mapping is written, not where an alias repeats it.
func (m *merger) mapping(node *yaml.Node, written bool) {
	m.within = append(m.within, node)
	own := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case key.Tag == "!!merge":
			m.merge(value)
		case key.Kind != yaml.ScalarNode:
			m.addf(key, "a key must be text, not %s", kindOf(key))
		case written && own[key.Value] != 0:
			m.addf(key, "key %q is set twice; first in line %d", key.Value, own[key.Value])
		default:
			own[key.Value] = key.Line
			m.set(key, value)
		}
	}
	m.within = m.within[:len(m.within)-1]
}

// set sets a key. Replacing a value costs a visit, because the old value is not visited.
func (m *merger) set(key, value *yaml.Node) {
	if m.index != nil {
		if i, known := m.index[key.Value]; known {
			m.spend(key)
			m.entries[i] = entry{key.Value, key, value}
			return
		}
		m.index[key.Value] = len(m.entries)
	}
	m.entries = append(m.entries, entry{key.Value, key, value})
}

// merge sets the keys of a merge key: those of one mapping, or of a list of mappings, of which earlier
// ones win.
func (m *merger) merge(value *yaml.Node) {
	if m.index == nil {
		m.index = map[string]int{}
		for i, entry := range m.entries {
			m.index[entry.key] = i
		}
	}
	if value.Kind != yaml.SequenceNode {
		m.mergeOne(value)
		return
	}
	for _, item := range slices.Backward(value.Content) {
		m.mergeOne(item)
	}
}

func (m *merger) mergeOne(value *yaml.Node) {
	mapping, ok := m.enter(value, len(m.within))
	switch {
	case !ok:
	case mapping.Kind != yaml.MappingNode:
		m.addf(value, "only a mapping can be merged with <<, not %s", kindOf(mapping))
	case slices.Contains(m.within, mapping):
		m.addf(value, "the mapping merges itself with <<")
	default:
		m.mapping(mapping, value == mapping)
	}
}
