package declarative

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// compileListType compiles x-kubernetes-list-type and x-kubernetes-list-map-keys.
func compileListType(c *compiler, n *node, s schemaSite) {
	typ, _ := extension[string](c, s)
	keysSite := s.of("x-kubernetes-list-map-keys")
	keys, _ := extension[[]string](c, keysSite)
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
	if typ, ok := extension[string](c, s); ok && typ != "granular" && typ != "atomic" {
		c.mistake(s.where(), typ, "unknown map type; accepted are atomic, granular")
	}
}

// setCheck is x-kubernetes-list-type: set.
type setCheck struct{ site }

func (c *setCheck) check(w *walk, f *frame) {
	for i := range w.duplicates(f.val, nil, view.AsText) {
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
	if i := w.noObject(f.val); i >= 0 {
		if w.failed() {
			v, _ := w.read.At(f.val, i)
			w.item(f, i, func(at *frame) {
				w.report(at, &c.site, field.Error{
					Type: field.ErrorTypeInvalid, BadValue: v.JSON(),
					Detail: "must be an object for an array of list-type map",
				})
			})
		}
		return
	}
	for i := range w.duplicates(f.val, c.keys, view.AsText) {
		if !w.failed() {
			continue
		}
		v, _ := w.read.At(f.val, i)
		w.item(f, i, func(at *frame) {
			w.report(at, &c.site, field.Error{Type: field.ErrorTypeDuplicate, BadValue: w.keyValue(v, c.keys)})
		})
	}
}

// noObject is the index of the first item of a list that is neither object nor null, or -1.
func (w *walk) noObject(list view.View) int {
	for i := range w.read.Len(list) {
		v, _ := w.read.At(list, i)
		if k := v.Kind(); k != view.Map && k != view.Null {
			return i
		}
	}
	return -1
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
