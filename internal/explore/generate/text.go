package generate

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/diffrun/diffrun/internal/openapi/formats"
)

// text makes a string. It makes a few attempts to satisfy pattern, format and lengths together.
func (g *objects) text(s *props) string {
	var text string
	for range 8 {
		text = g.guess(s)
		if Fits(s, text) {
			break
		}
	}
	return text
}

// guess makes a string that satisfies one of pattern, format and lengths.
func (g *objects) guess(s *props) string {
	f := formats.Of(s.Format)
	switch {
	case s.Pattern != "":
		text := g.matching(s.Pattern)
		if s.MinLength != nil && int64(utf8.RuneCountInString(text)) < *s.MinLength {
			text += g.matching(s.Pattern)
		}
		return text
	case len(f.Right) > 0:
		return Pick(g.Dice, f.Right...)
	}
	least := 0
	if s.MinLength != nil {
		least = int(min(*s.MinLength, 4096))
	}
	most := least + 5
	if s.MaxLength != nil {
		most = int(min(*s.MaxLength, int64(most)))
	}
	return g.word(g.Between(least, most))
}

// intOrText makes the string of an int-or-string: usually a quantity or a percentage, unless the
// schema restricts it.
func (g *objects) intOrText(s *props) string {
	if s.Pattern != "" || s.Format != "" || s.MinLength != nil || s.MaxLength != nil || g.OneIn(4) {
		return g.text(s)
	}
	return Pick(g.Dice, "1", "1Gi", "250m", "2", "50%", "100%")
}

// word makes a string of some length, in characters. Some characters have several bytes.
func (g *objects) word(length int) string {
	if length > 4 {
		return strings.Repeat("ab-0", length/4) + "abcd"[:length%4]
	}
	var out strings.Builder
	for range length {
		out.WriteString(Pick(g.Dice, "a", "b", "0", "é"))
	}
	return out.String()
}

// Fits reports whether a text has the lengths and the pattern of a schema.
func Fits(s *props, text string) bool {
	length := int64(utf8.RuneCountInString(text))
	if s.MinLength != nil && length < *s.MinLength || s.MaxLength != nil && length > *s.MaxLength {
		return false
	}
	if s.Pattern == "" || len(s.Pattern) > longestPattern {
		return true
	}
	matched, err := regexp.MatchString(s.Pattern, text)
	return err == nil && matched
}

// longest is the length up to which a string is made that exceeds a bound.
const longest = 1 << 16

func (g *objects) wrongText(s *props) string {
	var choices []string
	if s.MinLength != nil && *s.MinLength > 0 {
		choices = append(choices, g.word(int(min(*s.MinLength, longest))-1))
	}
	if s.MaxLength != nil && *s.MaxLength < longest {
		choices = append(choices, g.word(int(*s.MaxLength)+1))
	}
	if s.Pattern != "" {
		choices = append(choices, "Ü?", "A B", "")
	}
	choices = append(choices, formats.Of(s.Format).Wrong...)
	if len(s.Enum) > 0 {
		choices = append(choices, "none of them")
	}
	return Pick(g.Dice, append(choices, "", "ab", "7")...)
}
