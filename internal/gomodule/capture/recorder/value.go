//go:build go1.22

package recorder

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Bounds of an argument or a receiver. A larger value is not a configuration but, for example, a
// client with objects, or a cache.
const (
	maxDepth = 64
	maxBytes = 64 << 10
)

// argumentJSON returns the JSON of an argument or a receiver with a name. Unlike encoding/json it
// includes unexported fields, because options of validators have them. It omits fields that cannot be
// written and returns their names and the reasons in left. The data is nil if there is nothing to
// write.
func argumentJSON(name string, value any) (data json.RawMessage, left []string) {
	if path, is := value.(fmt.Stringer); is && isPath(reflect.TypeOf(value)) {
		if reflect.ValueOf(value).IsNil() {
			return nil, nil
		}
		return orNull(path.String()), nil
	}
	v := reflect.ValueOf(value)
	for v.Kind() == reflect.Pointer && !v.IsNil() && !writesItself(v) {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct || writesItself(v) {
		text, err := encoded(v)
		if err != nil {
			return nil, []string{name + ": " + err.Error()}
		}
		return json.RawMessage(text), nil
	}
	if lock := lockIn(v.Type()); lock != nil && !isLock(v.Type()) {
		return nil, []string{fmt.Sprintf("%s: it has a %s: it may change while it is read", name, lock)}
	}
	text, left := lenient(name, v, 0)
	if text == "{}" && len(left) > 0 {
		return nil, left
	}
	return json.RawMessage(text), left
}

// lenient writes the fields of a struct, and of structs inside it, and omits those that cannot be
// written.
func lenient(name string, v reflect.Value, depth int) (text string, left []string) {
	var fields []string
	for i := range v.NumField() {
		field, of := v.Type().Field(i), v.Field(i)
		var text string
		if of.Kind() == reflect.Struct && depth < 4 && !writesItself(of) && of.Type() != reflect.TypeFor[time.Time]() {
			var inside []string
			text, inside = lenient(name+"."+field.Name, of, depth+1)
			left = append(left, inside...)
		} else {
			var err error
			if text, err = encoded(of); err != nil {
				left = append(left, name+"."+field.Name+": "+err.Error())
				continue
			}
		}
		fields = append(fields, `"`+field.Name+`":`+text)
	}
	return "{" + strings.Join(fields, ",") + "}", left
}

// lockIn returns the type of a lock among the fields of a struct, or nil. Fields that a lock guards,
// as in clients and caches, may change at any time and must not be read without it.
func lockIn(t reflect.Type) reflect.Type {
	for i := range t.NumField() {
		switch of := t.Field(i).Type; {
		case isLock(of):
			return of
		case of.Kind() == reflect.Struct:
			if lock := lockIn(of); lock != nil {
				return lock
			}
		}
	}
	return nil
}

func isLock(t reflect.Type) bool { return t.PkgPath() == "sync" || t.PkgPath() == "sync/atomic" }

// hiddenTime reports whether a value is a time that cannot be asked for its text.
func hiddenTime(v reflect.Value) bool {
	return v.Type() == reflect.TypeFor[time.Time]() && !v.CanInterface() && !v.IsZero()
}

// encoded returns the JSON of a value, or an error if a part of it cannot be written.
func encoded(v reflect.Value) (text string, err error) {
	defer func() {
		if cause := recover(); cause != nil { // of a marshaler
			err = fmt.Errorf("%v", cause)
		}
	}()
	var e encoder
	err = e.encode(v, 0)
	return e.out.String(), err
}

// encoder writes one value.
type encoder struct{ out strings.Builder }

func (e *encoder) encode(v reflect.Value, depth int) error {
	switch {
	case !v.IsValid():
		e.out.WriteString("null")
		return nil
	case depth > maxDepth:
		return errors.New("it is nested too deep, or refers to itself")
	case e.out.Len() > maxBytes:
		return fmt.Errorf("it has more than %d bytes", maxBytes)
	case isLock(v.Type()):
		return fmt.Errorf("a %s is a lock", v.Type())
	case hiddenTime(v):
		return errors.New("it is a time in a field that is not exported")
	case writesItself(v):
		return e.marshal(v.Interface())
	}
	switch v.Kind() {
	case reflect.Bool:
		return e.marshal(v.Bool())
	case reflect.String:
		return e.marshal(v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return e.marshal(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return e.marshal(v.Uint())
	case reflect.Float32, reflect.Float64:
		return e.marshal(v.Float())
	case reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan:
		return e.reference(v, depth)
	case reflect.Slice, reflect.Array:
		return e.list(v, depth)
	case reflect.Map:
		return e.mapping(v, depth)
	case reflect.Struct:
		return e.fields(v, depth)
	}
	return fmt.Errorf("a %s cannot be written as JSON", v.Kind())
}

// reference writes the value of a pointer or an interface.
func (e *encoder) reference(v reflect.Value, depth int) error {
	switch {
	case v.IsNil():
		e.out.WriteString("null")
		return nil
	case v.Kind() == reflect.Func || v.Kind() == reflect.Chan:
		return fmt.Errorf("a %s cannot be written as JSON", v.Kind())
	}
	return e.encode(v.Elem(), depth+1)
}

func (e *encoder) list(v reflect.Value, depth int) error {
	if v.Kind() == reflect.Slice && v.IsNil() {
		e.out.WriteString("null")
		return nil
	}
	e.out.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			e.out.WriteByte(',')
		}
		if err := e.encode(v.Index(i), depth+1); err != nil {
			return err
		}
	}
	e.out.WriteByte(']')
	return nil
}

// mapping writes a map, sorted by the JSON of the keys, so that equal maps have equal JSON.
func (e *encoder) mapping(v reflect.Value, depth int) error {
	if v.IsNil() {
		e.out.WriteString("null")
		return nil
	}
	var entries [][2]string
	size := e.out.Len()
	for _, key := range v.MapKeys() {
		var entry [2]encoder
		if err := errors.Join(entry[0].encode(key, depth+1), entry[1].encode(v.MapIndex(key), depth+1)); err != nil {
			return err
		}
		name := entry[0].out.String()
		if !strings.HasPrefix(name, `"`) { // keys of JSON are text
			name = string(orNull(name))
		}
		entries = append(entries, [2]string{name, entry[1].out.String()})
		if size += len(name) + entry[1].out.Len(); size > maxBytes {
			return fmt.Errorf("it has more than %d bytes", maxBytes)
		}
	}
	slices.SortFunc(entries, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	e.out.WriteByte('{')
	for i, entry := range entries {
		if i > 0 {
			e.out.WriteByte(',')
		}
		e.out.WriteString(entry[0] + ":" + entry[1])
	}
	e.out.WriteByte('}')
	return nil
}

// fields writes each field of a struct under its Go name.
func (e *encoder) fields(v reflect.Value, depth int) error {
	if lock := lockIn(v.Type()); lock != nil {
		return fmt.Errorf("a %s has a %s: it may change while it is read", v.Type(), lock)
	}
	e.out.WriteByte('{')
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if i > 0 {
			e.out.WriteByte(',')
		}
		e.out.WriteString(`"` + field.Name + `":`)
		if err := e.encode(v.Field(i), depth+1); err != nil {
			return fmt.Errorf("%s: %w", field.Name, err)
		}
	}
	e.out.WriteByte('}')
	return nil
}

func (e *encoder) marshal(value any) error {
	data, err := json.Marshal(value)
	e.out.Write(data)
	return err
}
