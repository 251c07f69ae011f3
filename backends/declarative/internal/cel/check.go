package cel

import (
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	apilibrary "k8s.io/apiserver/pkg/cel/library"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/plan"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/internal/text/lang"
)

// Package parse parses an expression and the checker of cel-go checks it, without an environment of
// cel-go: making one takes longer than compiling the rules of most schemas, and Gateways would take 2.6
// times as long. If anything is wrong or unusual, cel-go compiles the expression from its text, so every
// mistake has the words of cel-go.

// expression is a checked expression.
type expression struct {
	*ast.AST
	whole *cel.Ast // if cel-go compiled it
}

// check compiles an expression on values of a type.
func (e *Env) check(text string, s *types.Type, optionalOld bool, want results) (expression, error) {
	if checked := e.checkQuickly(text, s, optionalOld, want); checked != nil {
		return expression{AST: checked}, nil
	}
	env, err := e.forRule(s, optionalOld)
	if err != nil {
		return expression{}, err
	}
	whole, err := e.compile(env, text, want)
	if err != nil {
		return expression{}, err
	}
	return expression{whole.NativeRep(), whole}, nil
}

// checkQuickly returns nil for expressions that are left to cel-go.
func (e *Env) checkQuickly(text string, s *types.Type, optionalOld bool, want results) *ast.AST {
	if !e.language.strict {
		return nil
	}
	parsed, ok := e.language.syntax.Parse(text)
	if !ok {
		return nil
	}
	env, err := e.checker(s, optionalOld)
	if err != nil {
		return nil
	}
	checked, errs := checker.Check(parsed, common.NewTextSource(""), env)
	if len(errs.GetErrors()) > 0 || !want.has(checked.GetType(checked.Expr().ID())) || !e.isPlain(checked) {
		return nil
	}
	return checked
}

// knownValidators returns the checks after the type check that isPlain makes or leaves to cel-go.
func knownValidators() []string {
	return []string{
		"cel.validator.duration", "cel.validator.timestamp", "cel.validator.matches",
		"cel.validator.homogeneous_literals", "cel.validator.string_format",
	}
}

// isPlain reports whether nothing in an expression needs cel-go: no literals that must have a form, no
// lists of several types, and no functions whose cost only the environment of cel-go can estimate.
func (e *Env) isPlain(checked *ast.AST) bool {
	plain := true
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(x ast.Expr) {
		switch x.Kind() {
		case ast.ListKind:
			plain = plain && sameType(checked, x.AsList().Elements())
		case ast.MapKind:
			plain = plain && x.AsMap().Size() <= 1
		case ast.CallKind:
			plain = plain && e.language.calls.Plain(x.AsCall(), e.literals())
		case ast.StructKind:
			plain = false
		}
	}))
	return plain
}

func sameType(checked *ast.AST, items []ast.Expr) bool {
	for i := range items {
		if i > 0 && !checked.GetType(items[0].ID()).IsEquivalentType(checked.GetType(items[i].ID())) {
			return false
		}
	}
	return true
}

// literals returns the checks of literals in rules.
func (e *Env) literals() plan.Literals {
	return plan.Literals{Pattern: e.pattern, Format: func(name string) bool {
		_, known := e.language.formats(name, "")
		return known
	}}
}

// pattern compiles a regular expression of a rule. It returns nil if the text is not one.
func (e *Env) pattern(text string) *lang.Pattern {
	if re := e.work.patterns[text]; re != nil {
		return re
	}
	re, err := lang.Compile(text)
	if err != nil {
		return nil
	}
	e.work.patterns[text] = re
	return re
}

// estimate returns the worst-case cost of an expression on values of a type.
func (e *Env) estimate(x expression, s *types.Type, optionalOld bool) (uint64, error) {
	var cost checker.CostEstimate
	var err error
	estimator := &apilibrary.CostEstimator{SizeEstimator: types.SizeEstimator{Self: s}}
	if x.whole == nil {
		cost, err = checker.Cost(x.AST, estimator, checker.PresenceTestHasCost(false))
	} else if env, wrong := e.forRule(s, optionalOld); wrong != nil {
		err = wrong
	} else {
		cost, err = env.EstimateCost(x.whole, estimator)
	}
	if err != nil {
		return 0, fmt.Errorf("its cost cannot be estimated: %w", err)
	}
	return cost.Max, nil
}
