package equivalence

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A rule that says of a number or quotation only that there is one takes errors about other numbers
// for the same. Its author sees that in none of the examples, so freePart looks for a text that
// nobody wrote.

// freePart is a number, quotation or particular word of an example in whose place a rule takes another one.
type freePart struct {
	in, is, other string
}

// exampleText is a text of an example, with the pattern that matches it and the example that has
// another text in its place.
type exampleText struct {
	of      sideName
	in      string // how a message calls it
	text    string
	pattern *pattern
	with    func(text string) Example
}

// has reports whether a number, quotation or word is a part of the text.
func (t exampleText) has(part string) bool {
	return slices.ContainsFunc(particulars(t.text), func(at []int) bool { return t.text[at[0]:at[1]] == part })
}

// freePart finds a number or quotation that both sides of an example have and that may be another
// one on either side alone. What a group captures is compared, so it stays as it is.
func (r *Rule) freePart(example Example) (freePart, bool) {
	texts := r.exampleTexts(example)
	for _, each := range texts {
		fixed := each.pattern.withCaptured(each.text, r.compared())
		if openness(fixed.parsed()) == oneText {
			continue
		}
		for _, at := range particulars(each.text) {
			is := each.text[at[0]:at[1]]
			if !slices.ContainsFunc(texts, func(t exampleText) bool {
				return t.of != each.of && t.has(is)
			}) {
				continue
			}
			before, after := each.text[:at[0]], each.text[at[1]:]
			others := &pattern{source: regexp.QuoteMeta(before) + "(?:" + otherPart(is) + ")" + regexp.QuoteMeta(after)}
			text, found := meeting(fixed, others)
			if found && r.unexplained(each.with(text)) == "" {
				return freePart{each.in, is, text[len(before) : len(text)-len(after)]}, true
			}
		}
	}
	return freePart{}, false
}

// compared gives the groups whose texts the rule compares.
func (r *Rule) compared() []string {
	if r.Kind == Joins {
		return []string{partGroup}
	}
	return r.shared
}

// exampleTexts gives the texts of an example that match a pattern of the rule: those of its errors and
// what the schema says at them.
func (r *Rule) exampleTexts(example Example) []exampleText {
	var texts []exampleText
	for _, of := range []sideName{declarativeSide, nativeSide} {
		errs := *example.side(of)
		for i, err := range errs {
			if detail := r.pattern(of); detail != nil {
				for _, text := range newLine(err).texts() {
					if detail.re.MatchString(text) {
						texts = append(texts, exampleText{of, string(of), text, detail, func(text string) Example { return example.withText(of, i, text) }})
						break
					}
				}
			}
		}
	}
	for _, demanded := range r.declarative.schema {
		at := example.Declarative[0].Field
		for _, text := range example.Declared.Keyword(at, demanded.keyword) {
			texts = append(texts, exampleText{declarativeSide, "schema (" + demanded.keyword + ")", text, demanded.pattern, func(text string) Example {
				changed := example
				changed.Declared = otherKeyword{example.Declared, demanded.keyword, text}
				return changed
			}})
		}
	}
	return texts
}

// side gives the errors of a side.
func (e *Example) side(of sideName) *field.ErrorList {
	if of == nativeSide {
		return &e.Native
	}
	return &e.Declarative
}

// withText is the example with another text of one of its errors.
func (e Example) withText(of sideName, i int, text string) Example {
	errs := slices.Clone(*e.side(of))
	changed := *errs[i]
	changed.Detail = text
	errs[i] = &changed
	*e.side(of) = errs
	return e
}

// otherKeyword is a schema that says something else by one keyword.
type otherKeyword struct {
	Declarations
	keyword, text string
}

func (o otherKeyword) Keyword(path, keyword string) []string {
	if keyword == o.keyword {
		return []string{o.text}
	}
	return o.Declarations.Keyword(path, keyword)
}

// withCaptured is the pattern with what its groups capture of a text in place of those groups that are
// compared.
func (p *pattern) withCaptured(text string, compared []string) *pattern {
	captured, _ := p.capture(text)
	var fix func(re *syntax.Regexp) *syntax.Regexp
	fix = func(re *syntax.Regexp) *syntax.Regexp {
		if re.Op == syntax.OpCapture && slices.Contains(compared, re.Name) {
			literal, there := captured[re.Name]
			if !there {
				return &syntax.Regexp{Op: syntax.OpNoMatch}
			}
			if literal == "" {
				return &syntax.Regexp{Op: syntax.OpEmptyMatch}
			}
			return &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune(literal)}
		}
		fixed := *re
		fixed.Sub = make([]*syntax.Regexp, len(re.Sub))
		for i, sub := range re.Sub {
			fixed.Sub[i] = fix(sub)
		}
		return &fixed
	}
	return &pattern{source: fix(p.parsed()).String()}
}

// numberOrQuotation is what tells messages of one family apart.
var numberOrQuotation = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`|-?\\d+(?:\\.\\d+)?|[A-Za-z][\\w-]{2,}")

// particulars gives where the numbers, quotations and particular words of a text are. A word is
// particular if no usual message has it: a pattern may be open for what messages say anyway.
func particulars(text string) [][]int {
	return slices.DeleteFunc(numberOrQuotation.FindAllStringIndex(text, -1), func(at []int) bool {
		return usualWords()[text[at[0]:at[1]]]
	})
}

var usualWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, text := range usualTexts() {
		for _, word := range numberOrQuotation.FindAllString(text, -1) {
			words[word] = isLetter(word[0])
		}
	}
	return words
})

func isLetter(b byte) bool { return 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z' }

// otherWord is in no message.
const otherWord = "xqzjkxqz"

// otherPart is a regular expression for every number other than one, or every other quotation, or
// for a word.
func otherPart(part string) string {
	if isLetter(part[0]) {
		return otherWord
	}
	if strings.ContainsAny(part[:1], "\"'`") {
		quote := part[:1]
		return quote + "(?:" + otherText(part[1:len(part)-1], 0, func(without rune) string {
			return "[^" + quote + regexp.QuoteMeta(string(without)) + "]"
		}, "[^"+quote+"]") + ")" + quote
	}
	const unsigned, signed = `[0-9]+(?:\.[0-9]+)?`, `-[0-9]+(?:\.[0-9]+)?`
	number, negative := strings.CutPrefix(part, "-")
	if negative {
		return unsigned + "|-(?:" + otherNumber(number) + ")"
	}
	return signed + "|" + otherNumber(number)
}

// otherNumber is about numbers without a sign.
func otherNumber(number string) string {
	whole, fraction, decimal := strings.Cut(number, ".")
	if !decimal {
		return otherDigits(number) + `|[0-9]+\.[0-9]+`
	}
	return `[0-9]+|(?:` + otherDigits(whole) + `)\.[0-9]+|` + whole + `\.(?:` + otherDigits(fraction) + `)`
}

func otherDigits(digits string) string {
	return otherText(digits, 1, func(without rune) string {
		return "[" + strings.Replace("0123456789", string(without), "", 1) + "]"
	}, "[0-9]")
}

// otherText is a regular expression for every text of some runes, at least so many, that is not a
// given one: it goes apart somewhere, ends before it, or goes on behind it.
func otherText(text string, atLeast int, apart func(without rune) string, any string) string {
	runes := []rune(text)
	var alternatives []string
	for i, r := range runes {
		same := regexp.QuoteMeta(string(runes[:i]))
		alternatives = append(alternatives, same+apart(r)+any+"*")
		if i >= atLeast {
			alternatives = append(alternatives, same)
		}
	}
	return strings.Join(append(alternatives, regexp.QuoteMeta(text)+any+"+"), "|")
}
