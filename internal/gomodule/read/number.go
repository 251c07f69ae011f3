package read

import (
	"fmt"
	"go/constant"
	"go/types"
	"math/big"
	"strings"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// isNumber is the pattern of whole numbers of 64 bits.
var isNumber = "t.matches('^([+]?0*(" + upTo("9223372036854775807") + ")|-0*(" + upTo("9223372036854775808") + "))$')"

// upTo returns the pattern of the numbers up to one, without leading zeros.
func upTo(most string) string {
	pattern := fmt.Sprintf("[0-9]{1,%d}|", len(most)-1)
	for i, digit := range most {
		low, rest := '0', len(most)-1-i
		if i == 0 {
			low = '1'
		}
		if digit > low {
			pattern += fmt.Sprintf("%s[%c-%c][0-9]{%d}|", most[:i], low, digit-1, rest)
		}
	}
	return pattern + most
}

// The patterns of numbers in texts, as far as they fit into 64 bits.
const (
	isPercent = "t.matches('^[-+]?[0-9]{1,18}%$')"
	// percentOf is a percentage t of a number u, rounded down or up.
	percentOf   = "int(t.substring(0, size(t) - 1)) * u"
	roundedDown = "P >= 0 ? (P) / 100 : (P - 99) / 100"
	roundedUp   = "P >= 0 ? (P + 99) / 100 : (P) / 100"
)

// addNumberModels adds the models of functions that read numbers from texts.
func addNumberModels() {
	models["strconv.Atoi"] = func(c *call) value {
		text := c.activation.expr(c.args[0])
		can := filled(isNumber, text)
		number := term{expr: celexpr.Call("int", text), typ: types.Typ[types.Int]}
		return several{
			choice{can, number, c.withoutNumber(text, integers[types.Int64], types.Typ[types.Int])}, c.failOfLibrary(not(can)),
		}
	}
	models["strconv.ParseInt"] = parsedInt
	models["strconv.ParseBool"] = func(c *call) value {
		text := c.activation.expr(c.args[0])
		isTrue := that(celexpr.Method(text, "matches", celexpr.Literal("^(1|t|T|TRUE|true|True)$")))
		isFalse := that(celexpr.Method(text, "matches", celexpr.Literal("^(0|f|F|FALSE|false|False)$")))
		return several{truth{isTrue}, c.failOfLibrary(not(or(isTrue, isFalse)))}
	}
	models["k8s.io/apimachinery/pkg/util/intstr.GetScaledValueFromIntOrPercent"] = scaled
}

// parsedInt is the model of a function that reads a decimal number of a width from a text. What has no place is the nearest number.
func parsedInt(c *call) value {
	base, isBase := c.args[1].(known)
	bits, isKnown := c.args[2].(known)
	if !isBase || !isKnown || base.value.ExactString() != "10" {
		return nil
	}
	t := types.Typ[types.Int64]
	widths := map[string]*interval{"8": integers[types.Int8], "16": integers[types.Int16], "32": integers[types.Int32]}
	of := widths[bits.value.ExactString()]
	text := c.activation.expr(c.args[0])
	number := term{expr: celexpr.Call("int", text), typ: t, within: of}
	can := filled(isNumber, text)
	all := integers[types.Int64]
	if of != nil {
		all = of
		compared := func(op string, n int64) *condition { return that(celexpr.Call(op, number.expr, celexpr.Literal(n))) }
		can = and(filled("t.matches('^[-+]?0*[0-9]{1,18}$')", text), compared(operators.GreaterEquals, of.low.Int64()),
			compared(operators.LessEquals, of.high.Int64()))
	}
	return several{choice{can, number, c.withoutNumber(text, all, t)}, c.failOfLibrary(not(can))}
}

// withoutNumber returns the number that Go has for a text without one of a width: the nearest one, or zero.
func (c *call) withoutNumber(text celexpr.Expr, of *interval, t types.Type) value {
	number := func(n *big.Int) value { return known{constant.MakeInt64(n.Int64()), t} }
	isOfSign := func(sign string) *condition {
		return that(celexpr.Method(text, "matches", celexpr.Literal("^"+sign+"[0-9]+$")))
	}
	return choice{isOfSign("[+]?"), number(of.high), choice{isOfSign("-"), number(of.low), zero(t)}}
}

// failOfLibrary returns the error that a function of a library returns on a condition.
func (c *call) failOfLibrary(when *condition) value {
	return c.fail(c.s, Site{Pos: c.at(c.expr.Pos()), Type: "error", Text: "…", ofLibrary: true}, when)
}

// scaled is the model of GetScaledValueFromIntOrPercent: a number, or a percentage of one that is rounded.
func scaled(c *call) value {
	rounding, isKnown := c.args[2].(known)
	of, missing := c.args[0], no
	if to, is := of.(pointer); is {
		of = to.to
	}
	number, is := of.(place)
	if !is || !isKnown {
		return nil
	}
	if isPointer(number.typ) {
		missing = not(number.has)
	}
	pattern := roundedDown
	if constant.BoolVal(rounding.value) {
		pattern = roundedUp
	}
	isText := and(number.has, isString(number.expr))
	wrong := or(missing, and(isText, not(filled(isPercent, number.expr))))
	share := filled(strings.ReplaceAll(pattern, "P", percentOf), number.expr).asExpr()
	rounded := celexpr.Rename(share, "u", c.activation.expr(c.args[1]))
	return several{
		choice{
			wrong, zero(types.Typ[types.Int]),
			choice{
				isText, term{expr: rounded, typ: types.Typ[types.Int]},
				place{expr: number.expr, typ: types.Typ[types.Int], has: number.has},
			},
		},
		c.failOfLibrary(wrong),
	}
}
