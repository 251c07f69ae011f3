package equivalence_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// What differs is put beside what it differs least from.
func TestNearMisses(t *testing.T) {
	checkMatches(t, map[string]matching{
		"type": {
			why:         "the same field, another reason",
			native:      list{required("spec.a", "")},
			declarative: list{invalid("spec.a", nil, "must be odd")},
			want:        []string{"type: Required spec.a | Invalid spec.a must be odd"},
		},
		"path": {
			why:         "the same reason and text at another field",
			native:      list{invalid("spec.deprovisioning", nil, "must be odd")},
			declarative: list{invalid("spec.disruption", nil, "must be odd")},
			want:        []string{"path: Invalid spec.deprovisioning must be odd | Invalid spec.disruption must be odd"},
		},
		"detail": {
			why:         "the same reason at the same field in other words, and no rule",
			native:      list{invalid("spec.a", nil, "must be odd")},
			declarative: list{invalid("spec.a", nil, "is even")},
			want:        []string{"detail: Invalid spec.a must be odd | Invalid spec.a is even"},
		},
		"missing, or not supported": {
			why:         "a value that one side names is not missing, whatever rules say about texts",
			native:      list{{Type: field.ErrorTypeNotSupported, Field: "spec.a", BadValue: "Some", Detail: `supported values: "All"`}},
			declarative: list{required("spec.a", "")},
			want:        []string{`type: NotSupported spec.a supported values: "All" (Some) | Required spec.a`},
		},
		"missing is a zero value": {
			why:         "KEP-4153 takes the zero value for an absent one",
			native:      list{{Type: field.ErrorTypeNotSupported, Field: "spec.a", BadValue: "", Detail: `supported values: "All"`}},
			declarative: list{required("spec.a", "")},
			want:        []string{`enum-missing: NotSupported spec.a supported values: "All" | Required spec.a`},
		},
		"too loose and too strict": {
			why:         "nothing in common",
			native:      list{required("spec.a", "give it")},
			declarative: list{invalid("status.b", nil, "must be odd")},
			want:        []string{"too-loose: Required spec.a give it | -", "too-strict: - | Invalid status.b must be odd"},
		},
		"values decide between near misses": {
			why:         "errors about one value are shown together",
			native:      list{invalid("spec.a", 2, "must be odd"), invalid("spec.a", 1, "must be small")},
			declarative: list{invalid("spec.a", 1, "is big"), invalid("spec.a", 2, "is even")},
			want: []string{
				"detail: Invalid spec.a must be odd (2) | Invalid spec.a is even (2)",
				"detail: Invalid spec.a must be small (1) | Invalid spec.a is big (1)",
			},
		},
		"one difference before two": {
			why: "another text at the same field is nearer than another type and text",
			native: list{
				invalid("spec.a", nil, "must be odd"),
				required("spec.a", "give it"),
			},
			declarative: list{
				invalid("spec.a", nil, "is even"),
				{Type: field.ErrorTypeForbidden, Field: "spec.a", Detail: "not now"},
			},
			want: []string{
				"detail: Invalid spec.a must be odd | Invalid spec.a is even",
				"type: Required spec.a give it | Forbidden spec.a not now",
			},
		},
	})
}
