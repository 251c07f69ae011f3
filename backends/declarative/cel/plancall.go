package cel

import (
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// callTest plans a call whose value is a bool. known is false for a function that is
// not one of these.
func (p *planner) callTest(e ast.Expr) (t test, known bool) {
	c := e.AsCall()
	args := arguments(c)
	switch c.FunctionName() {
	case operators.LogicalAnd:
		return p.logical(operators.LogicalAnd, args, no), true
	case operators.LogicalOr:
		return p.logical(operators.LogicalOr, args, yes), true
	case operators.LogicalNot:
		if s := args[0]; s.Kind() == ast.SelectKind && s.AsSelect().IsTestOnly() {
			return p.presence(s.AsSelect(), no), true
		}
		t := p.test(args[0])
		if t == nil {
			return nil, true
		}
		return func(m *machine) truth {
			m.cost += callCost
			return t(m).not()
		}, true
	case operators.Conditional:
		return p.conditional(e, args), true
	case operators.Equals:
		return p.equals(args, yes), true
	case operators.NotEquals:
		return p.equals(args, no), true
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return p.ordered(c.FunctionName(), args), true
	case operators.In:
		return p.in(args), true
	case "matches":
		return p.matches(args), true
	case "startsWith":
		return p.texts(args, strings.HasPrefix), true
	case "endsWith":
		return p.texts(args, strings.HasSuffix), true
	case "contains":
		return p.texts(args, strings.Contains), true
	case "hasValue":
		return p.hasValue(args), true
	case "isInteger", "isGreaterThan", "isLessThan":
		t := p.quantityTest(c.FunctionName(), args)
		return t, t != nil
	}
	return nil, false
}

// logical plans && and ||.
func (p *planner) logical(function string, args []ast.Expr, decides truth) test {
	tests := p.tests(operands(function, args, nil))
	switch {
	case tests == nil:
		return nil
	case decides == yes:
		return anyOf(tests)
	}
	return allOf(tests)
}

// tests plans several expressions. It is nil when one cannot be planned.
func (p *planner) tests(all []ast.Expr) []test {
	var tests []test
	for _, e := range all {
		t := p.test(e)
		if t == nil {
			return nil
		}
		tests = append(tests, t)
	}
	return tests
}

func anyOf(tests []test) test { return inTurn(tests, yes) }

func allOf(tests []test) test { return inTurn(tests, no) }

// inTurn is what tests give together. What comes after one that decides is not looked at;
// what comes after an error may still decide.
func inTurn(tests []test, decides truth) test {
	if len(tests) == 1 {
		return tests[0]
	}
	cost := int64(len(tests)-1) * callCost
	return func(m *machine) truth {
		m.cost += cost
		result := decides.not()
		for _, t := range tests {
			switch t(m) {
			case decides:
				return decides
			case decides.not():
			case failed:
				result = failed
			default:
				return unsure
			}
		}
		return result
	}
}

// operands are what && or || joins, in order.
func operands(function string, args []ast.Expr, found []ast.Expr) []ast.Expr {
	for _, e := range args {
		if isCall(e, function, 2) {
			found = operands(function, e.AsCall().Args(), found)
		} else {
			found = append(found, e)
		}
	}
	return found
}

func (p *planner) conditional(e ast.Expr, args []ast.Expr) test {
	if !p.typeOf(e).IsExactType(types.BoolType) {
		return nil
	}
	when, then, otherwise := p.test(args[0]), p.test(args[1]), p.test(args[2])
	if when == nil || then == nil || otherwise == nil {
		return nil
	}
	return func(m *machine) truth {
		m.cost += callCost
		switch when(m) {
		case yes:
			return then(m)
		case no:
			return otherwise(m)
		}
		return unsure
	}
}

// call plans a call whose value is no bool. known is false for a function that is
// not one of these.
func (p *planner) call(e ast.Expr) (s step, known bool) {
	c := e.AsCall()
	args := arguments(c)
	switch c.FunctionName() {
	case operators.Conditional:
		if p.typeOf(e).IsExactType(types.BoolType) {
			return nil, false
		}
		return p.choose(args), true
	case operators.Add, operators.Subtract:
		if t := p.typeOf(e); t.IsExactType(types.IntType) || t.IsExactType(types.StringType) {
			return p.add(c.FunctionName(), args), true
		}
		if p.typeOf(e).Kind() == types.ListKind {
			return p.concat(args), true
		}
	case operators.Multiply, operators.Divide, operators.Modulo:
		if p.typeOf(e).IsExactType(types.IntType) {
			return p.multiply(c.FunctionName(), args), true
		}
	case operators.Negate:
		if p.typeOf(e).IsExactType(types.IntType) {
			return p.add(operators.Subtract, args), true
		}
	case operators.OptSelect:
		if c := p.chain(e); c != nil {
			return c.step(), true
		}
		return p.optionalSelect(args), true
	case "sign", "asInteger", "compareTo":
		if s := p.quantityCall(c.FunctionName(), args); s != nil {
			return s, true
		}
	case "int":
		if s := p.intOf(args); s != nil && p.typeOf(args[0]).IsExactType(types.DynType) {
			return s, true
		}
	}
	if s, known := p.callOf(c.FunctionName(), args); known {
		return s, true
	}
	if s := p.libraryCall(e); s != nil {
		return s, true
	}
	return nil, false
}

// callOf plans what depends on the arguments alone.
func (p *planner) callOf(function string, args []ast.Expr) (s step, known bool) {
	switch function {
	case "size":
		return p.size(args), true
	case operators.Index:
		return p.index(args), true
	case "orValue":
		return p.orValue(args), true
	case "value":
		return p.valueOf(args), true
	case "optional.of", "optional.none":
		return p.optionalOf(args), true
	case "distinct":
		return p.distinct(args), true
	case "flatten":
		return p.flatten(args), true
	case "slice":
		return p.slice(args), true
	case "split":
		return p.split(args), true
	case "validate":
		return p.validate(args), true
	case operators.OptIndex:
		return p.optionalIndex(args), true
	case "string":
		return p.stringOf(args), true
	}
	return nil, false
}
