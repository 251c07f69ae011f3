package read

import (
	"go/constant"
	"go/types"
	"strings"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// The patterns of numbers in texts, as far as they fit into 64 bits.
const (
	isNumber  = "t.matches('^[-+]?[0-9]{1,18}$')"
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
		return several{choice{can, number, zero(types.Typ[types.Int])}, c.failOfLibrary(not(can))}
	}
	models["k8s.io/apimachinery/pkg/util/intstr.GetScaledValueFromIntOrPercent"] = scaled
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
