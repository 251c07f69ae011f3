package equivalence

import (
	"regexp/syntax"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A rule that compares less than its author thinks explains errors with different meanings. The checks
// below reject parts that nothing compares.

// uncompared reports groups that have no counterpart, and groups that are not part of every match: two
// errors without them would be equal.
func (b *ruleBuilder) uncompared(rule *Rule, native, declarative []string) {
	for _, group := range slices.Sorted(slices.Values(slices.Concat(native, declarative))) {
		if !slices.Contains(rule.shared, group) {
			b.addf("group %q is on one side only, so it is not compared; use the same groups on both sides, or write (?:…)", group)
		}
	}
	b.looseGroups(rule)
	if rule.value != nil {
		for _, group := range rule.value.groups() {
			b.addf("value: group %q is compared with nothing; write (?:…)", group)
		}
	}
}

// looseGroups reports groups that do not capture one text in every match.
func (b *ruleBuilder) looseGroups(rule *Rule) {
	for _, each := range rule.patterns() {
		for _, group := range repeatedGroups(each.parsed(), false) {
			b.addf("group %q may match several times, and only the last one is compared; put the repetition into the group", group)
		}
		for _, group := range groupsInAlternatives(each.parsed()) {
			b.addf("group %q is in one of several alternatives, and the others capture nothing on either side; write a rule for "+
				"each alternative", group)
		}
	}
}

// openWords reports patterns whose texts differ in a number, unit, negation or direction outside of the
// compared groups.
func (b *ruleBuilder) openWords(rule *Rule) {
	for _, of := range []sideName{nativeSide, declarativeSide} {
		detail := rule.pattern(of)
		if detail == nil {
			continue
		}
		open, is := detail.openWord(rule.compared())
		switch {
		case !is:
		case open.without == "":
			b.addf("%s: a part outside of the compared groups can hold %s, such as %q; capture it in a group that both sides have",
				of, open.kind, open.has)
		default:
			b.addf("%s: the pattern matches both %q and %q, which differ in %s; capture it in a group that both sides have, "+
				"or write a rule for each", of, open.without, open.has, open.kind)
		}
	}
}

// crossed reports two groups that the sides have in a different order with the same words between them. In
// "between A and B", the order tells which is which, whatever the names of the groups.
func (b *ruleBuilder) crossed(rule *Rule) {
	native, declarative := rule.native.detail, rule.declarative.detail
	if native == nil || declarative == nil || len(rule.shared) < 2 {
		return
	}
	order, other := native.inOrder(rule.shared), declarative.inOrder(rule.shared)
	for i := 1; i < len(order); i++ {
		for j := 1; j < len(other); j++ {
			if a, c := order[i-1], order[i]; other[j-1].name == c.name && other[j].name == a.name && other[j].before == c.before {
				b.addf("groups %q and %q are crossed: both patterns have %q between them, and the order tells which is which; "+
					"write them in the same order", a.name, c.name, c.before)
			}
		}
	}
}

// placedGroup is a group with the text between it and the group before it; "…" stands for what varies.
type placedGroup struct{ name, before string }

// inOrder returns some of the groups of a pattern in their order.
func (p *pattern) inOrder(names []string) []placedGroup {
	var all []placedGroup
	before := strings.Builder{}
	var visit func(re *syntax.Regexp)
	visit = func(re *syntax.Regexp) {
		switch {
		case re.Op == syntax.OpCapture && slices.Contains(names, re.Name):
			all = append(all, placedGroup{re.Name, before.String()})
			before.Reset()
		case re.Op == syntax.OpLiteral:
			before.WriteString(string(re.Rune))
		case re.Op == syntax.OpConcat || re.Op == syntax.OpCapture ||
			slices.ContainsFunc(re.CapNames(), func(name string) bool { return slices.Contains(names, name) }):
			for _, sub := range re.Sub {
				visit(sub)
			}
		case re.Op != syntax.OpEmptyMatch:
			before.WriteString("…")
		}
	}
	visit(p.parsed())
	return all
}

// patterns returns those whose groups are compared.
func (r *Rule) patterns() []*pattern {
	var all []*pattern
	for _, s := range []errorShape{r.native, r.declarative} {
		for _, each := range []*pattern{s.detail, s.field} {
			if each != nil {
				all = append(all, each)
			}
		}
		for _, demanded := range s.schema {
			all = append(all, demanded.pattern)
		}
	}
	return all
}

// parsed returns the syntax tree of a compiled pattern.
func (p *pattern) parsed() *syntax.Regexp {
	parsed, err := syntax.Parse(p.source, syntax.Perl)
	if err != nil {
		panic("equivalence: a pattern compiles and cannot be parsed: " + err.Error())
	}
	return parsed
}

// groupsInAlternatives returns the named groups inside an alternative.
func groupsInAlternatives(re *syntax.Regexp) []string {
	var groups []string
	for _, sub := range re.Sub {
		if re.Op == syntax.OpAlternate {
			groups = append(groups, slices.DeleteFunc(sub.CapNames(), func(name string) bool { return name == "" })...)
			continue
		}
		groups = append(groups, groupsInAlternatives(sub)...)
	}
	return groups
}

// repeatedGroups returns the named groups that may match several times.
func repeatedGroups(re *syntax.Regexp, repeated bool) []string {
	repeated = repeated || re.Op == syntax.OpStar || re.Op == syntax.OpPlus || re.Op == syntax.OpRepeat && re.Max != 0 && re.Max != 1
	var groups []string
	if re.Op == syntax.OpCapture && re.Name != "" && repeated {
		groups = append(groups, re.Name)
	}
	for _, sub := range re.Sub {
		groups = append(groups, repeatedGroups(sub, repeated)...)
	}
	return groups
}

// openFields reports patterns of fields that match several texts outside of groups. One side may have
// alternatives, or the index of an item whose list the other side reports.
func (b *ruleBuilder) openFields(rule *Rule) {
	native, declarative := openness(rule.native.field.parsed()), openness(rule.declarative.field.parsed())
	switch {
	case native == anyText || declarative == anyText:
		b.addf("nativeField and declarativeField match any text outside of their groups; put the varying part into a group that both have")
	case native > oneText && declarative > oneText:
		b.addf("nativeField and declarativeField both match several texts outside of their groups; put these in a group that both have")
	}
}

// The number of texts that a pattern matches outside of its named groups.
const (
	oneText = iota
	someTexts
	anyText
)

func openness(re *syntax.Regexp) int {
	most := oneText
	switch re.Op {
	case syntax.OpCapture:
		if re.Name != "" {
			return oneText
		}
	case syntax.OpAlternate, syntax.OpQuest:
		most = someTexts
	case syntax.OpPlus:
		if digits := re.Sub[0]; digits.Op == syntax.OpCharClass && slices.Equal(digits.Rune, []rune{'0', '9'}) {
			return someTexts // an index
		}
		return anyText
	case syntax.OpStar, syntax.OpRepeat, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return anyText
	case syntax.OpCharClass:
		return someTexts
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return someTexts
		}
	}
	for _, sub := range re.Sub {
		most = max(most, openness(sub))
	}
	return most
}

// lineIn returns an error of an example as it is compared.
func lineIn(example Example, err *field.Error) line {
	made := newLine(err)
	made.declared = example.Declared
	return made
}
