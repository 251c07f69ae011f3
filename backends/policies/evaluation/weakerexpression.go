package evaluation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/text/oneline"
)

// weakerExpression is a condition that is true more often than another one.
type weakerExpression struct {
	text string
	// change describes the difference: "port.hostPort < 9000 → port.hostPort <= 9000".
	change string
}

// weakerExpressions returns the weaker forms of a condition, each with one change, and true itself at the end. It returns
// none if the condition cannot be parsed.
func weakerExpressions(text string) []weakerExpression {
	parsed := celexpr.Parse(text)
	if parsed == nil {
		return nil
	}
	var all []weakerExpression
	for _, change := range celexpr.Weaker(parsed) {
		weaker := weakerExpression{celexpr.String(change.In(parsed)), describe(change)}
		if !slices.ContainsFunc(all, func(other weakerExpression) bool { return other.text == weaker.text }) {
			all = append(all, weaker)
		}
	}
	return append(all, weakerExpression{"true", oneline.Text(strings.TrimSpace(text)) + " → true"})
}

// describe returns what a change does to an expression.
func describe(change celexpr.Change) string {
	args := change.From.AsCall().Args()
	if loop, is := celexpr.LoopOf(change.From); is {
		target, item := celexpr.String(loop.Over), loop.Names[0]
		return fmt.Sprintf("%[1]s.%[2]s(%[3]s, …) → %[1]s.%[4]s(%[3]s, …)", target, loop.Function, item, change.To.AsCall().FunctionName())
	}
	switch change.To {
	case args[0]:
		return "without " + celexpr.String(args[1])
	case args[1]:
		return "without " + celexpr.String(args[0])
	}
	return celexpr.String(change.From) + " → " + celexpr.String(change.To)
}
