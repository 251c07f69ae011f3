package lang_test

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/diffrun/diffrun/internal/text/lang"
)

// trusted are the functions of hand-written validation that implement the formats of names.
func trusted() map[string]func(string) []string {
	return map[string]func(string) []string{
		"dns1123label": validation.IsDNS1123Label, "dns1123Subdomain": validation.IsDNS1123Subdomain,
		"dns1035Label": validation.IsDNS1035Label,
		"labelValue":   validation.IsValidLabelValue, "qualifiedName": validation.IsQualifiedName,
	}
}

// FuzzFormatOf checks that everything that a Format proves is true, and that it proves ordinary names.
func FuzzFormatOf(f *testing.F) {
	for _, text := range slices.Concat(texts(), []string{
		"", "a", "a-b", "-a", "a-", "a.b", "a..b", ".a", "A", "a_b", "1a", "a/b", "a.b/c_D", "a_b/c", "/a", "a/", "a/b/c",
		"kubernetes.io/os", "é", "a\n",
		strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 253), strings.Repeat("a", 254),
		"a/" + strings.Repeat("b", 63), strings.Repeat("a.", 126) + "b/c",
	}) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for format, violations := range trusted() {
			if lang.FormatOf(format).Proves(text) && len(violations(text)) > 0 {
				t.Errorf("%q is proved to have the format %s: %q", text, format, violations(text))
			}
		}
	})
}

func TestFormatOf(t *testing.T) {
	for format, text := range map[string]string{
		"dns1123label":     "a-1",
		"dns1123Subdomain": "a.b-1",
		"dns-1035-label":   "a1",
		"labelValue":       "A_1.b",
		"qualifiedName":    "example.com/A_1",
	} {
		if !lang.FormatOf(format).Proves(text) {
			t.Errorf("%q is not proved to have the format %s", text, format)
		}
	}
	if lang.FormatOf("none").Proves("a") {
		t.Error("a format that is not there proves something")
	}
}
