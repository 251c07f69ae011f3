package generate

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
)

// longestPattern is the length in bytes of the longest pattern that texts are made for, because the
// time to match grows with the product of both lengths. For longer patterns the text is empty.
const longestPattern = 4096

// matching returns a string that matches a regular expression, or the last attempt at one.
func (d Dice) matching(pattern string) string {
	if len(pattern) > longestPattern {
		return ""
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return ""
	}
	var text string
	for range 8 {
		var out strings.Builder
		d.write(&out, parsed)
		if text = out.String(); compiled.MatchString(text) {
			break
		}
	}
	return text
}

func (d Dice) write(out *strings.Builder, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		out.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		out.WriteRune(d.runeOf(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.WriteRune(Pick(d, 'a', '0', '-', 'é'))
	case syntax.OpConcat, syntax.OpCapture:
		for _, part := range re.Sub {
			d.write(out, part)
		}
	case syntax.OpAlternate:
		d.write(out, Pick(d, re.Sub...))
	case syntax.OpStar:
		d.repeat(out, re.Sub[0], 0, 2)
	case syntax.OpPlus:
		d.repeat(out, re.Sub[0], 1, 3)
	case syntax.OpQuest:
		d.repeat(out, re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		most := re.Max
		if most < 0 || most > re.Min+2 {
			most = re.Min + 2
		}
		d.repeat(out, re.Sub[0], re.Min, most)
	}
}

func (d Dice) repeat(out *strings.Builder, re *syntax.Regexp, least, most int) {
	for range d.Between(least, most) {
		d.write(out, re)
	}
}

// runeOf picks a character from the ranges of a class, preferably printable ASCII.
func (d Dice) runeOf(ranges []rune) rune {
	var plain []rune
	for i := 0; i+1 < len(ranges); i += 2 {
		low, high := max(ranges[i], ' '), min(ranges[i+1], unicode.MaxASCII-1)
		if low <= high {
			plain = append(plain, low, high)
		}
	}
	if len(plain) == 0 {
		plain = ranges
	}
	if len(plain) == 0 {
		return 'x' // an empty class
	}
	at := 2 * d.IntN(len(plain)/2)
	return plain[at] + rune(d.IntN(int(min(plain[at+1]-plain[at], 25))+1))
}
