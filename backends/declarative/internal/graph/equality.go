package graph

import "github.com/diffrun/diffrun/backends/declarative/internal/view"

// Compares implements view.Equality: all values may be compared.
func (n *Node) Compares(view.View) bool { return true }

// Entry implements view.Equality. For the API server, a map with an entry that the schema
// does not declare always counts as changed.
func (n *Node) Entry(name string) (view.Equality, bool) {
	if part := n.Field(name); part != nil {
		return part, true
	}
	return nil, n == nil || !n.custom
}

// Pairs implements view.Equality: items of a list of type map are paired by their keys;
// other lists are compared as a whole.
func (n *Node) Pairs(r *view.Reader, list, old view.View) (indexes []int, items view.Equality, ok bool) {
	keys := n.MapKeys()
	if keys == nil {
		return nil, nil, true
	}
	size := r.Len(list)
	byKey := make(map[view.Key]int, size)
	r.ByKey(old, keys, byKey)
	indexes = make([]int, size)
	for i := range size {
		item, _ := r.At(list, i)
		key, scalar := r.ScalarKey(item, keys)
		if indexes[i], ok = byKey[key]; !ok || !scalar {
			return nil, nil, false
		}
		if !n.custom {
			// The API server takes a list in which an old item occurs twice for the old
			// list, which is why it does not ratchet duplicates this way.
			delete(byKey, key)
		}
	}
	if part := n.Item(); part != nil {
		items = part
	}
	return indexes, items, true
}
