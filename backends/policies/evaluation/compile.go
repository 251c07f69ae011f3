package evaluation

import (
	"sync"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
)

// environments returns the API server's CEL environments. Making them takes some milliseconds, and
// they never change.
var environments = sync.OnceValue(func() *environment.EnvSet {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
})

// expression is a CEL expression of a policy.
type expression struct {
	cel.ExpressionAccessor
	// path is its place in the policy.
	path string
	// variables are those that it may use.
	variables cel.OptionalVariableDeclarations
}

// expressions holds the expressions of a policy by their field. A missing optional one has no
// accessor.
type expressions struct {
	variables, conditions, validations, messages, annotations, mutations []expression
}

// lists returns all expressions.
func (e expressions) lists() [][]expression {
	return [][]expression{e.variables, e.conditions, e.validations, e.messages, e.annotations, e.mutations}
}

// expressionsOf returns the expressions of a policy in the types of upstream's evaluator
// (policy/validating, plugin.go).
func expressionsOf(policy *admissionregistrationv1.ValidatingAdmissionPolicy) expressions {
	all := expressions{}
	withRights := cel.OptionalVariableDeclarations{HasParams: policy.Spec.ParamKind != nil, HasAuthorizer: true}
	withoutRights := cel.OptionalVariableDeclarations{HasParams: withRights.HasParams}
	for i, variable := range policy.Spec.Variables {
		all.variables = append(all.variables, expression{&validating.Variable{Name: variable.Name, Expression: variable.Expression}, place("variables", i, "expression"), withRights})
	}
	for i := range policy.Spec.MatchConditions {
		condition := (*matchconditions.MatchCondition)(&policy.Spec.MatchConditions[i])
		all.conditions = append(all.conditions, expression{condition, place("matchConditions", i, "expression"), withRights})
	}
	for i, v := range policy.Spec.Validations {
		condition := &validating.ValidationCondition{Expression: v.Expression, Message: v.Message, Reason: v.Reason}
		all.validations = append(all.validations, expression{condition, place("validations", i, "expression"), withRights})
		message := expression{path: place("validations", i, "messageExpression"), variables: withoutRights}
		if v.MessageExpression != "" {
			message.ExpressionAccessor = &validating.MessageExpressionCondition{MessageExpression: v.MessageExpression}
		}
		all.messages = append(all.messages, message)
	}
	for i, a := range policy.Spec.AuditAnnotations {
		condition := &validating.AuditAnnotationCondition{Key: a.Key, ValueExpression: a.ValueExpression}
		all.annotations = append(all.annotations, expression{condition, place("auditAnnotations", i, "valueExpression"), withRights})
	}
	return all
}

// compile returns the evaluator of a policy, as upstream's unexported compilePolicy does.
// TestAgainstPlugin compares the two.
func compile(policy *admissionregistrationv1.ValidatingAdmissionPolicy, all expressions) (validating.Validator, error) {
	compiler, err := cel.NewCompositedCompiler(environments())
	if err != nil {
		return nil, err
	}
	withRights := cel.OptionalVariableDeclarations{HasParams: policy.Spec.ParamKind != nil, HasAuthorizer: true}
	withoutRights := cel.OptionalVariableDeclarations{HasParams: withRights.HasParams}
	for _, variable := range all.variables {
		compiler.CompileAndStoreVariable(variable.ExpressionAccessor.(cel.NamedExpressionAccessor), withRights, environment.StoredExpressions)
	}
	condition := func(of []expression, variables cel.OptionalVariableDeclarations) cel.ConditionEvaluator {
		accessors := make([]cel.ExpressionAccessor, len(of))
		for i, one := range of {
			accessors[i] = one.ExpressionAccessor
		}
		return compiler.CompileCondition(accessors, variables, environment.StoredExpressions)
	}
	var conditions matchconditions.Matcher
	if len(all.conditions) > 0 {
		conditions = matcher{matchconditions.NewMatcher(condition(all.conditions, withRights), policy.Spec.FailurePolicy, "policy", "validate", policy.Name)}
	}
	return validating.NewValidator(condition(all.validations, withRights), conditions, condition(all.annotations, withRights),
		condition(all.messages, withoutRights), policy.Spec.FailurePolicy, nil), nil
}
