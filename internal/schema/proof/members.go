package proof

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/openapi"
)

// mostMembers is the maximum number of values that are validated one by one.
const mostMembers = 128

// members returns all possible values if they are known: those of an enum, both booleans, or the
// integers of a small range. It returns false if there are too many.
func (p *proof) members(v Value) ([]any, bool) {
	if v.mayBeNull() {
		return nil, false
	}
	var all []any
	switch has := p.kinds(v); has {
	case boolean:
		all = []any{true, false}
	case text, whole:
		at := slices.IndexFunc(v.all, func(s Schema) bool { return len(s.Enum) > 0 && len(s.Enum) <= mostMembers })
		switch {
		case at >= 0:
			for _, member := range v.all[at].Enum {
				if plain, is := plainJSON(member); is && kindOf(plain) == has {
					all = append(all, plain)
				}
			}
		case has == whole:
			r := Numbers(v.all, true)
			if !(r.High-r.Low <= mostMembers) || math.IsInf(r.Low, 0) || math.IsInf(r.High, 0) {
				return nil, false
			}
			for n := r.Low; n <= r.High; n++ {
				all = append(all, int64(n))
			}
		default:
			return nil, false
		}
	default:
		return nil, false
	}
	for _, s := range v.all {
		judge := p.judge(s, nil)
		all = slices.DeleteFunc(all, func(member any) bool { return judge != nil && !judge(member) })
	}
	return all, true
}

// membersAccept validates each possible value, if there are only a few.
func (p *proof) membersAccept(v Value, g goal) (known, accepts bool) {
	all, few := p.members(v)
	if !few {
		return false, false
	}
	judge := p.judge(g.Schema, g.owner)
	if judge == nil {
		return false, false
	}
	return true, !slices.ContainsFunc(all, func(member any) bool { return !judge(member) })
}

// noMember reports whether there are only a few possible values and all are refused.
func (p *proof) noMember(v Value) (known, none bool) {
	all, few := p.members(v)
	return few, len(all) == 0
}

// judge returns a function that validates values with a schema, without its rules and defaults; nil
// if it does not compile. The type and format are those of the owner of the keywords, if there is
// one.
func (p *proof) judge(s Schema, owner *spec.Schema) func(any) bool {
	const name = "value"
	of := *s.Schema
	of.Default = nil
	of.Extensions = spec.Extensions{}
	for key, extension := range s.Extensions {
		if key != openapi.XValidations {
			of.Extensions[key] = extension
		}
	}
	if len(of.Type) == 0 && owner != nil {
		of.Type = owner.Type
	}
	if of.Format == "" && owner != nil {
		of.Format = owner.Format
	}
	whole := &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}, Properties: map[string]spec.Schema{name: of}}}
	validator, err := declarative.Compile(whole, declarative.Options{
		Semantics:         p.semantics,
		Definitions:       s.Definitions,
		WithoutEstimation: true,
	})
	if err != nil {
		return nil
	}
	return func(member any) bool {
		return len(validator.Validate(context.Background(), value.NewValueInterface(map[string]any{name: member}), nil)) == 0
	}
}

func kindOf(value any) kinds {
	switch value.(type) {
	case string:
		return text
	case int64:
		return whole
	case bool:
		return boolean
	}
	return 0
}

// plainJSON returns a value of a schema as an object has it, in which numbers without a fraction
// are integers.
func plainJSON(value any) (any, bool) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, false
	}
	var plain any
	if err := utiljson.Unmarshal(data, &plain); err != nil {
		return nil, false
	}
	if n, is := plain.(float64); is && n == math.Trunc(n) && Exact(n) {
		plain = int64(n)
	}
	return plain, true
}
