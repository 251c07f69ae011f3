package redaction

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/objecttext"
)

// blank replaces a removed word, number or quoted value.
const blank = "#"

// Limits of the comparison.
const (
	// longestMessage limits a message before it is generalized, which shortens it further.
	longestMessage = 4096
	// longestWord limits words that are not texts of an object.
	longestWord = 80
	// shortestPart is the smallest part of a word that is searched for, in bytes.
	shortestPart = 4
)

// texts holds the texts of the objects of a case.
type texts struct {
	// whole has texts of one word, in lower case; phrases the others, the longest first.
	whole   map[string]bool
	phrases []string
	// words are the words of all texts, in lower case.
	words map[string]bool
	// all joins all texts in lower case, to find parts of words.
	all string
	// says reports whether a word is in the schema, at any place.
	says func(word string) bool
	// absent: the case could not be read, so there are no texts of objects. unknown: it has an object whose
	// texts cannot be read.
	absent, unknown bool
}

func newTexts(r *harness.Result, known vocabulary) *texts {
	collecting, unknown := &collector{seen: map[string]bool{}}, false
	for _, object := range []any{r.Case.Object, r.Case.Old} {
		document := objecttext.Document(object)
		collecting.object(document, known)
		unknown = unknown || object != nil && document == nil
	}
	if c := r.Case; c.ID != c.Source {
		collecting.add(c.ID)
	}
	if !slices.Contains(apiname.Subresources(), r.Case.Subresource) {
		collecting.add(r.Case.Subresource)
	}
	t := &texts{whole: map[string]bool{}, words: map[string]bool{}, says: known.says, absent: r.Case.Object == nil, unknown: unknown}
	var all strings.Builder
	for _, text := range collecting.texts {
		lower := strings.ToLower(text)
		all.WriteString(lower)
		all.WriteByte(0)
		for word := range wordsOf(lower) {
			t.words[word] = true
		}
		switch trimmed := strings.TrimSpace(text); {
		case isWord(trimmed):
			t.whole[strings.ToLower(trimmed)] = true
		case len(trimmed) > 2 || strings.ContainsFunc(trimmed, objecttext.InWord):
			t.phrases = append(t.phrases, trimmed)
		}
	}
	t.all = all.String()
	slices.SortStableFunc(t.phrases, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return t
}

// without returns a message without the texts, and without numbers and quoted values.
func (t *texts) without(message string) string {
	if t.unknown {
		return blank
	}
	message = strings.ToValidUTF8(message, "�")
	if len(message) > longestMessage {
		message = strings.TrimRightFunc(strings.ToValidUTF8(message[:longestMessage], ""), objecttext.InWord)
	}
	for _, phrase := range t.phrases {
		message = objecttext.Replace(message, phrase, blank)
	}
	var shown strings.Builder
	for rest := message; rest != ""; {
		from := strings.IndexFunc(rest, objecttext.InWord)
		if from < 0 {
			shown.WriteString(rest)
			break
		}
		shown.WriteString(rest[:from])
		rest = rest[from:]
		to := strings.IndexFunc(rest, func(r rune) bool { return !objecttext.InWord(r) })
		if to < 0 {
			to = len(rest)
		}
		word := rest[:to]
		rest = rest[to:]
		if cutOff(rest) && !objecttext.Common(strings.ToLower(word)) {
			word = blank
		}
		shown.WriteString(t.word(word))
	}
	return causes.GeneralText(shown.String())
}

// word returns a word of a message, or a blank.
func (t *texts) word(word string) string {
	lower := strings.ToLower(word)
	switch {
	case objecttext.Common(lower):
		return word
	case t.whole[lower]:
		return blank
	case t.says(word):
		return word
	case t.words[lower], len(word) > longestWord, t.isPart(lower), t.hasPart(lower):
		return blank
	}
	return word
}

// isPart reports whether a word is a part of a text.
func (t *texts) isPart(word string) bool {
	return len(word) >= shortestPart && strings.Contains(t.all, word)
}

// hasPart reports whether a word contains a word of a text.
func (t *texts) hasPart(word string) bool {
	for from := range word {
		for to := from + shortestPart; to <= len(word); to++ {
			if part := word[from:to]; t.words[part] && !objecttext.Common(part) && !t.says(part) {
				return true
			}
		}
	}
	return false
}

// ellipsis ends a text that was cut off.
const ellipsis = '…'

// cutOff reports whether the word before a text was cut off, so it may be a part of any word.
func cutOff(rest string) bool {
	first, _ := utf8.DecodeRuneInString(rest)
	return first == ellipsis || first == utf8.RuneError && rest != "" || strings.HasPrefix(rest, "..")
}

func isWord(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !objecttext.InWord(r) })
}

// wordsOf yields the words of a text.
func wordsOf(text string) func(yield func(string) bool) {
	return strings.FieldsFuncSeq(text, func(r rune) bool { return !objecttext.InWord(r) })
}
