package strictyaml

import (
	"math"

	"go.yaml.in/yaml/v3"
)

// entry is one key of a mapping with its value, merge keys resolved.
type entry struct {
	key       string
	at, value *yaml.Node
}

// Entries gives the keys of a mapping that was decoded before, and so has no mistakes,
// with their values: its own in the order of the file, then those that "<<" merges in.
func Entries(mapping *yaml.Node, yield func(key, value *yaml.Node)) {
	d := decoder{budget: math.MaxInt}
	for _, entry := range d.entries(mapping) {
		yield(entry.at, entry.value)
	}
}

// entries gives the keys of a mapping in the order of the file. A key that
// stands twice is a mistake; keys that "<<" merges in give way to the
// mapping's own.
func (d *decoder) entries(node *yaml.Node) []entry {
	m := merger{decoder: d, lines: map[string]int{}}
	m.mapping(node, true, 0)
	return m.entries
}

// merger collects the entries of one mapping.
type merger struct {
	*decoder
	entries []entry
	lines   map[string]int // of the keys that were found
	// seen are the mappings that were merged, which have nothing to add the next time;
	// true: the mapping is just being merged, and again would have no end.
	seen map[*yaml.Node]bool
}

// mapping adds the keys of a mapping that are not there yet, then those that it merges.
// Where it is written, and not where an alias repeats it, its keys must differ.
func (m *merger) mapping(node *yaml.Node, written bool, depth int) {
	own := m.lines
	if depth > 0 {
		own = map[string]int{}
	}
	var merges []*yaml.Node
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case key.Tag == "!!merge":
			merges = append(merges, value)
		case key.Kind != yaml.ScalarNode:
			m.addf(key, "a key must be text, not %s", kindOf(key))
		case written && own[key.Value] != 0:
			m.addf(key, "key %q stands twice; first in line %d", key.Value, own[key.Value])
		default:
			m.add(key, value)
			own[key.Value] = key.Line
		}
	}
	if depth == 0 && merges == nil {
		return // as nearly always
	}
	if m.seen == nil {
		m.seen = map[*yaml.Node]bool{}
	}
	m.seen[node] = true
	for _, value := range merges {
		m.merge(value, depth+1)
	}
	m.seen[node] = false
}

// add adds a key unless it is there. It costs a visit then, as it is not visited later.
func (m *merger) add(key, value *yaml.Node) {
	if m.lines[key.Value] != 0 {
		m.spend(key)
		return
	}
	m.lines[key.Value] = key.Line
	m.entries = append(m.entries, entry{key.Value, key, value})
}

// merge adds what a merge key brings in: the keys of one mapping, or of a list of
// mappings of which the earlier win.
func (m *merger) merge(value *yaml.Node, depth int) {
	written := value.Kind != yaml.AliasNode
	merged, ok := m.enter(value, depth)
	if !ok {
		return
	}
	switch merged.Kind {
	case yaml.MappingNode:
		switch merging, again := m.seen[merged]; {
		case merging:
			m.addf(value, "the mapping merges itself with <<")
		case !again:
			m.mapping(merged, written, depth)
		}
	case yaml.SequenceNode:
		for _, item := range merged.Content {
			m.merge(item, depth+1)
		}
	default:
		m.addf(merged, "only a mapping can be merged with <<, not %s", kindOf(merged))
	}
}
