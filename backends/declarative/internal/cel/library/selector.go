package library

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/values"
)

// selectorLibrary has the label selectors of KEP-4153 ("Selectors"):
//
//	labelSelector(<object>) <LabelSelector>
//	<LabelSelector>.matches(<map<string, string>>) <bool>
//
// The object is one that has matchLabels and matchExpressions, like the
// LabelSelector of meta/v1. An empty one matches everything. It is made a
// LabelSelector first, instead of matches being a function of any object, so that
// the type checker refuses matches on what is no selector. A selector that is not
// valid ends the rule with an error.
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

// selectorType is the CEL type of a label selector. CEL has one implementation of
// matches for all overloads, which calls what has the matcher trait: so has this.
func selectorType() *cel.Type {
	return types.NewObjectType("diffrun.LabelSelector", traits.MatcherType)
}

// labelSelector is a selector that was parsed.
type labelSelector struct{ labels.Selector }

func newSelector(arg ref.Val) ref.Val {
	data := native(arg)
	var s metav1.LabelSelector
	if err := decode(data, &s); err != nil {
		return types.NewErr("not a label selector: %v", err)
	}
	parsed, err := metav1.LabelSelectorAsSelector(&s)
	if err != nil {
		return types.NewErr("invalid label selector: %v", err)
	}
	return labelSelector{parsed}
}

// decode reads a selector from data. That of labels alone is read as it is: most are.
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

// native gives a value as data, also a map that the rule itself wrote.
func native(v ref.Val) any {
	switch v := v.(type) {
	case *values.Map:
		return v.Value()
	case traits.Mapper:
		m := map[string]any{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			m[fmt.Sprint(key.Value())] = native(v.Get(key))
		}
		return m
	case traits.Lister:
		items := []any{}
		for it := v.Iterator(); it.HasNext() == types.True; {
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
		return types.MaybeNoSuchOverloadErr(set)
	}
	all := labels.Set{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		value, ok := m.Get(key).(types.String)
		if !ok {
			return types.NewErr("the value of label %v is not a string", key.Value())
		}
		all[fmt.Sprint(key.Value())] = string(value)
	}
	return types.Bool(s.Matches(all))
}

// ConvertToNative implements ref.Val.
func (s labelSelector) ConvertToNative(t reflect.Type) (any, error) {
	return nil, fmt.Errorf("type conversion error from '%s' to '%s'", s.Type(), t)
}

// ConvertToType implements ref.Val.
func (s labelSelector) ConvertToType(t ref.Type) ref.Val {
	if t == types.TypeType {
		return selectorType()
	}
	return types.NewErr("type conversion error from '%s' to '%s'", s.Type(), t.TypeName())
}

// Equal implements ref.Val.
func (s labelSelector) Equal(other ref.Val) ref.Val {
	o, ok := other.(labelSelector)
	return types.Bool(ok && s.String() == o.String())
}

// Type implements ref.Val.
func (s labelSelector) Type() ref.Type { return selectorType() }

// Value implements ref.Val.
func (s labelSelector) Value() any { return s.Selector }
