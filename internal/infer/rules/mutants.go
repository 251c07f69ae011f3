package rules

import (
	"math"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/parser"

	"github.com/diffrun/diffrun/internal/openapi/celsyntax"
)

// mostMutants bounds the mutants of one expression.
const mostMutants = 80

// Mutants returns expressions that differ from a condition in one literal, one operator or one operand. A condition is
// known as far as objects tell it from these. Operands that only guard others against fields that are not set stay.
func Mutants(expr string) (all []string) {
	parsed := celsyntax.Parse(expr)
	if parsed == nil {
		return nil
	}
	m := mutation{factory: ast.NewExprFactory(), parsed: parsed}
	original := m.text(parsed.Expr())
	m.visit(parsed.Expr(), "")
	if len(m.changes) == 0 { // it only asks whether a field is there
		m.change(parsed.Expr(), m.factory.NewCall(0, operators.LogicalNot, parsed.Expr()))
	}
	for _, change := range m.changes {
		tree := m.factory.CopyExpr(parsed.Expr())
		ast.PostOrderVisit(tree, ast.NewExprVisitor(func(e ast.Expr) {
			if e.ID() == change.id {
				e.SetKindCase(change.to)
			}
		}))
		if text := m.text(tree); text != original && text != "" && !slices.Contains(all, text) && len(all) < mostMutants {
			all = append(all, text)
		}
	}
	return all
}

// mutation collects the changes of a parsed expression.
type mutation struct {
	factory ast.ExprFactory
	parsed  *ast.AST
	changes []replacement
}

// replacement is an expression in place of the one with an id.
type replacement struct {
	id int64
	to ast.Expr
}

func (m *mutation) text(e ast.Expr) string {
	text, err := parser.Unparse(e, m.parsed.SourceInfo(), parser.WrapOnColumn(math.MaxInt32))
	if err != nil {
		return ""
	}
	return text
}

func (m *mutation) change(e, to ast.Expr) { m.changes = append(m.changes, replacement{e.ID(), to}) }

// otherOperators are the operators that a person may mean in place of one.
var otherOperators = map[string][]string{
	operators.Less: {operators.LessEquals}, operators.LessEquals: {operators.Less},
	operators.Greater: {operators.GreaterEquals}, operators.GreaterEquals: {operators.Greater},
	operators.Equals: {operators.NotEquals}, operators.NotEquals: {operators.Equals},
}

// otherMacros are the same for macros.
var otherMacros = map[string]string{
	operators.All: operators.Exists, operators.Exists: operators.All, operators.ExistsOne: operators.Exists,
}

// visit adds the changes of an expression and its parts. within is the operator that joins it with its neighbours.
func (m *mutation) visit(e ast.Expr, within string) {
	switch e.Kind() {
	case ast.LiteralKind:
		m.visitLiteral(e)
	case ast.ListKind:
		for _, element := range e.AsList().Elements() {
			m.visit(element, "")
		}
	case ast.SelectKind:
		m.visit(e.AsSelect().Operand(), "")
	case ast.CallKind:
		m.visitCall(e, within)
	}
}

func (m *mutation) visitLiteral(e ast.Expr) {
	switch value := e.AsLiteral().(type) {
	case types.Int:
		m.change(e, m.factory.NewLiteral(0, value-1))
		m.change(e, m.factory.NewLiteral(0, value+1))
	case types.Double:
		m.change(e, m.factory.NewLiteral(0, value-1))
		m.change(e, m.factory.NewLiteral(0, value+1))
	case types.String:
		m.change(e, m.factory.NewLiteral(0, value+"x"))
	}
}

func (m *mutation) visitCall(e ast.Expr, within string) {
	call := e.AsCall()
	name, args := call.FunctionName(), call.Args()
	for _, other := range otherOperators[name] {
		m.change(e, m.factory.NewCall(0, other, args...))
	}
	if other, is := otherMacros[name]; is && call.IsMemberFunction() {
		m.change(e, m.factory.NewMemberCall(0, other, call.Target(), args...))
	}
	switch {
	case name == operators.LogicalAnd || name == operators.LogicalOr:
		if name != within {
			m.dropOperands(e, name)
		}
		within = name
	case name == operators.LogicalNot:
		m.change(e, args[0])
		within = ""
	case name == operators.In && args[1].Kind() == ast.ListKind:
		elements := args[1].AsList().Elements()
		for i := range elements {
			if rest := slices.Delete(slices.Clone(elements), i, i+1); len(rest) > 0 {
				m.change(args[1], m.factory.NewList(0, rest, nil))
			}
		}
	case name == "size" && call.IsMemberFunction():
		target := call.Target()
		if target.Kind() == ast.CallKind && target.AsCall().FunctionName() == "bytes" {
			m.change(target, target.AsCall().Args()[0])
		} else {
			m.change(target, m.factory.NewCall(0, "bytes", target))
		}
	default:
		within = ""
	}
	if call.IsMemberFunction() {
		m.visit(call.Target(), "")
	}
	if name == operators.Has {
		return // what it asks for is the field
	}
	for _, arg := range args {
		m.visit(arg, within)
	}
}

// dropOperands drops each operand of a conjunction or disjunction.
func (m *mutation) dropOperands(e ast.Expr, operator string) {
	operands := flattened(e, operator)
	for i, operand := range operands {
		rest := slices.Delete(slices.Clone(operands), i, i+1)
		if field := m.guarded(operand, operator); field != "" && slices.ContainsFunc(rest, func(other ast.Expr) bool { return strings.Contains(m.text(other), field) }) {
			continue
		}
		joined := rest[0]
		for _, other := range rest[1:] {
			joined = m.factory.NewCall(0, operator, joined, other)
		}
		m.change(e, joined)
	}
}

// guarded returns the field that an operand guards: has(field) of a conjunction, !has(field) of a disjunction.
func (m *mutation) guarded(operand ast.Expr, operator string) string {
	if operator == operators.LogicalOr {
		if operand.Kind() != ast.CallKind || operand.AsCall().FunctionName() != operators.LogicalNot {
			return ""
		}
		operand = operand.AsCall().Args()[0]
	}
	if operand.Kind() != ast.CallKind || operand.AsCall().FunctionName() != operators.Has {
		return ""
	}
	return m.text(operand.AsCall().Args()[0])
}

// flattened returns the operands of nested calls of an operator.
func flattened(e ast.Expr, operator string) []ast.Expr {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operator {
		return []ast.Expr{e}
	}
	var all []ast.Expr
	for _, arg := range e.AsCall().Args() {
		all = append(all, flattened(arg, operator)...)
	}
	return all
}
