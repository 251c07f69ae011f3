package proof

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/text/lang"
)

// typed proves the type of a goal.
func (p *proof) typed(v Value, g goal) bool {
	types := openapi.Types(g.Schema.Schema)
	if len(types) == 0 {
		return true
	}
	if g.Format == intOrString { // the meaning of the type then depends on the semantics
		return same(v, g, func(s *spec.Schema) any { return []any{s.Type, s.Format} })
	}
	null := g.Nullable || slices.Contains(types, "null")
	return p.kinds(v)&^p.kindsOf(g.Schema.Schema) == 0 && (null || !v.mayBeNull())
}

// numbersFit proves bounds, multiples and the range of a format.
func (p *proof) numbersFit(v Value, g goal) bool {
	if p.kinds(v)&numbers == 0 {
		return true
	}
	onlyWhole := p.kinds(v)&fraction == 0
	has := Numbers(v.all, onlyWhole)
	bound := func(limit *float64, within func(float64) bool, of func(*spec.Schema) any) bool {
		return limit == nil || plainBound(*limit, g.owner) && within(*limit) || same(v, g.typed(), of)
	}
	return bound(g.Minimum, func(n float64) bool {
		return has.Within(Range{Low: n, LowOpen: g.ExclusiveMinimum, High: math.Inf(1)})
	}, func(s *spec.Schema) any { return []any{s.Minimum, s.ExclusiveMinimum, s.Type, s.Format} }) &&
		bound(g.Maximum, func(n float64) bool {
			return has.Within(Range{Low: math.Inf(-1), High: n, HighOpen: g.ExclusiveMaximum})
		}, func(s *spec.Schema) any { return []any{s.Maximum, s.ExclusiveMaximum, s.Type, s.Format} }) &&
		multiples(v, g, onlyWhole) && p.numberFormat(v, g, has)
}

// typed returns a goal with the type and format of the owner of its keywords.
func (g goal) typed() goal {
	if g.owner != nil {
		with := *g.Schema.Schema
		with.Type, with.Format = g.owner.Type, g.owner.Format
		g.Schema.Schema = &with
	}
	return g
}

// plainBound reports whether every number is compared with exactly this bound. A bound with a
// fraction is truncated, and one that the format cannot represent is an error itself.
func plainBound(n float64, owner *spec.Schema) bool {
	if owner != nil && owner.Format == "int32" && (n < math.MinInt32 || n > math.MaxInt32) {
		return false
	}
	return Exact(n) && n == math.Trunc(n)
}

// multiples proves multipleOf.
func multiples(v Value, g goal, onlyWhole bool) bool {
	if g.MultipleOf == nil || onlyWhole && *g.MultipleOf == 1 {
		return true
	}
	wanted := *g.MultipleOf
	return slices.ContainsFunc(v.all, func(s Schema) bool {
		switch {
		case s.MultipleOf == nil:
			return false
		case *s.MultipleOf == wanted:
			return true
		}
		return onlyWhole && wanted > 0 && plainBound(wanted, g.owner) && plainBound(*s.MultipleOf, nil) &&
			math.Mod(*s.MultipleOf, wanted) == 0
	})
}

// numberFormat proves the range of a number format. A float is compared only with its own format.
func (p *proof) numberFormat(v Value, g goal, has Range) bool {
	switch p.semantics.EffectiveFormat(g.Schema.Schema) {
	case "int32":
		return has.Within(Range{Low: math.MinInt32, High: math.MaxInt32})
	case "float":
		return p.sameFormat(v, g)
	}
	return true
}

func (p *proof) sameFormat(v Value, g goal) bool {
	wanted := strings.ReplaceAll(p.semantics.EffectiveFormat(g.Schema.Schema), "-", "")
	return slices.ContainsFunc(v.all, func(s Schema) bool {
		return wanted == strings.ReplaceAll(p.semantics.EffectiveFormat(s.Schema), "-", "")
	})
}

// textsFit proves lengths, the pattern and the format of texts.
func (p *proof) textsFit(v Value, g goal) bool {
	if p.kinds(v)&text == 0 {
		return true
	}
	switch format := p.semantics.EffectiveFormat(g.Schema.Schema); format {
	case "", "int32", "float":
	default:
		if !p.sameFormat(v, g) {
			return false
		}
	}
	if g.MinLength == nil && g.MaxLength == nil && g.Pattern == "" {
		return true
	}
	return texts(v).Within(texts(Value{all: []Schema{g.Schema}}))
}

// texts returns the texts that a value may be.
func texts(v Value) *lang.Language {
	all := lang.All()
	var patterns []string
	for _, s := range v.all {
		if s.MinLength != nil {
			all.AtLeast(*s.MinLength)
		}
		if s.MaxLength != nil {
			all.AtMost(*s.MaxLength)
		}
		if s.Pattern != "" && !slices.Contains(patterns, s.Pattern) {
			patterns = append(patterns, s.Pattern)
			all.Matching(s.Pattern)
		}
	}
	return all
}

// listed returns the texts of an enum.
func listed(enum []any) *lang.Language {
	var members []string
	for _, member := range enum {
		if one, isText := member.(string); isText {
			members = append(members, regexp.QuoteMeta(one))
		}
	}
	if len(members) == 0 || len(members) > mostMembers {
		return lang.Unknown()
	}
	all := lang.All()
	all.Matching("^(?:" + strings.Join(members, "|") + ")$")
	return all
}

// itemCounts and fieldCounts return the possible numbers of items and fields of a value.
func itemCounts(v Value) Range {
	return sizes(v.all, func(s *spec.Schema) *int64 { return s.MinItems }, func(s *spec.Schema) *int64 { return s.MaxItems })
}

func fieldCounts(v Value) Range {
	return sizes(v.all, func(s *spec.Schema) *int64 { return s.MinProperties }, func(s *spec.Schema) *int64 { return s.MaxProperties })
}

// sizesFit proves the sizes of lists and objects.
func (p *proof) sizesFit(v Value, g goal) bool {
	only := Value{all: []Schema{{Schema: &spec.Schema{SchemaProps: spec.SchemaProps{
		MinItems: g.MinItems, MaxItems: g.MaxItems, MinProperties: g.MinProperties, MaxProperties: g.MaxProperties,
	}}}}}
	has := p.kinds(v)
	if has&list != 0 {
		if !itemCounts(v).Within(itemCounts(only)) || g.UniqueItems && itemCounts(v).High > 1 &&
			!same(v, g, func(s *spec.Schema) any { return s.UniqueItems }) {
			return false
		}
	}
	return has&object == 0 || p.counted(v).Within(fieldCounts(only))
}

// counted returns the possible number of fields of a value: at least the required ones, and at most
// the declared ones.
func (p *proof) counted(v Value) Range {
	all := fieldCounts(v)
	for _, s := range v.all {
		all.raise(float64(len(slices.Compact(slices.Sorted(slices.Values(s.Required))))), false)
	}
	const implied = 3 // apiVersion, kind and metadata
	if v.declaring != nil && v.closed() {
		all.lower(float64(len(v.declaring.Properties)+implied), false)
	}
	return all
}

// enumFits proves an enum: the enum of the value is smaller, or its pattern matches only members.
// Small enums have already been tried member by member.
func (p *proof) enumFits(v Value, g goal) bool {
	if len(g.Enum) == 0 {
		return true
	}
	if !v.mayBeNull() && p.kinds(v) == text && texts(v).Within(listed(g.Enum)) {
		return true
	}
	return !v.mayBeNull() && slices.ContainsFunc(v.all, func(s Schema) bool {
		return len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(member any) bool {
			return !slices.ContainsFunc(g.Enum, func(other any) bool { return reflect.DeepEqual(member, other) })
		})
	})
}

// fieldsFit proves the keywords about fields and items.
func (p *proof) fieldsFit(v Value, g goal, in scope) bool {
	has := p.kinds(v)
	if has&object != 0 {
		for _, name := range g.Required {
			if !p.present(v, g, name) {
				return false
			}
		}
		for name, s := range g.Properties {
			if !p.accepts(v.Field(name), goal{Schema: g.in(&s), owner: &s, declaring: openapi.Property(g.declaring, name)}, in.deeper()) {
				return false
			}
		}
		if !p.othersFit(v, g, in) {
			return false
		}
	}
	item := openapi.Items(g.Schema.Schema)
	if g.Items != nil && item == nil {
		return false // tuples
	}
	return has&list == 0 || item == nil ||
		p.accepts(v.Item(), goal{Schema: g.in(item), owner: item, declaring: openapi.Items(g.declaring)}, in.deeper())
}

// present proves that a field is set: it is required or has a default.
func (p *proof) present(v Value, g goal, name string) bool {
	if g.declaring != nil && g.declaring.Properties[name].Default != nil {
		return true
	}
	return slices.ContainsFunc(v.all, func(s Schema) bool { return slices.Contains(s.Required, name) })
}

// othersFit proves the keywords about undeclared fields.
func (p *proof) othersFit(v Value, g goal, in scope) bool {
	if g.AdditionalProperties == nil || g.AdditionalProperties.Schema == nil && g.AdditionalProperties.Allows {
		return true
	}
	if same(v, g, func(s *spec.Schema) any { return []any{s.AdditionalProperties, s.Properties} }) {
		return true
	}
	others := g.AdditionalProperties.Schema
	if others == nil || v.declaring == nil || len(v.declaring.Properties)+len(g.Properties) > 0 {
		return false
	}
	return p.accepts(v.Others(), goal{Schema: g.in(others), owner: others, declaring: openapi.Additional(g.declaring)}, in.deeper())
}

// freeList reports whether a list type accepts every list of some sizes.
func freeList(of any, sizes Range) bool { return of == "atomic" || of == "set" && sizes.High <= 1 }

// extensionsFit proves extensions: equal ones, and those that refuse nothing.
func (p *proof) extensionsFit(v Value, g goal) bool {
	for name, wanted := range g.Extensions {
		switch name {
		case openapi.XIntOrString, openapi.XMapType, openapi.XPreserveUnknownFields, openapi.XListMapKeys:
			continue // about types and merging, or proved elsewhere
		}
		if !strings.HasPrefix(name, "x-kubernetes-") || name == openapi.XListType && freeList(wanted, itemCounts(v)) {
			continue
		}
		if !slices.ContainsFunc(v.all, func(s Schema) bool {
			return reflect.DeepEqual(s.Extensions[name], wanted) &&
				reflect.DeepEqual(s.Extensions[openapi.XListMapKeys], g.Extensions[openapi.XListMapKeys])
		}) {
			return false
		}
	}
	return true
}
