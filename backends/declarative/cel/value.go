package cel

import (
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Value gives a value of an object to rules, as its schema says it is. Data that
// is not what the schema says is an error value, which ends a rule that looks at
// it (k8s.io/apiserver/pkg/cel/common, UnstructuredToVal). Lists and maps are read
// only when a rule looks into them.
func Value(r *view.Reader, v view.View, s *Shape) ref.Val {
	if v.Kind() == view.Null {
		if s.Nullable {
			return types.NullValue
		}
		return types.NewErr("invalid data: null where the schema is not nullable")
	}
	switch s.Kind {
	case Dyn:
		return intOrString(v)
	case Object, Map:
		if v.Kind() != view.Map {
			return mismatch("an object")
		}
		return &mapping{r: r, v: v, s: s}
	case List:
		if v.Kind() != view.List {
			return mismatch("an array")
		}
		return &list{r: r, v: v, n: r.Len(v), s: s}
	case String, Bytes, Duration, Date, DateTime:
		if v.Kind() != view.String {
			return mismatch("a string")
		}
		return text(v.Str(), s.Kind)
	case Bool:
		if v.Kind() != view.Bool {
			return mismatch("a boolean")
		}
		return types.Bool(v.Bool())
	case Int:
		if v.Kind() != view.Int {
			return mismatch("an integer")
		}
		return types.Int(v.Int())
	case Double:
		if v.Kind() != view.Int && v.Kind() != view.Float {
			return mismatch("a number")
		}
		return types.Double(v.Float())
	}
	if s.Opaque {
		return &opaque{r: r, v: v}
	}
	return types.NewErr("invalid data: the schema gives it no type")
}

func mismatch(want string) ref.Val {
	return types.NewErr("invalid data: the schema wants %s", want)
}

func intOrString(v view.View) ref.Val {
	switch v.Kind() {
	case view.Int:
		return types.Int(v.Int())
	case view.String:
		return types.String(v.Str())
	}
	return mismatch("an integer or a string")
}

// text gives a string as what its format makes of it.
func text(s string, k Kind) ref.Val {
	var err error
	switch k {
	case Bytes:
		var b strfmt.Base64
		if err = b.UnmarshalText([]byte(s)); err == nil {
			return types.Bytes(b)
		}
	case Duration:
		var d time.Duration
		if d, err = strfmt.ParseDuration(s); err == nil {
			return types.Duration{Duration: d}
		}
	case Date:
		var t time.Time
		if t, err = time.Parse(strfmt.RFC3339FullDate, s); err == nil {
			return types.Timestamp{Time: t}
		}
	case DateTime:
		var t strfmt.DateTime
		if t, err = strfmt.ParseDateTime(s); err == nil {
			return types.Timestamp{Time: time.Time(t)}
		}
	default:
		return types.String(s)
	}
	return types.NewErr("invalid data: %q is not of the format that the schema wants: %v", s, err)
}
