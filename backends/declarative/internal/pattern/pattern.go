package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a compiled regular expression. It is safe for use by many goroutines.
type Pattern struct {
	source string
	re     *regexp.Regexp

	once  sync.Once
	table *table // nil: package regexp matches
}

// Compile compiles an expression. The error is that of regexp.Compile.
func Compile(source string) (*Pattern, error) {
	re, err := regexp.Compile(source)
	if err != nil {
		return nil, err
	}
	return &Pattern{source: source, re: re}, nil
}

// Match says whether text has a match of the pattern in it. The table is made when
// the first text is matched, because most patterns of a schema never see one.
func (p *Pattern) Match(text string) bool {
	p.once.Do(func() { p.table = newTable(p.source) })
	if p.table != nil {
		if matched, sure := p.table.match(text); sure {
			return matched
		}
	}
	return p.re.MatchString(text)
}

// String is the expression.
func (p *Pattern) String() string { return p.source }
