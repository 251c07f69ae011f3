package read

import (
	"go/types"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

const quantityPackage = "k8s.io/apimachinery/pkg/api/resource"

// addQuantityModels adds the models of quantities. One that is absent is zero, and in JSON it is a text or a number.
func addQuantityModels() {
	quantity := "(*" + quantityPackage + ".Quantity)."
	models[quantityPackage+".MustParse"] = func(c *call) value {
		if text, is := c.args[0].(known); is {
			return term{expr: celexpr.Call("quantity", literal(text.value)), typ: c.results.At(0).Type()}
		}
		return nil
	}
	models[quantity+"IsZero"] = func(c *call) value {
		sign := quantitySign(c.of)
		if sign == nil {
			return nil
		}
		_, has, _ := quantityOf(c.of)
		return c.bool(or(not(has), that(celexpr.Call(operators.Equals, sign, celexpr.Literal(int64(0))))))
	}
	models[quantity+"Sign"] = func(c *call) value {
		sign := quantitySign(c.of)
		if sign == nil {
			return nil
		}
		_, has, _ := quantityOf(c.of)
		return choice{has, term{expr: sign, typ: types.Typ[types.Int]}, zero(types.Typ[types.Int])}
	}
	models[quantity+"Cmp"] = func(c *call) value {
		first, hasFirst, ok := quantityOf(c.of)
		second, hasSecond, is := quantityOf(c.args[0])
		if !ok || !is {
			return nil
		}
		none := celexpr.Call("quantity", celexpr.Literal("0"))
		compared := func(a, b celexpr.Expr) value {
			return term{expr: celexpr.Method(a, "compareTo", b), typ: types.Typ[types.Int]}
		}
		return choice{
			hasFirst,
			choice{hasSecond, compared(first, second), compared(first, none)},
			choice{hasSecond, compared(none, second), zero(types.Typ[types.Int])},
		}
	}
	for method, key := range map[string]string{"Cpu": "cpu", "Memory": "memory", "Storage": "storage",
		"StorageEphemeral": "ephemeral-storage", "Pods": "pods"} {
		models["(*k8s.io/api/core/v1.ResourceList)."+method] = func(c *call) value {
			of, ok := c.of.(place)
			if !ok {
				return nil
			}
			has := and(of.has, that(celexpr.Call(operators.In, celexpr.Literal(key), of.expr)))
			return place{
				expr: celexpr.Call(operators.Index, of.expr, celexpr.Literal(key)),
				typ:  c.results.At(0).Type().(*types.Pointer).Elem(), has: has,
			}
		}
	}
}

// quantityOf returns the expression of a quantity, and whether it is there.
func quantityOf(v value) (e celexpr.Expr, has *condition, ok bool) {
	switch v := v.(type) {
	case place:
		return celexpr.Call("quantity", celexpr.Call("string", v.expr)), v.has, true
	case pointer:
		return quantityOf(v.to)
	case term:
		return v.expr, yes, true
	}
	return nil, nil, false
}

// quantitySign returns the sign of a quantity that is there; nil: it is unknown.
func quantitySign(v value) celexpr.Expr {
	e, _, ok := quantityOf(v)
	if !ok {
		return nil
	}
	return celexpr.Method(e, "compareTo", celexpr.Call("quantity", celexpr.Literal("0")))
}

// hasKey is the model of functions that ask whether metadata has a label or an annotation.
func hasKey(field string) func(*call) value {
	return func(c *call) value {
		of, ok := c.args[0].(place)
		if !ok {
			return nil
		}
		all, ok := metadata(field)(&call{of: of}).(place)
		if !ok {
			return nil
		}
		return c.bool(and(all.has, that(celexpr.Call(operators.In, c.activation.expr(c.args[1]), all.expr))))
	}
}
