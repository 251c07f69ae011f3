package evaluation

import (
	"maps"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi/fieldreader"
)

// newFieldReader returns a reader for the expressions of a policy.
func newFieldReader(
	policy *admissionregistrationv1.ValidatingAdmissionPolicy, definitions, roots map[string]*spec.Schema,
) *fieldreader.Reader {
	r := &fieldreader.Reader{
		Roots: maps.Clone(roots), Resources: []string{"object", "oldObject", "params"},
		Definitions: definitions, Variables: map[string]celexpr.Expr{},
	}
	for _, variable := range policy.Spec.Variables {
		r.Variables[variable.Name] = celexpr.Parse(variable.Expression)
	}
	return r
}

// eachRead reads the match conditions, validations and audit annotations of a policy, and calls a function after each of
// them with its place.
func eachRead(r *fieldreader.Reader, policy *admissionregistrationv1.ValidatingAdmissionPolicy, read func(path string)) {
	all := expressionsOf(policy)
	conditions := fieldreader.Present{}
	for _, condition := range all.conditions {
		if e := celexpr.Parse(condition.GetExpression()); e != nil {
			maps.Copy(conditions, r.Proved(e))
		}
	}
	for _, one := range slices.Concat(all.conditions, all.validations, all.annotations) {
		if one.ExpressionAccessor == nil {
			continue
		}
		if e := celexpr.Parse(one.GetExpression()); e != nil {
			r.Read(e, conditions)
			read(one.path)
		}
	}
}
