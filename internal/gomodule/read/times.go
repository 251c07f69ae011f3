package read

import (
	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// addTimeModels adds the models of the methods of times of metadata. A time that is not set is zero, and nil for a pointer.
func addTimeModels() {
	const of = "(*k8s.io/apimachinery/pkg/apis/meta/v1.Time)."
	models[of+"IsZero"] = func(c *call) value {
		p, ok := c.of.(place)
		if !ok {
			return nil
		}
		zero := celexpr.Call("timestamp", celexpr.Literal("0001-01-01T00:00:00Z"))
		return c.bool(or(not(p.has), that(celexpr.Call(operators.Equals, timeOf(p), zero))))
	}
	models[of+"Before"] = func(c *call) value {
		p, q, ok := c.times()
		if !ok {
			return nil
		}
		return c.bool(and(p.has, q.has, that(celexpr.Call(operators.Less, timeOf(p), timeOf(q)))))
	}
	models[of+"Equal"] = func(c *call) value {
		p, q, ok := c.times()
		if !ok {
			return nil
		}
		return c.bool(or(and(not(p.has), not(q.has)), and(p.has, q.has, that(celexpr.Call(operators.Equals, timeOf(p), timeOf(q))))))
	}
}

// times returns two times of the object that are compared, which are pointers: others have the zero time where they are absent.
func (c *call) times() (p, q place, ok bool) {
	p, isFirst := c.of.(place)
	q, isSecond := c.args[0].(place)
	return p, q, isFirst && isSecond && isPointer(p.typ) && isPointer(q.typ)
}

// timeOf returns a time that is set. JSON has it as a text, and CEL as a timestamp if the schema has the format.
func timeOf(p place) celexpr.Expr { return celexpr.Call("timestamp", p.expr) }
