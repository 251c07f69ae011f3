package equivalence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// otherKeys reports whether two Duplicate errors are about different keys: one names a scalar, the other
// an item whose list keys have different values. Their texts do not tell.
func (l line) otherKeys(other line) bool {
	if l.err.Type != field.ErrorTypeDuplicate || other.err.Type != field.ErrorTypeDuplicate {
		return false
	}
	return l.keysDiffer(other) || other.keysDiffer(l)
}

// keysDiffer reports whether the error names an item whose keys differ from the scalar of the other
// error. An error at a field of the item is about that key. For several keys, the scalar must list them.
func (l line) keysDiffer(other line) bool {
	scalar := other.bad()
	item, isMap := l.value.Whole.(map[string]any)
	if !isMap || !scalar.Scalar() {
		return false
	}
	if depth := len(l.steps); len(other.steps) == depth+1 && slices.Equal(l.steps, other.steps[:depth]) {
		return badValue{fielderror.ReadValue(item[other.steps[depth].Text])}.contradicts(scalar, noAmount)
	}
	if l.declared == nil {
		return false
	}
	for _, list := range l.declared.Keyword(l.err.Field, "x-kubernetes-list-map-keys") {
		names := strings.Split(list, ",")
		keys := map[string]badValue{}
		for _, name := range names {
			if value := (badValue{fielderror.ReadValue(item[name])}); value.Scalar() {
				keys[name] = value
			}
		}
		switch {
		case len(keys) == 0:
		case len(names) == 1 && keys[list].Text != scalar.Text && keys[list].contradicts(scalar, noAmount), len(names) > 1 &&
			!lists(scalar.Text, keys):
			return true
		}
	}
	return false
}

// lists reports whether a text lists the values of some keys, each once, in any order, with or without
// the names of the keys, and nothing else. No value may contain a separator, because its end would be
// unclear.
func lists(text string, keys map[string]badValue) bool {
	reader := keyReader{text: text, keys: keys}
	return reader.reads(0, nil)
}

// keyReader reads a list of keys by backtracking.
type keyReader struct {
	text string
	keys map[string]badValue
}

// reads reports whether the rest of the text lists the keys that were not read yet.
func (k keyReader) reads(at int, read []string) bool {
	if len(read) == len(k.keys) && !strings.ContainsFunc(k.text[at:], isWordRune) {
		return true
	}
	for name, value := range k.keys {
		if slices.Contains(read, name) {
			continue
		}
		for _, start := range k.starts(at, name) {
			end := start + len(value.Text)
			if strings.HasPrefix(k.text[start:], value.Text) && k.whole(start, end, value) &&
				(at == 0 || k.separates(k.text[at:start])) && k.reads(end, append(slices.Clone(read), name)) {
				return true
			}
		}
	}
	return false
}

// starts returns where the value of a key may begin: after characters that are in no word, and after its
// name.
func (k keyReader) starts(at int, name string) []int {
	var starts []int
	for i := at; i <= len(k.text); {
		starts = append(starts, i)
		if rest, named := strings.CutPrefix(k.text[i:], name); named && rest != "" && strings.ContainsRune("=: \"", rune(rest[0])) {
			i += len(name)
			continue
		}
		next, size := utf8.DecodeRuneInString(k.text[i:])
		if size == 0 || isWordRune(next) {
			break
		}
		i += size
	}
	return starts
}

// separates reports whether a text between two values is not empty and in no value.
func (k keyReader) separates(text string) bool {
	for _, value := range k.keys {
		if text == "" || strings.Contains(value.Text, text) {
			return false
		}
	}
	return true
}

// whole reports whether a value is not part of a longer word or number.
func (k keyReader) whole(start, end int, value badValue) bool {
	before, _ := utf8.DecodeLastRuneInString(k.text[:start])
	first, _ := utf8.DecodeRuneInString(value.Text)
	last, _ := utf8.DecodeLastRuneInString(value.Text)
	after, _ := utf8.DecodeRuneInString(k.text[end:])
	if start > 0 && isWordRune(before) && isWordRune(first) || end < len(k.text) && isWordRune(after) && isWordRune(last) {
		return false
	}
	if value.Kind != fielderror.Number {
		return true
	}
	fraction := strings.HasPrefix(k.text[end:], ".") && startsWithDigit(k.text[end+1:])
	signed := before == '-' && !strings.ContainsFunc(k.text[max(0, start-2):start-1], isWordRune)
	return !fraction && !signed && !(before == '.' && start > 1)
}

func startsWithDigit(text string) bool { return text != "" && '0' <= text[0] && text[0] <= '9' }

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
