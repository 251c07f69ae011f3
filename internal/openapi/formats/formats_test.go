package formats_test

import (
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/cel/openapi"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/diffrun/diffrun/internal/openapi/formats"
)

// TestTable: upstream agrees with each row about the examples, the name in CEL, the type and the releases that know it.
func TestTable(t *testing.T) {
	for _, name := range formats.Names(func(formats.Format) bool { return true }) {
		t.Run(name, func(t *testing.T) {
			f := formats.Of(name)
			has := func(text string) bool { return strfmt.Default.Validates(name, text) }
			if f.Proposed {
				has = func(text string) bool { return len(f.Violations(text)) == 0 }
			}
			for _, text := range f.Right {
				if empty := text == "" && name == "byte"; !has(text) && !empty || f.Longest > 0 && len(text) > f.Longest {
					t.Errorf("%q has not the format, or is longer than %d", text, f.Longest)
				}
			}
			for _, text := range f.Wrong {
				if has(text) {
					t.Errorf("%q has the format", text)
				}
			}
			if _, known := library.ConstantFormats[f.CEL]; f.CEL != "" && !known {
				t.Errorf("CEL has no format %q", f.CEL)
			}
			schema := &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"string"}, Format: name}}
			typed := common.SchemaDeclType(&openapi.Schema{Schema: schema}, false).TypeName() != "string"
			if typed != formats.HasType(name) {
				t.Errorf("a type of its own: %t", typed)
			}
			recognizedSince(t, f, schema)
		})
	}
}

// recognizedSince checks which releases recognize the format of a schema.
func recognizedSince(t *testing.T, f formats.Format, schema *spec.Schema) {
	t.Helper()
	for minor := uint(1); minor <= 37; minor++ {
		release := version.MajorMinor(1, minor)
		recognized := len(validation.GetUnrecognizedFormats(schema, release)) == 0
		want := !f.Proposed && (f.Since == "" || release.AtLeast(version.MustParse(f.Since)))
		if recognized != want {
			t.Errorf("1.%d recognizes it: %t", minor, recognized)
		}
	}
}

// TestLongest: a text of the greatest length has the format, and a longer one does not.
func TestLongest(t *testing.T) {
	for name, longest := range map[string]string{
		"date":             "2020-02-29",
		"uuid":             "123e4567-e89b-12d3-a456-426614174000",
		"ssn":              "111-22-3333",
		"hexcolor":         "#FFFFFF",
		"bsonobjectid":     "507f1f77bcf86cd799439011",
		"k8s-short-name":   strings.Repeat("a", 63),
		"k8s-long-name":    strings.Repeat("a", 253),
		"dns1035label":     strings.Repeat("a", 63),
		"dns1123subdomain": strings.Repeat("a", 253),
	} {
		f := formats.Of(name)
		has := func(text string) bool {
			return strfmt.Default.Validates(name, text) || f.Proposed && len(f.Violations(text)) == 0
		}
		if len(longest) != f.Longest || !has(longest) || has(longest+longest[:1]) {
			t.Errorf("%s: %q", name, longest)
		}
	}
}

// TestNames: dashes do not count, and formats that API servers know are preferred.
func TestNames(t *testing.T) {
	if formats.Of("datetime").Name != "date-time" || formats.Of("none").Name != "" || formats.HasType("datetime") {
		t.Error("date-time is not found, or something else is")
	}
	if known := formats.OfCEL("dns1123Label"); known.Name != "k8s-short-name" {
		t.Errorf("%+v", known)
	}
}
