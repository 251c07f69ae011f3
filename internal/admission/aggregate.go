package admission

import (
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	// maxText bounds the size, in bytes, of texts that are parsed for errors; longer ones are left
	// as they are.
	maxText = 1 << 20
	// maxSpan bounds the search for the end of a map key, a quotation or a nested list.
	maxSpan = 4096
)

// MessageErrors parses the text of a refusal. It returns the errors that the text lists, or one
// error without a field that has the whole text and the Origin OriginText. In a text from
// errors.Join, the lines before the first one with a field are such an error.
func MessageErrors(message string) field.ErrorList {
	if errs, ok := ParseAggregate(message); ok {
		return errs
	}
	for at := range message {
		if message[at] != '\n' {
			continue
		}
		if _, _, ok := readHead(message[at+1:]); !ok {
			continue
		}
		if errs, ok := ParseAggregate(message[at+1:]); ok {
			return append(denial(message[:at], OriginText), errs...)
		}
		break
	}
	return denial(message, OriginText)
}

// ParseAggregate reads back what field.ErrorList.ToAggregate prints:
//
//	a.b: Invalid value: "x": must be y
//	[a.b: Invalid value: "x": must be y, c: Required value]
//
// or errors joined by newlines (errors.Join), with or without the prefix of apierrors.NewInvalid
// and the API server. Values are JSON values, with numbers as int64 or float64; a value that was
// printed in Go syntax is that text, and one that was left out is field.OmitValueType. ok is false
// if any part of the text is something else.
//
// The format is ambiguous, because a detail may contain anything. A detail ends at the first comma
// that is followed by the field and type of a further error, outside quotations, parentheses and
// nested lists of errors.
func ParseAggregate(text string) (errs field.ErrorList, ok bool) {
	if len(text) > maxText {
		return nil, false
	}
	text = foreword.ReplaceAllString(strings.TrimLeft(text, " \n"), "")
	if inner, isList := unwrap(strings.TrimRight(text, " \n")); isList {
		if errs, ok := parseErrors(inner, ", "); ok {
			return errs, true
		}
	}
	return parseErrors(text, "\n")
}

// foreword matches the text before the errors in the message of a denied request and of an Invalid
// status.
var foreword = regexp.MustCompile(`^(?:admission webhook "[^"]*" denied the request: )?(?:[A-Za-z0-9.-]+ "(?:[^"\\]|\\.)*" is invalid: )?`)

func unwrap(text string) (inner string, ok bool) {
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return "", false
	}
	return text[1 : len(text)-1], true
}

// parseErrors reads errors with a separator between them.
func parseErrors(text, separator string) (errs field.ErrorList, ok bool) {
	for {
		head, length, ok := readHead(text)
		if !ok {
			return nil, false
		}
		err := &field.Error{Field: head.path, Type: head.errType}
		text = text[length:]
		text = text[readRest(err, text, separator):]
		errs = append(errs, err)
		if text == "" {
			return errs, true
		}
		if text, ok = strings.CutPrefix(text, separator); !ok {
			return nil, false
		}
	}
}

// readBody reads an error without its field, to the end of the text.
func readBody(text string) (err *field.Error, ok bool) {
	errType, length, ok := readType(text)
	if !ok {
		return nil, false
	}
	err = &field.Error{Type: errType}
	const nothing = "\x00" // ends no body: the text holds one error
	return err, readRest(err, text[length:], nothing) == len(text)-length
}

// readRest reads the value and detail after the type, and returns their length.
func readRest(err *field.Error, text, separator string) int {
	err.BadValue = unprinted(err.Type)
	body, follows := strings.CutPrefix(text, ": ")
	if !follows {
		return 0
	}
	length := len(text) - len(body)
	if printsValue(err.Type) {
		if value, printed, ok := readValue(body, separator); ok {
			err.BadValue = value
			length += printed
			if body, follows = strings.CutPrefix(body[printed:], ": "); !follows {
				return length
			}
			length += len(": ")
		}
	}
	end := detailEnd(body, separator)
	err.Detail = body[:end]
	return length + end
}

// detailEnd returns where a detail ends: at the end, or at a separator before an error.
func detailEnd(text, separator string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case atSeparator(text[i:], separator):
			return i
		case text[i] == '"' || text[i] == '\'' || text[i] == '`':
			i += quotation(text, i)
		case text[i] == '(' && (i == 0 || text[i-1] == ' '):
			i += max(0, balanced(text[i:], "(", ")")-1)
		case text[i] == '[':
			if _, _, nested := readHead(text[i+1:]); nested {
				i += max(0, balanced(text[i:], "[", "]")-1)
			}
		}
	}
	return len(text)
}

func atSeparator(text, separator string) bool {
	rest, ok := strings.CutPrefix(text, separator)
	if !ok {
		return false
	}
	_, _, ok = readHead(rest)
	return ok
}

// quotation returns the distance from i to the end of the quotation that begins there, or 0 if
// there is none: a lone quote, as in 5", must not pair with one of the next error.
func quotation(text string, i int) int {
	if i > 0 && !strings.ContainsRune(" ([{=:\n", rune(text[i-1])) {
		return 0
	}
	quoted, ok := quotedPrefix(text[i:min(len(text), i+maxSpan)])
	if !ok {
		return 0
	}
	end := i + len(quoted)
	if end < len(text) && !strings.ContainsRune(" )]}=,:;.\n", rune(text[end])) {
		return 0
	}
	return len(quoted) - 1
}

// quotedPrefix returns the quoted text at the beginning of a text. Single quotes may hold texts,
// too, although Go has them for characters.
func quotedPrefix(text string) (quoted string, ok bool) {
	if text[0] == '\'' {
		end := strings.IndexByte(text[1:], '\'') + 1
		return text[:end+1], end > 1 && !strings.ContainsRune(" ,", rune(text[1])) && text[end-1] != ' '
	}
	quoted, err := strconv.QuotedPrefix(text)
	return quoted, err == nil
}

// balanced returns the length of the text up to the bracket that closes the first one, or 0 if
// there is none.
func balanced(text, opening, closing string) int {
	depth := 0
	for i := range min(len(text), maxSpan) {
		switch text[i : i+1] {
		case opening:
			depth++
		case closing:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}
