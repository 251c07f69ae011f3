package evaluation

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission/plugin/cel"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// nullCase is a kind of request for which a variable of CEL is null.
type nullCase struct {
	variable string
	// operation is that of the requests; "": any.
	operation admissionregistrationv1.OperationType
	// when says which requests these are.
	when string
}

// nulls reports expressions that read a field of a variable that is null for some requests. matchConditions never have the
// namespace (k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions, Match).
func (l *linter) nulls(matched []matchedSchema) {
	all := l.policy.expressions()
	for _, of := range l.nullCases(matched) {
		if slices.ContainsFunc(all.conditions, func(one expression) bool { return l.decides(one, of, false) }) {
			continue // such requests are left out
		}
		for _, one := range slices.Concat(all.conditions, all.validations, all.annotations) {
			l.readsNull(one, of, "the request "+outcomeOfError(l.policy.ValidatingAdmissionPolicy))
		}
		for i, one := range all.messages {
			if !l.decides(all.validations[i], of, true) {
				l.readsNull(one, of, "users see the other message, or the expression")
			}
		}
	}
	for _, one := range all.conditions {
		l.readsNull(one, nullCase{variable: cel.NamespaceVarName, when: "in matchConditions"},
			"the request "+outcomeOfError(l.policy.ValidatingAdmissionPolicy))
	}
}

// nullCases returns the requests that the policy matches and that lack an object, the old one, or a namespace.
func (l *linter) nullCases(matched []matchedSchema) (all []nullCase) {
	if l.policy.Spec.MatchConstraints == nil {
		return nil
	}
	sees := func(operation admissionregistrationv1.OperationType) bool {
		return slices.ContainsFunc(l.policy.Spec.MatchConstraints.ResourceRules,
			func(rule admissionregistrationv1.NamedRuleWithOperations) bool {
				return slices.Contains(rule.Operations, operation) || slices.Contains(rule.Operations, admissionregistrationv1.OperationAll)
			})
	}
	if sees(admissionregistrationv1.Delete) && l.policy.mutating == nil { // a deletion is not mutated
		all = append(all, nullCase{cel.ObjectVarName, admissionregistrationv1.Delete, "on DELETE"})
	}
	for _, operation := range []admissionregistrationv1.OperationType{admissionregistrationv1.Create, admissionregistrationv1.Connect} {
		if sees(operation) {
			all = append(all, nullCase{cel.OldObjectVarName, operation, "on " + string(operation)})
			break
		}
	}
	for _, of := range matched {
		if of.clusterScoped {
			all = append(all, nullCase{variable: cel.NamespaceVarName, when: "for a " + of.name + ", which is in no namespace"})
		}
	}
	return all
}

// readsNull reports an expression that reads a field of the variable of a case, unless another part decides before.
func (l *linter) readsNull(one expression, of nullCase, consequence string) {
	for part := range celexpr.Parts(l.folded(one, of)) {
		read := celexpr.PathOf(part)
		if args := celexpr.ArgsOf(part, operators.Index); len(args) == 2 && args[0].AsIdent() == of.variable {
			read = []string{of.variable, celexpr.String(args[1])}
		}
		if len(read) == 2 && read[0] == of.variable {
			l.add(lintNullVariable, one.path, "%s is null %s, and %s is read; then %s", of.variable, of.when, strings.Join(read, "."),
				consequence)
			return
		}
	}
}

// decides reports whether an expression has a value for all requests of a case.
func (l *linter) decides(one expression, of nullCase, value bool) bool {
	folded := l.folded(one, of)
	return folded != nil && celexpr.ValueOf(folded) == value
}

// folded returns an expression for the requests of a case, without the parts that the case decides; nil: it cannot be read.
func (l *linter) folded(one expression, of nullCase) celexpr.Expr {
	if one.ExpressionAccessor == nil {
		return nil
	}
	text, ok := inlined(one.GetExpression(), l.policy.Spec.Variables)
	if !ok {
		return nil
	}
	parsed := celexpr.Parse(text)
	if parsed == nil {
		return nil
	}
	parsed = celexpr.Replace(parsed, func(part celexpr.Expr) celexpr.Expr {
		if field := celexpr.HasOf(part); field != nil {
			if path := celexpr.PathOf(field); len(path) == 2 && path[0] == of.variable {
				return celexpr.Literal(false) // null has no field
			}
		}
		if of.operation != "" && slices.Equal(celexpr.PathOf(part), []string{cel.RequestVarName, "operation"}) {
			return celexpr.Literal(string(of.operation))
		}
		return nil
	})
	return celexpr.Fold(celexpr.Rewrite(parsed, of.compared))
}

// compared returns true or false for a comparison that the case decides, and other expressions as they are.
func (c nullCase) compared(e celexpr.Expr) celexpr.Expr {
	isNull := func(e celexpr.Expr) bool { return e.Kind() == ast.LiteralKind && e.AsLiteral() == types.NullValue }
	equal := func(a, b celexpr.Expr) (is, known bool) {
		a, b = c.constant(a), c.constant(b)
		if a.Kind() != ast.LiteralKind || b.Kind() != ast.LiteralKind {
			return false, false
		}
		return isNull(a) && isNull(b) || !isNull(a) && !isNull(b) && celexpr.ValueOf(a) == celexpr.ValueOf(b), true
	}
	switch args := e.AsCall().Args(); e.AsCall().FunctionName() {
	case operators.Equals, operators.NotEquals:
		if is, known := equal(args[0], args[1]); known {
			return celexpr.Literal(is == (e.AsCall().FunctionName() == operators.Equals))
		}
	case operators.In:
		found := false
		for _, item := range args[1].AsList().Elements() {
			is, known := equal(args[0], item)
			if !known {
				return e
			}
			found = found || is
		}
		if args[1].Kind() == ast.ListKind && args[0].Kind() == ast.LiteralKind {
			return celexpr.Literal(found)
		}
	}
	return e
}

// constant returns null for the variable of the case, and other expressions as they are.
func (c nullCase) constant(e celexpr.Expr) celexpr.Expr {
	if e.AsIdent() == c.variable {
		return celexpr.Literal(nil)
	}
	return e
}
