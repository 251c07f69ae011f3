//go:build go1.22

package recorder

import (
	"encoding/json"
	"reflect"
	"strings"
)

// texts are the errors of a validator that returns strings.
type texts []string

// Texts marks results that are messages of errors: a string, or a list of them.
func Texts[T string | []string](result T) any {
	switch result := any(result).(type) {
	case string:
		return texts{result}
	case []string:
		return texts(result)
	}
	return nil
}

// errors returns an error for each text.
func (t texts) errors() (all []Error) {
	for _, text := range t {
		if strings.TrimSpace(text) != "" {
			all = append(all, Error{Text: text})
		}
	}
	return all
}

// isCause recognizes metav1.StatusCause by its shape.
func isCause(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.Name() == "StatusCause" && strings.HasSuffix(t.PkgPath(), "k8s.io/apimachinery/pkg/apis/meta/v1")
}

// causeError returns the error of a cause: the status that a webhook would answer with.
func causeError(v reflect.Value) Error {
	status, _ := json.Marshal(map[string]any{"details": map[string]any{"causes": []any{v.Interface()}}}) // texts
	return Error{Status: status}
}

// isKnative recognizes *apis.FieldError of knative by its shape.
func isKnative(v reflect.Value) bool {
	t := v.Type()
	return t.Kind() == reflect.Pointer && t.Elem().Name() == "FieldError" && strings.HasSuffix(t.Elem().PkgPath(),
		"knative.dev/pkg/apis") && v.MethodByName("WrappedErrors").IsValid()
}

// knativeErrors returns the errors in a *apis.FieldError, without warnings: one for each path. The messages are
// those of the constructors in knative.dev/pkg/apis, field_error.go.
func knativeErrors(v reflect.Value) (all []Error) {
	wrapped := v.MethodByName("WrappedErrors").Call(nil)[0]
	for i := range wrapped.Len() {
		one := reflect.Indirect(wrapped.Index(i))
		if level := one.FieldByName("Level"); level.IsValid() && level.CanInt() && level.Int() > 0 {
			continue
		}
		made := Error{Type: "FieldValueInvalid", Detail: one.FieldByName("Message").String()}
		details := one.FieldByName("Details").String()
		value, hasValue := strings.CutPrefix(made.Detail, "invalid value: ")
		switch {
		case made.Detail == "missing field(s)":
			made.Type, made.Detail = "FieldValueRequired", ""
		case made.Detail == "must not set the field(s)" || made.Detail == "must not update deprecated field(s)":
			made.Type = "FieldValueForbidden"
		case hasValue:
			made.BadValue, made.Detail = orNull(value), ""
		}
		made.Detail = strings.Trim(made.Detail+": "+details, ": ")
		paths, _ := one.FieldByName("Paths").Interface().([]string)
		if len(paths) == 0 {
			paths = []string{""}
		}
		for _, path := range paths {
			at := made
			if at.Field = path; path == "." {
				at.Field = ""
			}
			all = append(all, at)
		}
	}
	return all
}

// Baseline records the old object that the context of a knative validator has, and whether the object is deleted.
func (c *Call) Baseline(old any, deletes bool) {
	if c == nil {
		return
	}
	c.line.Deletes = c.line.Deletes || deletes
	if old == nil || reflect.ValueOf(old).Kind() == reflect.Pointer && reflect.ValueOf(old).IsNil() {
		return
	}
	if typeName(old) != c.line.Type {
		c.line.Unrecorded = append(c.line.Unrecorded, "the old object in the context: it is a "+typeName(old))
		return
	}
	if data, err := json.Marshal(old); err == nil {
		c.line.Old = data
	}
}
