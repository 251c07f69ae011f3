package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/operators"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/schema/proof"
)

// proposal is a keyword that accepts the same values as a rule.
type proposal struct {
	field   string // the field that gets it; "": the schema itself
	keyword string
	value   any
}

// ruleIsKeyword finds rules that keywords can express. The keywords accept the same values; if the
// type of the error differs, the finding says so.
func ruleIsKeyword(v *visit) []hit {
	var hits []hit
	for i, r := range v.rules {
		if r.expr == nil {
			continue
		}
		all := v.propose(r.expr)
		if v.staysAsItIs(r) {
			all = []proposal{{keyword: "immutable"}}
		}
		if len(all) == 0 || !v.replaceable(all, v.x.Validations[i]) {
			continue
		}
		hits = append(hits, hit{at: r.at.Child("rule"), what: fmt.Sprintf("%s says the same as %s", v.listed(r, all), oneLine(r.text))})
	}
	return hits
}

// staysAsItIs reports whether a rule means the same as +immutable in a dialect that has it. For an
// optional field the marker means more, because the field cannot be set later.
func (v *visit) staysAsItIs(r *rule) bool {
	args := celexpr.ArgsOf(r.expr, operators.Equals)
	if len(args) != 2 || !v.required || !slices.Contains([]dialect{ofKEP, ofKubernetes}, v.dialect(r, proposal{})) {
		return false
	}
	names := []string{args[0].AsIdent(), args[1].AsIdent()}
	slices.Sort(names)
	return slices.Equal(names, []string{"oldSelf", "self"})
}

// replaceable reports whether keywords can express everything except the expression of a rule. They
// cannot report another field or set a reason.
func (v *visit) replaceable(all []proposal, written openapi.Rule) bool {
	return !slices.ContainsFunc(all, func(p proposal) bool {
		at := ""
		if p.field != "" {
			at = "." + p.field
		}
		reason := ""
		if written.Reason != nil {
			reason = string(*written.Reason)
		}
		return written.OptionalOldSelf != nil || written.FieldPath != "" && written.FieldPath != at || reason != "" &&
			reason != string(p.error())
	})
}

// error returns the type of a keyword's errors.
func (p proposal) error() field.ErrorType {
	switch p.keyword {
	case "maxLength":
		return field.ErrorTypeTooLong
	case "maxItems", "maxProperties":
		return field.ErrorTypeTooMany
	case "enum":
		return field.ErrorTypeNotSupported
	case "required":
		return field.ErrorTypeRequired
	}
	return field.ErrorTypeInvalid
}

// propose returns keywords that together mean the same as an expression; none if there are no such
// keywords.
func (v *visit) propose(e celexpr.Expr) []proposal {
	if args := celexpr.ArgsOf(e, operators.LogicalAnd); len(args) == 2 {
		left, right := v.propose(args[0]), v.propose(args[1])
		if len(left) == 0 || len(right) == 0 {
			return nil
		}
		return append(left, right...)
	}
	if of := celexpr.HasOf(e); of != nil {
		name := fieldOfSelf(of)
		if property, ok := v.s.Properties[name]; !ok || !v.presenceIsRequired(&property) {
			return nil
		}
		return []proposal{{field: name, keyword: "required"}}
	}
	if name, inside := guarded(e); name != "" {
		return v.proposeFor(name, inside)
	}
	if own := (subject{schema: v.s, text: "self"}); own.schema.Nullable {
		return nil
	} else if found := own.propose(e); found != nil {
		return found
	}
	for _, name := range v.s.Required {
		if found := v.proposeFor(name, e); found != nil && v.s.Properties[name].Default == nil {
			return found
		}
	}
	return nil
}

// presenceIsRequired reports whether has() of a field means the same as required: both or neither
// treat a zero value as absent, and no default sets the field.
func (v *visit) presenceIsRequired(property *spec.Schema) bool {
	strips, _ := property.Extensions.GetBool(openapi.XStripZero)
	return (v.w.opts.Costs || strips) && property.Default == nil && !property.Nullable
}

// proposeFor returns keywords of a field that mean the same as an expression about it.
func (v *visit) proposeFor(name string, e celexpr.Expr) []proposal {
	property, ok := v.s.Properties[name]
	if !ok || property.Nullable {
		return nil
	}
	found := subject{schema: proof.Resolve(&property, v.w.opts.Definitions), text: "self." + name}.propose(e)
	for i := range found {
		found[i].field = name
	}
	return found
}

// fieldOfSelf returns the name in "self.name"; "" for other expressions.
func fieldOfSelf(e celexpr.Expr) string {
	if path := celexpr.PathOf(e); len(path) == 2 && path[0] == "self" && !strings.Contains(path[1], "__") {
		return path[1]
	}
	return ""
}

// guarded removes the guard from "!has(self.x) || e" and "has(self.x) ? e : true".
func guarded(e celexpr.Expr) (name string, inside celexpr.Expr) {
	if args := celexpr.ArgsOf(e, operators.LogicalOr); len(args) == 2 {
		if not := celexpr.ArgsOf(args[0], operators.LogicalNot); len(not) == 1 {
			if of := celexpr.HasOf(not[0]); of != nil {
				return fieldOfSelf(of), args[1]
			}
		}
	}
	if args := celexpr.ArgsOf(e, operators.Conditional); len(args) == 3 && celexpr.ValueOf(args[2]) == true {
		if of := celexpr.HasOf(args[0]); of != nil {
			return fieldOfSelf(of), args[1]
		}
	}
	return "", nil
}

// listed returns proposals for messages: as markers of the dialect that the source uses, or else as
// keywords.
func (v *visit) listed(r *rule, all []proposal) string {
	var texts []string
	for _, p := range all {
		text := p.text(v.dialect(r, p))
		if p.field != "" {
			text += " at " + p.field
		}
		if p.error() != field.ErrorTypeInvalid {
			text += " (its error is " + string(p.error()) + ")"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " and ")
}
