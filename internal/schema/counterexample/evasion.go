package counterexample

import (
	"slices"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/object"
)

// Evasion is a change that a transition rule refuses in one update and that two updates make.
type Evasion struct {
	// Old becomes New by way of Between, which lacks what is at Removed.
	Old, Between, New map[string]any
	// Removed is the path of the part that the first update removes, such as spec.ports[0].
	Removed string
}

// Evasion returns two accepted updates that together make a change that a transition rule refuses. The rule has a path and a
// text.
func (f *Finder) Evasion(path []string, text string) (Evasion, bool) {
	t := f.trial(path, text)
	if t == nil {
		return Evasion{}, false
	}
	parts := t.removable()
	all := f.stored(t.rule)
	for _, old := range all {
		for _, made := range all {
			if !t.refuses(made, old) {
				continue
			}
			for _, part := range parts {
				if between := t.without(old, part); between != nil && t.evades(made, between, old) {
					return t.evasion(part, made, old), true
				}
			}
		}
	}
	return Evasion{}, false
}

// removable returns the paths of the parts that the rule needs, the innermost first.
func (t *trial) removable() (all [][]string) {
	for _, path := range append(explore.ReadRule(t.rule.expr, nil).Paths, nil) {
		whole := slices.Concat(t.rule.path, path)
		for i := len(whole); i > 0; i-- {
			if !slices.ContainsFunc(all, func(known []string) bool { return slices.Equal(known, whole[:i]) }) {
				all = append(all, whole[:i])
			}
		}
	}
	slices.SortStableFunc(all, func(a, b []string) int { return len(b) - len(a) })
	return all
}

// without returns an object without a part, with the defaults that take its place; nil: it has no such part.
func (t *trial) without(of map[string]any, part []string) map[string]any {
	if _, has := t.maker.ValueAt(of, part); !has {
		return nil
	}
	return t.defaulter.Default(t.maker.With(of, part, object.Absence{}))
}

// refuses reports whether the rule, and nothing else, refuses an update.
func (t *trial) refuses(object, old map[string]any) bool {
	errs := t.validate(object, old)
	how, _ := t.outcome(object, old)
	return len(errs) == 1 && how == isFalse
}

func (t *trial) evades(made, between, old map[string]any) bool {
	return t.identified(between, old) && t.accepts(between, nil) && t.accepts(between, old) && t.accepts(made, between)
}

func (t *trial) evasion(part []string, made, old map[string]any) Evasion {
	small := t.smaller(func(smaller []map[string]any) bool {
		if !t.accepts(smaller[0], nil) || !t.accepts(smaller[1], nil) || !t.refuses(smaller[0], smaller[1]) {
			return false
		}
		between := t.without(smaller[1], part)
		return between != nil && t.evades(smaller[0], between, smaller[1])
	}, made, old)
	between := t.maker.With(small[1], part, object.Absence{})
	return Evasion{
		Old: t.shown(small[1]), Between: t.shown(between), New: t.shown(small[0]),
		Removed: t.maker.PathAt(small[1], part),
	}
}
