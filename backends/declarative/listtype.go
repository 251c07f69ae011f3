package declarative

import (
	"hash/maphash"
	"math/bits"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// compileListType compiles x-kubernetes-list-type and x-kubernetes-list-map-keys.
func compileListType(c *compiler, n *node, s schemaSite) {
	var typ string
	var keys []string
	s.extension(c, &typ)
	keysSite := s.of("x-kubernetes-list-map-keys")
	keysSite.extension(c, &keys)
	if typ != "map" && len(keys) > 0 {
		c.mistake(keysSite.where(), keys, "goes only with x-kubernetes-list-type: map")
	}
	if typ != "" && !slices.Equal(s.schema.Type, []string{"array"}) && reference(s.schema) == "" {
		c.mistake(s.where(), typ, "goes only with type: array")
		return
	}
	check := s.site()
	check.stage = listTypes
	switch typ {
	case "", "atomic":
	case "set":
		n.on(&setCheck{site: check}, view.List)
	case "map":
		if len(keys) == 0 {
			c.mistake(keysSite.where(), keys, "must name at least one key for x-kubernetes-list-type: map")
			return
		}
		n.listKeys = keys
		n.on(&mapListCheck{site: check, keys: keys}, view.List)
	default:
		c.mistake(s.where(), typ, "unknown list type; accepted are atomic, map, set")
	}
}

func compileMapType(c *compiler, _ *node, s schemaSite) {
	var typ string
	if s.extension(c, &typ) && typ != "granular" && typ != "atomic" {
		c.mistake(s.where(), typ, "unknown map type; accepted are atomic, granular")
	}
}

// setCheck is x-kubernetes-list-type: set.
type setCheck struct{ site }

func (c *setCheck) check(w *walk, f *frame) {
	for _, i := range w.duplicates(f.val, asText) {
		if w.failed() {
			v, _ := w.read.At(f.val, i)
			w.item(f, i, func(at *frame) {
				w.report(at, &c.site, field.Error{Type: field.ErrorTypeDuplicate, BadValue: v.JSON()})
			})
		}
	}
}

// mapListCheck is x-kubernetes-list-type: map.
type mapListCheck struct {
	site
	keys []string
}

func (c *mapListCheck) check(w *walk, f *frame) {
	size := w.read.Len(f.val)
	for i := range size {
		v, _ := w.read.At(f.val, i)
		if k := v.Kind(); k != view.Map && k != view.Null {
			if w.failed() {
				w.item(f, i, func(at *frame) {
					w.report(at, &c.site, field.Error{
						Type: field.ErrorTypeInvalid, BadValue: v.JSON(),
						Detail: "must be an object for an array of list-type map",
					})
				})
			}
			return
		}
	}
	if size > 1 && !w.distinct(f.val, size, c.keys) {
		c.unique(w, f, size)
	}
}

// distinct says that the items of a list by one key have keys that are surely
// distinct strings. A false means nothing. The table is open: a key is at the first
// free place from its hash on.
func (w *walk) distinct(list view.View, size int, keys []string) bool {
	items, ok := list.Items()
	if !ok || len(keys) != 1 || size > 1<<12 {
		return false
	}
	width := 1 << bits.Len(uint(size)) * 2
	if len(w.table) < width {
		w.table, w.seed = make([]string, width), maphash.MakeSeed()
	}
	table := w.table[:width]
	defer clear(table)
	for _, x := range items {
		item, _ := x.(map[string]any)
		key, ok := item[keys[0]].(string)
		if !ok || key == "" {
			return false
		}
		at := int(maphash.String(w.seed, key)) & (width - 1)
		for table[at] != "" {
			if table[at] == key {
				return false
			}
			at = (at + 1) & (width - 1)
		}
		table[at] = key
	}
	return true
}

func (c *mapListCheck) unique(w *walk, f *frame, size int) {
	seen := w.seen()
	for i := range size {
		v, _ := w.read.At(f.val, i)
		key := w.itemKey(v, c.keys, asText)
		if !seen.second(key) || !w.failed() {
			continue
		}
		w.item(f, i, func(at *frame) {
			w.report(at, &c.site, field.Error{Type: field.ErrorTypeDuplicate, BadValue: w.keyValue(v, c.keys)})
		})
	}
}

// keyValue is the key of an item as a value, for the error.
func (w *walk) keyValue(item view.View, keys []string) map[string]any {
	value := map[string]any{}
	for _, name := range keys {
		if v, ok := w.read.Field(item, name); ok {
			value[name] = v.JSON()
		}
	}
	return value
}
