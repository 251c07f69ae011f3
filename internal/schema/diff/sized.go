package diff

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// mostItems is the maximum size of lists and strings that are made. A larger example would be
// unreadable.
const mostItems = 20_000

// sized returns lists and strings of the size at which the change shows, with distinct items and
// strings that match their pattern.
func (t *trial) sized(accept, reject *props) []leaf {
	size, exists := rejectedSize(reject, t.change.Kind)
	if !exists || *size > mostItems {
		return nil
	}
	makers := map[string]func(*props, int) any{"Items": t.list, "Properties": t.fields, "Length": t.text}
	make := makers[t.change.Kind[len("max"):]]
	return []leaf{func(any) any { return make(accept, int(*size)) }}
}

// list makes a list of some size. In sets and maps all items are distinct.
func (t *trial) list(of *props, size int) any {
	items := followItems(of)
	list := make([]any, 0, size)
	for len(list) < size {
		item := t.some(items)
		if of.XListType != nil && *of.XListType != "atomic" || of.UniqueItems {
			item = distinct(of, list, item)
		}
		list = append(list, item)
	}
	return list
}

// fields makes an object of some size: first the required fields, then other declared ones, then
// undeclared ones.
func (t *trial) fields(of *props, size int) any {
	object := map[string]any{}
	names := append(slices.Clone(of.Required), slices.Sorted(maps.Keys(of.Properties))...)
	for _, name := range names {
		if property, declared := of.Properties[name]; declared && len(object) < size {
			object[name] = t.some(&property)
		}
	}
	var others *props
	if of.AdditionalProperties != nil {
		others = of.AdditionalProperties.Schema
	}
	for n := 0; len(object) < size && n < 2*size; n++ {
		object[fmt.Sprintf("k%d", n)] = t.some(others)
	}
	return object
}

// distinct adds a number to an item, or to its keys, if the list has it already.
func distinct(of *props, list []any, item any) any {
	if !slices.ContainsFunc(list, func(other any) bool { return equality.Semantic.DeepEqual(other, item) }) && len(of.XListMapKeys) == 0 {
		return item
	}
	fields, isObject := item.(map[string]any)
	for _, key := range of.XListMapKeys {
		if isObject {
			fields[key] = numbered(fields[key], len(list))
		}
	}
	if isObject {
		return fields
	}
	return numbered(item, len(list))
}

func numbered(value any, n int) any {
	switch value.(type) {
	case int64:
		return int64(n)
	case float64:
		return float64(n)
	}
	return fmt.Sprintf("k%d", n)
}

// text makes a string of some length: one that matches the pattern, with one of its characters
// repeated.
func (t *trial) text(of *props, size int) any {
	pattern, err := regexp.Compile(of.Pattern)
	if err != nil {
		return strings.Repeat("a", size)
	}
	seed, _ := t.some(of).(string)
	for _, short := range []string{"a", seed} {
		for at, r := range short {
			missing := size - utf8.RuneCountInString(short)
			if missing < 0 {
				break
			}
			text := short[:at] + strings.Repeat(string(r), missing) + short[at:]
			if pattern.MatchString(text) {
				return text
			}
		}
	}
	return generate.Value(t.src, of, generate.ObjectOptions{Values: 1})
}
