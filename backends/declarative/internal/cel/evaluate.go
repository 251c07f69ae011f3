package cel

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/google/cel-go/cel"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/plan"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Outcome is how a rule ended.
type Outcome uint8

// All outcomes.
const (
	// Passed: the rule is true.
	Passed Outcome = iota
	// Failed: the rule is false. The details are its messages.
	Failed
	// Broken: the rule could not be evaluated on this value. The detail says why.
	Broken
	// Exhausted: a limit was hit. No further rule is to be run on the object.
	Exhausted
)

// exhausted is the detail of a rule if the budget is used up.
const exhausted = "validation failed due to running out of cost budget, no further validation rules will be run"

// Evaluator runs the rules of one object within its budget. It belongs to one
// goroutine and is used again for the next object after Reset.
type Evaluator struct {
	read   *view.Reader
	budget int64
	plans  *plan.Machine
	// planned is an upper bound of the cost of the proven rules. exact: rules are not proven by
	// plans, because that bound was over the budget.
	planned int64
	exact   bool

	self, old   ref.Val
	hasOld      bool
	optionalOld bool
}

// NewEvaluator makes an Evaluator. Reset it before use.
func NewEvaluator() *Evaluator {
	read := new(view.Reader)
	return &Evaluator{read: read, plans: plan.NewMachine(read)}
}

// Reset forgets the last object and sets the budget of the next, in CEL's cost units.
func (e *Evaluator) Reset(budget int64) {
	e.plans.Forget()
	e.read.Forget()
	e.Next()
	e.planned, e.budget, e.exact = 0, budget, false
}

// Next begins the rules of another value.
func (e *Evaluator) Next() {
	e.self, e.old, e.hasOld = nil, nil, false
}

// Over reports whether the rules of the object may cost more than the budget, so their results
// cannot be trusted. The caller then validates the object again after Exact.
func (e *Evaluator) Over() bool { return e.planned > max(e.budget, 0) }

// Exact counts the costs of all rules exactly until Reset.
func (e *Evaluator) Exact() { e.exact = true }

// Reader reads the object until Forget.
func (e *Evaluator) Reader() *view.Reader { return e.read }

// Proves reports whether all rules of a Proof are proven true. old is nil if there is no old value.
func (e *Evaluator) Proves(p *Proof, val, old *view.View) bool {
	p.ready()
	return e.proves(p.plan, val, old)
}

// proves runs a plan, which may be nil.
func (e *Evaluator) proves(p *plan.Plan, val, old *view.View) bool {
	if p == nil || e.budget <= 0 || e.exact || !e.plans.Proves(p, val, old) {
		return false
	}
	e.planned += e.plans.Cost()
	return true
}

// Run evaluates a rule. hasOld is true if old is the old value. A rule that uses oldSelf must not
// run without one, unless it is optional. A plan ignores ctx, because its cost is bounded. If
// ctx is done already, cel-go reports it.
func (e *Evaluator) Run(ctx context.Context, p *Program, val, old view.View, hasOld bool) (outcome Outcome, details []string) {
	if e.budget <= 0 {
		return Exhausted, []string{exhausted}
	}
	earlier := &old
	if !hasOld {
		earlier = nil
	}
	if ctx.Err() == nil && e.proves(p.plan, &val, earlier) {
		return Passed, nil
	}
	if err := p.ready(); err != nil {
		return Broken, []string{err.Error()} // cannot be: it was compiled before
	}
	if e.self == nil {
		e.self, e.old = types.ValueOf(e.read, val, p.self), nil
	}
	if e.hasOld = hasOld; hasOld && e.old == nil {
		e.old = types.ValueOf(e.read, old, p.self)
	}
	e.optionalOld = p.rule.OptionalOldSelf
	result, cost, err := run(ctx, p.rules, e)
	if cost > e.budget {
		return Exhausted, []string{exhausted}
	}
	e.budget -= cost
	if err != nil {
		outcome, why := broken(err, p.rule)
		return outcome, []string{why}
	}
	if result == celtypes.True {
		return Passed, nil
	}
	return e.explain(ctx, p)
}

// run evaluates a program and returns its cost, or the maximum if the cost is unknown.
func run(ctx context.Context, p cel.Program, vars cel.Activation) (ref.Val, int64, error) {
	result, details, err := p.ContextEval(ctx, vars)
	if details == nil || details.ActualCost() == nil {
		return result, math.MaxInt64, err
	}
	cost := *details.ActualCost()
	if cost > math.MaxInt64 {
		return result, math.MaxInt64, err
	}
	return result, int64(cost), err
}

const overLimit = "operation cancelled: actual cost limit exceeded"

func broken(err error, rule Rule) (Outcome, string) {
	text := err.Error()
	switch {
	case strings.HasPrefix(text, "no such overload"):
		return Broken, fmt.Sprintf("'%v': call arguments did not match a supported operator, function or macro signature for rule: %v",
			text, rule.text())
	case strings.HasPrefix(text, overLimit):
		return Exhausted, fmt.Sprintf("'%v': no further validation rules will be run due to call cost exceeds limit for rule: %v",
			text, rule.text())
	}
	return Broken, fmt.Sprintf("%v evaluating rule: %v", text, rule.text())
}

// Message is the message of a rule that is false, without its messageExpression.
func (p *Program) Message() string {
	if p.rule.Message != "" {
		return p.rule.text()
	}
	return "failed rule: " + p.rule.text()
}

// explain returns the messages of a rule that is false.
func (e *Evaluator) explain(ctx context.Context, p *Program) (Outcome, []string) {
	otherwise := []string{p.Message()}
	if p.message == nil {
		return Failed, otherwise
	}
	result, cost, err := run(ctx, p.message, e)
	if cost > e.budget {
		return Exhausted, []string{
			"messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run",
		}
	}
	if err != nil && strings.HasPrefix(err.Error(), overLimit) {
		return Exhausted, []string{
			fmt.Sprintf("no further validation rules will be run due to call cost exceeds limit for messageExpression: %q",
				p.rule.MessageExpression),
		}
	}
	e.budget -= cost
	if err != nil {
		return Failed, otherwise
	}
	if found := p.env.texts(result); len(found) > 0 {
		return Failed, found
	}
	return Failed, otherwise
}

// texts returns the texts of a messageExpression, except those that cannot be messages.
func (e *Env) texts(result ref.Val) []string {
	var found []string
	switch result := result.(type) {
	case celtypes.String:
		message := strings.TrimSpace(string(result))
		if message != "" && (e.AnyMessages || len(message) <= celconfig.MaxEvaluatedMessageExpressionSizeBytes &&
			!strings.Contains(message, "\n")) {
			found = append(found, message)
		}
	case traits.Lister:
		for items := result.Iterator(); items.HasNext() == celtypes.True; {
			found = append(found, e.texts(items.Next())...)
		}
	}
	return found
}

// ResolveName implements cel.Activation.
func (e *Evaluator) ResolveName(name string) (any, bool) {
	switch {
	case name == plan.Self:
		return e.self, true
	case name != plan.OldSelf:
		return nil, false
	case !e.optionalOld:
		return e.old, e.hasOld
	case e.hasOld:
		return celtypes.OptionalOf(e.old), true
	}
	return celtypes.OptionalNone, true
}

// Parent implements cel.Activation.
func (e *Evaluator) Parent() cel.Activation { return nil }
