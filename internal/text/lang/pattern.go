package lang

import (
	"regexp"
	"regexp/syntax"
	"sync"
)

// Pattern is a compiled regular expression. It is safe for use by many goroutines.
type Pattern struct {
	source string

	once  sync.Once
	table *table // nil: package regexp matches

	late sync.Once
	re   *regexp.Regexp
}

// Compile compiles an expression. It returns the error of syntax.Parse, as regexp.Compile does; the
// program of the expression is made on first use.
func Compile(source string) (*Pattern, error) {
	if _, err := syntax.Parse(source, syntax.Perl); err != nil {
		return nil, err
	}
	return &Pattern{source: source}, nil
}

// Match reports whether text contains a match of the pattern. The first call makes the table, because
// most patterns of a schema never match a text.
func (p *Pattern) Match(text string) bool {
	p.once.Do(func() { p.table = newTable(p.source) })
	if p.table != nil {
		if matched, sure := p.table.match(text); sure {
			return matched
		}
	}
	p.late.Do(func() { p.re = regexp.MustCompile(p.source) })
	return p.re.MatchString(text)
}
