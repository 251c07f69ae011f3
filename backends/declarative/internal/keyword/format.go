package keyword

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/internal/openapi/formats"
	"github.com/diffrun/diffrun/internal/text/lang"
)

// FormatViolations lists what is wrong with a text of a format. known is false if no format has
// the name. The formats are those of kube-openapi and of KEP-4153.
func FormatViolations(format, text string) (violations []string, known bool) {
	if explain := kepFormat(format); explain != nil {
		return explain(text), true
	}
	if !strfmt.Default.ContainsName(format) {
		return nil, false
	}
	if strfmt.Default.Validates(format, text) {
		return nil, true
	}
	return []string{fmt.Sprintf("must be of format %s", format)}, true
}

// kepFormat returns the function of a format of KEP-4153; nil: it is another one.
func kepFormat(name string) func(string) []string {
	if format := formats.Of(name); format.Proposed {
		return format.Violations
	}
	return nil
}

// format returns the format of a schema if it has an effect, or "". The API server ignores an
// unknown format, as JSON Schema demands, and one that does not go with the type. It does not
// know the formats of KEP-4153, which are proposals.
func (d Dialect) format(s *spec.Schema) string {
	typ := ""
	if types := d.Types(s); len(types) == 1 {
		typ = types[0]
	}
	known := false
	switch typ {
	case "", "string":
		known = d.Proposals && kepFormat(s.Format) != nil || strfmt.Default.ContainsName(s.Format)
	case "integer":
		known = s.Format == "int32" || s.Format == "int64"
	case "number":
		known = s.Format == "float" || s.Format == "double"
	}
	if !known {
		return ""
	}
	return s.Format
}

// textFormat returns the format that a schema demands of a string, or "".
func (d Dialect) textFormat(s *spec.Schema) string {
	format := d.format(s)
	if kepFormat(format) != nil || (format != "" && strfmt.Default.ContainsName(format)) {
		return format
	}
	return ""
}

// formatCheck is the keyword "format" on strings.
type formatCheck struct {
	site       Site
	typ        field.ErrorType // of its errors
	name       string
	normalized string                // without dashes, so that strfmt need not do it again
	explain    func(string) []string // KEP-4153's formats
	quick      *lang.Format
	bytes      bool // it is the format of Go's []byte
}

// CompileFormat compiles the format of a string. A violation is Invalid, as in KEP-4153, and
// TypeInvalid in custom resources.
func CompileFormat(s Source) {
	if f := s.Schema().Format; f != "" && s.Dialect().format(s.Schema()) == "" && !s.Dialect().IntOrString(s.Schema()) {
		s.Ignoref("format", ": %q", f)
	}
	name := s.Dialect().textFormat(s.Schema())
	if name == "" {
		return
	}
	check := &formatCheck{
		site: s.Site("format"), typ: field.ErrorTypeInvalid, name: name, explain: kepFormat(name),
		normalized: strings.ReplaceAll(name, "-", ""), quick: lang.FormatOf(name), bytes: name == "byte",
	}
	if s.Dialect().CustomResource {
		check.typ = field.ErrorTypeTypeInvalid
	}
	check.site.Origin = "format=" + name
	s.On(check, view.String)
}

func (c *formatCheck) Check(s Subject) {
	text := s.Value().Str()
	// strfmt accepts no empty text, which a []byte without a byte has.
	if none := text == "" && c.bytes && s.Value().Typed(); none || c.fits(text) || !s.Failed(&c.site) {
		return
	}
	detail := openapierrors.InvalidType(s.Path(), "body", c.name, text).Error()
	if c.explain != nil {
		detail += ": " + strings.Join(c.explain(text), "; ")
	}
	s.Report(&c.site, field.Error{Type: c.typ, BadValue: text, Detail: detail})
}

// fits reports whether a text has the format.
func (c *formatCheck) fits(text string) bool {
	switch {
	case c.quick.Proves(text):
		return true
	case c.explain != nil:
		return len(c.explain(text)) == 0
	}
	return strfmt.Default.Validates(c.normalized, text)
}

// EffectiveFormat returns the format of a schema if it refuses a value that the type accepts, or "".
// An int64 always fits into an integer, and a float64 into a number.
func (d Dialect) EffectiveFormat(s *spec.Schema) string {
	format := d.format(s)
	if format == "int64" || format == "double" {
		return ""
	}
	return format
}
