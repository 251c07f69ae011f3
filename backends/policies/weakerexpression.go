package policies

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/parser"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/diffrun/diffrun/internal/text/oneline"
)

// unexpanded returns an environment that keeps macros as they are written, so that expressions can be
// changed and written again.
var unexpanded = sync.OnceValues(func() (*cel.Env, error) {
	env, err := environments().Env(environment.StoredExpressions)
	if err != nil {
		return nil, err
	}
	return env.Extend(cel.EnableMacroCallTracking())
})

// weakerExpression is a condition that is true more often than another one.
type weakerExpression struct {
	text string
	// change describes the difference: "port.hostPort < 9000 → port.hostPort <= 9000".
	change string
}

// weakerExpressions returns the weaker forms of a condition, each with one change, and true itself at the end: a
// bound includes its value, a part of a conjunction is left out, any item is enough in place of all. It returns none
// if the condition cannot be parsed.
func weakerExpressions(text string) []weakerExpression {
	env, err := unexpanded()
	if err != nil {
		return nil
	}
	var all []weakerExpression
	for n := 0; ; n++ {
		parsed, issues := env.Parse(text)
		if issues.Err() != nil {
			return nil
		}
		w := weakening{info: parsed.NativeRep().SourceInfo(), nth: n}
		w.visit(parsed.NativeRep().Expr(), true)
		if !w.done {
			break
		}
		weaker := weakerExpression{w.write(parsed.NativeRep().Expr()), w.change}
		if weaker.text != "" && !slices.ContainsFunc(all, func(other weakerExpression) bool { return other.text == weaker.text }) {
			all = append(all, weaker)
		}
	}
	return append(all, weakerExpression{"true", oneline.Text(strings.TrimSpace(text)) + " → true"})
}

// weakening makes the nth change to an expression, in the order of the text.
type weakening struct {
	info   *ast.SourceInfo
	nth    int
	done   bool
	change string
}

// write returns the text of an expression, on one line; "" if it cannot be written.
func (w *weakening) write(e ast.Expr) string {
	text, err := parser.Unparse(e, w.info, parser.WrapOnColumn(math.MaxInt32))
	if err != nil {
		return ""
	}
	return text
}

// here reports whether the next change is the wanted one.
func (w *weakening) here() bool {
	w.done = w.done || w.nth == 0
	w.nth--
	return w.nth == -1
}

// weakerOperators replaces comparisons that should be true more often, strongerOperators those, below a
// negation, that should be true less often.
func weakerOperators() map[string]string {
	return map[string]string{operators.Less: operators.LessEquals, operators.Greater: operators.GreaterEquals}
}

func strongerOperators() map[string]string {
	return map[string]string{operators.LessEquals: operators.Less, operators.GreaterEquals: operators.Greater}
}

// visit changes an expression. positive: the whole is true more often if the expression is.
func (w *weakening) visit(e ast.Expr, positive bool) {
	if w.done {
		return
	}
	if macro, is := w.info.GetMacroCall(e.ID()); is {
		w.macro(e, macro.AsCall(), positive)
		return
	}
	if e.Kind() != ast.CallKind {
		return
	}
	call := e.AsCall()
	args, name := call.Args(), call.FunctionName()
	junctor, comparisons := operators.LogicalAnd, weakerOperators()
	if !positive {
		junctor, comparisons = operators.LogicalOr, strongerOperators()
	}
	switch {
	case name == operators.LogicalNot && len(args) == 1:
		w.visit(args[0], !positive)
	case name == operators.Conditional && len(args) == 3:
		w.visit(args[1], positive)
		w.visit(args[2], positive)
	case (name == operators.LogicalAnd || name == operators.LogicalOr) && len(args) == 2:
		for i, kept := range args {
			if name == junctor && w.here() {
				w.change = "without " + w.write(args[1-i])
				w.replace(e, kept)
				return
			}
		}
		w.visit(args[0], positive)
		w.visit(args[1], positive)
	case comparisons[name] != "" && w.here():
		before := w.write(e)
		e.SetKindCase(ast.NewExprFactory().NewCall(e.ID(), comparisons[name], args...))
		w.change = before + " → " + w.write(e)
	}
}

// macro changes all() or exists(), or the condition in it.
func (w *weakening) macro(e ast.Expr, call ast.CallExpr, positive bool) {
	name, other := call.FunctionName(), map[bool]map[string]string{true: {"all": "exists"}, false: {"exists": "all"}}[positive]
	if name != "all" && name != "exists" || !call.IsMemberFunction() {
		return
	}
	if other[name] != "" && w.here() {
		target, item := w.write(call.Target()), w.write(call.Args()[0])
		w.change = fmt.Sprintf("%[1]s.%[2]s(%[3]s, …) → %[1]s.%[4]s(%[3]s, …)", target, name, item, other[name])
		w.info.SetMacroCall(e.ID(), ast.NewExprFactory().NewMemberCall(0, other[name], call.Target(), call.Args()...))
		return
	}
	w.visit(call.Args()[len(call.Args())-1], positive)
}

// replace puts a part of an expression in its place.
func (w *weakening) replace(e, part ast.Expr) {
	if macro, is := w.info.GetMacroCall(part.ID()); is {
		w.info.SetMacroCall(e.ID(), macro)
	}
	e.SetKindCase(part)
}
