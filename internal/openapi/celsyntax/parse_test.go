package celsyntax_test

import (
	"testing"

	"github.com/google/cel-go/common/ast"

	"github.com/diffrun/diffrun/internal/openapi/celsyntax"
)

func TestParse(t *testing.T) {
	for _, row := range []struct {
		why, text, function string
	}{
		{"a macro stays a call", "self.all(x, x > 1)", "all"},
		{"optional syntax", "self.?name.hasValue()", "hasValue"},
		{"no CEL", "self ==", ""},
	} {
		function := ""
		if tree := celsyntax.Parse(row.text); tree != nil && tree.Expr().Kind() == ast.CallKind {
			function = tree.Expr().AsCall().FunctionName()
		}
		if function != row.function {
			t.Errorf("%s: %s is a call of %q, want %q", row.why, row.text, function, row.function)
		}
	}
}
