package values

import (
	"encoding/base64"
	"fmt"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/decl"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Of converts a value of an object according to its schema. Data that does not match the schema
// becomes an error value, which ends a rule that reads it (k8s.io/apiserver/pkg/cel/common,
// UnstructuredToVal). Lists and maps are read only when a rule looks into them.
func Of(r *view.Reader, v view.View, s *decl.Type) ref.Val {
	if v.Kind() == view.Null {
		if s.Nullable {
			return types.NullValue
		}
		return types.NewErr("invalid data, got null for schema with nullable=false")
	}
	switch s.Kind {
	case decl.Dyn:
		return intOrString(v)
	case decl.Object, decl.Map:
		if v.Kind() != view.Map {
			return types.NewErr("invalid data, expected a map for the provided schema with type=object")
		}
		return &Map{r: r, v: v, s: s}
	case decl.List:
		if v.Kind() != view.List {
			return types.NewErr("invalid data, expected an array for the provided schema with type=array")
		}
		return &List{r: r, v: v, n: r.Len(v), s: s}
	case decl.String, decl.Bytes, decl.Duration, decl.Date, decl.DateTime:
		if v.Kind() != view.String {
			return mismatch("string", v)
		}
		return text(v.Str(), s)
	case decl.Bool:
		if v.Kind() != view.Bool {
			return mismatch("bool", v)
		}
		return types.Bool(v.Bool())
	case decl.Int:
		if v.Kind() != view.Int {
			return mismatch("int", v)
		}
		return types.Int(v.Int())
	case decl.Double:
		if v.Kind() != view.Int && v.Kind() != view.Float {
			return mismatch("float", v)
		}
		return types.Double(v.Float())
	}
	if s.Opaque {
		return &opaque{r: r, v: v}
	}
	return types.NewErr("invalid data, the schema gives it no type")
}

// mismatch returns the error for data of the wrong type. As in the API server, it names the Go
// type of the JSON data. Typed objects get the same text.
func mismatch(want string, v view.View) ref.Val {
	return types.NewErr("invalid data, expected %s, got %s", want, goType(v))
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
		return types.Int(v.Int())
	case view.String:
		return types.String(v.Str())
	}
	return types.NewErr("invalid data, expected XIntOrString value to be either a string or integer")
}

// text converts a string according to its format.
func text(s string, t *decl.Type) ref.Val {
	switch t.Kind {
	case decl.Bytes:
		encoding := base64.StdEncoding
		if t.URLBytes {
			encoding = base64.URLEncoding // strfmt.Base64
		}
		b, err := encoding.DecodeString(s)
		if err != nil {
			return types.NewErr("Invalid byte formatted string %s: %v", s, err)
		}
		return types.Bytes(b)
	case decl.Duration:
		d, err := strfmt.ParseDuration(s)
		if err != nil {
			return types.NewErr("Invalid duration %s: %v", s, err)
		}
		return types.Duration{Duration: d}
	case decl.Date:
		t, err := time.Parse(strfmt.RFC3339FullDate, s)
		if err != nil {
			return types.NewErr("Invalid date formatted string %s: %v", s, err)
		}
		return types.Timestamp{Time: t}
	case decl.DateTime:
		t, err := strfmt.ParseDateTime(s)
		if err != nil {
			return types.NewErr("Invalid date-time formatted string %s: %v", s, err)
		}
		return types.Timestamp{Time: time.Time(t)}
	}
	return types.String(s)
}
