package equivalence

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

const (
	// minFixedLetters is how many letters or digits a pattern must spell out.
	minFixedLetters = 3
	// maxUsualTexts is how many of usualTexts one pattern may match: a rule
	// speaks of one message or of a small family.
	maxUsualTexts = 3
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

// capture matches the whole text and gives the trimmed text of each named
// group.
func (p *pattern) capture(text string) (map[string]string, bool) {
	found := p.re.FindStringSubmatch(text)
	if found == nil {
		return nil, false
	}
	captured := map[string]string{}
	for i, name := range p.re.SubexpNames() {
		if name != "" {
			captured[name] = strings.TrimSpace(found[i])
		}
	}
	return captured, true
}

// matchesLine tries the forms of a line's text.
func (p *pattern) matchesLine(l line) bool {
	return slices.ContainsFunc(l.texts(), p.re.MatchString)
}

// tooBroad says why a pattern would explain texts that nobody thought of, or
// gives "".
func (p *pattern) tooBroad() string {
	parsed, err := syntax.Parse(p.source, syntax.Perl)
	if err != nil {
		return err.Error()
	}
	if p.source == "" {
		return "is empty"
	}
	if slices.ContainsFunc(probes(), p.re.MatchString) {
		return "matches random text"
	}
	if letters := fixedLetters(parsed); letters < minFixedLetters {
		return fmt.Sprintf("spells out only %d of the %d letters that it must at least; the rest is open", letters, minFixedLetters)
	}
	matched := 0
	for _, text := range usualTexts() {
		if p.re.MatchString(text) {
			matched++
		}
	}
	if matched > maxUsualTexts {
		return fmt.Sprintf("matches %d of %d unrelated messages of Kubernetes; at most %d are allowed", matched, len(usualTexts()), maxUsualTexts)
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
func probes() []string {
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
}

// usualTexts are messages of both sides that have nothing in common.
func usualTexts() []string {
	return []string{
		"must be greater than or equal to 0",
		"must be no more than 63 characters",
		"must be between 1 and 65535, inclusive",
		"must be non-empty",
		"must not contain dots",
		"must be specified when `operator` is 'In' or 'NotIn'",
		"must specify one of: `configMapRef` or `secretRef`",
		"must match `ingressClassName` when both are specified",
		"may not be more than 253 bytes",
		"may not be set for a windows pod",
		"must have at most 16 items",
		`supported values: "Always", "Never"`,
		"field is immutable",
		"cannot be 0 when maxSurge is 0",
		"name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
		"only one of name and signerName may be used",
		"should be greater than or equal to 1",
		"should be less than 100",
		"should be at most 253 chars long",
		"should have at least 1 items",
		"should match '^[a-z]+$'",
		"must be of type dns1123label: \"A\"",
		"shouldn't contain duplicates",
		"failed rule: self.size() > 0",
		"more than one match for oneOf",
	}
}
