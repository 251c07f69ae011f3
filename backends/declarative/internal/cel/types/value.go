package types

import (
	"encoding/base64"
	"fmt"
	"time"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// ValueOf converts a value of an object according to its schema. Data that does not match the schema
// becomes an error value, which ends a rule that reads it (k8s.io/apiserver/pkg/cel/common,
// UnstructuredToVal). Lists and maps are read only when a rule looks into them.
func ValueOf(r *view.Reader, v view.View, s *Type) ref.Val {
	if v.Kind() == view.Null {
		if s.Nullable {
			return celtypes.NullValue
		}
		if s.isNil(v) {
			return emptyOf(r, v, s)
		}
		return celtypes.NewErr("invalid data, got null for schema with nullable=false")
	}
	switch s.Kind {
	case Dyn:
		return intOrString(v)
	case Object, Map:
		if v.Kind() != view.Map {
			return celtypes.NewErr("invalid data, expected a map for the provided schema with type=object")
		}
		return &MapValue{r: r, v: v, s: s}
	case List:
		if v.Kind() != view.List {
			return celtypes.NewErr("invalid data, expected an array for the provided schema with type=array")
		}
		return &ListValue{r: r, v: v, n: r.Len(v), s: s}
	case String, Bytes, Duration, Date, DateTime:
		if v.Kind() != view.String {
			return mismatch("string", v)
		}
		return text(v.Str(), s)
	case Bool:
		if v.Kind() != view.Bool {
			return mismatch("bool", v)
		}
		return celtypes.Bool(v.Bool())
	case Int:
		if v.Kind() != view.Int {
			return mismatch("int", v)
		}
		return celtypes.Int(v.Int())
	case Double:
		if v.Kind() != view.Int && v.Kind() != view.Float {
			return mismatch("float", v)
		}
		return celtypes.Double(v.Float())
	}
	if s.Opaque {
		return &opaque{r: r, v: v}
	}
	return celtypes.NewErr("invalid data, the schema has no type for it")
}

// emptyOf returns the value of a nil slice or map of a Go object.
func emptyOf(r *view.Reader, v view.View, s *Type) ref.Val {
	switch s.Kind {
	case Map:
		return &MapValue{r: r, v: v, s: s}
	case List:
		return &ListValue{r: r, v: v, s: s}
	}
	return celtypes.Bytes{}
}

// mismatch returns the error for data of the wrong type. As in the API server, it names the Go
// type of the JSON data. Typed objects get the same text.
func mismatch(want string, v view.View) ref.Val {
	return celtypes.NewErr("invalid data, expected %s, got %s", want, goType(v))
}

func goType(v view.View) string {
	switch v.Kind() {
	case view.Bool:
		return "bool"
	case view.Int:
		return "int64"
	case view.Float:
		return "float64"
	case view.String:
		return "string"
	case view.List:
		return "[]interface {}"
	case view.Map:
		return "map[string]interface {}"
	}
	return fmt.Sprintf("%T", v.JSON())
}

func intOrString(v view.View) ref.Val {
	switch v.Kind() {
	case view.Int:
		return celtypes.Int(v.Int())
	case view.String:
		return celtypes.String(v.Str())
	}
	return celtypes.NewErr("invalid data, expected XIntOrString value to be either a string or integer")
}

// text converts a string according to its format.
func text(s string, t *Type) ref.Val {
	switch t.Kind {
	case Bytes:
		encoding := base64.StdEncoding
		if t.URLBytes {
			encoding = base64.URLEncoding // strfmt.Base64
		}
		b, err := encoding.DecodeString(s)
		if err != nil {
			return celtypes.NewErr("Invalid byte formatted string %s: %v", s, err)
		}
		return celtypes.Bytes(b)
	case Duration:
		d, err := strfmt.ParseDuration(s)
		if err != nil {
			return celtypes.NewErr("Invalid duration %s: %v", s, err)
		}
		return celtypes.Duration{Duration: d}
	case Date:
		t, err := time.Parse(strfmt.RFC3339FullDate, s)
		if err != nil {
			return celtypes.NewErr("Invalid date formatted string %s: %v", s, err)
		}
		return celtypes.Timestamp{Time: t}
	case DateTime:
		t, err := strfmt.ParseDateTime(s)
		if err != nil {
			return celtypes.NewErr("Invalid date-time formatted string %s: %v", s, err)
		}
		return celtypes.Timestamp{Time: time.Time(t)}
	}
	return celtypes.String(s)
}
