package equivalence_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// An unexplained error is shown beside the error from which it differs least.
func TestNearMisses(t *testing.T) {
	checkMatches(t, map[string]matching{
		"type": {
			why:         "the same field, a different reason",
			native:      list{required("spec.a", "")},
			declarative: list{invalid("spec.a", nil, "must be odd")},
			want:        []string{"type: Required spec.a | Invalid spec.a must be odd"},
		},
		"path": {
			why:         "the same reason and text at a different field",
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
			why:         "a value that one side names is not missing, whatever rules explain about texts",
			native:      list{{Type: field.ErrorTypeNotSupported, Field: "spec.a", BadValue: "Some", Detail: `supported values: "All"`}},
			declarative: list{required("spec.a", "")},
			want:        []string{`type: NotSupported spec.a supported values: "All" (Some) | Required spec.a`},
		},
		"missing, or a text like a zero value": {
			why:         "0 is a zero value, and \"0\" is a text",
			native:      list{{Type: field.ErrorTypeNotSupported, Field: "spec.a", BadValue: "0", Detail: `supported values: "All"`}},
			declarative: list{required("spec.a", "")},
			want:        []string{`type: NotSupported spec.a supported values: "All" (0) | Required spec.a`},
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
		"nested": {
			why:         "the schema reports a rule at an object, hand-written code at the value inside it",
			native:      list{invalid("spec.rules[0].path.value", "x", "must be an absolute path")},
			declarative: list{invalid("spec.rules[0].path", nil, "value must begin with a slash")},
			want: []string{
				"path: Invalid spec.rules[0].path.value must be an absolute path (x) | Invalid spec.rules[0].path value must " +
					"begin with a slash",
			},
		},
		"nested the other way round": {
			why:         "hand-written code may stop at the object as well, and report a different reason",
			native:      list{required("spec.selector", "must not be empty")},
			declarative: list{invalid("spec.selector.matchLabels", nil, "must have a key")},
			want:        []string{"path: Required spec.selector must not be empty | Invalid spec.selector.matchLabels must have a key"},
		},
		"nested in the whole object": {
			why:         "only a rule at the root sees the name",
			native:      list{invalid("metadata.name", "x", "must be a label")},
			declarative: list{invalid("<nil>", nil, "the name must be short")},
			want:        []string{"path: Invalid metadata.name must be a label (x) | Invalid <nil> the name must be short"},
		},
		"one field is no part of another": {
			why: "names that begin alike, other items and siblings contain nothing",
			native: list{invalid("spec.path", nil, "must be odd"), required("spec.items[1].a", "give it"),
				required("spec.keys[a].b", "give it, too")},
			declarative: list{invalid("spec.pathType", nil, "is even"), invalid("spec.items[10]", nil, "is wrong"),
				invalid("spec.keys.a", nil, "is bad")},
			want: []string{
				"too-loose: Required spec.items[1].a give it | -",
				"too-strict: - | Invalid spec.items[10] is wrong",
				"too-strict: - | Invalid spec.keys.a is bad",
				"too-loose: Required spec.keys[a].b give it, too | -",
				"too-loose: Invalid spec.path must be odd | -",
				"too-strict: - | Invalid spec.pathType is even",
			},
		},
		"the nearest container": {
			why:    "of two rules, the one at the nearer object counts as the same mistake, and of two values, the one of the same type",
			native: list{invalid("spec.a.b.c", nil, "must be odd"), required("spec.a.b.d", "give it")},
			declarative: list{
				invalid("spec", nil, "is wrong"), invalid("spec.a.b", nil, "is even"),
			},
			want: []string{
				"path: Invalid spec.a.b.c must be odd | Invalid spec.a.b is even",
				"path: Required spec.a.b.d give it | Invalid spec is wrong",
			},
		},
		"nearer than nested": {
			why:         "errors at one field differ less than nested ones",
			native:      list{invalid("spec.a", nil, "must be odd")},
			declarative: list{invalid("spec.a", nil, "is even"), invalid("spec", nil, "is wrong")},
			want:        []string{"too-strict: - | Invalid spec is wrong", "detail: Invalid spec.a must be odd | Invalid spec.a is even"},
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
			why: "a different text at the same field is nearer than a different type and text",
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
