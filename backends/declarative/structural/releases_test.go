package structural_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestOldest: an API server accepts in new rules what the release before it can evaluate, so a function of 1.30 is for 1.31.
func TestOldest(t *testing.T) {
	for _, tt := range []struct{ why, rule, oldest, before string }{
		{"nothing but CEL", `{rule: "self != ''"}`, "1.25", ""},
		{"no rule", ``, "1.25", ""},
		{"optional values", `{rule: "optional.of(self).hasValue()"}`, "1.29", "optional"},
		{"quantities", `{rule: "isQuantity(self)"}`, "1.29", "isQuantity"},
		{"sets", `{rule: "sets.contains(['a'], [self])"}`, "1.30", "sets"},
		{"addresses", `{rule: "isIP(self)"}`, "1.31", "isIP"},
		{"formats", `{rule: "!format.dns1123Label().validate(self).hasValue()"}`, "1.32", "format"},
		{"loops with two variables", `{rule: "{'a': self}.all(k, v, v != '')"}`, "1.33", ""},
		{"versions", `{rule: "isSemver(self)"}`, "1.34", "isSemver"},
		{"the key that makes the old value optional", `{rule: "!oldSelf.hasValue() || self == oldSelf.value()", optionalOldSelf: true}`,
			"1.30", "oldSelf"},
		{"several: the newest counts", `{rule: "isIP(self)"}, {rule: "isSemver(self)"}`, "1.34", "isSemver"},
		{"a rule that no release accepts is reported elsewhere", `{rule: "self.nothing()"}`, "1.25", ""},
	} {
		schema := served.Schema(t, fmt.Sprintf(
			`{type: object, properties: {a: {type: string, maxLength: 9, x-kubernetes-validations: [%s]}}}`,
			tt.rule))
		oldest, before := structural.Oldest(schema)
		if oldest.String() != tt.oldest || !strings.Contains(fmt.Sprint(before), tt.before) {
			t.Errorf("%s: want %s, got %s: %v", tt.why, tt.oldest, oldest, before)
		}
		if refused := structural.RefusedBy(schema, oldest); len(refused) > 0 {
			t.Errorf("%s: %s refuses %v", tt.why, oldest, refused)
		}
	}
}
