package decision

import (
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// base is the environment of rules of custom resources, with objects of any type.
var base = sync.OnceValues(func() (*cel.Env, error) {
	env, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Env(environment.StoredExpressions)
	if err != nil {
		return nil, err
	}
	return env.Extend(cel.Variable("self", cel.DynType), cel.Variable("oldSelf", cel.DynType))
})

// Compiler compiles parts of conditions, each once. Its zero value is ready to use.
type Compiler struct {
	programs map[string]cel.Program
	// environments are those of the variables of loops, by their names.
	environments map[string]*cel.Env
}

// program returns the program of an expression in loops; nil: it cannot be compiled, as if a part of it is unread.
func (c *Compiler) program(e celexpr.Expr, around []celexpr.Loop) cel.Program {
	var names []string
	for _, loop := range around {
		for _, name := range loop.Names {
			if !slices.Contains(names, name) && has(e, name) {
				names = append(names, name)
			}
		}
	}
	text := celexpr.String(e)
	key := strings.Join(append(names, text), " ")
	made, known := c.programs[key]
	if !known {
		made = c.compiled(text, names)
		if c.programs == nil {
			c.programs = map[string]cel.Program{}
		}
		c.programs[key] = made
	}
	return made
}

func has(e celexpr.Expr, name string) bool {
	for part := range celexpr.Parts(e) {
		if part.AsIdent() == name {
			return true
		}
	}
	return false
}

func (c *Compiler) compiled(text string, names []string) cel.Program {
	env, err := c.environment(names)
	if err != nil {
		return nil
	}
	checked, issues := env.Compile(text)
	if issues.Err() != nil {
		return nil
	}
	program, err := env.Program(checked)
	if err != nil {
		return nil
	}
	return program
}

// environment returns the environment with the variables of loops.
func (c *Compiler) environment(names []string) (*cel.Env, error) {
	key := strings.Join(names, " ")
	if env := c.environments[key]; env != nil {
		return env, nil
	}
	env, err := base()
	if err != nil || len(names) == 0 {
		return env, err
	}
	var options []cel.EnvOption
	for _, name := range names {
		options = append(options, cel.Variable(name, cel.DynType))
	}
	if env, err = env.Extend(options...); err != nil {
		return nil, err
	}
	if c.environments == nil {
		c.environments = map[string]*cel.Env{}
	}
	c.environments[key] = env
	return env, nil
}

// Evaluation is a condition with the values of its parts for objects.
type Evaluation struct{ root *result }

// result is a part of a condition with its value. The parts of a loop are those of its items.
type result struct {
	*node
	is    truth
	parts []*result
}

type truth int8

const (
	unknown truth = iota
	isTrue
	isFalse
)

func (t truth) not() truth { return map[truth]truth{isTrue: isFalse, isFalse: isTrue}[t] }

func truthOf(value bool) truth {
	if value {
		return isTrue
	}
	return isFalse
}

// On evaluates the condition on an object, and the one before an update, which is nil for a creation.
func (d *Decision) On(object, old map[string]any) Evaluation {
	return Evaluation{d.root.evaluate(valuesOf(object, old))}
}

func valuesOf(object, old map[string]any) map[string]any {
	values := map[string]any{"self": object}
	if old != nil {
		values["oldSelf"] = old
	}
	return values
}

// Compared returns the texts, numbers and booleans that an atom compares with each other, where the condition does not name
// them.
func (d *Decision) Compared(atom int, object, old map[string]any) (all []any) {
	for _, operand := range d.atoms[atom].operands {
		out, _, err := operand.Eval(valuesOf(object, old))
		if err != nil {
			continue
		}
		switch value := out.Value().(type) {
		case string, int64, float64, bool:
			all = append(all, value)
		}
	}
	return all
}

// Value returns the value of the condition, and whether it has one.
func (e Evaluation) Value() (value, has bool) { return e.root.is == isTrue, e.root.is != unknown }

func (n *node) evaluate(values map[string]any) *result {
	r := &result{node: n}
	switch n.kind {
	case leaf:
		r.is = n.truth(values)
		return r
	case each, anyOf:
		if !r.evaluateItems(values) {
			return r
		}
	default:
		for _, part := range n.parts {
			r.parts = append(r.parts, part.evaluate(values))
		}
	}
	r.is = r.join()
	return r
}

// truth returns the value of a leaf.
func (n *node) truth(values map[string]any) truth {
	is := unknown
	if n.value != nil {
		out, _, err := n.value.Eval(values)
		if value, isBool := out.(types.Bool); err == nil && isBool {
			is = truthOf(bool(value))
		} else if err != nil && n.isPresence {
			is = isFalse
		}
	}
	if n.opposite {
		return is.not()
	}
	return is
}

// evaluateItems evaluates the body of a loop for each item. It returns false if it is not known what there is.
func (r *result) evaluateItems(values map[string]any) bool {
	if r.value == nil {
		return false
	}
	over, _, err := r.value.Eval(values)
	if err != nil {
		return false
	}
	items, ok := over.(traits.Iterable)
	if !ok {
		return false
	}
	inner := map[string]any{}
	for name, value := range values {
		inner[name] = value
	}
	mapped, isMap := over.(traits.Mapper)
	n := 0
	for it := items.Iterator(); it.HasNext() == types.True; n++ {
		item := it.Next()
		var bound []ref.Val
		switch {
		case isMap && len(r.names) == 2:
			bound = []ref.Val{item, mapped.Get(item)}
		case len(r.names) == 2:
			bound = []ref.Val{types.Int(n), item}
		default:
			bound = []ref.Val{item}
		}
		for i, name := range r.names {
			inner[name] = bound[i]
		}
		r.parts = append(r.parts, r.node.parts[0].evaluate(inner))
	}
	return true
}

// deciding returns the value of a part that decides about the whole, however the others are.
func (k kind) deciding() truth {
	if k == all || k == each {
		return isFalse
	}
	return isTrue
}

// join returns the value that the parts make.
func (r *result) join() truth {
	if r.kind == choice {
		switch then, otherwise := r.parts[1].is, r.parts[2].is; {
		case r.parts[0].is == isTrue || then == otherwise:
			return then
		case r.parts[0].is == isFalse:
			return otherwise
		}
		return unknown
	}
	is := r.kind.deciding().not()
	for _, part := range r.parts {
		if part.is == r.kind.deciding() {
			return part.is
		}
		if part.is == unknown {
			is = unknown
		}
	}
	return is
}

// Shown calls a function with the sides that the objects show.
func (e Evaluation) Shown(call func(Side)) {
	if e.root.is != unknown {
		e.root.shown(call)
	}
}

// shown calls a function with the sides of a part that has a value and decides.
func (r *result) shown(call func(Side)) {
	switch r.kind {
	case leaf:
		call(Side{r.atom, (r.is == isTrue) != r.opposite})
	case choice:
		when, chosen, other := r.parts[0], r.parts[1], r.parts[2]
		if when.is == isFalse {
			chosen, other = other, chosen
		}
		if when.is != unknown && chosen.is != other.is {
			when.shown(call)
		}
		if when.is != unknown {
			chosen.shown(call)
		}
	default:
		var deciding []*result
		for _, part := range r.parts {
			if part.is == r.is {
				deciding = append(deciding, part)
			}
		}
		if r.is == r.kind.deciding() && len(deciding) > 1 {
			return // none of them alone decides
		}
		for _, part := range deciding {
			part.shown(call)
		}
	}
}
