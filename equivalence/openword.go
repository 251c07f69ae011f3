package equivalence

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/diffrun/diffrun/internal/text/lang"
)

// Two errors mean different things if their numbers, units, negations or directions differ. A pattern whose
// parts outside of compared groups can hold different ones makes such errors equivalent. The examples do not
// show this to the author of a rule, so openWord decides it by the language of the pattern.

// openWord describes what two texts of a pattern may have differently although the compared groups agree.
type openWord struct {
	kind         string
	without, has string // two texts, in which … stands for each compared group; without is empty if has is a part of a text
}

// decisive is a kind of words on which the meaning of a message depends. Words of one set mean the same.
type decisive struct {
	kind string
	sets []string
}

// decisiveWords returns the words in the singular.
func decisiveWords() []decisive {
	return []decisive{
		{"a negation", []string{`not never no none neither nor cannot without nothing non
			isn't aren't can't don't doesn't won't mustn't shouldn't needn't hasn't
			forbidden prohibited disallowed denied rejected refused unset unknown unsupported invalid disabled false`, "except", "unless"}},
		{"a number", strings.Fields(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
			sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion
			dozen half double twice once first second third i ii iii iv v vi vii viii ix x xi xii xx xxx`)},
		{"a unit", strings.Fields(`ns us µs ms s m h d w y sec min hr nanosecond microsecond millisecond second minute hour day ` +
			`week month year
			b k g t p e ki mi gi ti pi ei kb mb gb tb kib mib gib tib bit byte character rune percent n u`)},
		{"a direction", []string{
			"less fewer smaller lower shorter below under before most maximum max",
			"greater more larger higher longer above over after least minimum min",
			"equal least most maximum max minimum min", // as in "at least", which includes the bound
			"exactly",
		}},
	}
}

// decisiveSigns are signs on which a message depends anywhere.
const decisiveSigns = "<>=!≤≥≠%"

// numberSigns are signs on which a message depends in front of a number, also those of typography.
const numberSigns = "+-−±－＋"

// comparedRune stands for the text of a compared group. Unicode assigns it to no character.
const (
	comparedRune = '\uE000'
	comparedText = string(comparedRune)
)

// openWord returns a number, unit, negation or direction that only some of the pattern's texts have.
func (p *pattern) openWord(compared []string) (openWord, bool) {
	fixed := replaceGroups(p.parsed(), compared, func(string) *syntax.Regexp {
		return &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{comparedRune}}
	})
	if openness(fixed) == oneText {
		return openWord{}, false
	}
	if digit, open := openNumber(fixed, false); open {
		return openWord{kind: "a number", has: string(digit)}, true
	}
	if prefix, open := openPrefix(fixed); open {
		return openWord{kind: "a negation", has: prefix}, true
	}
	automaton := lang.Of(fixed)
	if automaton == nil {
		return openWord{}, false // the pattern itself compiles
	}
	texts := lang.NewTexts(automaton, usualRunes())
	differ := func(c lang.Counter[countState]) (without, has string, open bool) {
		without, has, open = lang.Differ(texts, c)
		return strings.ReplaceAll(without, comparedText, "…"), strings.ReplaceAll(has, comparedText, "…"), open
	}
	for _, of := range decisiveWords() {
		for _, set := range of.sets {
			if without, has, open := differ(countWords(strings.Fields(set)...)); open {
				return openWord{of.kind, without, has}, true
			}
		}
	}
	if without, has, open := differ(hexCounter{}); open {
		return openWord{"a number", without, has}, true
	}
	if without, has, open := differ(largeUnitCounter{}); open {
		return openWord{"a unit", without, has}, true
	}
	signs := strings.Split(decisiveSigns, "")
	for _, sign := range numberSigns {
		signs = append(signs, string(sign)+comparedText)
	}
	for _, sign := range signs {
		if without, has, open := differ(signCounter([]rune(sign))); open {
			return openWord{"a sign", without, has}, true
		}
	}
	return openWord{}, false
}

// usualRunes returns characters of messages: all of ASCII, some signs, and the compared rune.
func usualRunes() []rune {
	all := []rune{comparedRune, 'µ', '≤', '≥', '≠'}
	for r := rune(' '); r <= '~'; r++ {
		all = append(all, r)
	}
	return all
}

// replaceGroups returns an expression in which some named groups are replaced.
func replaceGroups(re *syntax.Regexp, names []string, with func(name string) *syntax.Regexp) *syntax.Regexp {
	if re.Op == syntax.OpCapture && slices.Contains(names, re.Name) {
		return with(re.Name)
	}
	replaced := *re
	replaced.Sub = make([]*syntax.Regexp, len(re.Sub))
	for i, sub := range re.Sub {
		replaced.Sub[i] = replaceGroups(sub, names, with)
	}
	return &replaced
}

// openNumber returns a digit of any script that a varying part of the expression can hold.
func openNumber(re *syntax.Regexp, varies bool) (rune, bool) {
	switch re.Op {
	case syntax.OpLiteral:
		if at := slices.IndexFunc(re.Rune, unicode.IsNumber); varies && at >= 0 {
			return re.Rune[at], true
		}
		return 0, false
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return '5', true
	case syntax.OpCharClass:
		return numberIn(re.Rune)
	case syntax.OpAlternate, syntax.OpQuest, syntax.OpStar, syntax.OpPlus:
		varies = true
	case syntax.OpRepeat:
		varies = varies || re.Min != re.Max
	}
	for _, sub := range re.Sub {
		if digit, open := openNumber(sub, varies); open {
			return digit, true
		}
	}
	return 0, false
}

// numberIn returns a digit of a class, which has ranges of runes.
func numberIn(ranges []rune) (rune, bool) {
	for i := 0; i+1 < len(ranges); i += 2 {
		low, high := ranges[i], ranges[i+1]
		for _, digit := range []rune{'5', '0', '1'} {
			if low <= digit && digit <= high {
				return digit, true
			}
		}
		for r := low; r <= min(high, unicode.MaxRune); r++ {
			if unicode.IsNumber(r) {
				return r, true
			}
		}
	}
	return 0, false
}

// negatingPrefixes turn a word into its opposite.
func negatingPrefixes() []string {
	return []string{"un", "in", "im", "il", "ir", "dis", "non", "non-", "mis", "n't", "less"}
}

// openPrefix returns a negating prefix that is an optional part of a word.
func openPrefix(re *syntax.Regexp) (string, bool) {
	if re.Op == syntax.OpQuest || re.Op == syntax.OpStar || re.Op == syntax.OpRepeat && re.Min == 0 {
		if text := strings.ToLower(literal(re.Sub[0])); slices.Contains(negatingPrefixes(), text) {
			return text, true
		}
	}
	for i, sub := range re.Sub {
		if re.Op == syntax.OpAlternate && slices.Contains(negatingPrefixes(), strings.ToLower(literal(sub))) &&
			slices.ContainsFunc(slices.Delete(slices.Clone(re.Sub), i, i+1), func(other *syntax.Regexp) bool {
				return other.Op == syntax.OpEmptyMatch
			}) {
			return literal(sub), true
		}
		if text, open := openPrefix(sub); open {
			return text, true
		}
	}
	return "", false
}

// literal returns the text of an expression that matches only that text; "" for others.
func literal(re *syntax.Regexp) string {
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	if re.Op != syntax.OpLiteral {
		return ""
	}
	return string(re.Rune)
}
