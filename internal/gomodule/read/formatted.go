package read

import (
	"go/constant"
	"go/types"
	"strings"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// sprintf is the model of fmt.Sprintf: a text whose parts are known, and an expression if each verb is one of texts or
// whole numbers.
func sprintf(c *call) value {
	format, ok := c.args[0].(known)
	if !ok {
		return text{"…"}
	}
	if items, ok := c.args[len(c.args)-1].(list); ok && c.expr.Ellipsis.IsValid() {
		c.args = append(c.args[:len(c.args)-1:len(c.args)-1], items.items...)
	}
	if areKnown(c.args) {
		return known{constant.MakeString(c.formatted(c.args)), types.Typ[types.String]}
	}
	parts := strings.Split(constant.StringVal(format.value), "%")
	var made []celexpr.Expr
	if parts[0] != "" {
		made = append(made, celexpr.Literal(parts[0]))
	}
	args := c.args[1:]
	if len(parts)-1 != len(args) {
		return text{c.formatted(c.args)}
	}
	for i, part := range parts[1:] {
		if part == "" || !strings.ContainsRune("sdv", rune(part[0])) || !isScalar(args[i]) {
			return text{c.formatted(c.args)}
		}
		e := c.activation.expr(args[i])
		if !isText(typeOf(args[i])) {
			e = celexpr.Call("string", e)
		}
		made = append(made, e)
		if part[1:] != "" {
			made = append(made, celexpr.Literal(part[1:]))
		}
	}
	joined := made[0]
	for _, e := range made[1:] {
		joined = celexpr.Call(operators.Add, joined, e)
	}
	return c.text(joined)
}

func isText(t types.Type) bool {
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

func isScalar(v value) bool {
	switch x := v.(type) {
	case choice:
		return isScalar(x.then) && isScalar(x.otherwise)
	case loopVariable:
		return isScalar(x.before)
	case place, term, known:
		t := typeOf(v)
		if t == nil {
			return false
		}
		basic, ok := t.Underlying().(*types.Basic)
		return ok && basic.Info()&(types.IsString|types.IsInteger) != 0
	}
	return false
}

// formatted returns the text of a format, with … for what only the object has.
func (c *call) formatted(args []value) string {
	if len(args) == 0 {
		return "…"
	}
	made := shown(args[0])
	if len(args) == 1 {
		return made
	}
	var b strings.Builder
	rest := args[1:]
	for i := 0; i < len(made); i++ {
		if made[i] != '%' || i+1 == len(made) {
			b.WriteByte(made[i])
			continue
		}
		i++
		for i+1 < len(made) && strings.IndexByte("+-# 0123456789.", made[i]) >= 0 {
			i++
		}
		switch {
		case made[i] == '%':
			b.WriteByte('%')
		case len(rest) > 0:
			shownArg := shown(rest[0])
			if made[i] == 'q' && shownArg != "…" {
				shownArg = `"` + shownArg + `"`
			}
			b.WriteString(shownArg)
			rest = rest[1:]
		}
	}
	return b.String()
}

// shown returns a value as the text of an error shows it.
func shown(v value) string {
	switch x := v.(type) {
	case known:
		if x.value.Kind() == constant.String {
			return constant.StringVal(x.value)
		}
		return x.value.String()
	case text:
		return x.text
	case fieldPath:
		return x.text
	case term:
		if x.text != "" {
			return x.text
		}
	}
	return "…"
}
