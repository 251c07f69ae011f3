package graph

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/internal/text/lang"
)

// schemaSite is one keyword of one schema while it is compiled. It implements
// keyword.Source.
type schemaSite struct {
	schema    *spec.Schema
	compiler  *compiler
	node      *Node
	overrides map[string]keyword.Override
	keyword   string
}

// of returns the site of another keyword of the same schema.
func (s *schemaSite) of(keyword string) *schemaSite {
	other := *s
	other.keyword = keyword
	return &other
}

// where returns the place of the keyword in the schema.
func (s *schemaSite) where() *field.Path { return s.compiler.at(s.compiler.current).Child(s.keyword) }

// site returns what a check needs to report a failure of this keyword.
func (s *schemaSite) site() keyword.Site { return s.Site(s.keyword) }

func (s *schemaSite) Schema() *spec.Schema { return s.schema }

func (s *schemaSite) Dialect() keyword.Dialect { return s.compiler.opts.dialect() }

func (s *schemaSite) Site(name string) keyword.Site {
	made := keyword.Site{Origin: name}
	if _, ok := s.overrides[name]; ok {
		o := s.overrides[name]
		made.Override = &o
	}
	made.Tally = s.compiler.place(s, name)
	return made
}

func (s *schemaSite) Mistakef(keyword string, value any, format string, args ...any) {
	s.compiler.mistake(s.of(keyword).where(), value, format, args...)
}

func (s *schemaSite) MistakeAtf(keyword string, index int, value any, format string, args ...any) {
	s.compiler.mistake(s.of(keyword).where().Index(index), value, format, args...)
}

func (s *schemaSite) Ignoref(keyword, format string, args ...any) {
	s.compiler.ignored = append(s.compiler.ignored, text(s.of(keyword).where())+fmt.Sprintf(format, args...))
}

func (s *schemaSite) Pattern(source string) (*lang.Pattern, error) {
	return s.compiler.pattern(source)
}

func (s *schemaSite) Text(name string) string {
	text, _ := extension[string](s, name)
	return text
}

func (s *schemaSite) Texts(name string) []string {
	texts, _ := extension[[]string](s, name)
	return texts
}

func (s *schemaSite) Flag(name string) bool {
	set, _ := extension[bool](s, name)
	return set
}

func (s *schemaSite) On(c keyword.Check, kinds ...view.Kind) {
	if s.compiler.opts.Tally != nil {
		s.compiler.counted.kinds = append(s.compiler.counted.kinds, kinds...)
	}
	s.node.on(c, kinds...)
}

// pattern compiles a regular expression once for all its uses.
func (c *compiler) pattern(source string) (*lang.Pattern, error) {
	if made := c.patterns[source]; made != nil {
		return made, nil
	}
	made, err := lang.Compile(source)
	if err == nil {
		c.patterns[source] = made
	}
	return made, err
}
