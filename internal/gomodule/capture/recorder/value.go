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

// Bounds of a parameter or a receiver. What is larger is no configuration: a client with
// objects, or a cache.
const (
	maxDepth = 64
	maxBytes = 64 << 10
)

// argumentJSON writes a parameter or a receiver by its value, under its name. Unlike
// encoding/json it writes unexported fields, since options of validators have such. A field
// of the struct that cannot be written is left out; it is among the unrecorded ones, by its
// name and the reason. Nil data: there is nothing to write.
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

// lenient writes the fields of a struct, and of the structs that are a part of it, as far as
// they can be written.
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

// lockIn gives the type of a lock among the fields of a struct: what it guards changes while
// others use it, as clients and caches do, and must not be read without it. Nil: there is
// none.
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

// hiddenTime says that a value is a time whose text cannot be asked for.
func hiddenTime(v reflect.Value) bool {
	return v.Type() == reflect.TypeFor[time.Time]() && !v.CanInterface() && !v.IsZero()
}

// encoded writes a value that is written as a whole or not at all.
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

// reference writes what a pointer or an interface holds.
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

// mapping sorts by the keys' JSON, so that equal maps are written alike.
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
