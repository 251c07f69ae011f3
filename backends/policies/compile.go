package policies

import (
	"sync"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
)

// environments are the API server's CEL environments. Making one takes some milliseconds,
// and nobody changes it.
var environments = sync.OnceValue(func() *environment.EnvSet {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
})

// expression is a CEL expression of a policy.
type expression struct {
	cel.ExpressionAccessor
	// path is where it stands in the policy.
	path string
	// variables are those that it may name.
	variables cel.OptionalVariableDeclarations
}

// expressions are those of a policy by their place. Of those that are optional a nil
// stands where there is none.
type expressions struct {
	variables, conditions, validations, messages, annotations []expression
}

// expressionsOf gives the expressions of a policy in the types that upstream's evaluator
// knows (policy/validating, plugin.go).
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

// compile makes the evaluator of a policy, as upstream's compilePolicy does, which is not
// exported. TestAgainstPlugin holds the two against each other.
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
	var matcher matchconditions.Matcher
	if len(all.conditions) > 0 {
		matcher = matchconditions.NewMatcher(condition(all.conditions, withRights), policy.Spec.FailurePolicy, "policy", "validate", policy.Name)
	}
	return validating.NewValidator(condition(all.validations, withRights), matcher, condition(all.annotations, withRights),
		condition(all.messages, withoutRights), policy.Spec.FailurePolicy, nil), nil
}
