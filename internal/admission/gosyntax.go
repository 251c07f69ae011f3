package admission

import (
	"regexp"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
)

// goSyntax matches the beginning of a composite value that is printed with %#v because it does not
// marshal to JSON, as Kubernetes' internal types do not.
var goSyntax = regexp.MustCompile(`^[&(]?(?:\*|\[\d*\]|map\[[\w.]+\])*[A-Za-z_][\w./]*([({])`)

// address matches a pointer in a value that Go printed.
var address = regexp.MustCompile(`\(0x[0-9a-f]+\)`)

// readGoSyntax reads a value in Go syntax and returns its text without the addresses, which differ
// whenever the validator is asked.
func readGoSyntax(text string) (value any, length int) {
	match := goSyntax.FindStringSubmatchIndex(text)
	if match == nil {
		return nil, 0
	}
	depth := 0
	for i := match[2]; i < len(text); i++ {
		switch text[i] {
		case '"', '`':
			if quoted, err := strconv.QuotedPrefix(text[i:]); err == nil {
				i += len(quoted) - 1
			}
		case '{', '(':
			depth++
		case '}', ')':
			if depth--; depth == 0 {
				return address.ReplaceAllString(text[:i+1], "(…)"), i + 1
			}
		}
	}
	return nil, 0
}

// scalarStruct matches a struct that represents a number or a text, as apimachinery before v0.34
// prints it (field.Error.ErrorBody, %#v).
var scalarStruct = regexp.MustCompile(`^(?:intstr\.IntOrString\{Type:([01]), IntVal:(-?\d+), StrVal:("(?:[^"\\]|\\.)*")\}|` +
	`resource\.Quantity\{i:resource\.int64Amount\{value:(-?\d+), scale:(-?\d+)\}, d:resource\.infDecAmount\{Dec:\(\*inf\.Dec\)` +
	`\(nil\)\}, s:"[^"]*", Format:"\w*"\})`)

// readScalarStruct reads the value of such a struct.
func readScalarStruct(text string) (value any, length int) {
	match := scalarStruct.FindStringSubmatch(text)
	switch {
	case match == nil:
		return nil, 0
	case match[1] == "0":
		number, err := strconv.ParseInt(match[2], 10, 32)
		if err != nil {
			return nil, 0
		}
		return number, len(match[0])
	case match[1] == "1":
		unquoted, err := strconv.Unquote(match[3])
		if err != nil {
			return nil, 0
		}
		return unquoted, len(match[0])
	}
	amount, err := strconv.ParseInt(match[4], 10, 64)
	scale, errOfScale := strconv.ParseInt(match[5], 10, 32)
	if err != nil || errOfScale != nil {
		return nil, 0
	}
	quantity := resource.NewScaledQuantity(amount, resource.Scale(scale))
	return quantity.String(), len(match[0])
}

// plain matches unquoted texts of values with a String method, such as durations, times, addresses
// and names, and unsigned numbers, which %#v prints in hexadecimal. Apimachinery since v0.34 prints
// them as JSON.
var plain = regexp.MustCompile(`^(?:0x[0-9a-f]+` +
	`|-?(?:\d+(?:\.\d+)?(?:ns|µs|μs|us|ms|s|m|h))+` +
	`|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? [+-]\d{4} [A-Z0-9+-]+(?: m=[+-]\d+\.\d+)?` +
	`|\d+\.\d+\.\d+\.\d+(?:/\d+)?|[0-9a-fA-F]*:[0-9a-fA-F:]*:[0-9a-fA-F.:]*[0-9a-fA-F](?:/\d+)?` +
	`|[a-z0-9][a-z0-9.-]*/[a-z0-9][a-z0-9.-]*(?:, Kind=\w+|, Resource=\w+)?)`)

// readPlain reads such a text.
func readPlain(text string) (value any, length int) {
	found := plain.FindString(text)
	if number, err := strconv.ParseInt(found, 0, 64); err == nil {
		return number, len(found)
	}
	return found, len(found)
}
