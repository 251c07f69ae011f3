package proposal

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/cel-go/common/operators"
	names "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/rules"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/openapi/formats"
)

// The API server estimates the cost of a rule from the greatest length of what it reads. So a rule whose cost is too high for a
// text without maxLength fits if it has the bound that the rule implies.

// mostBytes returns the greatest number of bytes in "bytes(self).size() <= n"; 0: the rule is something else.
func mostBytes(rule celexpr.Expr) int64 {
	left, operator, right := celexpr.ComparisonOf(rule)
	if operator != operators.LessEquals {
		return 0
	}
	if bytes := celexpr.SizeOf(left); bytes == nil || !isCallOfSelf(bytes, "bytes") {
		return 0
	}
	n, _ := celexpr.ValueOf(right).(int64)
	return n
}

func isCallOfSelf(e celexpr.Expr, function string) bool {
	args := celexpr.ArgsOf(e, function)
	return len(args) == 1 && args[0].AsIdent() == "self"
}

// formOf returns the name of the form in "!format.name().validate(self).hasValue()", or of the function in "name(self)"; empty: the
// rule is something else.
func formOf(rule celexpr.Expr) string {
	if name := rule.AsCall().FunctionName(); isCallOfSelf(rule, name) {
		return name
	}
	args := celexpr.ArgsOf(rule, operators.LogicalNot)
	if args == nil || args[0].AsCall().FunctionName() != "hasValue" {
		return ""
	}
	validate := args[0].AsCall().Target().AsCall()
	if validate.FunctionName() != "validate" || validate.Args()[0].AsIdent() != "self" {
		return ""
	}
	return validate.Target().AsCall().FunctionName()
}

// bound returns the rule about the length of a text that a rule implies; nil: it implies none, or the schema has one.
func (pr *Prover) bound(r *Rule) *Rule {
	schema := r.At.Schema(pr.version.Schema)
	if r.Validation == nil || schema == nil || schema.MaxLength != nil || rules.KindOf(schema) != rules.Text {
		return nil
	}
	longest := cmp.Or(mostBytes(r.Tree), int64(longestOf(formOf(r.Tree))))
	if longest == 0 {
		return nil
	}
	return (&Rule{At: r.At, Keywords: map[string]any{"maxLength": longest}, bounds: r}).named()
}

// longestOf returns the length of the longest text for which a function or a format of CEL holds; 0: none is known.
func longestOf(name string) int {
	switch name {
	case "isIP":
		return len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")
	case "isCIDR":
		return len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128")
	case "labelValue":
		return names.LabelValueMaxLength
	case "qualifiedName":
		return names.DNS1123SubdomainMaxLength + 1 + names.LabelValueMaxLength
	}
	return formats.OfCEL(strings.TrimSuffix(name, "Prefix")).Longest
}

// drop takes rules out that the API server would refuse, gives them the bound that they need, or leaves them to a policy.
func (pr *Prover) drop(p *Proposal, wrong map[*Rule]*field.Error) {
	var kept []*Rule
	for _, r := range p.Rules {
		why, is := wrong[r]
		if !is {
			kept = append(kept, r)
			continue
		}
		bounded := slices.IndexFunc(p.Rules, func(other *Rule) bool {
			return other.Place == r.Place && other.Keywords["maxLength"] != nil
		})
		if bound := pr.bound(r); bound != nil && bounded < 0 && why.Origin == openapi.OriginRuleCost {
			kept = append(kept, bound, r)
			continue
		}
		if bounded >= 0 && p.Rules[bounded].bounds == r && mostBytes(r.Tree) > 0 {
			p.Rules[bounded].replace(r)
			continue
		}
		if openapi.IsCost(why) && r.Validation != nil && pr.Evidence.Target.Policies != nil {
			r.OverCost = why.Detail
			kept = append(kept, r)
			continue
		}
		p.Refused = append(p.Refused, RefusedRule{r, why.Detail})
	}
	p.Rules = slices.DeleteFunc(kept, func(r *Rule) bool { return r.bounds != nil && !slices.Contains(kept, r.bounds) })
}

// replace makes the bound of a rule about bytes, whose cost is too high even with it, a rule of its own: each text with too many
// characters has too many bytes. The proof shows the texts of which it says nothing.
func (r *Rule) replace(overCost *Rule) { r.bounds, r.Sites = nil, overCost.Sites }
