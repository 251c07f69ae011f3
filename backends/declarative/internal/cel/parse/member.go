package parse

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// member parses a value and the selectors after it.
func (p *reader) member() ast.Expr {
	depth := p.depth
	defer func() { p.depth = depth }()
	e := p.primary()
	for !p.gaveUp {
		switch {
		case p.accept("."):
			e = p.selection(e)
		case p.accept("["):
			e = p.index(e)
		case p.token.is("{"):
			return p.giveUp() // a message
		default:
			return e
		}
		if !p.deeper() {
			return nil
		}
	}
	return nil
}

// optional takes the sign of an optional selection.
func (p *reader) optional() bool {
	if !p.accept("?") {
		return false
	}
	if !p.optionals {
		p.giveUp()
	}
	return true
}

// selection parses what follows the dot: a field, or a call.
func (p *reader) selection(operand ast.Expr) ast.Expr {
	optional := p.optional()
	field := p.token.text
	if p.gaveUp || p.token.kind != name {
		return p.giveUp()
	}
	p.advance()
	if optional {
		at := p.factory.NewLiteral(p.id(), types.String(field))
		return p.factory.NewCall(p.id(), operators.OptSelect, operand, at)
	}
	if !p.accept("(") {
		return p.factory.NewSelect(p.id(), operand, field)
	}
	args := p.list(")")
	if p.gaveUp {
		return nil
	}
	if e, expanded := p.expand(field, operand, args); expanded {
		return e
	}
	return p.factory.NewMemberCall(p.id(), field, operand, args...)
}

func (p *reader) index(operand ast.Expr) ast.Expr {
	function := operators.Index
	if p.optional() {
		function = operators.OptIndex
	}
	key := p.expr()
	p.expect("]")
	if p.gaveUp {
		return nil
	}
	return p.factory.NewCall(p.id(), function, operand, key)
}

// list parses expressions until a closing bracket.
func (p *reader) list(closing string) []ast.Expr {
	all := []ast.Expr{}
	if p.accept(closing) {
		return all
	}
	for {
		all = append(all, p.expr())
		switch {
		case p.accept(closing):
			return all
		case !p.accept(","):
			p.giveUp()
			return nil
		}
	}
}

func (p *reader) primary() ast.Expr {
	t := p.token
	switch {
	case t.kind == literal:
		p.advance()
		return p.factory.NewLiteral(p.id(), t.value)
	case t.kind == name && !reserved(t.text):
		p.advance()
		return p.named(t.text)
	case p.accept("("):
		e := p.expr()
		p.expect(")")
		return e
	case p.accept("["):
		items := p.list("]")
		if p.gaveUp {
			return nil
		}
		return p.factory.NewList(p.id(), items, []int32{})
	case p.accept("{"):
		return p.dict()
	}
	return p.giveUp()
}

// named parses an identifier, or the call of a function.
func (p *reader) named(function string) ast.Expr {
	if !p.accept("(") {
		return p.factory.NewIdent(p.id(), function)
	}
	args := p.list(")")
	if p.gaveUp {
		return nil
	}
	if e, expanded := p.expand(function, nil, args); expanded {
		return e
	}
	return p.factory.NewCall(p.id(), function, args...)
}

// dict parses a map after its opening brace.
func (p *reader) dict() ast.Expr {
	entries := []ast.EntryExpr{}
	for !p.accept("}") {
		if len(entries) > 0 {
			p.expect(",")
		}
		key := p.expr()
		p.expect(":")
		value := p.expr()
		if p.gaveUp {
			return nil
		}
		entries = append(entries, p.factory.NewMapEntry(p.id(), key, value, false))
	}
	return p.factory.NewMap(p.id(), entries)
}

// reserved are words that cannot be identifiers (reservedIds of cel-go's parser).
func reserved(word string) bool {
	switch word {
	case "as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop",
		"package", "namespace", "null", "return", "true", "var", "void", "while":
		return true
	}
	return false
}
