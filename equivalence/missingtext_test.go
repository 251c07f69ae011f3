package equivalence_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Errors without a place, a value or a text have less to be recognized by.
func TestMissingText(t *testing.T) {
	checkMatches(t, map[string]matching{
		"no text at another field": {
			why:         "two missing fields are not one error at different paths just because neither has a text",
			native:      list{required("spec.a", "")},
			declarative: list{required("spec.b", "")},
			want:        []string{"too-loose: Required spec.a | -", "too-strict: - | Required spec.b"},
		},
		"no text at another index": {
			why:         "the same field of a different item is similar enough",
			native:      list{required("spec.items[0].name", "")},
			declarative: list{required("spec.items[1].name", "")},
			want:        []string{"path: Required spec.items[0].name | Required spec.items[1].name"},
		},
		"no text, same value": {
			why:         "the value shows that it is the same duplicate",
			native:      list{duplicate("spec.a", "x")},
			declarative: list{duplicate("spec.b", "x")},
			want:        []string{"path: Duplicate spec.a (x) | Duplicate spec.b (x)"},
		},
		"mute error": {
			why:         "an error without a place and a text matches nothing",
			native:      list{required("spec.a", "")},
			declarative: list{{Type: field.ErrorTypeRequired}},
			want:        []string{"too-strict: - | Required ", "too-loose: Required spec.a | -"},
		},
		"mute errors on both sides": {
			why: "an error at the root without a text (Duplicate of a CEL rule) has only its type and value; " +
				"with both equal, it is the same error",
			native:      list{{Type: field.ErrorTypeDuplicate, Field: "<nil>"}},
			declarative: list{{Type: field.ErrorTypeDuplicate}},
			want:        []string{"=: Duplicate <nil> | Duplicate "},
		},
		"mute errors of other types": {
			why:         "an empty error is not a near miss of another one",
			native:      list{{Type: field.ErrorTypeInvalid, Field: "<nil>"}},
			declarative: list{{Type: field.ErrorTypeForbidden}},
			want:        []string{"too-strict: - | Forbidden ", "too-loose: Invalid <nil> | -"},
		},
		"mute errors of other values": {
			why:         "elsewhere an empty value matches every value; an empty error has nothing else",
			native:      list{{Type: field.ErrorTypeDuplicate, BadValue: "a"}},
			declarative: list{{Type: field.ErrorTypeDuplicate}},
			want:        []string{"too-loose: Duplicate  (a) | -", "too-strict: - | Duplicate "},
		},
		"silent errors on both sides": {
			why:         "two errors without a text or even a type are no agreement about an object",
			native:      list{{Field: "<nil>"}},
			declarative: list{{}},
			want:        []string{"too-loose:  <nil> | -", "too-strict: - |  "},
		},
		"nil entry": {
			why:         "a validator's mistake must not vanish",
			native:      list{nil},
			declarative: list{},
			want:        []string{"too-loose:   | -"},
		},
	})
}
