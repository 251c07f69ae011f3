// Package celsyntax parses CEL expressions as they are written: macros such as all() and has() stay calls.
package celsyntax

import (
	"sync"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"
)

var withoutMacros = sync.OnceValues(func() (*parser.Parser, error) { return parser.NewParser(parser.EnableOptionalSyntax(true)) })

// Parse parses an expression. It returns nil if the text is not CEL.
func Parse(text string) *ast.AST {
	p, err := withoutMacros()
	if err != nil {
		return nil
	}
	tree, errs := p.Parse(common.NewTextSource(text))
	if len(errs.GetErrors()) > 0 {
		return nil
	}
	return tree
}
