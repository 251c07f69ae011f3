package read

import (
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// addTextModels adds the models of functions of texts whose results CEL has for all texts, with letters of several bytes.
func addTextModels() {
	models["strings.TrimPrefix"] = trimmed("startsWith", "t.substring(n)")
	models["strings.TrimSuffix"] = trimmed("endsWith", "t.substring(0, size(t) - n)")
	models["strings.Cut"] = cut
	models["strings.EqualFold"] = ofConstant(func(c *call, t celexpr.Expr, text string) value {
		return truth{that(celexpr.Method(t, "matches", celexpr.Literal("(?i)^"+regexp.QuoteMeta(text)+"$")))}
	})
	models["strings.Count"] = ofConstant(func(c *call, t celexpr.Expr, text string) value {
		parts := celexpr.Call("size", celexpr.Method(t, "split", celexpr.Literal(text)))
		one := celexpr.Literal(int64(1))
		return term{expr: celexpr.Call(operators.Subtract, parts, one), typ: types.Typ[types.Int], within: lengths}
	})
	models["strings.Index"] = ofConstant(func(c *call, t celexpr.Expr, text string) value {
		found := that(celexpr.Method(t, "contains", celexpr.Literal(text)))
		before := celexpr.Call(operators.Index, celexpr.Method(t, "split", celexpr.Literal(text), celexpr.Literal(int64(2))),
			celexpr.Literal(int64(0)))
		at := term{expr: celexpr.Call("size", celexpr.Call("bytes", before)), typ: types.Typ[types.Int], within: lengths}
		return choice{found, at, known{constant.MakeInt64(-1), types.Typ[types.Int]}}
	})
	models["strings.ContainsAny"] = ofConstant(func(c *call, t celexpr.Expr, text string) value {
		return truth{that(celexpr.Method(t, "matches", celexpr.Literal(oneOfLetters(text))))}
	})
	models["strings.Join"] = func(c *call) value {
		of, ok := c.args[0].(place)
		separator, isKnown := c.args[1].(known)
		if !ok || !isKnown {
			return nil
		}
		joined := celexpr.Method(of.expr, "join", literal(separator.value))
		return choice{of.has, term{expr: joined, typ: types.Typ[types.String]}, zero(types.Typ[types.String])}
	}
	models["unicode/utf8.RuneCountInString"] = func(c *call) value {
		return term{expr: celexpr.Call("size", c.activation.expr(c.args[0])), typ: types.Typ[types.Int], within: lengths}
	}
	models["regexp.MatchString"] = func(c *call) value {
		pattern, ok := c.args[0].(known)
		if !ok {
			return nil
		}
		return several{truth{that(celexpr.Method(c.activation.expr(c.args[1]), "matches", literal(pattern.value)))}, nothing{}}
	}
	models["strings.ToLower"] = inCase("lowerAscii", "\u0130i", "\u212Ak")
	models["strings.ToUpper"] = inCase("upperAscii", "\u0131I", "\u017FS")
}

// oneOfLetters returns a pattern of one of the letters of a text.
func oneOfLetters(text string) string {
	pattern := ""
	for _, letter := range text {
		if pattern != "" {
			pattern += "|"
		}
		pattern += regexp.QuoteMeta(string(letter))
	}
	return pattern
}

// ofConstant is the model of a function of a text and of a constant that is not empty.
func ofConstant(of func(c *call, t celexpr.Expr, text string) value) func(*call) value {
	return func(c *call) value {
		text, ok := c.args[1].(known)
		if !ok || constant.StringVal(text.value) == "" {
			return nil
		}
		return of(c, c.activation.expr(c.args[0]), constant.StringVal(text.value))
	}
}

// trimmed is the model of functions that take away the beginning or the end of a text, if it has it.
func trimmed(has, rest string) func(*call) value {
	return ofConstant(func(c *call, t celexpr.Expr, text string) value {
		size := celexpr.Literal(int64(len([]rune(text))))
		made := celexpr.Rename(celexpr.Rename(celexpr.Parse(rest), "n", size), "t", t)
		return choice{
			that(celexpr.Method(t, has, celexpr.Literal(text))), term{expr: made, typ: types.Typ[types.String]},
			term{expr: t, typ: types.Typ[types.String]},
		}
	})
}

// cut is the model of strings.Cut.
func cut(c *call) value {
	return ofConstant(func(c *call, t celexpr.Expr, text string) value {
		found := that(celexpr.Method(t, "contains", celexpr.Literal(text)))
		parts := celexpr.Method(t, "split", celexpr.Literal(text), celexpr.Literal(int64(2)))
		part := func(i int64) value {
			return term{expr: celexpr.Call(operators.Index, parts, celexpr.Literal(i)), typ: types.Typ[types.String]}
		}
		none := zero(types.Typ[types.String])
		return several{choice{found, part(0), term{expr: t, typ: types.Typ[types.String]}}, choice{found, part(1), none}, truth{found}}
	})(c)
}

// folded is a text in one case. CEL has it for the letters of ASCII.
type folded struct {
	// ascii is equal to a text of ASCII, or has a format, if and only if the text in that case does.
	ascii celexpr.Expr
	// otherwise is what is known of it if it is not compared with a text of ASCII.
	otherwise value
}

// is returns the condition of a comparison.
func (f folded) is(a *activation, op token.Token, with value, pos token.Pos) *condition {
	if k, ok := with.(known); ok && op == token.EQL && k.value.Kind() == constant.String && isOfASCII(constant.StringVal(k.value)) {
		return that(celexpr.Call(operators.Equals, f.ascii, literal(k.value)))
	}
	return a.compare(op, f.otherwise, with, pos)
}

func isOfASCII(text string) bool {
	return !strings.ContainsFunc(text, func(letter rune) bool { return letter >= utf8.RuneSelf })
}

// inCase is the model of a function that CEL has for the letters of ASCII alone. The others are those that become such letters.
func inCase(name string, others ...string) func(*call) value {
	return func(c *call) value {
		t := c.activation.expr(c.args[0])
		ascii := t
		for _, letter := range others {
			of := string([]rune(letter)[:1])
			ascii = celexpr.Method(ascii, "replace", celexpr.Literal(of), celexpr.Literal(letter[len(of):]))
		}
		made := term{expr: celexpr.Method(t, name), typ: types.Typ[types.String]}
		why := c.unreadAt(c.expr.Pos(), "the case of letters that are not of ASCII")
		return folded{celexpr.Method(ascii, name), choice{isASCII(t), made, why}}
	}
}

// beginning is the first bytes of a text, as many as a constant says.
type beginning struct {
	of    celexpr.Expr
	bytes int64
	// otherwise is what is known of it if it is not compared with a constant.
	otherwise value
}

// is returns the condition of a comparison.
func (b beginning) is(a *activation, op token.Token, with value, pos token.Pos) *condition {
	k, ok := with.(known)
	if !ok || op != token.EQL || k.value.Kind() != constant.String {
		return a.compare(op, b.otherwise, with, pos)
	}
	if int64(len(constant.StringVal(k.value))) != b.bytes {
		return no
	}
	return that(celexpr.Method(b.of, "startsWith", literal(k.value)))
}
