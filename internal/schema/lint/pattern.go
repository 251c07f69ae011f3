package lint

import (
	"regexp/syntax"
	"slices"
)

func unanchoredPattern(v *visit) []hit {
	re := parsePattern(v.s.Pattern)
	if re == nil {
		return nil
	}
	first, last := anchored(re, front), anchored(re, back)
	switch {
	case first && last:
		return nil
	case first:
		return v.one("pattern", "the pattern %q has no end", v.s.Pattern)
	case last:
		return v.one("pattern", "the pattern %q has no beginning", v.s.Pattern)
	}
	return v.one("pattern", "the pattern %q has no beginning and no end", v.s.Pattern)
}

// parsePattern parses a pattern. It returns nil if there is none.
func parsePattern(pattern string) *syntax.Regexp {
	if pattern == "" {
		return nil
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil // a schema that compiles has no wrong pattern
	}
	return re
}

// side is an end of a pattern.
type side uint8

const (
	front side = iota
	back
)

// anchored reports whether every match of the pattern reaches one side of the string, or the
// pattern explicitly allows anything there.
func anchored(re *syntax.Regexp, at side) bool {
	switch re.Op {
	case syntax.OpBeginText:
		return at == front
	case syntax.OpEndText:
		return at == back
	case syntax.OpStar:
		return re.Sub[0].Op == syntax.OpAnyChar || re.Sub[0].Op == syntax.OpAnyCharNotNL
	case syntax.OpCapture:
		return anchored(re.Sub[0], at)
	case syntax.OpConcat:
		if at == front {
			return anchored(re.Sub[0], at)
		}
		return anchored(re.Sub[len(re.Sub)-1], at)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !anchored(sub, at) })
	}
	return false
}

// bounded reports whether a pattern only matches strings up to some length.
func bounded(pattern string) bool {
	re := parsePattern(pattern)
	return re != nil && anchored(re, front) && anchored(re, back) && !repeats(re)
}

// repeats reports whether a part of a pattern may repeat without limit.
func repeats(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpStar, syntax.OpPlus:
		return true
	case syntax.OpRepeat:
		if re.Max < 0 {
			return true
		}
	}
	return slices.ContainsFunc(re.Sub, repeats)
}
