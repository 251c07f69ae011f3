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

// Missing implements view.Equality: an entry that counts as missing in validation makes no difference.
func (n *Node) Missing(r *view.Reader, name string, v view.View) bool {
	return n.Field(name).Absent(r, v)
}

// Absent reports whether an entry of a map counts as missing: a zero value where the schema strips
// zeros (KEP-4153, x-kubernetes-strip-zero), or a null of a typed object where the schema
// does not accept null. Go writes such a null for an unset slice, map or pointer without
// omitempty. A null in JSON data is a value.
func (n *Node) Absent(r *view.Reader, v view.View) bool {
	if v.Kind() == view.Null && v.Typed() {
		return n == nil || !n.Nullable
	}
	return n != nil && n.StripZero && r.Zero(v)
}

// Pairs implements view.Equality: items of a list of type map are paired by their keys;
// other lists are compared as a whole.
func (n *Node) Pairs(r *view.Reader, list, old view.View) (indexes []int, items view.Equality, ok bool) {
	keys := n.MapKeys()
	if keys == nil {
		return nil, n.ordered(), true
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
			// For the API server, a list in which an old item occurs twice equals the old list, so
			// it does not ratchet duplicates this way.
			delete(byKey, key)
		}
	}
	if part := n.Item(); part != nil {
		items = part
	}
	return indexes, items, true
}

// ordered returns the Equality of the items of a list that is not of type map, or nil to compare them
// simply, as the API server does for custom resources.
func (n *Node) ordered() view.Equality {
	if item := n.Item(); item != nil && !n.custom {
		return inOrder{item}
	}
	return nil
}

// inOrder compares values of native types whose lists have all items in the same order.
type inOrder struct{ *Node }

// Entry implements view.Equality.
func (o inOrder) Entry(name string) (view.Equality, bool) {
	if part := o.Field(name); part != nil {
		return inOrder{part}, true
	}
	return nil, true
}

// Pairs implements view.Equality.
func (o inOrder) Pairs(*view.Reader, view.View, view.View) (indexes []int, items view.Equality, ok bool) {
	return nil, o.ordered(), true
}
