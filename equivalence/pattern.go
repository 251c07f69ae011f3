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

	"github.com/diffrun/diffrun/internal/text/lang"
)

const (
	// minFixedLetters is how many letters or digits a pattern must contain literally.
	minFixedLetters = 3
	// maxUsualTexts is how many of usualTexts a pattern may match, because a rule is about one message or
	// a small family.
	maxUsualTexts = 3
	// maxUsualHints is this limit for types whose errors upstream creates without a text, so that a text
	// is only a hint.
	maxUsualHints = 25
	randomTexts   = 200
)

// pattern is a regular expression for a whole text.
type pattern struct {
	source string
	re     *regexp.Regexp
}

// compilePattern compiles and anchors an expression. Without ^ and $, a rule would explain every text
// that contains a match.
func compilePattern(source string) (*pattern, error) {
	_, err := syntax.Parse(source, syntax.Perl) // this error quotes the source without our anchors
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

// groups returns the names of the named groups, sorted.
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

// capture matches the whole text and returns the text of each named group in the match. A missing group
// differs from an empty one.
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

// matchesLine reports whether a line's text matches.
func (p *pattern) matchesLine(l line) bool {
	return slices.ContainsFunc(l.texts(), p.re.MatchString)
}

// tooOpen returns why a pattern would explain texts that are not messages, or "".
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

// tooBroad returns why a pattern would explain messages that its author did not think of, or "". Messages
// that differ in compared groups count separately.
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
		return fmt.Sprintf("matches %d of %d unrelated messages of Kubernetes; at most %d are allowed", largest, len(usualTexts()), most)
	}
	return ""
}

// meets reports whether some text matches both patterns. If no answer was found, it is true.
func (p *pattern) meets(other *pattern) bool {
	_, found, complete := p.meet(other)
	return found || !complete
}

// meet returns a shortest text that matches both patterns; see lang.Meet.
func (p *pattern) meet(other *pattern) (text string, found, complete bool) {
	a, b := lang.New(p.source), lang.New(other.source)
	if a == nil || b == nil {
		return "", false, false
	}
	return lang.Meet(a, b)
}

// fixedLetters returns the number of letters and digits that every match contains.
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

// probes returns texts that do not look like messages. The seed is fixed, so loading is deterministic.
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

// usualTextsFile has unrelated messages of both sides, one per line: one or two of each family of
// messages in Kubernetes and kube-openapi.
//
//go:embed usualtexts.txt
var usualTextsFile string

var usualTexts = sync.OnceValue(func() []string { return strings.Split(strings.TrimSpace(usualTextsFile), "\n") })
