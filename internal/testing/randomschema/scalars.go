package randomschema

import (
	"encoding/json"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/openapi/formats"
)

func patterns() []string {
	return []string{`^[a-z]+$`, `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`, `^a|b$`, `[0-9]{2,3}`, `^(foo|bar)-\d+$`, `^$|^x`, `^.{2}$`, `é`}
}

// text makes the schema of a string.
func (b *builder) text() props {
	s := props{Type: "string"}
	b.limitText(&s)
	if b.OneIn(6) {
		b.limitText(&s)
	}
	return s
}

// limitText adds one or two keywords for strings.
func (b *builder) limitText(s *props) {
	switch b.IntN(6) {
	case 0:
	case 1:
		s.MinLength = new(int64(b.Between(0, 3)))
	case 2:
		s.MaxLength = new(int64(b.Between(0, 5)))
	case 3:
		s.Pattern = generate.Pick(b.Dice, patterns()...)
	case 4:
		s.Format = generate.Pick(b.Dice, append(formats.Names(func(f formats.Format) bool { return !f.Proposed }), "never-heard-of")...)
	case 5:
		s.Enum = values("a", "ab", "", "é")[:b.Between(1, 4)]
	}
}

func (b *builder) integer() props { return b.numeric("integer", 4, "int32", "int64") }

func (b *builder) number() props { return b.numeric("number", 6, "float", "double") }

// numeric makes the schema of a numeric type. One of every few has a format.
func (b *builder) numeric(typ string, formatted int, formats ...string) props {
	s := props{Type: typ}
	b.limitNumber(&s)
	if b.OneIn(4) {
		b.limitNumber(&s)
	}
	if b.OneIn(formatted) {
		s.Format = generate.Pick(b.Dice, formats...)
	}
	return s
}

// limitNumber adds a keyword for numbers. A bound may have a fraction even if the numbers are
// integers.
func (b *builder) limitNumber(s *props) {
	bound := func(from ...float64) *float64 { return new(generate.Pick(b.Dice, from...)) }
	switch b.IntN(5) {
	case 0:
	case 1:
		s.Minimum, s.ExclusiveMinimum = bound(0, 1, 1.5, -2), b.OneIn(3)
	case 2:
		s.Maximum, s.ExclusiveMaximum = bound(10, 3, 2.5, 0), b.OneIn(3)
	case 3:
		s.MultipleOf = bound(2, 3, 0.5, 0.1, 2.5)
	case 4:
		s.Enum = values(1, 2, 10, 2.5)[:b.Between(1, 4)]
	}
}

// boolean makes the schema of a boolean.
func (b *builder) boolean() props {
	s := props{Type: "boolean"}
	if b.OneIn(6) {
		s.Enum = values(true)
	}
	return s
}

// intOrString makes one of the two structural forms of int-or-string, or only the extension.
func (b *builder) intOrString() props {
	s := props{XIntOrString: true}
	either := []props{{Type: "integer"}, {Type: "string"}}
	switch b.IntN(3) {
	case 1:
		s.AnyOf = either
	case 2:
		s.AllOf = []props{{AnyOf: either}}
		if b.OneIn(2) {
			s.AllOf = append(s.AllOf, props{Pattern: "^[0-9]+%?$"})
		}
	}
	switch b.IntN(4) {
	case 1:
		s.Pattern = "^[0-9]+%?$"
	case 2:
		s.MaxLength = new(int64(3))
	case 3:
		s.Maximum = new(float64(100))
	}
	return s
}

// values returns the values of an enum.
func values(of ...any) []apiextensionsv1.JSON {
	var all []apiextensionsv1.JSON
	for _, one := range of {
		all = append(all, *jsonOf(one))
	}
	return all
}

func jsonOf(value any) *apiextensionsv1.JSON {
	data, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("randomschema: made %v, which is not a JSON value: %v", value, err))
	}
	return &apiextensionsv1.JSON{Raw: data}
}
