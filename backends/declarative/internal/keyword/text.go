package keyword

import (
	"unicode/utf8"

	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/internal/text/lang"
)

// textCheck checks maxLength, minLength and pattern. It is one check because kube-openapi
// reports only the first that fails, in this order. Lengths are in Unicode code points.
type textCheck struct {
	max, min                      *int64
	pattern                       *lang.Pattern
	source                        string
	maxSite, minSite, patternSite Site
}

// CompileText compiles maxLength, minLength and pattern.
func CompileText(s Source) {
	p := s.Schema()
	if p.MaxLength == nil && p.MinLength == nil && p.Pattern == "" {
		return
	}
	check := &textCheck{
		max: p.MaxLength, min: p.MinLength, source: p.Pattern,
		maxSite: s.Site("maxLength"), minSite: s.Site("minLength"), patternSite: s.Site("pattern"),
	}
	if p.Pattern != "" {
		re, err := s.Pattern(p.Pattern)
		if err != nil {
			s.Mistakef("pattern", p.Pattern, "is not a regular expression: %v", err)
			return
		}
		check.pattern = re
	}
	s.On(check, view.String)
}

func (c *textCheck) Check(s Subject) {
	text := s.Value().Str()
	switch {
	case c.tooLong(text):
		s.Undecided(&c.minSite, &c.patternSite)
		if s.Failed(&c.maxSite) {
			invalid(s, &c.maxSite, openapierrors.TooLong(s.Path(), "body", *c.max, text))
		}
	case c.tooShort(text):
		s.Undecided(&c.patternSite)
		if s.Failed(&c.minSite) {
			invalid(s, &c.minSite, openapierrors.TooShort(s.Path(), "body", *c.min, text))
		}
	case c.pattern != nil && !c.pattern.Match(text):
		if s.Failed(&c.patternSite) {
			invalid(s, &c.patternSite, openapierrors.FailedPattern(s.Path(), "body", c.source, text))
		}
	}
}

// tooLong counts code points only if the text has more bytes than allowed.
func (c *textCheck) tooLong(text string) bool {
	return c.max != nil && int64(len(text)) > *c.max && int64(utf8.RuneCountInString(text)) > *c.max
}

// tooShort counts code points only if there could be too few: each has at most four bytes.
func (c *textCheck) tooShort(text string) bool {
	return c.min != nil && int64(len(text)/utf8.UTFMax) < *c.min && int64(utf8.RuneCountInString(text)) < *c.min
}
