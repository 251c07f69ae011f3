package parse

import (
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// kind is the kind of a token.
type kind uint8

const (
	end     kind = iota
	unusual      // left to cel-go's parser
	name
	literal  // its value is in token.value
	operator // or punctuation: its text says which
)

// token is a word of an expression.
type token struct {
	kind  kind
	text  string
	value ref.Val
}

// is reports whether a token is an operator or punctuation.
func (t *token) is(text string) bool { return t.kind == operator && t.text == text }

// lexer cuts a text into tokens.
type lexer struct {
	text string
	at   int
}

// next returns the next token.
func (l *lexer) next() token {
	l.space()
	if l.at >= len(l.text) {
		return token{kind: end}
	}
	switch c := l.text[l.at]; {
	case letter(c):
		return l.word()
	case digit(c):
		return l.number()
	case c == '\'' || c == '"':
		return l.quoted(false)
	}
	for _, length := range [...]int{2, 1} {
		if rest := l.text[l.at:]; len(rest) >= length && punctuation(rest[:length]) {
			l.at += length
			return token{kind: operator, text: rest[:length]}
		}
	}
	return token{kind: unusual}
}

func punctuation(s string) bool {
	switch s {
	case "==", "!=", "<=", ">=", "&&", "||",
		"<", ">", "!", "-", "+", "*", "/", "%", "?", ":", ".", ",", "(", ")", "[", "]", "{", "}":
		return true
	}
	return false
}

// space skips white space. Comments are left to cel-go's parser, as two divisions.
func (l *lexer) space() {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n\f", l.text[l.at]) >= 0 {
		l.at++
	}
}

func letter(c byte) bool { return c == '_' || (c|0x20 >= 'a' && c|0x20 <= 'z') }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// word returns a name, a literal that is a word, or a raw string.
func (l *lexer) word() token {
	start := l.at
	for l.at < len(l.text) && (letter(l.text[l.at]) || digit(l.text[l.at])) {
		l.at++
	}
	text := l.text[start:l.at]
	if l.at < len(l.text) && (l.text[l.at] == '\'' || l.text[l.at] == '"') {
		if text == "r" || text == "R" {
			return l.quoted(true)
		}
		return token{kind: unusual} // bytes
	}
	switch text {
	case "in":
		return token{kind: operator, text: text}
	case "true":
		return token{kind: literal, value: types.True}
	case "false":
		return token{kind: literal, value: types.False}
	case "null":
		return token{kind: literal, value: types.NullValue}
	}
	return token{kind: name, text: text}
}

// number returns an integer. Floats, hexadecimal and unsigned numbers are left to cel-go's parser.
func (l *lexer) number() token {
	start := l.at
	for l.at < len(l.text) && digit(l.text[l.at]) {
		l.at++
	}
	text := l.text[start:l.at]
	if rest := l.text[l.at:]; rest != "" && (letter(rest[0]) || len(rest) > 1 && rest[0] == '.' && digit(rest[1])) {
		return token{kind: unusual}
	}
	return integer(text)
}

// integer returns a literal integer, with its sign.
func integer(text string) token {
	i, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return token{kind: unusual}
	}
	return token{kind: literal, text: text, value: types.Int(i)}
}

// quoted returns a string in single or double quotes. Strings in three quotes are read only if they are
// raw, as patterns in rules are.
func (l *lexer) quoted(raw bool) token {
	quote := l.text[l.at]
	if triple := strings.Repeat(string(quote), 3); raw && strings.HasPrefix(l.text[l.at:], triple) {
		body, _, closed := strings.Cut(l.text[l.at+len(triple):], triple)
		if !closed || strings.Contains(body, "\r") {
			return token{kind: unusual}
		}
		l.at += len(body) + 2*len(triple)
		return token{kind: literal, value: types.String(body)}
	}
	start := l.at + 1
	i := start
	for ; i < len(l.text) && l.text[i] != quote; i++ {
		switch l.text[i] {
		case '\n', '\r':
			return token{kind: unusual}
		case '\\':
			if !raw {
				return l.escaped(start, i, quote)
			}
		}
	}
	return l.closed(types.String(l.text[start:min(i, len(l.text))]), i)
}

// closed ends a string at its closing quote. A quote after an empty string begins one
// over several lines.
func (l *lexer) closed(value types.String, at int) token {
	if at >= len(l.text) || (value == "" && at+1 < len(l.text) && l.text[at+1] == l.text[at]) {
		return token{kind: unusual}
	}
	l.at = at + 1
	return token{kind: literal, value: value}
}

// escaped returns a string that has an escape at i.
func (l *lexer) escaped(start, i int, quote byte) token {
	var b strings.Builder
	b.WriteString(l.text[start:i])
	for ; i < len(l.text) && l.text[i] != quote; i++ {
		c := l.text[i]
		switch c {
		case '\n', '\r':
			return token{kind: unusual}
		case '\\':
			const codes, chars = "abfnrtv\\'\"`?", "\a\b\f\n\r\t\v\\'\"`?"
			i++
			code := -1
			if i < len(l.text) {
				code = strings.IndexByte(codes, l.text[i])
			}
			if code < 0 {
				return token{kind: unusual}
			}
			c = chars[code]
		}
		b.WriteByte(c)
	}
	if i >= len(l.text) {
		return token{kind: unusual}
	}
	l.at = i + 1
	return token{kind: literal, value: types.String(b.String())}
}
