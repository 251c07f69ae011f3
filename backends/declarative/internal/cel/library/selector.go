package library

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/google/cel-go/cel"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
)

// selectorLibrary has the label selectors of KEP-4153 ("Selectors"):
//
//	labelSelector(<object>) <LabelSelector>
//	<LabelSelector>.matches(<map<string, string>>) <bool>
//
// The object has matchLabels and matchExpressions, like the LabelSelector of meta/v1. An empty one
// matches everything. It is converted to a LabelSelector first, so that the type checker refuses matches
// on other objects. An invalid selector ends the rule with an error.
//
//	labelSelector(self.selector).matches(self.template.metadata.labels)
func selectorLibrary() []cel.EnvOption {
	selector := selectorType()
	return []cel.EnvOption{
		cel.Function("labelSelector",
			cel.Overload("diffrun_label_selector", []*cel.Type{cel.DynType}, selector, cel.UnaryBinding(newSelector))),
		cel.Function("matches",
			cel.MemberOverload("diffrun_label_selector_matches",
				[]*cel.Type{selector, cel.MapType(cel.StringType, cel.StringType)}, cel.BoolType)),
	}
}

// selectorType returns the CEL type of a label selector. It has the matcher trait, which the one
// implementation of matches in CEL calls.
func selectorType() *cel.Type {
	return celtypes.NewObjectType("diffrun.LabelSelector", traits.MatcherType)
}

// labelSelector is a parsed selector.
type labelSelector struct{ labels.Selector }

func newSelector(arg ref.Val) ref.Val {
	data := native(arg)
	var s metav1.LabelSelector
	if err := decode(data, &s); err != nil {
		return celtypes.NewErr("not a label selector: %v", err)
	}
	parsed, err := metav1.LabelSelectorAsSelector(&s)
	if err != nil {
		return celtypes.NewErr("invalid label selector: %v", err)
	}
	return labelSelector{parsed}
}

// decode reads a selector from data. Most selectors have only labels and are read directly.
func decode(data any, into *metav1.LabelSelector) error {
	if fields, ok := data.(map[string]any); ok && len(fields) == 1 {
		if matchLabels, ok := texts(fields["matchLabels"]); ok {
			into.MatchLabels = matchLabels
			return nil
		}
	}
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return kjson.UnmarshalCaseSensitivePreserveInts(text, into)
}

// texts returns a map of texts. It is false for anything else.
func texts(data any) (map[string]string, bool) {
	entries, ok := data.(map[string]any)
	if !ok {
		return nil, false
	}
	all := make(map[string]string, len(entries))
	for key, value := range entries {
		if all[key], ok = value.(string); !ok {
			return nil, false
		}
	}
	return all, true
}

// native returns a value as data, including a map that the rule itself wrote.
func native(v ref.Val) any {
	switch v := v.(type) {
	case *types.MapValue:
		return v.Value()
	case traits.Mapper:
		m := map[string]any{}
		for it := v.Iterator(); it.HasNext() == celtypes.True; {
			key := it.Next()
			m[fmt.Sprint(key.Value())] = native(v.Get(key))
		}
		return m
	case traits.Lister:
		items := []any{}
		for it := v.Iterator(); it.HasNext() == celtypes.True; {
			items = append(items, native(it.Next()))
		}
		return items
	}
	return v.Value()
}

// Match implements traits.Matcher.
func (s labelSelector) Match(set ref.Val) ref.Val {
	m, ok := set.(traits.Mapper)
	if !ok {
		return celtypes.MaybeNoSuchOverloadErr(set)
	}
	all := labels.Set{}
	for it := m.Iterator(); it.HasNext() == celtypes.True; {
		key := it.Next()
		value, ok := m.Get(key).(celtypes.String)
		if !ok {
			return celtypes.NewErr("the value of label %v is not a string", key.Value())
		}
		all[fmt.Sprint(key.Value())] = string(value)
	}
	return celtypes.Bool(s.Matches(all))
}

// ConvertToNative implements ref.Val.
func (s labelSelector) ConvertToNative(t reflect.Type) (any, error) {
	return nil, fmt.Errorf("type conversion error from '%s' to '%s'", s.Type(), t)
}

// ConvertToType implements ref.Val.
func (s labelSelector) ConvertToType(t ref.Type) ref.Val {
	if t == celtypes.TypeType {
		return selectorType()
	}
	return celtypes.NewErr("type conversion error from '%s' to '%s'", s.Type(), t.TypeName())
}

// Equal implements ref.Val.
func (s labelSelector) Equal(other ref.Val) ref.Val {
	o, ok := other.(labelSelector)
	return celtypes.Bool(ok && s.String() == o.String())
}

// Type implements ref.Val.
func (s labelSelector) Type() ref.Type { return selectorType() }

// Value implements ref.Val.
func (s labelSelector) Value() any { return s.Selector }
