package lintreport

import "testing"

// TestMatches: "*" matches any text, an empty pattern matches everything, and the rest is literal.
func TestMatches(t *testing.T) {
	for _, row := range []struct {
		why, pattern, text string
		want               bool
	}{
		{"empty takes all", "", "a", true},
		{"literal", "WidgetSpec.size", "WidgetSpec.size", true},
		{"not a part of a text", "WidgetSpec", "WidgetSpec.size", false},
		{"the end is open", "WidgetSpec.*", "WidgetSpec.size", true},
		{"the beginning is open", "*.size", "WidgetSpec.size", true},
		{"between", "properties[*].x", "properties[a].x", true},
		{"brackets and dots are literal", "properties[a].x", "propertiesaxx", false},
		{"several stars", "*Policy*[*]", "properties[dnsPolicy].enum[2]", true},
		{"in their order", "*b*a*", "ab", false},
		{"the parts may not overlap", "ab*ba", "aba", false},
		{"nothing is a text too", "a*", "a", true},
	} {
		if got := matches(row.pattern, row.text); got != row.want {
			t.Errorf("%s: %q takes %q: %v", row.why, row.pattern, row.text, got)
		}
	}
}
