package view

import (
	"math"
	"strconv"
)

// Numbers defines when an integer and a float are the same key.
type Numbers uint8

const (
	// AsValues: never. 1 and 1.0 differ, and a zero has no sign.
	AsValues Numbers = iota
	// AsText: if their JSON is the same. This is how the API server compares lists of type set
	// and map: by JSON if items are compound or have several keys, and as values if they
	// are scalars (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype).
	AsText
	// AsDigits: never, and floats are the same if they agree in six digits after the point. This is
	// how the API server finds old items by several keys (k8s.io/apiserver/pkg/cel/common, MapList).
	AsDigits
)

// Key is the key of a value in a Go map: two values are equal if and only if their Keys are. The
// zero Key belongs to a missing value, which equals no value.
type Key struct {
	kind   keyKind
	number int64
	text   string
}

type keyKind uint8

const (
	missing keyKind = iota
	textKey
	integerKey
	writtenKey // any other value, as appendKey writes it
)

// Key returns the Key of a value.
func (r *Reader) Key(v View, numbers Numbers) Key {
	switch v.kind {
	case String:
		return Key{kind: textKey, text: v.Str()}
	case Int:
		return Key{kind: integerKey, number: v.Int()}
	case List, Map:
		r.key = r.appendKey(r.key[:0], v, numbers)
	default:
		r.key = r.appendKey(r.key[:0], v, AsValues)
	}
	return Key{kind: writtenKey, text: string(r.key)}
}

// ItemKey returns the Key of an item of a list of type map. In a Go object a null counts
// as a missing key.
func (r *Reader) ItemKey(item View, names []string, numbers Numbers) Key {
	if len(names) == 1 {
		v, ok := r.keyField(item, names[0])
		if !ok {
			return Key{}
		}
		return r.Key(v, numbers)
	}
	r.key = r.key[:0]
	for _, name := range names {
		if v, ok := r.keyField(item, name); ok {
			r.key = r.appendKey(r.key, v, numbers)
		}
		r.key = append(r.key, ';')
	}
	return Key{kind: writtenKey, text: string(r.key)}
}

func (r *Reader) keyField(item View, name string) (View, bool) {
	v, ok := r.Field(item, name)
	return v, ok && !(v.Typed() && v.kind == Null)
}

// ScalarKey returns the ItemKey of an item that has all keys, all of them scalars. Other items are not
// found again in an old list.
func (r *Reader) ScalarKey(item View, names []string) (Key, bool) {
	for _, name := range names {
		switch v, _ := r.Field(item, name); v.kind {
		case Bool, Int, Float, String:
		default:
			return Key{}, false
		}
	}
	return r.ItemKey(item, names, AsDigits), true
}

// ByKey enters the indexes of the items of a list of type map by their ScalarKeys. The first of
// several items with the same key counts.
func (r *Reader) ByKey(list View, names []string, into map[Key]int) {
	for i := range r.Len(list) {
		item, _ := r.At(list, i)
		if key, ok := r.ScalarKey(item, names); ok {
			if _, taken := into[key]; !taken {
				into[key] = i
			}
		}
	}
}

// appendKey writes a value so that two values have the same text if and only if they are equal.
// numbers says when an integer equals a float.
func (r *Reader) appendKey(key []byte, v View, numbers Numbers) []byte {
	switch v.kind {
	case Null:
		return append(key, 'n')
	case Bool:
		return strconv.AppendBool(key, v.Bool())
	case Int:
		return strconv.AppendInt(append(key, 'i'), v.Int(), 10)
	case Float:
		return numbers.appendFloat(key, v.Float())
	case String:
		return appendText(key, v.Str())
	case List:
		key = append(key, '[')
		for i := range r.Len(v) {
			item, _ := r.At(v, i)
			key = append(r.appendKey(key, item, numbers), ',')
		}
		return append(key, ']')
	case Map:
		key = append(key, '{')
		for _, e := range r.Entries(v) {
			key = append(appendText(key, e.Key), ':')
			key = append(r.appendKey(key, e.Value, numbers), ',')
		}
		return append(key, '}')
	}
	return append(key, '?')
}

// appendFloat writes the digits of a float that count.
func (n Numbers) appendFloat(key []byte, f float64) []byte {
	switch {
	case n == AsText && math.Abs(f) < 1e21: // JSON writes larger numbers with an exponent
		return strconv.AppendFloat(append(key, 'i'), f, 'f', -1, 64)
	case n == AsDigits:
		return strconv.AppendFloat(append(key, 'f'), f, 'f', 6, 64)
	case f == 0:
		f = 0 // and not -0
	}
	return strconv.AppendFloat(append(key, 'f'), f, 'g', -1, 64)
}

// appendText writes a text after its length, which marks its end.
func appendText(key []byte, s string) []byte {
	key = strconv.AppendInt(append(key, 's'), int64(len(s)), 10)
	return append(append(key, ':'), s...)
}
