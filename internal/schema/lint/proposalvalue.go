package lint

import (
	"math"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi"
)

// subject is a value that a rule is about: its schema and its name in the rule.
type subject struct {
	schema *spec.Schema
	text   string
}

// propose returns keywords that mean the same as an expression about the value, unless the schema
// has them already.
func (s subject) propose(e celexpr.Expr) []proposal {
	var found []proposal
	switch {
	case s.values(e) != nil:
		found = []proposal{{keyword: "enum", value: s.values(e)}}
	case s.matched(e) != "":
		found = []proposal{{keyword: "pattern", value: s.matched(e)}}
	default:
		found = s.compared(e)
	}
	if slices.ContainsFunc(found, func(p proposal) bool { return openapi.HasKeyword(s.schema, p.keyword) }) {
		return nil
	}
	return found
}

func (s subject) is(e celexpr.Expr) bool {
	if s.text == "self" {
		return e.AsIdent() == "self"
	}
	return "self."+fieldOfSelf(e) == s.text
}

func (s subject) typed(name string) bool {
	intOrString, _ := s.schema.Extensions.GetBool(openapi.XIntOrString)
	return slices.Equal(s.schema.Type, []string{name}) && !intOrString
}

// isText reports whether CEL sees the value as a string. A format may turn a string into bytes or a
// time.
func (s subject) isText() bool { return s.typed("string") && s.schema.Format == "" }

// values returns the texts in "self in ['A', 'B']", or in "self == 'A' || self == 'B'".
func (s subject) values(e celexpr.Expr) []any {
	if !s.isText() {
		return nil
	}
	if args := celexpr.ArgsOf(e, operators.LogicalOr); len(args) == 2 {
		left, right := s.values(args[0]), s.values(args[1])
		if left == nil || right == nil {
			return nil
		}
		return append(left, right...)
	}
	if args := celexpr.ArgsOf(e, operators.Equals); len(args) == 2 && s.is(args[0]) {
		return texts(args[1:])
	}
	if args := celexpr.ArgsOf(e, operators.In); len(args) == 2 && s.is(args[0]) && args[1].Kind() == ast.ListKind {
		return texts(args[1].AsList().Elements())
	}
	return nil
}

func texts(all []celexpr.Expr) []any {
	var found []any
	for _, e := range all {
		text, ok := celexpr.TextOf(e)
		if !ok {
			return nil
		}
		found = append(found, text)
	}
	return found
}

// matched returns the pattern in "self.matches('…')". Both CEL and the keyword find it anywhere in
// the string.
func (s subject) matched(e celexpr.Expr) string {
	call := e.AsCall()
	if call.FunctionName() != "matches" || !call.IsMemberFunction() || !s.isText() || !s.is(call.Target()) || len(call.Args()) != 1 {
		return ""
	}
	if pattern := texts(call.Args()); len(pattern) == 1 {
		return pattern[0].(string)
	}
	return ""
}

// compared returns the bound in a comparison of a number or of a size with a literal.
func (s subject) compared(e celexpr.Expr) []proposal {
	left, operator, right := celexpr.ComparisonOf(e)
	if left == nil {
		return nil
	}
	if s.isText() && s.is(left) && operator == operators.NotEquals && celexpr.ValueOf(right) == "" {
		return []proposal{{keyword: "minLength", value: int64(1)}}
	}
	limit, ok := wholeNumber(right)
	if !ok {
		return nil
	}
	low, high := s.bounds(left)
	if low == "" || operator == operators.NotEquals && !(limit == 0 && low != "minimum") {
		return nil
	}
	return bound(operator, low, high, limit)
}

func wholeNumber(e celexpr.Expr) (int64, bool) {
	number, ok := celexpr.ValueOf(e).(int64)
	return number, ok && number > math.MinInt32 && number < math.MaxInt32
}

// bounds returns the keywords that bound the value of an expression: an integer, or a size. The
// size of a string counts characters in both.
func (s subject) bounds(e celexpr.Expr) (low, high string) {
	if s.is(e) {
		if s.typed("integer") {
			return "minimum", "maximum"
		}
		return "", ""
	}
	of := celexpr.SizeOf(e)
	switch {
	case of == nil || !s.is(of):
		return "", ""
	case s.isText():
		return "minLength", "maxLength"
	case s.typed("array"):
		return "minItems", "maxItems"
	case s.typed("object") && s.schema.AdditionalProperties != nil && len(s.schema.Properties) == 0:
		return "minProperties", "maxProperties"
	}
	return "", ""
}

func bound(operator, low, high string, limit int64) []proposal {
	least := int64(math.MinInt64)
	if low != "minimum" {
		least = 0 // a size
	}
	var found []proposal
	add := func(keyword string, value int64) {
		if value < least {
			found = nil
			return
		}
		found = append(found, proposal{keyword: keyword, value: value})
	}
	switch operator {
	case operators.GreaterEquals:
		add(low, limit)
	case operators.Greater:
		add(low, limit+1)
	case operators.NotEquals: // a size that is not zero
		add(low, 1)
	case operators.LessEquals:
		add(high, limit)
	case operators.Less:
		add(high, limit-1)
	case operators.Equals:
		add(low, limit)
		add(high, limit)
	}
	return found
}
