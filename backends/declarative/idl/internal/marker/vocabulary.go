package marker

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/diffrun/diffrun/internal/text/oneof"
)

// Vocabulary is the names of all markers of a run. It distinguishes a misspelled marker from a
// marker of another tool.
type Vocabulary struct {
	names      []string
	namespaces []string // prefixes that belong to a dialect, such as "kubebuilder:"
}

// NewVocabulary returns the vocabulary of some names. An unknown marker with the prefix of a
// namespace is a mistake, even if no known name is similar.
func NewVocabulary(names, namespaces []string) *Vocabulary {
	return &Vocabulary{slices.Compact(slices.Sorted(slices.Values(names))), namespaces}
}

// ErrOtherTool means that a marker belongs to another tool.
var ErrOtherTool = errors.New("belongs to another tool")

// Explain returns the error for a marker that no dialect knows. It is ErrOtherTool if the marker
// resembles no known marker.
func (v *Vocabulary) Explain(text string) error {
	name, rest := SplitName(text)
	bare := strings.TrimLeft(text[1:], " \t")
	if !startsAsName(bare) || OfOtherTool(name) {
		return ErrOtherTool
	}
	prefix, own := cutPrefix(name)
	if known, fields := v.longest(own); known != "" {
		return v.misuse(prefix+known, fields, rest, bare != text[1:])
	}
	if meant := Nearest(own, v.names); meant != "" {
		if bare != text[1:] && !strings.HasPrefix(rest, "=") && !strings.EqualFold(own, meant) {
			return ErrOtherTool // prose: "+ limit of …"
		}
		return fmt.Errorf("unknown marker +%s; did you mean +%s?", name, prefix+meant)
	}
	if meant := cmp.Or(v.mistakenPrefix(own), v.abbreviated(own)); meant != "" {
		return fmt.Errorf("unknown marker +%s; did you mean +%s?", name, prefix+meant)
	}
	for _, known := range []string{"groupName", "versionName"} { // FindPackage reads them
		if oneof.Distance(strings.ToLower(own), strings.ToLower(known)) <= tolerance(known) {
			return fmt.Errorf("unknown marker +%s; did you mean +%s?", name, known)
		}
	}
	for _, namespace := range v.namespaces {
		if strings.HasPrefix(strings.ToLower(own), namespace) {
			return fmt.Errorf("unknown marker +%s; accepted: %s", name, strings.Join(v.within(namespace), ", "))
		}
	}
	if prefix != "" {
		return fmt.Errorf("unknown marker +%s; accepted after +%s…: %s", name, prefix, v.list())
	}
	return ErrOtherTool
}

// CheckPlus returns an error for a line that is a marker of a namespace without its plus sign, such
// as "kubebuilder:validation:MinLength=3".
func (v *Vocabulary) CheckPlus(text string) error {
	bare := strings.TrimLeft(text, "-@#! ")
	name, rest := SplitName("+" + bare)
	known, _ := v.longest(name)
	owned := slices.ContainsFunc(v.namespaces, func(namespace string) bool { return strings.HasPrefix(known, namespace) })
	if !owned || strings.TrimSpace(rest) != "" && !strings.HasPrefix(strings.TrimPrefix(rest, ":"), "=") {
		return nil
	}
	return fmt.Errorf("a marker begins with a plus sign; did you mean +%s?", bare)
}

// misuse returns the error for a marker that has a known name and still was not understood.
func (v *Vocabulary) misuse(name, fields, rest string, spaced bool) error {
	switch {
	case spaced && (rest == "" || strings.HasPrefix(rest, "=")):
		return fmt.Errorf("a marker has no space after the plus sign; did you mean +%s%s?", name, rest)
	case spaced:
		return ErrOtherTool // prose: "+ optional things"
	case fields != "":
		return fmt.Errorf("+%s is not a marker; did you mean +%s=%s?", name+":"+fields, name, fields)
	case strings.HasPrefix(strings.TrimLeft(rest, " \t"), "="):
		return fmt.Errorf("a marker has no space before the equals sign; did you mean +%s=%s?", name, strings.TrimLeft(rest, " \t=:"))
	case rest != "":
		return fmt.Errorf("+%s: unexpected %q after the name; write +%s or +%s=…, and nothing else on the line", name,
			strings.TrimSpace(rest), name, name)
	}
	return ErrOtherTool
}

// longest returns the longest known name that a marker begins with, and the rest of the marker.
func (v *Vocabulary) longest(name string) (known, fields string) {
	for at := name; ; {
		if slices.Contains(v.names, at) {
			return at, strings.TrimPrefix(strings.TrimPrefix(name, at), ":")
		}
		end := strings.LastIndex(at, ":")
		if end < 0 {
			return "", ""
		}
		at = at[:end]
	}
}

// mistakenPrefix finds a prefix that does not exist, such as in "item:pattern", before a known
// name.
func (v *Vocabulary) mistakenPrefix(name string) string {
	prefix, rest, ok := strings.Cut(name, ":")
	if !ok {
		return ""
	}
	var meant string
	for _, known := range []string{"items", "values", "keys"} {
		if oneof.Distance(strings.ToLower(prefix), known) <= 2 {
			meant = known
		}
	}
	if meant == "" {
		return ""
	}
	if known := Nearest(rest, v.names); known != "" {
		return meant + ":" + known
	}
	return ""
}

// abbreviated returns the shortest known name that begins with the given name, as in "+min=1". It
// ignores words that other tools are likely to use.
func (v *Vocabulary) abbreviated(name string) string {
	const leastLetters = 3
	if len(name) < leastLetters || slices.Contains([]string{"list", "map", "name", "struct", "valid"}, name) {
		return ""
	}
	var best string
	for _, known := range v.names {
		if strings.HasPrefix(strings.ToLower(known), strings.ToLower(name)) && (best == "" || len(known) < len(best)) {
			best = known
		}
	}
	return best
}

// within returns the names of a namespace.
func (v *Vocabulary) within(namespace string) []string {
	return slices.DeleteFunc(slices.Clone(v.names), func(name string) bool { return !strings.HasPrefix(name, namespace) })
}

// Unknown returns the error for an unknown marker where no other tool reads markers, as in an
// overlay. It suggests a similar name, or lists all names.
func (v *Vocabulary) Unknown(name string) error {
	if meant := Nearest(name, v.names); meant != "" {
		return fmt.Errorf("unknown marker +%s; did you mean +%s?", name, meant)
	}
	return fmt.Errorf("unknown marker +%s; accepted: %s", name, v.list())
}

// list returns the names for messages. A namespace is listed as its prefix.
func (v *Vocabulary) list() string {
	var own []string
	for _, name := range v.names {
		if !slices.ContainsFunc(v.namespaces, func(namespace string) bool { return strings.HasPrefix(name, namespace) }) {
			own = append(own, name)
		}
	}
	for _, namespace := range v.namespaces {
		own = append(own, namespace+"…")
	}
	return strings.Join(own, ", ")
}

// cutPrefix removes the steps of a marker from its name.
func cutPrefix(name string) (prefix, own string) {
	steps, own := CutSteps(name)
	if len(steps) == 0 {
		return "", name
	}
	return strings.TrimSuffix(name, own), own
}

// startsAsName reports whether a text can be a marker. Tables and sums in comments cannot.
func startsAsName(text string) bool {
	first := []rune(text)
	if len(first) == 0 {
		return false
	}
	return unicode.IsLetter(first[0]) || first[0] == '.' && len(first) > 1 && unicode.IsLetter(first[1])
}
