//go:build go1.22

package converter

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/capture/recorder"
)

// replay calls the validator of a line again. It says what keeps the errors from being the
// same; empty: they are.
func (p *Program) replay(c *conversion, line *recorder.Line, answer *Answer) (differs string) {
	f, known := p.Functions[line.Function]
	switch {
	case !known:
		return "function: it cannot be called from outside of its package"
	case len(line.Unrecorded) > 0:
		return "options: " + line.Unrecorded[0]
	case line.Panicked:
		return "panic: the call did not return"
	}
	if line.Gates != nil {
		if p.Gates == nil {
			return "gates: they cannot be set"
		}
		restore, err := p.Gates(line.Gates)
		if err != nil {
			return "gates: " + err.Error()
		}
		defer restore()
	}
	defer func() {
		if cause := recover(); cause != nil {
			differs = fmt.Sprintf("conversion: the validator panicked: %v", cause)
		}
	}()
	values, why := f.values(c, line, answer)
	if why != "" {
		return why
	}
	call := reflect.ValueOf(f.Call)
	var results []reflect.Value
	if call.Type().IsVariadic() {
		results = call.CallSlice(values)
	} else {
		results = call.Call(values)
	}
	var got []any
	for _, result := range results {
		got = append(got, result.Interface())
	}
	return compare(line.Errors, recorder.Errors(got...))
}

// values are the parameters of the call.
func (f *Function) values(c *conversion, line *recorder.Line, answer *Answer) (values []reflect.Value, why string) {
	t := reflect.TypeOf(f.Call)
	objects := []json.RawMessage{answer.Object, answer.Old}
	if f.Old {
		objects[0], objects[1] = objects[1], objects[0]
	}
	object := reflect.Type(nil)
	for i := range t.NumIn() {
		in := t.In(i)
		switch {
		case in == reflect.TypeFor[context.Context]():
			values = append(values, reflect.ValueOf(context.Background()))
		case len(objects) > 0 && (object == nil || in == object) && line.Arguments[f.Parameters[i]] == nil && in != reflect.TypeFor[*field.Path]():
			object = in
			value := reflect.Zero(in)
			if document := objects[0]; len(document) > 0 {
				made, err := c.back(c.types[line.Type], document, answer)
				if err != nil {
					return nil, "conversion: " + err.Error()
				}
				if value = made; in.Kind() == reflect.Struct {
					value = made.Elem()
				}
			}
			objects = objects[1:]
			values = append(values, value)
		default:
			value, err := argument(in, line.Arguments[f.Parameters[i]])
			if err != nil {
				return nil, "options: " + f.Parameters[i] + ": " + err.Error()
			}
			values = append(values, value)
		}
	}
	return values, ""
}

// argument reads a parameter that is no object.
func argument(t reflect.Type, data json.RawMessage) (reflect.Value, error) {
	value := reflect.New(t).Elem()
	if data == nil || string(data) == "null" {
		return value, nil
	}
	if t == reflect.TypeFor[*field.Path]() {
		var path string
		err := json.Unmarshal(data, &path)
		return reflect.ValueOf(field.NewPath(path)), err
	}
	return value, decode(value, data)
}

// compare says where the errors differ first; empty: nowhere.
func compare(want, got []recorder.Error) string {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			return fmt.Sprintf("errors: no %s at %s", want[i].Type, want[i].Field)
		case i >= len(want):
			return fmt.Sprintf("errors: %s at %s too many", got[i].Type, got[i].Field)
		}
		a, _ := json.Marshal(want[i])
		b, _ := json.Marshal(got[i])
		if !bytes.Equal(a, b) {
			if want[i].Type == got[i].Type && want[i].Field == got[i].Field && want[i].Detail == got[i].Detail {
				continue // bad values differ in what a conversion changes
			}
			return fmt.Sprintf("errors: %s at %s for %s at %s", got[i].Type, got[i].Field, want[i].Type, want[i].Field)
		}
	}
	return ""
}
