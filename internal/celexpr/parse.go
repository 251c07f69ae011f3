package celexpr

import (
	"sync"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"
)

// Expr is an expression as it is written: macros are calls.
type Expr = ast.Expr

var withoutMacros = sync.OnceValues(func() (*parser.Parser, error) { return parser.NewParser(parser.EnableOptionalSyntax(true)) })

// Parse parses an expression. It returns nil if the text is not CEL.
func Parse(text string) Expr {
	p, err := withoutMacros()
	if err != nil {
		return nil
	}
	tree, errs := p.Parse(common.NewTextSource(text))
	if len(errs.GetErrors()) > 0 {
		return nil
	}
	return tree.Expr()
}
