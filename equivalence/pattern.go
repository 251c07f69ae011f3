package equivalence

import (
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	// minFixedLetters is how many letters or digits a pattern must spell out.
	minFixedLetters = 3
	// maxUsualTexts is how many of usualTexts one pattern may match: a rule is about
	// one message or a small family.
	maxUsualTexts = 3
	// maxUsualHints is that number for types whose errors upstream makes without a
	// text, where a text is only a hint.
	maxUsualHints = 25
	randomTexts   = 200
)

// pattern is a regular expression that covers a whole text.
type pattern struct {
	source string
	re     *regexp.Regexp
}

// compilePattern anchors the expression: nobody has to remember the ^ and $
// without which a rule explains whatever contains its words.
func compilePattern(source string) (*pattern, error) {
	_, err := syntax.Parse(source, syntax.Perl) // which names the source without our anchors
	if wrong := (*syntax.Error)(nil); errors.As(err, &wrong) {
		return nil, fmt.Errorf("no regular expression (RE2): %s in %q", wrong.Code, wrong.Expr)
	}
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(`^(?:` + source + `)$`)
	if err != nil {
		return nil, err
	}
	return &pattern{source: source, re: re}, nil
}

// groups gives the names of the named groups, sorted.
func (p *pattern) groups() []string {
	var names []string
	for _, name := range p.re.SubexpNames() {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// capture matches the whole text and gives the text of each named group that is part of
// the match: a group that is left out is not the same as one that is empty.
func (p *pattern) capture(text string) (map[string]string, bool) {
	found := p.re.FindStringSubmatchIndex(text)
	if found == nil {
		return nil, false
	}
	captured := map[string]string{}
	for i, name := range p.re.SubexpNames() {
		if name != "" && found[2*i] >= 0 {
			captured[name] = text[found[2*i]:found[2*i+1]]
		}
	}
	return captured, true
}

// matchesLine tries the forms of a line's text.
func (p *pattern) matchesLine(l line) bool {
	return slices.ContainsFunc(l.texts(), p.re.MatchString)
}

// tooOpen says why a pattern would explain texts that are not messages, or gives "".
func (p *pattern) tooOpen() string {
	if p.source == "" {
		return "is empty"
	}
	if slices.ContainsFunc(probes(), p.re.MatchString) {
		return "matches random text"
	}
	if letters := fixedLetters(p.parsed()); letters < minFixedLetters {
		return fmt.Sprintf("spells out only %d of the %d letters that it must at least; the rest is open", letters, minFixedLetters)
	}
	return ""
}

// tooBroad says why a pattern would explain messages that its author did not think of, or
// gives "". Messages that differ in the groups which are compared are not taken for one.
func (p *pattern) tooBroad(compared []string, errorType field.ErrorType) string {
	most := maxUsualTexts
	if hasNoText(errorType) {
		most = maxUsualHints
	}
	families, largest := map[string]int{}, 0
	for _, text := range usualTexts() {
		if captured, ok := p.capture(text); ok {
			family := captureKey(captured, compared)
			families[family]++
			largest = max(largest, families[family])
		}
	}
	if largest > most {
		return fmt.Sprintf("takes %d of %d unrelated messages of Kubernetes for one; at most %d are allowed", largest, len(usualTexts()), most)
	}
	return ""
}

// fixedLetters counts the letters and digits that every match contains.
func fixedLetters(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		letters := 0
		for _, r := range re.Rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				letters++
			}
		}
		return letters
	case syntax.OpConcat, syntax.OpCapture:
		letters := 0
		for _, sub := range re.Sub {
			letters += fixedLetters(sub)
		}
		return letters
	case syntax.OpPlus:
		return fixedLetters(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * fixedLetters(re.Sub[0])
	case syntax.OpAlternate:
		letters := fixedLetters(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			letters = min(letters, fixedLetters(sub))
		}
		return letters
	}
	return 0
}

// probes are texts that no message looks like. The seed is fixed: a file loads
// always or never.
var probes = sync.OnceValue(func() []string {
	random := rand.New(rand.NewPCG(2335, 4153))
	words := strings.Fields(strings.Join(usualTexts(), " "))
	texts := make([]string, randomTexts)
	for i := range texts {
		var text strings.Builder
		for range 4 + random.IntN(40) {
			switch i % 3 {
			case 0:
				text.WriteByte(byte(' ' + random.IntN('~'-' '+1)))
			case 1:
				text.WriteByte("abcdefghijklmnopqrstuvwxyz"[random.IntN(26)])
			default:
				text.WriteString(words[random.IntN(len(words))] + " ")
			}
		}
		texts[i] = strings.TrimSpace(text.String())
	}
	return texts
})

// usualTextsFile holds messages of both sides that have nothing in common, one a line:
// of each family of messages in Kubernetes and kube-openapi one or two.
//
//go:embed usualtexts.txt
var usualTextsFile string

var usualTexts = sync.OnceValue(func() []string { return strings.Split(strings.TrimSpace(usualTextsFile), "\n") })
