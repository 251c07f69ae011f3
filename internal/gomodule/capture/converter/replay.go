//go:build go1.22

package converter

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/gomodule/capture/recorder"
)

// replay calls the validator of a line again with the decoded documents. If the errors differ, it
// returns the reason as "cause: evidence", or else "".
func (p *Program) replay(c *conversion, line *recorder.Line, answer *Answer) (differs string) {
	f, known := p.Functions[line.Function]
	switch {
	case !known:
		return "function: it cannot be called from outside of its package"
	case line.Panicked:
		return "panic: the call did not return"
	}
	var locked []string
	if line.Gates != nil {
		if p.Gates == nil {
			return "gates: they cannot be set"
		}
		var restore func()
		restore, locked = p.Gates(line.Gates)
		defer restore()
	}
	differs = f.again(c, line, answer, converted)
	switch {
	case differs == "":
		return ""
	case len(line.Unrecorded) > 0:
		return "options: not recorded is " + line.Unrecorded[0]
	}
	if why, is := strings.CutPrefix(differs, "options: "); is {
		return "options: " + why
	}
	for _, other := range []struct {
		of    variation
		cause string
	}{
		{defaulted, "defaults: with the defaults of the scheme, the recorded errors come back"},
		{unconverted, "conversion: without it, the recorded errors come back"},
	} {
		if f.again(c, line, answer, other.of) == "" {
			return other.cause
		}
	}
	if len(locked) > 0 {
		slices.Sort(locked)
		return "gates: this version cannot set " + strings.Join(locked, ", ")
	}
	return "unknown: " + differs
}

// variation is a way to recreate the objects of a call.
type variation uint8

const (
	// converted decodes the documents.
	converted variation = iota
	// defaulted decodes the documents and sets the defaults of the scheme.
	defaulted
	// unconverted decodes the recorded objects, before their conversion to documents.
	unconverted
)

// again calls the validator and returns the first difference of the errors, or "".
func (f *Function) again(c *conversion, line *recorder.Line, answer *Answer, as variation) (differs string) {
	defer func() {
		if cause := recover(); cause != nil {
			differs = fmt.Sprintf("the validator panics: %v", cause)
		}
	}()
	values, why := f.values(c, line, answer, as)
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

// values returns the arguments of the call.
func (f *Function) values(c *conversion, line *recorder.Line, answer *Answer, as variation) (values []reflect.Value, why string) {
	t := reflect.TypeOf(f.Call)
	objects := []json.RawMessage{answer.Object, answer.Old}
	if as == unconverted {
		objects = []json.RawMessage{line.Object, line.Old}
	}
	if f.Old {
		objects[0], objects[1] = objects[1], objects[0]
	}
	object := reflect.Type(nil)
	for i := range t.NumIn() {
		in := t.In(i)
		switch {
		case in == reflect.TypeFor[context.Context]():
			values = append(values, reflect.ValueOf(context.Background()))
		case len(objects) > 0 && (object == nil || in == object) && line.Arguments[f.Parameters[i]] == nil &&
			in != reflect.TypeFor[*field.Path]():
			object = in
			value := reflect.Zero(in)
			if document := objects[0]; len(document) > 0 {
				made, err := c.object(c.types[line.Type], document, answer, as)
				if err != nil {
					return nil, "the document cannot be converted: " + err.Error()
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

// argument decodes an argument that is not an object.
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

// compare returns which error is missing or unexpected, or "". The order does not matter, because
// validators that iterate over maps return errors in any order.
func compare(want, got []recorder.Error) string {
	rest := slices.Clone(got)
	for _, w := range want {
		at := slices.IndexFunc(rest, func(g recorder.Error) bool { return same(w, g) })
		if at < 0 {
			return fmt.Sprintf("the validator does not return %s at %s: %s%s", w.Type, w.Field, w.Detail, w.Text)
		}
		rest = slices.Delete(rest, at, at+1)
	}
	if len(rest) > 0 {
		return fmt.Sprintf("the validator also returns %s at %s: %s%s", rest[0].Type, rest[0].Field, rest[0].Detail, rest[0].Text)
	}
	return ""
}

// same reports whether two errors are equal apart from bad values, which a conversion may change.
func same(a, b recorder.Error) bool {
	return a.Type == b.Type && a.Field == b.Field && a.Detail == b.Detail && a.Text == b.Text && a.Origin == b.Origin &&
		bytes.Equal(a.Status, b.Status)
}
