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
		all.variables = append(all.variables, expression{&validating.Variable{Name: variable.Name, Expression: variable.Expression},
			place("variables", i, "expression"), withRights})
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
	storeVariables(compiler, all.variables)
	return validating.NewValidator(
		evaluator(compiler, all.validations),
		newMatcher(compiler, all.conditions, policy.Spec.FailurePolicy, policy.Name),
		evaluator(compiler, all.annotations),
		evaluator(compiler, all.messages),
		policy.Spec.FailurePolicy,
		nil,
	), nil
}

// storeVariables compiles the variables of a policy, which its other expressions read.
func storeVariables(compiler *cel.CompositedCompiler, all []expression) {
	for _, variable := range all {
		compiler.CompileAndStoreVariable(variable.ExpressionAccessor.(cel.NamedExpressionAccessor), variable.variables,
			environment.StoredExpressions)
	}
}

// evaluator returns the evaluator of expressions that may use the same variables.
func evaluator(compiler *cel.CompositedCompiler, of []expression) cel.ConditionEvaluator {
	accessors, variables := make([]cel.ExpressionAccessor, len(of)), cel.OptionalVariableDeclarations{}
	for i, one := range of {
		accessors[i], variables = one.ExpressionAccessor, one.variables
	}
	return compiler.CompileCondition(accessors, variables, environment.StoredExpressions)
}
