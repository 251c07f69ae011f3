package graph

import (
	"fmt"
	"math"
	"regexp"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// overBudget returns the message that an estimate is over its limit, with advice.
func overBudget(what string, cost, limit uint64, help string) string {
	return fmt.Sprintf("%s %d is over the limit of %d (%.1f times): %s", what, cost, limit, float64(cost)/float64(limit), help)
}

const (
	boundSizes = "simplify it, or set maxItems, maxProperties and maxLength where a list, map or string that it reads, or is in, has none"
	// The API server estimates that the size of string(5) is unknown, and that an unknown size is the
	// maximum (k8s.io/apiserver/pkg/cel/library, CostEstimator).
	leaveStringOut = "the API server has no bound for the result of string(…), whatever the schema declares; compare the value itself"
)

// advice returns the advice for a rule at a node whose estimate is over its limit.
func (all *costs) advice(c *compiler, n *Node, rule string, cost uint64) string {
	const unknownSize = math.MaxUint64 / 100 // some functions cost a tenth for each byte
	if cost < unknownSize || !makesString.MatchString(rule) {
		return boundSizes
	}
	if all.of[n.id].times != unbounded && holdsBounded(c.schema(n)) {
		return leaveStringOut
	}
	return leaveStringOut + "; and " + boundSizes
}

// adviceForSum returns the advice for rules that are together over their limit.
func (all *costs) adviceForSum() string {
	if all.over {
		return "correct the rules first that are over their own limit"
	}
	return boundSizes
}

// makesString finds a call of string.
var makesString = regexp.MustCompile(`\bstring\s*\(`)

// holdsBounded reports whether each list and map in values of a schema has a maximum.
func holdsBounded(s *spec.Schema) bool {
	if s == nil {
		return true
	}
	for child := range openapi.Children(s) {
		unbounded := child.Keyword == "items" && s.MaxItems == nil || child.Keyword == "additionalProperties" && s.MaxProperties == nil
		if child.IsPart() && (unbounded || !holdsBounded(child.Schema)) {
			return false
		}
	}
	return true
}
