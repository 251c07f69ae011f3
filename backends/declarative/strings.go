package declarative

import (
	"unicode/utf8"

	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"

	"github.com/diffrun/diffrun/backends/declarative/internal/pattern"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// stringCheck is the keywords maxLength, minLength and pattern. They are one
// check because kube-openapi reports the first of them that fails, in this order.
// Lengths are in Unicode code points.
type stringCheck struct {
	max, min                      *int64
	pattern                       *pattern.Pattern
	source                        string
	maxSite, minSite, patternSite site
}

func compileStrings(c *compiler, n *node, s schemaSite) {
	p := s.schema
	if p.MaxLength == nil && p.MinLength == nil && p.Pattern == "" {
		return
	}
	check := &stringCheck{
		max: p.MaxLength, min: p.MinLength, source: p.Pattern,
		maxSite:     s.of("maxLength").site(),
		minSite:     s.of("minLength").site(),
		patternSite: s.of("pattern").site(),
	}
	if p.Pattern != "" {
		re, err := c.pattern(p.Pattern)
		if err != nil {
			c.mistake(s.of("pattern").where(), p.Pattern, "is no regular expression: %v", err)
			return
		}
		check.pattern = re
	}
	n.on(check, view.String)
}

func (c *stringCheck) check(w *walk, f *frame) {
	text := f.val.Str()
	switch {
	case c.tooLong(text):
		if w.failed() {
			w.invalid(f, &c.maxSite, openapierrors.TooLong(w.text(f), "body", *c.max, text))
		}
	case c.tooShort(text):
		if w.failed() {
			w.invalid(f, &c.minSite, openapierrors.TooShort(w.text(f), "body", *c.min, text))
		}
	case c.pattern != nil && !c.pattern.Match(text):
		if w.failed() {
			w.invalid(f, &c.patternSite, openapierrors.FailedPattern(w.text(f), "body", c.source, text))
		}
	}
}

// tooLong counts code points only when there are more bytes than that.
func (c *stringCheck) tooLong(text string) bool {
	return c.max != nil && int64(len(text)) > *c.max && int64(utf8.RuneCountInString(text)) > *c.max
}

// tooShort counts code points only when there could be too few: each has at most four
// bytes.
func (c *stringCheck) tooShort(text string) bool {
	return c.min != nil && int64(len(text)/utf8.UTFMax) < *c.min && int64(utf8.RuneCountInString(text)) < *c.min
}

// pattern compiles a regular expression, once for all places that have it.
func (c *compiler) pattern(source string) (*pattern.Pattern, error) {
	if made := c.patterns[source]; made != nil {
		return made, nil
	}
	made, err := pattern.Compile(source)
	if err == nil {
		c.patterns[source] = made
	}
	return made, err
}
