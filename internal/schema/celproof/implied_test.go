package celproof_test

import (
	"strings"
	"testing"

	"github.com/google/cel-go/common/ast"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/schema/celproof"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestImplied: rules that follow from others, and similar ones that do not.
func TestImplied(t *testing.T) {
	schema := celproof.Schema{Schema: served.Schema(t, fields)}
	for _, row := range []struct {
		why, by, rule string
		want          bool
	}{
		{"the rule itself", "self.any > 3", "self.any > 3", true},
		{"another way to write it", "self.any > 3", "3 < self.any", true},
		{"whole numbers", "self.req > 3", "self.req >= 4", true},
		{"a weaker bound", "self.req < 3", "self.req < 9 && self.req != 7", true},
		{"a stronger one", "self.req < 4", "self.req < 3", false},
		{"a part", "self.req < 4 && self.any != 2", "self.any != 2", true},
		{"the parts", "self.req < 4; self.any != 2", "self.any != 2 && self.req < 4", true},
		{"only one part", "self.any != 2", "self.any != 2 && self.req < 3", false},
		{"a part after a guard", "!has(self.opt) || self.opt > 2 && self.any > 3", "!has(self.opt) || self.any > 3", true},
		{"a guard the other way", "has(self.opt) ? self.opt > 2 : true", "!has(self.opt) || self.opt > 1", true},
		{"without the guard", "!has(self.opt) || self.opt > 2", "self.opt > 1", false},
		{"a value that is there was compared", "self.opt > 2", "has(self.opt)", true},
		{"a value that may not be there", "!has(self.opt) || self.opt > 2", "has(self.opt)", false},
		{"one of some values", "self.kind2 == 'A'", "self.kind2 in ['A', 'B']", true},
		{"none of others", "self.text in ['a', 'b']", "self.text != 'c'", true},
		{"one that may be different", "self.text in ['a', 'c']", "self.text != 'c'", false},
		{"the rest of an enum", "self.kind2 != 'A'", "self.kind2 == 'B'", true},
		{"of a text that has none", "self.text != 'A'", "self.text == 'B'", false},
		{"a chain", "!has(self.opt) || has(self.text); !has(self.text) || has(self.any)", "!has(self.opt) || has(self.any)", true},
		{"a broken chain", "!has(self.opt) || has(self.text); !has(self.any) || has(self.text)", "!has(self.opt) || has(self.any)", false},
		{"sizes", "size(self.text) > 3", "self.text.size() >= 1", true},
		{"the size of a text that may be empty", "self.text.size() >= 0", "size(self.text) > 0", false},
		{"each item", "self.list.all(x, x.a > 2 && x.b != 'c')", "self.list.all(x, x.b != 'c')", true},
		{"the bound of the schema", "self.req != 1", "self.req >= 2", true},
		{"an error is not false", "self.any > 3 || self.opt > 3", "!(self.any <= 3) || self.opt > 3", true},
		{"nor is it true", "!(self.opt > 3)", "self.opt <= 3", true},
		{"unsupported expressions", "self.name.startsWith('a') || self.req == 3", "self.name.startsWith('a') || self.req > 2", true},
		{"other ones", "self.name.startsWith('a')", "self.name.startsWith('b')", false},
		{"a number with a fraction lies between", "self.num > 3.0", "self.num >= 4.0", false},
		{"a rule that nothing satisfies", "self.req > 9", "self.any == 77", true},
		{"the same in other cases", "self.kind2 == 'A' ? self.req > 2 : self.req > 3", "self.req > 2", true},
		{"texts in order are not followed", "self.text < 'b'", "self.text < 'c'", false},
	} {
		var by []ast.Expr
		for _, text := range strings.Split(row.by, "; ") {
			by = append(by, celexpr.Parse(text))
		}
		if got := celproof.Implied(celexpr.Parse(row.rule), by, schema, schema); got != row.want {
			t.Errorf("%s: %s from %s: %v", row.why, row.rule, row.by, got)
		}
	}
}
