package parse

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/parser"
)

// Language is what an expression may use. It is safe for use by many goroutines.
type Language struct {
	macros    map[signature]parser.Macro
	optionals bool
	factory   ast.ExprFactory
}

// signature is what a macro applies to: a call of a name with so many arguments.
type signature struct {
	name   string
	args   int // anyNumber: a macro for all calls
	member bool
}

const anyNumber = -1

// NewLanguage returns the language of an environment: its macros, whether it has x.?y and x[?y], and how
// macros name their accumulator. It fails if the environment is not that of Kubernetes.
func NewLanguage(env *cel.Env) (*Language, error) {
	probe, issues := env.Parse("[].all(x, x)")
	if issues.Err() != nil {
		return nil, fmt.Errorf("the language has no macro all: %w", issues.Err())
	}
	all := probe.NativeRep().Expr()
	if all.Kind() != ast.ComprehensionKind {
		return nil, errors.New("the macro all is not a loop")
	}
	_, issues = env.Parse("{}.?x")
	l := &Language{
		macros: map[signature]parser.Macro{}, optionals: issues.Err() == nil,
		factory: ast.NewExprFactoryWithAccumulator(all.AsComprehension().AccuVar()),
	}
	for _, m := range env.Macros() {
		s := signature{m.Function(), m.ArgCount(), m.IsReceiverStyle()}
		if strings.Contains(m.MacroKey(), ":*:") {
			s.args = anyNumber
		}
		l.macros[s] = m
	}
	return l, nil
}

// Parse parses an expression. It is false if cel-go's parser must be asked.
func (l *Language) Parse(text string) (*ast.AST, bool) {
	const longest = 20_000 // far below the limit of cel-go
	if len(text) > longest || !utf8.ValidString(text) {
		return nil, false
	}
	p := &reader{Language: l, lexer: lexer{text: text}}
	p.advance()
	e := p.expr()
	if p.gaveUp || p.token.kind != end {
		return nil, false
	}
	return ast.NewAST(e, ast.NewSourceInfo(nil)), true
}

// reader parses one expression by recursive descent. After it gave up, it returns nil.
type reader struct {
	*Language
	lexer  lexer
	token  token
	ids    int64
	depth  int
	gaveUp bool
}

// deepest limits the nesting of expressions. The limit of cel-go is 250, and counts up to four levels
// for one of these.
const deepest = 48

func (p *reader) advance() {
	if p.token = p.lexer.next(); p.token.kind == unusual {
		p.giveUp()
	}
}

func (p *reader) giveUp() ast.Expr {
	p.gaveUp, p.token = true, token{kind: end}
	return nil
}

func (p *reader) id() int64 {
	p.ids++
	return p.ids
}

// accept takes an operator or punctuation if it is next.
func (p *reader) accept(text string) bool {
	if !p.token.is(text) {
		return false
	}
	p.advance()
	return true
}

// expect takes an operator or punctuation that must be next.
func (p *reader) expect(text string) {
	if !p.accept(text) {
		p.giveUp()
	}
}

// deeper begins a level, unless there are too many.
func (p *reader) deeper() bool {
	if p.depth++; p.depth > deepest {
		p.giveUp()
	}
	return !p.gaveUp
}

func (p *reader) expr() ast.Expr {
	depth := p.depth
	defer func() { p.depth = depth }()
	if !p.deeper() {
		return nil
	}
	e := p.logical(operators.LogicalOr)
	if !p.accept("?") {
		return e
	}
	id := p.id()
	then := p.logical(operators.LogicalOr)
	p.expect(":")
	otherwise := p.expr()
	if p.gaveUp {
		return nil
	}
	return p.factory.NewCall(id, operators.Conditional, e, then, otherwise)
}

// logical parses a chain of && or ||. It becomes a balanced tree, as cel-go does it.
func (p *reader) logical(function string) ast.Expr {
	sign, part := "||", func() ast.Expr { return p.logical(operators.LogicalAnd) }
	if function == operators.LogicalAnd {
		sign, part = "&&", p.relation
	}
	e := part()
	if !p.token.is(sign) {
		return e
	}
	terms := []ast.Expr{e}
	for p.accept(sign) {
		terms = append(terms, part())
	}
	if p.gaveUp {
		return nil
	}
	return p.balanced(function, terms)
}

// balanced splits a chain at the operator in the middle, or at the later one of two.
func (p *reader) balanced(function string, terms []ast.Expr) ast.Expr {
	if len(terms) == 1 {
		return terms[0]
	}
	middle := (len(terms) + 1) / 2
	left := p.balanced(function, terms[:middle])
	return p.factory.NewCall(p.id(), function, left, p.balanced(function, terms[middle:]))
}

func (p *reader) relation() ast.Expr {
	return p.chain(p.sum, "<", "<=", ">=", ">", "==", "!=", "in")
}

func (p *reader) sum() ast.Expr { return p.chain(p.product, "+", "-") }

func (p *reader) product() ast.Expr { return p.chain(p.unary, "*", "/", "%") }

// chain parses operators of one precedence, which group to the left.
func (p *reader) chain(part func() ast.Expr, signs ...string) ast.Expr {
	depth := p.depth
	defer func() { p.depth = depth }()
	e := part()
	for p.token.kind == operator {
		function := ""
		for _, sign := range signs {
			if p.token.text == sign {
				function, _ = operators.Find(sign)
			}
		}
		if function == "" || !p.deeper() {
			break
		}
		p.advance()
		other := part()
		if p.gaveUp {
			return nil
		}
		e = p.factory.NewCall(p.id(), function, e, other)
	}
	return e
}

func (p *reader) unary() ast.Expr {
	switch {
	case p.token.is("!"):
		times := 0
		for p.accept("!") {
			times++
		}
		return p.applied(operators.LogicalNot, times)
	case p.token.is("-"):
		p.advance()
		if p.token.kind == literal && p.token.text != "" {
			return p.negative()
		}
		return p.applied(operators.Negate, 1)
	}
	return p.member()
}

// applied parses the operand of a repeated sign; two signs cancel each other.
func (p *reader) applied(function string, times int) ast.Expr {
	if p.token.is("-") || p.token.is("!") {
		return p.giveUp()
	}
	e := p.member()
	if p.gaveUp || times%2 == 0 {
		return e
	}
	return p.factory.NewCall(p.id(), function, e)
}

// negative parses a number after its sign, which is a part of it.
func (p *reader) negative() ast.Expr {
	t := integer("-" + p.token.text)
	p.advance()
	if t.kind == unusual || p.token.is(".") || p.token.is("[") {
		return p.giveUp() // cel-go decides what the sign belongs to
	}
	return p.factory.NewLiteral(p.id(), t.value)
}
