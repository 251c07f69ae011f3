package objecttext

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/diffrun/diffrun/harness/contract"
)

// Document returns an object as a document, or nil. A type of another module may panic.
func Document(object any) (document map[string]any) {
	var panicked error
	defer contract.Recover(&panicked)
	switch object := object.(type) {
	case nil:
		return nil
	case map[string]any:
		return object
	}
	if document, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object); err == nil {
		return document
	}
	if data, err := json.Marshal(object); err != nil || json.Unmarshal(data, &document) != nil {
		return nil
	}
	return document
}

// Replace replaces a phrase in a message where it is not a part of a longer word.
func Replace(message, phrase, by string) string {
	first, _ := utf8.DecodeRuneInString(phrase)
	last, _ := utf8.DecodeLastRuneInString(phrase)
	var shown strings.Builder
	for {
		at := strings.Index(message, phrase)
		if at < 0 {
			shown.WriteString(message)
			return shown.String()
		}
		end := at + len(phrase)
		before, _ := utf8.DecodeLastRuneInString(message[:at])
		after, _ := utf8.DecodeRuneInString(message[end:])
		shown.WriteString(message[:at])
		if at > 0 && InWord(first) && InWord(before) || end < len(message) && InWord(last) && InWord(after) {
			_, size := utf8.DecodeRuneInString(message[at:])
			shown.WriteString(message[at : at+size])
			message = message[at+size:]
			continue
		}
		shown.WriteString(by)
		message = message[end:]
	}
}

// InWord reports whether a rune is part of a word, as letters, digits and most runes beyond ASCII are.
func InWord(r rune) bool {
	return r >= utf8.RuneSelf && !unicode.IsSpace(r) && r != '…' && r != utf8.RuneError || r == '_' || '0' <= r &&
		r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// Common reports whether a word in lower case is common in messages. Messages keep such words even if an
// object has them: a message with "must" says nothing about an object with the text "must".
func Common(word string) bool { return commonWords[word] }

var commonWords = setOf(
	"a", "all", "already", "an", "and", "any", "are", "as", "at", "be", "been", "below", "above", "between", "both", "but", "by",
	"can", "cannot", "contain", "contains", "consist", "could", "did", "do", "does", "each", "either", "empty", "end",
	"equal", "every", "exactly", "exceed",
	"expected", "field", "fields", "for", "from", "found", "given", "got", "greater", "has", "have", "if", "in", "instead",
	"into", "invalid", "is", "it", "its",
	"least", "less", "long", "longer", "may", "missing", "more", "most", "must", "neither", "no", "non", "none", "nor",
	"not", "of", "on", "once", "one", "only", "or", "other", "out",
	"range", "required", "same", "set", "should", "so", "supported", "than", "that", "the", "their", "them", "then",
	"there", "these", "they", "this", "those", "to", "too",
	"unique", "unknown", "unless", "unset", "unsupported", "up", "valid", "value", "values", "was", "were", "when",
	"where", "which", "while", "with", "within", "without", "wrong",
)

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}
