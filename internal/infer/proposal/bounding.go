package proposal

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	names "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/infer/rules"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/openapi/formats"
)

// The API server estimates the cost of a rule from the greatest length of what it reads. So a rule whose cost is too high for a
// text without maxLength fits if it has the bound that the rule implies.

var (
	mostBytes  = regexp.MustCompile(`^bytes\(self\)\.size\(\) <= ([0-9]+)$`)
	formatRule = regexp.MustCompile(`^!format\.([A-Za-z0-9]+)\(\)\.validate\(self\)\.hasValue\(\)$|^(is[A-Z]+)\(self\)$`)
)

// bound returns the rule about the length of a text that a rule implies; nil: it implies none, or the schema has one.
func (pr *Prover) bound(r *Rule) *Rule {
	schema := r.At.Schema(pr.version.Schema)
	if r.Validation == nil || schema == nil || schema.MaxLength != nil || rules.KindOf(schema) != rules.Text {
		return nil
	}
	var longest int64
	if found := mostBytes.FindStringSubmatch(r.Validation.Rule); found != nil {
		longest, _ = strconv.ParseInt(found[1], 10, 64)
	} else if found := formatRule.FindStringSubmatch(r.Validation.Rule); found != nil {
		longest = int64(longestOf(found[1] + found[2]))
	}
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
		if bounded >= 0 && p.Rules[bounded].bounds == r && mostBytes.MatchString(r.Validation.Rule) {
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
