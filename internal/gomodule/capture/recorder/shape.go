//go:build go1.22

package recorder

import (
	"reflect"
	"strings"
	"time"
)

// isContext reports whether a value is a context.Context.
func isContext(value any) bool {
	_, is := value.(interface {
		Deadline() (time.Time, bool)
		Done() <-chan struct{}
		Err() error
		Value(key any) any
	})
	return is
}

// structPointer reports whether a value is a pointer to a struct that can be an object. Field paths,
// for example, have no exported field and cannot.
func structPointer(value any) bool {
	t := reflect.TypeOf(value)
	if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return false
	}
	if isObject(value) {
		return true
	}
	for i := range t.Elem().NumField() {
		if t.Elem().Field(i).IsExported() {
			return true
		}
	}
	return false
}

// pointerTo returns a pointer to a struct that is passed by value, as parts of objects may be. It
// returns any other value as it is.
func pointerTo(value any) any {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Struct {
		return value
	}
	pointer := reflect.New(v.Type())
	pointer.Elem().Set(v)
	return pointer.Interface()
}

// sameKind reports whether a value can be the other object of an update.
func sameKind(object, value any) bool {
	return value != nil && reflect.TypeOf(value) == reflect.TypeOf(object)
}

// isObject reports whether a value is a runtime.Object or has the fields of one.
func isObject(value any) bool {
	t := reflect.TypeOf(value)
	if t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
		kind, says := t.Elem().FieldByName("TypeMeta")
		metadata, has := t.Elem().FieldByName("ObjectMeta")
		if says && has && kind.Anonymous && metadata.Anonymous {
			return true
		}
	}
	_, copies := t.MethodByName("DeepCopyObject")
	_, hasKind := t.MethodByName("GetObjectKind")
	return copies && hasKind
}

func typeName(value any) string {
	t := reflect.TypeOf(value)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath() + "." + t.Name()
}

// untagged reports whether a struct has an exported field without a JSON tag. Embedded structs and
// types that marshal themselves need no tags.
func untagged(t reflect.Type) bool {
	if _, writes := t.MethodByName("MarshalJSON"); writes {
		return false
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if _, tagged := f.Tag.Lookup("json"); f.IsExported() && !f.Anonymous && !tagged {
			return true
		}
	}
	return false
}

// errorsIn returns the validation errors in a result: a field.ErrorList, a *field.Error, what an adapter reads, or
// any other error.
func errorsIn(v reflect.Value, depth int) []Error {
	if !v.IsValid() || depth > 20 {
		return nil
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return nil
		}
	case reflect.Slice:
		if of := v.Type().Elem(); !isFieldError(of) && !isCause(of) && !(of.Kind() == reflect.Pointer && isCause(of.Elem())) {
			break
		}
		var all []Error
		for i := range v.Len() {
			all = append(all, errorsIn(v.Index(i), depth+1)...)
		}
		return all
	}
	switch {
	case isFieldError(v.Type()):
		return []Error{fieldError(v.Elem())}
	case isKnative(v):
		return knativeErrors(v)
	case isCause(reflect.Indirect(v).Type()):
		return []Error{causeError(reflect.Indirect(v))}
	}
	if messages, are := v.Interface().(texts); are {
		return messages.errors()
	}
	err, is := v.Interface().(error)
	if !is {
		return nil
	}
	return otherErrors(err, depth)
}

// otherErrors returns the errors of a Go error: an API status, several errors, or a text.
func otherErrors(err error, depth int) []Error {
	if status := reflect.ValueOf(err).MethodByName("Status"); status.IsValid() && status.Type().NumIn() == 0 &&
		status.Type().NumOut() == 1 {
		if data := orNull(status.Call(nil)[0].Interface()); strings.HasPrefix(string(data), "{") {
			return []Error{{Status: data}}
		}
	}
	var several []error
	switch err := err.(type) {
	case interface{ Errors() []error }:
		several = err.Errors()
	case interface{ Unwrap() []error }:
		several = err.Unwrap()
	}
	if several == nil {
		if inner, wraps := err.(interface{ Unwrap() error }); wraps && inner.Unwrap() != nil {
			if found := errorsIn(reflect.ValueOf(inner.Unwrap()), depth+1); len(found) > 0 && found[0].Text == "" {
				return found
			}
		}
		return []Error{{Text: err.Error()}}
	}
	var all []Error
	for _, one := range several {
		all = append(all, errorsIn(reflect.ValueOf(one), depth+1)...)
	}
	return all
}

// isFieldError recognizes *field.Error by its shape.
func isFieldError(t reflect.Type) bool {
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct || t.Elem().Name() != "Error" {
		return false
	}
	return strings.HasSuffix(t.Elem().PkgPath(), "k8s.io/apimachinery/pkg/util/validation/field")
}

func fieldError(v reflect.Value) Error {
	text := func(name string) string {
		if f := v.FieldByName(name); f.IsValid() {
			return f.String()
		}
		return ""
	}
	e := Error{Type: text("Type"), Field: text("Field"), Detail: text("Detail"), Origin: text("Origin")}
	if f := v.FieldByName("CoveredByDeclarative"); f.IsValid() {
		e.Covered = f.Bool()
	}
	if f := v.FieldByName("BadValue"); f.IsValid() {
		e.BadValue = badValue(f)
	}
	return e
}

// Errors returns the validation errors in the results of a call.
func Errors(results ...any) []Error {
	var all []Error
	for _, result := range results {
		all = append(all, errorsIn(reflect.ValueOf(result), 0)...)
	}
	return all
}
