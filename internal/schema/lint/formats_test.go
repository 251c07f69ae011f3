package lint

import (
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// TestNewerFormats: the table has exactly the formats that the API server of its release validates and that
// of the release before does not.
func TestNewerFormats(t *testing.T) {
	recognized := func(format string, minor uint) bool {
		schema := &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"string"}, Format: format}}
		return len(validation.GetUnrecognizedFormats(schema, version.MajorMinor(1, minor))) == 0
	}
	const last = 36
	for _, format := range strings.Fields("bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn " +
		"isbn10 isbn13 creditcard ssn hexcolor rgbcolor byte password date duration date-time k8s-short-name k8s-long-name") {
		since := newerFormats()[strings.ReplaceAll(format, "-", "")]
		for minor := uint(1); minor <= last; minor++ {
			newer := since != "" && version.MajorMinor(1, minor).LessThan(version.MustParse(since))
			if recognized(format, minor) == newer {
				t.Errorf("%s in 1.%d: recognized: %t, the table has it since %q", format, minor, !newer, since)
			}
		}
	}
	for format := range newerFormats() {
		if !recognized(format, last) {
			t.Errorf("%s is in the table, and no API server knows it", format)
		}
	}
}
