package equivalence_test

import (
	"testing"
)

// Repeated errors of one side are one line with a count.
func TestCopies(t *testing.T) {
	checkMatches(t, map[string]matching{
		"copy": {
			why:         "hand-written code reports some errors twice",
			native:      list{required("spec.a", ""), required("spec.a", "")},
			declarative: list{required("spec.a", "")},
			want:        []string{"count 2:1: Required spec.a | Required spec.a"},
		},
		"declarative copies": {
			why:         "a repeated error is not an error that native lacks",
			native:      list{required("spec.a", "")},
			declarative: list{required("spec.a", ""), required("spec.a", ""), required("spec.b", ""), required("spec.b", "")},
			want: []string{
				"count 1:2: Required spec.a | Required spec.a",
				"too-strict 0:2: - | Required spec.b",
			},
		},
		"copies on both sides": {
			why:         "as many on each side are no difference",
			native:      list{required("spec.a", ""), required("spec.a", "")},
			declarative: list{required("spec.a", ""), required("spec.a", "")},
			want:        []string{"= 2:2: Required spec.a | Required spec.a"},
		},
		"copies of what the other side lacks": {
			why:         "one error is missing, and it was reported twice",
			native:      list{required("spec.a", ""), required("spec.a", "")},
			declarative: list{},
			want:        []string{"too-loose 2:0: Required spec.a | -"},
		},
		"a copy is no near miss": {
			why:         "the other side's error must not be hidden by a repeated one",
			native:      list{invalid("spec.a", nil, "must be odd"), invalid("spec.a", nil, "must be odd")},
			declarative: list{invalid("spec.a", nil, "must be odd"), invalid("spec.a", nil, "must be small")},
			want: []string{
				"count 2:1: Invalid spec.a must be odd | Invalid spec.a must be odd",
				"too-strict: - | Invalid spec.a must be small",
			},
		},
		"copies that a rule takes for one": {
			why: "the wording is explained, the number of repetitions is not",
			native: list{invalid("spec.a", nil, "must be greater than or equal to 0"),
				invalid("spec.a", nil, "must be greater than or equal to 0"), invalid("spec.a", nil, "must be greater than or equal to 0")},
			declarative: list{invalid("spec.a", nil, "should be greater than or equal to 0")},
			want: []string{"count 3:1: Invalid spec.a must be greater than or equal to 0 | Invalid spec.a should be greater " +
				"than or equal to 0"},
		},
		"copies with a partner each": {
			why: "an error that one side repeats, the other reports in two wordings: each has its partner, and none is too many",
			native: list{
				invalid("spec.a", nil, "must be greater than or equal to 0"), invalid("spec.a", nil, "must be greater than or equal to 0"),
			},
			declarative: list{invalid("spec.a", nil, "must be greater than or equal to 0"),
				invalid("spec.a", nil, "should be greater than or equal to 0")},
			want: []string{
				"=: Invalid spec.a must be greater than or equal to 0 | Invalid spec.a must be greater than or equal to 0",
				"minimum: Invalid spec.a must be greater than or equal to 0 | Invalid spec.a should be greater than or equal to 0",
			},
		},
		"copies beside other errors": {
			why: "errors that differ come before copies, so that only copies are too many",
			native: list{
				invalid("spec.a", 0, "must be greater than or equal to 1"), invalid("spec.a", 0, "must be greater than or equal to 1"),
				invalid("spec.a", -1, "must be greater than or equal to 1"), invalid("spec.a", -1, "must be greater than or equal to 1"),
			},
			declarative: list{invalid("spec.a", nil, "must be greater than or equal to 1"),
				invalid("spec.a", nil, "must be greater than or equal to 1")},
			want: []string{
				"count 2:1: Invalid spec.a must be greater than or equal to 1 (-1) | Invalid spec.a must be greater than or equal to 1",
				"count 2:1: Invalid spec.a must be greater than or equal to 1 (0) | Invalid spec.a must be greater than or equal to 1",
			},
		},
		"copies of a near miss": {
			why:         "one difference of the text, not one of the text and one of the count",
			native:      list{invalid("spec.a", nil, "must be odd"), invalid("spec.a", nil, "must be odd")},
			declarative: list{invalid("spec.a", nil, "is even")},
			want:        []string{"detail 2:1: Invalid spec.a must be odd | Invalid spec.a is even"},
		},
		"copies about two values": {
			why:         "errors about different values are no copies",
			native:      list{invalid("spec.a", 1, "must be odd"), invalid("spec.a", 2, "must be odd")},
			declarative: list{invalid("spec.a", 1, "must be odd")},
			want: []string{
				"=: Invalid spec.a must be odd (1) | Invalid spec.a must be odd (1)",
				"too-loose: Invalid spec.a must be odd (2) | -",
			},
		},
	})
}
