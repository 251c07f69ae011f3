package admission

import (
	"encoding/json"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// head is how an error begins: "spec.ports[0].name: Invalid value".
type head struct {
	path    string
	errType field.ErrorType
}

// readHead reads field and type. The end, a colon or a separator must follow.
func readHead(text string) (read head, length int, ok bool) {
	path := pathLength(text)
	rest, ok := strings.CutPrefix(text[path:], ": ")
	if !ok {
		return head{}, 0, false
	}
	errType, printed, ok := readType(rest)
	if !ok {
		return head{}, 0, false
	}
	return head{text[:path], errType}, path + len(": ") + printed, true
}

// readType reads the words for a type.
func readType(text string) (errType field.ErrorType, length int, ok bool) {
	for _, each := range errorTypes() {
		rest, found := strings.CutPrefix(text, each.String())
		if !found {
			continue
		}
		if rest == "" || strings.HasPrefix(rest, ": ") || strings.HasPrefix(rest, ", ") || rest[0] == '\n' || rest[0] == ']' {
			return each, len(text) - len(rest), true
		}
	}
	return "", 0, false
}

// pathLength returns the length of the path that a text begins with, as field.Path prints it: names
// with dots between them, keys and indices in brackets. The root is empty or "<nil>".
func pathLength(text string) int {
	if strings.HasPrefix(text, "<nil>") {
		return len("<nil>")
	}
	i := 0
	for i < len(text) {
		if text[i] != '[' {
			if strings.IndexByte(" \t\r\n:,;\"'()]{}<>", text[i]) >= 0 {
				return i
			}
			i++
			continue
		}
		key := balanced(text[i:], "[", "]")
		if key == 0 {
			return i
		}
		i += key
	}
	return i
}

// printsValue reports whether errors of a type show the bad value.
func printsValue(errType field.ErrorType) bool {
	switch errType {
	case field.ErrorTypeRequired, field.ErrorTypeForbidden, field.ErrorTypeTooLong, field.ErrorTypeTooShort, field.ErrorTypeInternal:
		return false
	}
	return true
}

// unprinted returns the bad value of an error that shows none: the value that apimachinery's
// constructors set, if it is always the same.
func unprinted(errType field.ErrorType) any {
	switch errType {
	case field.ErrorTypeRequired, field.ErrorTypeForbidden:
		return ""
	case field.ErrorTypeTooLong:
		return "<value omitted>"
	case field.ErrorTypeInternal:
		return nil
	}
	return field.OmitValueType{}
}

// readValue reads the bad value that a text begins with. A detail, a further error or the end must
// follow; otherwise the text is a detail without a value.
func readValue(text, separator string) (value any, length int, ok bool) {
	for _, read := range []func(string) (any, int){readQuoted, readNumberWord, readJSON, readScalarStruct, readGoSyntax, readPlain} {
		value, length = read(text)
		rest := text[length:]
		if length > 0 && (rest == "" || strings.HasPrefix(rest, ": ") || atSeparator(rest, separator)) {
			return value, length, true
		}
	}
	return nil, 0, false
}

// readQuoted reads a string that was printed by %q or as JSON.
func readQuoted(text string) (value any, length int) {
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil || quoted[0] != '"' {
		return nil, 0
	}
	unquoted, err := strconv.Unquote(quoted)
	if err != nil {
		return nil, 0
	}
	return unquoted, len(quoted)
}

// readNumberWord reads the numbers that JSON cannot express.
func readNumberWord(text string) (value any, length int) {
	for _, word := range []string{"NaN", "+Inf", "-Inf"} {
		if strings.HasPrefix(text, word) {
			number, _ := strconv.ParseFloat(word, 64) // one of three words that it knows
			return number, len(word)
		}
	}
	return nil, 0
}

// readJSON reads a JSON value.
func readJSON(text string) (value any, length int) {
	if text == "" || strings.IndexByte(`{["-0123456789tfn`, text[0]) < 0 {
		return nil, 0
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, 0
	}
	return numbers(value), int(decoder.InputOffset())
}

// numbers converts the numbers in a JSON value to int64 or float64, as everywhere in Kubernetes.
func numbers(value any) any {
	switch value := value.(type) {
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return whole
		}
		number, _ := value.Float64() // out of range: infinite
		return number
	case []any:
		for i := range value {
			value[i] = numbers(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = numbers(value[key])
		}
	}
	return value
}
