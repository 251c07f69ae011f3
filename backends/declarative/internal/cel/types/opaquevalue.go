package types

import (
	"fmt"
	"reflect"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// opaque is a value whose schema describes nothing (x-kubernetes-preserve-unknown-fields without a
// type). Rules cannot name it; they compare it only as a part of another value.
type opaque struct {
	r *view.Reader
	v view.View
}

// ConvertToNative implements ref.Val.
func (o *opaque) ConvertToNative(t reflect.Type) (any, error) {
	return nil, fmt.Errorf("a value that no schema describes cannot be converted to %s", t)
}

// ConvertToType implements ref.Val.
func (o *opaque) ConvertToType(t ref.Type) ref.Val {
	return celtypes.NewErr("a value that no schema describes cannot be converted to %s", t.TypeName())
}

// Equal implements ref.Val.
func (o *opaque) Equal(other ref.Val) ref.Val {
	if p, ok := other.(*opaque); ok {
		return celtypes.Bool(o.r.Equal(o.v, p.v))
	}
	return celtypes.Bool(equality.Semantic.DeepEqual(o.v.JSON(), other.Value()))
}

// Type implements ref.Val.
func (o *opaque) Type() ref.Type { return celtypes.UnknownType }

// Value implements ref.Val.
func (o *opaque) Value() any { return o.v.JSON() }
