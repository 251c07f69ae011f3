package equivalence

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Cause is what differences share that probably have one reason: the kind, the class, the
// field but for indices and keys, and both errors but for what is particular to an
// object. Causes can be compared with == and be keys of maps.
type Cause struct {
	// Kind is that of the objects, in any group and version: a kind has one validator.
	Kind, Subresource string
	Class             Class
	// Field is that of the pair, as the pattern of it at any index or key. OtherField is
	// that of the schema's error if the class is Path, and otherwise empty.
	Field, OtherField   string
	Native, Declarative CauseError
}

// CauseError is what errors of one side share; the zero value stands for no error.
type CauseError struct {
	Type field.ErrorType
	// Detail is their text, with "#" for each number and each quoted value.
	Detail string
}

// CauseOf gives the cause of the difference that a pair is.
func CauseOf(subject Subject, pair Pair) Cause {
	cause := Cause{
		Kind: subject.GroupVersionKind.Kind, Subresource: subject.Subresource, Class: pair.Class,
		Field: generalField(pair.Field()), Native: causeError(pair.Native), Declarative: causeError(pair.Declarative),
	}
	if pair.Class == Path && pair.Declarative != nil {
		cause.OtherField = generalField(pair.Declarative.Field)
	}
	return cause
}

// Signature is a short name for the cause, the same in every run. Words, such as the
// effect, tell apart what has one cause otherwise.
func (c Cause) Signature(words ...string) string {
	text := joinKey(append(words, c.Kind, c.Subresource, string(c.Class), c.Field, c.OtherField,
		string(c.Native.Type), c.Native.Detail, string(c.Declarative.Type), c.Declarative.Detail)...)
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

func causeError(err *field.Error) CauseError {
	if err == nil {
		return CauseError{}
	}
	return CauseError{Type: err.Type, Detail: GeneralText(err.Detail)}
}

// longestCause is how much of a field or a text tells causes apart. It bounds what those
// keep who collect causes.
const longestCause = 400

func generalField(at string) string {
	return GeneralText(anyIndex(at))
}

// particular is what differs between texts that say the same about other objects.
var particular = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|'[^' ]*'|[0-9]+")

// unended is the beginning of a quoted value.
var unended = regexp.MustCompile("(?s)(?:[\"`]|'[^' ]*$).*$")

// GeneralText gives a text with "#" for each number and each quoted value, cut where it is
// long. Texts that say the same about other objects become equal.
func GeneralText(text string) string {
	if len(text) <= longestCause {
		return particular.ReplaceAllString(strings.TrimSpace(text), "#")
	}
	text = strings.ToValidUTF8(text[:longestCause], "")
	return unended.ReplaceAllString(particular.ReplaceAllString(strings.TrimSpace(text), "#"), "#")
}
