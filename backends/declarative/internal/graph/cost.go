package graph

import (
	"math"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Limits on the estimated cost of rules, which are those of the API server for CRDs
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation).
const (
	ruleCostLimit   = 10_000_000
	schemaCostLimit = 100_000_000
)

// unbounded is the cardinality of a value in a list or map without a maximum.
const unbounded = math.MaxUint64

// costs estimates the cost of rules on the largest possible object.
type costs struct {
	of  []occurrence // by the id of a node
	sum uint64
	// over: one rule is over the limit of a rule.
	over bool
}

// occurrence is how often a node can occur.
type occurrence struct {
	times       uint64
	seen, above bool // above: its parts are being visited
}

// costs counts how often each node can occur in an object.
func (c *compiler) costs(root *Node) *costs {
	all := &costs{of: make([]occurrence, len(c.drafts))}
	if c.opts.Estimate || c.reports != nil {
		c.count(all, root, 1)
	}
	return all
}

// count visits a node that can occur n times. A node that contains itself can
// occur any number of times.
func (c *compiler) count(all *costs, n *Node, times uint64) {
	if n == nil {
		return
	}
	of := &all.of[n.id]
	outer := of.above
	if outer {
		times = unbounded
	}
	if of.seen && of.times >= times {
		return
	}
	*of = occurrence{times: times, seen: true, above: true}
	s := c.schema(n)
	for _, p := range n.Properties {
		c.count(all, p, ofProperties(s, times))
	}
	if s != nil {
		c.count(all, n.Items, multiply(times, s.MaxItems))
		c.count(all, n.Additional, multiply(times, s.MaxProperties))
	}
	for _, group := range [][]*Node{n.Referenced, n.AllOf, n.branches} {
		for _, part := range group {
			c.count(all, part, times)
		}
	}
	of.above = outer
}

// ofProperties returns how often a declared property can occur. The API server treats an
// object with any additionalProperties as a map and its properties as ordinary entries
// (extractMaxElements).
func ofProperties(s *spec.Schema, times uint64) uint64 {
	if s == nil || s.AdditionalProperties == nil || !s.Type.Contains("object") {
		return times
	}
	return multiply(times, s.MaxProperties)
}

// multiply returns a bounded number, however large, if both factors are bounded.
func multiply(times uint64, bound *int64) uint64 {
	if bound == nil || times == unbounded {
		return unbounded
	}
	return min(product(times, uint64(max(*bound, 0))), unbounded-1)
}

func product(a, b uint64) uint64 {
	if a != 0 && b > math.MaxUint64/a {
		return math.MaxUint64
	}
	return a * b
}

// total returns the cost of a rule on all values of a node in the largest possible object.
func (all *costs) total(n *Node, program *cel.Program, s *types.Type) uint64 {
	times := all.of[n.id].times
	if times == unbounded {
		times = s.MaxCardinality()
	}
	return product(program.MaxCost, times)
}

// add adds the estimate of a compiled rule. An estimate over the limit is a mistake.
func (all *costs) add(c *compiler, p pendingRule, program *cel.Program, s *types.Type) {
	if !c.opts.Estimate {
		return
	}
	cost := all.total(p.node, program, s)
	if cost > ruleCostLimit {
		all.over = true
		c.costMistake(openapi.OriginRuleCost, p.at.Child("rule"), p.source.Rule,
			overBudget("estimated rule cost", cost, ruleCostLimit, all.advice(c, p.node, p.source.Rule, cost)))
	}
	all.sum = saturating(all.sum, cost)
	if p.source.MessageExpression == "" {
		return
	}
	if program.MaxMessageCost > ruleCostLimit {
		c.costMistake(openapi.OriginRuleCost, p.at.Child("messageExpression"), p.source.MessageExpression,
			overBudget("estimated messageExpression cost", program.MaxMessageCost, ruleCostLimit,
				all.advice(c, p.node, p.source.MessageExpression, program.MaxMessageCost)))
	}
	all.sum = saturating(all.sum, program.MaxMessageCost)
}

// checkSum checks the sum of all rules.
func (all *costs) checkSum(c *compiler) {
	if all.sum > schemaCostLimit {
		c.costMistake(openapi.OriginTotalCost, nil, "",
			overBudget("estimated cost of all rules", all.sum, schemaCostLimit, all.adviceForSum()))
	}
}

func saturating(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}
