package celexpr

import (
	"math"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/parser"
)

// String writes an expression on one line, as people write rules: texts are in single quotes where they can be, and only
// operators get parentheses.
//
// It is cel-go's unparser, which puts parentheses around calls of two arguments, too: "!(list.all(x, x))". The unparser
// writes names as they are, so such calls are written first and become names.
func String(e Expr) string { return unparse(shown(e)) }

func unparse(e Expr) string {
	text, err := parser.Unparse(e, ast.NewSourceInfo(nil), parser.WrapOnColumn(math.MaxInt32))
	if err != nil {
		return "" // a part that no text says, such as an expanded macro
	}
	return text
}

// shown returns an expression whose texts and calls of several arguments are names.
func shown(e Expr) Expr {
	return Replace(e, func(e Expr) Expr {
		if text, is := TextOf(e); is {
			return Name(Quote(text))
		}
		call := e.AsCall()
		function, args := call.FunctionName(), call.Args()
		if _, isBinary := operators.FindReverseBinaryOperator(function); isBinary || function == operators.Conditional || len(args) < 2 {
			return nil
		}
		if function == operators.OptSelect { // its second argument is the name of the field
			return Name(unparse(Call(function, shown(args[0]), args[1])))
		}
		return Name(unparse(children(e, shown)))
	})
}

// Quote writes a text as CEL, in single quotes if it needs no escapes in them, and as it is if it has backslashes, as patterns do.
func Quote(text string) string {
	switch {
	case strings.ContainsAny(text, "'\n\r\t") || !strconv.CanBackquote(text):
		return strconv.Quote(text)
	case strings.Contains(text, `\`):
		return "r'" + text + "'"
	}
	return "'" + text + "'"
}
