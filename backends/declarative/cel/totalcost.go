package cel

import (
	"math"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
)

// declared is sizes that bound the cost on every value that its schema fits, and not only
// in a request to the API server: what has no maximum in its schema can be of any size.
// Two more that the API server has too small are put right: keys of maps, which can be
// long, and numbers and bools, of which a comparison costs something.
type declared struct{ sizes }

// EstimateSize implements checker.CostEstimator.
func (d declared) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	small := false
	size := sizes{d.self, &small}.EstimateSize(element)
	if small {
		return nil // so that it is the largest that there is, of numbers and bools 1
	}
	return size
}

// EstimateCallCost implements checker.CostEstimator. cel-go estimates startsWith and
// endsWith by what is looked for, and counts what it is looked for in
// (checker/cost.go and interpreter/runtimecost.go).
func (d declared) EstimateCallCost(function, _ string, target *checker.AstNode, _ []checker.AstNode) *checker.CallEstimate {
	if !isAffix(function) || target == nil {
		return nil
	}
	size := (*target).ComputedSize()
	if size == nil {
		size = d.EstimateSize(*target)
	}
	if size == nil {
		size = &checker.SizeEstimate{Max: math.MaxUint64}
	}
	return &checker.CallEstimate{CostEstimate: size.MultiplyByCostFactor(common.StringTraversalCostFactor)}
}

func isAffix(function string) bool { return function == "startsWith" || function == "endsWith" }

// bounded says that MaxElements bounds the size of every value that the schema fits.
func (s *Shape) bounded() bool {
	switch s.Kind {
	case List, Map:
		return s.Bound != nil
	case String:
		return s.Bound != nil || s.Longest > 0
	}
	return false
}

// totalOf is Total of a rule that was compiled, nil where it has none. small says
// that the estimates of its costs may be too small for some values.
func (e *Env) totalOf(p *Program, rule, message expression, small bool) (*Total, error) {
	if p.UsesOldSelf || p.rule.OptionalOldSelf {
		return nil, nil
	}
	t, affixes := e.total(rule.AST, p.self)
	if t == nil {
		return nil, nil
	}
	small = small || affixes || message.AST != nil
	costs := [...]uint64{p.MaxCost, p.MaxMessageCost}
	for i, x := range [...]expression{rule, message} {
		if small && x.AST != nil {
			var err error
			if costs[i], err = e.estimate(declared{sizes{p.self, nil}}, x, p.self, false); err != nil {
				return nil, err
			}
		}
		if costs[i] > e.perCall {
			return nil, nil
		}
	}
	t.Cost = costs[0] + costs[1]
	return t, nil
}

// Iterated is how many items a list that a rule iterates is taken to have in its effort.
const Iterated = 4

// effort counts the steps of an expression, those of a loop several times.
func effort(x ast.Expr) int {
	n := 1
	switch x.Kind() {
	case ast.SelectKind:
		n += effort(x.AsSelect().Operand())
	case ast.ListKind:
		for _, item := range x.AsList().Elements() {
			if item.Kind() != ast.LiteralKind {
				n += effort(item)
			}
		}
	case ast.CallKind:
		for _, arg := range arguments(x.AsCall()) {
			n += effort(arg)
		}
	case ast.ComprehensionKind:
		n += effort(x.AsComprehension().IterRange()) + Iterated*effort(x.AsComprehension().LoopStep())
	}
	return min(n, math.MaxInt32)
}
