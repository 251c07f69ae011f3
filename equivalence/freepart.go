package equivalence

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
)

// A rule that matches any number or quotation makes errors about different numbers equivalent. The
// examples do not show this to its author, so freePart generates a text that does.

// freePart is a number, quotation or particular word of an example that a rule allows to differ.
type freePart struct {
	in, is, other string
}

// exampleText is a text of an example, the pattern that matches it, and a function that returns the
// example with a different text.
type exampleText struct {
	of      sideName
	in      string // its name in messages
	text    string
	pattern *pattern
	with    func(text string) Example
}

// has reports whether a number, quotation or word is a part of the text.
func (t exampleText) has(part string) bool {
	return slices.ContainsFunc(particulars(t.text), func(at []int) bool { return t.text[at[0]:at[1]] == part })
}

// freePart returns a part that both sides of an example have and that may change on one side alone. Texts
// of compared groups stay as they are.
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
			text, found, _ := fixed.meet(others)
			if found && r.unexplained(each.with(text)) == "" {
				return freePart{each.in, is, text[len(before) : len(text)-len(after)]}, true
			}
		}
	}
	return freePart{}, false
}

// compared returns the groups whose texts the rule compares.
func (r *Rule) compared() []string {
	if r.Kind == kindJoins {
		return []string{partGroup}
	}
	return r.shared
}

// exampleTexts returns the texts of an example that match a pattern of the rule: texts of errors and
// values of keywords of the schema.
func (r *Rule) exampleTexts(example Example) []exampleText {
	var texts []exampleText
	for _, of := range []sideName{declarativeSide, nativeSide} {
		errs := *example.side(of)
		for i, err := range errs {
			if detail := r.pattern(of); detail != nil {
				for _, text := range newLine(err).texts() {
					if detail.re.MatchString(text) {
						texts = append(texts,
							exampleText{of, string(of), text, detail, func(text string) Example { return example.withText(of, i, text) }})
						break
					}
				}
			}
		}
	}
	for _, demanded := range r.declarative.schema {
		at := example.Declarative[0].Field
		for _, text := range example.Declared.Keyword(at, demanded.keyword) {
			texts = append(texts, exampleText{declarativeSide, "schema (" + demanded.keyword + ")", text, demanded.pattern,
				func(text string) Example {
					changed := example
					changed.Declared = otherKeyword{example.Declared, demanded.keyword, text}
					return changed
				}})
		}
	}
	return texts
}

// side returns the errors of a side.
func (e *Example) side(of sideName) *field.ErrorList {
	if of == nativeSide {
		return &e.Native
	}
	return &e.Declarative
}

// withText returns the example with a different text of one error.
func (e Example) withText(of sideName, i int, text string) Example {
	errs := slices.Clone(*e.side(of))
	changed := *errs[i]
	changed.Detail = text
	errs[i] = &changed
	*e.side(of) = errs
	return e
}

// otherKeyword is a schema with a different value of one keyword.
type otherKeyword struct {
	difference.Declarations
	keyword, text string
}

func (o otherKeyword) Keyword(path, keyword string) []string {
	if keyword == o.keyword {
		return []string{o.text}
	}
	return o.Declarations.Keyword(path, keyword)
}

// withCaptured returns the pattern with each compared group replaced by the text that it captures.
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

// numberOrQuotation matches the parts that distinguish messages of one family.
var numberOrQuotation = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`|-?\\d+(?:\\.\\d+)?|[A-Za-z][\\w-]{2,}")

// particulars returns the positions of the numbers, quotations and particular words of a text. A word is
// particular if no usual message has it: a pattern may leave common words open.
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

// otherPart returns a regular expression for every different number or quotation, or for otherWord.
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

// otherNumber is otherPart for unsigned numbers.
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

// otherText returns a regular expression for every text of at least atLeast runes other than a given one:
// it differs at a rune, ends earlier, or continues.
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
