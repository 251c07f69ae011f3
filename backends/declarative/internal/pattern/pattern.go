package pattern

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

// Compile compiles an expression. The error is that of regexp.Compile, which only has
// those of syntax.Parse: the program of an expression is made when it is first needed.
func Compile(source string) (*Pattern, error) {
	if _, err := syntax.Parse(source, syntax.Perl); err != nil {
		return nil, err
	}
	return &Pattern{source: source}, nil
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
	p.late.Do(func() { p.re = regexp.MustCompile(p.source) })
	return p.re.MatchString(text)
}
