package idl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// vocabulary is all markers of the dialects of a run. It distinguishes a misspelled marker from a
// marker of another tool.
type vocabulary struct {
	names      []string
	namespaces []string // prefixes that belong to a dialect, such as "kubebuilder:"
}

// namespaced is a dialect that owns all markers with a prefix. An unknown marker with the prefix
// is a mistake, even if no known name is similar.
type namespaced interface {
	namespace() string
}

func newVocabulary(dialects []Dialect) *vocabulary {
	v := &vocabulary{}
	for _, dialect := range dialects {
		v.names = append(v.names, dialect.Names()...)
		if owner, ok := dialect.(namespaced); ok && owner.namespace() != "" {
			v.namespaces = append(v.namespaces, owner.namespace())
		}
	}
	slices.Sort(v.names)
	v.names = slices.Compact(v.names)
	return v
}

// errForeign means that a marker belongs to another tool.
var errForeign = errors.New("belongs to another tool")

// explain returns the error for a marker that no dialect knows. It is errForeign if the marker
// resembles no known marker.
func (v *vocabulary) explain(text string) error {
	name, rest := splitName(text)
	bare := strings.TrimLeft(text[1:], " \t")
	if !startsAsName(bare) || isForeign(name) {
		return errForeign
	}
	prefix, own := cutPrefix(name)
	if known, fields := v.longest(own); known != "" {
		return v.misuse(prefix+known, fields, rest, bare != text[1:])
	}
	if meant := v.nearest(own); meant != "" {
		if bare != text[1:] && !strings.HasPrefix(rest, "=") && !strings.EqualFold(own, meant) {
			return errForeign // prose: "+ limit of …"
		}
		return fmt.Errorf("unknown marker +%s; did you mean +%s?", name, prefix+meant)
	}
	if meant := cmp.Or(v.mistakenPrefix(own), v.abbreviated(own)); meant != "" {
		return fmt.Errorf("unknown marker +%s; did you mean +%s?", name, prefix+meant)
	}
	for _, known := range []string{"groupName", "versionName"} { // FindPackage reads them
		if distance(strings.ToLower(own), strings.ToLower(known)) <= tolerance(known) {
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
	return errForeign
}

// withoutPlus returns the error for a line that is a marker of a namespace but for its plus sign, as
// "kubebuilder:validation:MinLength=3". Nil: the line is none.
func (v *vocabulary) withoutPlus(text string) error {
	bare := strings.TrimLeft(text, "-@#! ")
	name, rest := splitName("+" + bare)
	known, _ := v.longest(name)
	owned := slices.ContainsFunc(v.namespaces, func(namespace string) bool { return strings.HasPrefix(known, namespace) })
	if !owned || strings.TrimSpace(rest) != "" && !strings.HasPrefix(strings.TrimPrefix(rest, ":"), "=") {
		return nil
	}
	return fmt.Errorf("a marker begins with a plus sign; did you mean +%s?", bare)
}

// misuse returns the error for a marker with a known name that was still not understood.
func (v *vocabulary) misuse(name, fields, rest string, spaced bool) error {
	switch {
	case spaced && (rest == "" || strings.HasPrefix(rest, "=")):
		return fmt.Errorf("a marker has no space after the plus sign; did you mean +%s%s?", name, rest)
	case spaced:
		return errForeign // prose: "+ optional things"
	case fields != "":
		return fmt.Errorf("+%s is not a marker; did you mean +%s=%s?", name+":"+fields, name, fields)
	case strings.HasPrefix(strings.TrimLeft(rest, " \t"), "="):
		return fmt.Errorf("a marker has no space before the equals sign; did you mean +%s=%s?", name, strings.TrimLeft(rest, " \t=:"))
	case rest != "":
		return fmt.Errorf("+%s: unexpected %q after the name; write +%s or +%s=…, and nothing else on the line", name, strings.TrimSpace(rest), name, name)
	}
	return errForeign
}

// longest returns the longest known name that a marker begins with, and the rest of the marker.
func (v *vocabulary) longest(name string) (known, fields string) {
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

// nearest returns the known name that a misspelled name most likely means, or "".
func (v *vocabulary) nearest(name string) string { return nearestOf(name, v.names) }

// nearestOf returns the one of known that a misspelled name most likely means, or "".
func nearestOf(name string, known []string) string {
	best, bestDistance := "", 1<<30
	for _, each := range known {
		d := likeness(name, each)
		if d <= tolerance(each) && d < bestDistance {
			best, bestDistance = each, d
		}
	}
	return best
}

// likeness returns the edit distance between two names, ignoring case. A name without the first
// part of its namespace, such as "validation:Minimum", is close.
func likeness(name, known string) int {
	name, known = strings.ToLower(name), strings.ToLower(known)
	if strings.HasSuffix(known, ":"+name) && strings.Contains(name, ":") {
		return 1
	}
	return distance(name, known)
}

// tolerance returns how many typos to accept in a name.
func tolerance(known string) int {
	switch n := len(known); {
	case n <= 5:
		return 1
	case n <= 12:
		return 2
	}
	return 3
}

// mistakenPrefix finds a prefix that does not exist, such as in "item:pattern", before a known
// name.
func (v *vocabulary) mistakenPrefix(name string) string {
	prefix, rest, ok := strings.Cut(name, ":")
	if !ok {
		return ""
	}
	var meant string
	for _, known := range []string{"items", "values", "keys"} {
		if distance(strings.ToLower(prefix), known) <= 2 {
			meant = known
		}
	}
	if meant == "" {
		return ""
	}
	if known := v.nearest(rest); known != "" {
		return meant + ":" + known
	}
	return ""
}

// abbreviated returns the shortest known name that begins with the given name, as in "+min=1". It
// ignores words that other tools are likely to use.
func (v *vocabulary) abbreviated(name string) string {
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
func (v *vocabulary) within(namespace string) []string {
	return slices.DeleteFunc(slices.Clone(v.names), func(name string) bool { return !strings.HasPrefix(name, namespace) })
}

// accepted returns the error for an unknown marker in an overlay, where no other tool reads
// markers. Similar names come first.
func (v *vocabulary) accepted(name string) error {
	if meant := v.nearest(name); meant != "" {
		return fmt.Errorf("unknown marker +%s; did you mean +%s?", name, meant)
	}
	return fmt.Errorf("unknown marker +%s; accepted: %s", name, v.list())
}

// list is the names for messages, those of a namespace by its prefix.
func (v *vocabulary) list() string {
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

// splitName splits a marker after its name: at "=", at an argument in parentheses, or at a space.
func splitName(text string) (name, rest string) {
	bare := strings.TrimLeft(strings.TrimPrefix(text, "+"), " \t")
	end := strings.IndexFunc(bare, func(r rune) bool { return r == '=' || r == '(' || unicode.IsSpace(r) })
	if end < 0 {
		end = len(bare)
	}
	rest = bare[end:]
	name = bare[:end]
	if strings.HasSuffix(name, ":") && strings.HasPrefix(rest, "=") { // kubebuilder's +name:=value
		name, rest = name[:len(name)-1], ":"+rest
	}
	return strings.TrimSuffix(name, ":"), rest
}

// cutPrefix removes the steps of a marker from its name.
func cutPrefix(name string) (prefix, own string) {
	steps, own := cutSteps(name)
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

// distance returns the number of letters to insert, delete, replace, or swap with their neighbour
// to turn one text into the other (optimal string alignment).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			replaced := rows[i-1][j-1]
			if x[i-1] != y[j-1] {
				replaced++
			}
			rows[i][j] = min(replaced, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
