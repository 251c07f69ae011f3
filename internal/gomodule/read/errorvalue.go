package read

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// failuresOf returns the value of an expression of a type of errors as the errors that it may be. One that is not known is an error that
// may be there.
func (a *activation) failuresOf(s *state, v value, pos token.Pos) failures {
	switch x := v.(type) {
	case nil, nothing:
		return failures{}
	case failures:
		return x
	case oneOf:
		return x.of
	case choice:
		then, otherwise := s.with(x.when, false), s.with(not(x.when), false)
		return a.failuresOf(then, x.then, pos).on(then.path).and(a.failuresOf(otherwise, x.otherwise, pos).on(otherwise.path))
	case list:
		var all failures
		for _, item := range x.items {
			all = all.and(a.failuresOf(s, item, pos))
		}
		return all
	case loopVariable:
		return a.mayFail(s, x.now, pos)
	case unknown:
		return a.mayFail(s, x, pos)
	case *made:
		return a.fail(s, Site{Pos: a.at(pos), Type: "error", Text: "…"}, yes)
	}
	return a.mayFail(s, a.unreadAt(pos, "an error"), pos)
}

// mayFail returns an error that is made under a condition that could not be read.
func (a *activation) mayFail(s *state, why unknown, pos token.Pos) failures {
	return a.fail(s, Site{Pos: a.at(pos), Type: "error", Text: "…", ofLibrary: true}, that(a.opaque(why)))
}

// errorsAmong returns the errors of two values of a type of errors, if both are known.
func errorsAmong(one, other value) (first, second failures, ok bool) {
	_, isFirst := one.(failures)
	_, isSecond := other.(failures)
	if !isFirst && !isSecond {
		return failures{}, failures{}, false
	}
	known := func(v value) (failures, bool) {
		switch x := v.(type) {
		case failures:
			return x, true
		case oneOf:
			return x.of, true
		case nothing:
			return failures{}, true
		}
		return failures{}, false
	}
	first, ok = known(one)
	if !ok {
		return failures{}, failures{}, false
	}
	second, ok = known(other)
	return first, second, ok
}

// orElse returns the errors of a value that is one or another, by a condition.
func (f failures) orElse(condition *condition, other failures) failures {
	return f.unless(other, condition).and(other.unless(f, not(condition)))
}

// unless returns these errors, those that others lack under a condition.
func (f failures) unless(others failures, condition *condition) failures {
	if condition == yes {
		return f
	}
	all := slices.Clone(f.all)
	for i, one := range all {
		if !others.has(one) && !one.path.includes(condition) {
			all[i].when = and(one.when, condition)
		}
	}
	return failures{slices.DeleteFunc(all, func(one failure) bool { return one.when == no })}
}

// includes reports whether what is on a path fulfils a condition.
func (p path) includes(c *condition) bool {
	for i := range p {
		if p.has(i, c) {
			return true
		}
	}
	return p.decided(c) == yes
}

// edited returns errors whose sites are changed. The sites of before are left to those who have them.
func (r *reading) edited(of failures, change func(*Site)) failures {
	made := failures{make([]failure, len(of.all))}
	copies := map[*Site]*Site{nil: nil}
	for i, one := range of.all {
		if _, ok := copies[one.site]; !ok {
			site := *one.site
			site.first = one.site.origin()
			change(&site)
			copies[one.site] = &site
			r.sites = append(r.sites, &site)
		}
		made.all[i] = failure{copies[one.site], one.path, one.when}
	}
	return made
}

// setField notes the text that a program gives to a field of an error.
func (s *Site) setField(name, text string) {
	switch name {
	case "Detail", "Message":
		s.Text = text
	case "Field":
		if s.Field = text; strings.Contains(text, "…") {
			s.Field = ""
		}
	}
}

// ofErrors makes errors of the results of a function that have types of errors.
func (a *activation) ofErrors(s *state, values []value, results *types.Tuple, pos token.Pos) {
	for i := range min(len(values), results.Len()) {
		if isErrors(results.At(i).Type()) {
			values[i] = a.failuresOf(s, values[i], pos)
		}
	}
}

// loopEnd is how the iterations of a loop end: base is the path of an iteration, and of the exits the first leave the loop.
type loopEnd struct {
	loop   *loop
	base   path
	exits  []*state
	breaks int
	pos    token.Pos
}

// errorsAfter returns the errors of a variable after a loop: those of before that no iteration takes away, and those of iterations. If
// an iteration replaces the errors of earlier ones, it is not read which are left.
func (a *activation) errorsAfter(s *state, of slot, before failures, end *loopEnd, replaces bool) value {
	var result, more failures
	for i, exit := range end.exits {
		v, _ := of.in(exit.env)
		made := a.failuresOf(exit, v, end.pos)
		for _, one := range made.all {
			if before.hasPlace(one) == nil && (i < end.breaks || !replaces || and(one.path.beyond(exit.path, true), one.when) != no) {
				if replaces && i >= end.breaks {
					return a.replaced(s, before, of, end.pos)
				}
				more.all = append(more.all, one)
			}
		}
	}
	for _, one := range before.all {
		for _, exit := range end.exits {
			v, _ := of.in(exit.env)
			gone := exit.path.beyond(end.base, true)
			if left := a.failuresOf(exit, v, end.pos).hasPlace(one); left != nil && left.when.id == one.when.id {
				continue
			} else if left != nil {
				gone = and(gone, not(left.when))
			}
			one.when = and(one.when, not(and(end.loop.has, end.loop.exists(gone))))
		}
		if one.when != no {
			result.all = append(result.all, one)
		}
	}
	return result.and(more)
}

// gained returns the errors of a variable after statements that may run several times.
func (a *activation) gained(s *state, before, after failures, of slot, replaces bool) value {
	if replaces || slices.ContainsFunc(before.all, func(one failure) bool { return !after.has(one) }) {
		return a.replaced(s, before, of, a.where)
	}
	return after
}

// replaced returns the errors of a variable of which it is not known what replaced those of before.
func (a *activation) replaced(s *state, before failures, of slot, pos token.Pos) failures {
	u := a.unreadAt(pos, "the error "+of.name()+", which a loop replaces")
	return before.unless(failures{}, that(a.opaque(u.of("before")))).and(a.mayFail(s, u, pos))
}

// hasPlace returns the error of the same place on the same path; nil: there is none.
func (f failures) hasPlace(one failure) *failure {
	for i, other := range f.all {
		if other.site == one.site && other.path.equal(one.path) {
			return &f.all[i]
		}
	}
	return nil
}
