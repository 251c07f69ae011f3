package read

import (
	"go/token"
	"go/types"

	"github.com/diffrun/diffrun/internal/celexpr"
)

const setsPackage = "k8s.io/apimachinery/pkg/util/sets"

// addSetOperations adds the models of what is computed of sets, and of the keys of maps. Their order is not read.
func addSetOperations() {
	set := "(" + setsPackage + ".Set[T])."
	models[set+"HasAny"] = func(c *call) value {
		return c.ofEach(func(all *condition, v value) *condition { return or(all, c.in(c.of, v)) }, no)
	}
	models[set+"HasAll"] = func(c *call) value {
		return c.ofEach(func(all *condition, v value) *condition { return and(all, c.in(c.of, v)) }, yes)
	}
	models[set+"Difference"] = func(c *call) value { return c.filtered(c.of, c.args[0], false) }
	models[set+"Intersection"] = func(c *call) value { return c.filtered(c.of, c.args[0], true) }
	models[set+"IsSuperset"] = func(c *call) value { return c.isSuperset(c.of, c.args[0]) }
	models[set+"Equal"] = func(c *call) value {
		one, isOne := c.isSuperset(c.of, c.args[0]).(truth)
		other, isOther := c.isSuperset(c.args[0], c.of).(truth)
		if !isOne || !isOther {
			return nil
		}
		return truth{and(one.when, other.when)}
	}
	keys := func(c *call) value {
		of, ok := c.args[0].(place)
		if _, isMap := elem(typeOf(c.args[0])).Underlying().(*types.Map); !ok || !isMap {
			return nil
		}
		l := c.newLoop(of)
		key := term{expr: celexpr.Name(l.name), typ: types.Typ[types.String]}
		return collection{entries: []entry{{c.s.path.withoutPanics().in(l), key, key}}}
	}
	models[setsPackage+".KeySet"], models["maps.Keys"] = keys, keys
	same := func(c *call) value {
		if of, ok := c.args[0].(collection); ok {
			return of
		}
		return nil
	}
	models[setsPackage+".List"], models["slices.Sorted"], models["slices.Collect"] = same, same, same
}

// ofEach joins the conditions of the arguments, which are no list; nil: they are.
func (c *call) ofEach(join func(*condition, value) *condition, all *condition) value {
	if c.expr.Ellipsis.IsValid() {
		return nil
	}
	for _, v := range c.args {
		all = join(all, v)
	}
	return truth{all}
}

// entriesOf returns a set as a collection, whose entries have keys.
func entriesOf(v value) (collection, bool) {
	of, ok := asCollection(v)
	if _, isNil := v.(nothing); !ok || isNil {
		return of, ok && isNil
	}
	made := collection{}
	for _, one := range of.entries {
		if one.key == nil {
			one.key = one.value
		}
		made.entries = append(made.entries, one)
	}
	return made, true
}

// filtered returns the entries of a set that another one has, or does not have; nil: one is not known.
func (c *call) filtered(of, by value, has bool) value {
	all, ok := entriesOf(of)
	if _, isKnown := entriesOf(by); !ok || !isKnown {
		return nil
	}
	made := collection{}
	for _, one := range all.entries {
		when := c.in(by, one.key)
		if !has {
			when = not(when)
		}
		one.path = one.path.with(when, false)
		made.entries = append(made.entries, one)
	}
	return made
}

// isSuperset returns whether a set has all entries of another one; nil: one is not known.
func (c *call) isSuperset(of, other value) value {
	extra, ok := c.filtered(other, of, false).(collection)
	if !ok {
		return nil
	}
	return truth{c.compare(token.EQL, c.size(c.s, extra, c.expr.Pos()), zero(types.Typ[types.Int]), c.expr.Pos())}
}
