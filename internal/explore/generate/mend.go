package generate

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// Mending controls how Mend makes an object valid.
type Mending struct {
	// Wrong returns the mistakes in an object, and none if it is valid.
	Wrong func(obj map[string]any) []Mistake
	// Steps is the maximum number of changes that are tried.
	Steps int
	// Object has the options of Object.
	Object ObjectOptions
}

// Mistake is one thing that is wrong with an object.
type Mistake struct {
	// Field is the path, as errors write it ("spec.ports[0].name").
	Field string
	// Text is the error. The words that it quotes may be valid there.
	Text string
}

// quotation matches quoted words.
var quotation = regexp.MustCompile(`"[^"]+"|'[^']+'`)

// longestWord is the length in bytes of the longest word that is taken from an error.
const longestWord = 200

// Words returns the quoted words of the error, often the accepted values. Only the beginning of a
// long error is read.
func (m Mistake) Words() []string {
	const most, longest = 20, 4096
	words := quotation.FindAllString(m.Text[:min(len(m.Text), longest)], most)
	for i, word := range words {
		words[i] = word[1 : len(word)-1]
	}
	return slices.DeleteFunc(words, func(word string) bool { return len(word) > longestWord })
}

// Mend makes a small object valid by changing the places that are wrong. It keeps each change that
// does not make the object worse. A change may also copy another value of the object, which
// satisfies rules that compare fields. It returns false if the object is still invalid.
func Mend(src Source, schema *props, obj map[string]any, mending Mending) (map[string]any, bool) {
	opts := mending.Object
	opts.Faults, opts.Generous = 0, false
	wrong := mending.Wrong(obj)
	for range mending.Steps {
		if len(wrong) == 0 {
			return obj, true
		}
		changed, _ := clone(obj).(map[string]any)
		opts.Values = 1 + Dice{src}.IntN(6)
		newObjects(src, opts).mend(schema, changed, Pick(Dice{src}, wrong...))
		if left := mending.Wrong(changed); worse(left, wrong) <= 0 {
			obj, wrong = changed, left
		}
	}
	return obj, len(wrong) == 0
}

// worse compares two objects by their mistakes. The object with more mistakes near the root is
// worse, because a missing value hides the mistakes in it.
func worse(a, b []Mistake) int {
	const levels = 8
	var balance [levels]int
	for _, m := range a {
		balance[min(len(fieldpath.Split(m.Field)), levels-1)]++
	}
	for _, m := range b {
		balance[min(len(fieldpath.Split(m.Field)), levels-1)]--
	}
	for _, more := range balance {
		if more != 0 {
			return more
		}
	}
	return 0
}

// mend changes the wrong value or one near it.
func (g *objects) mend(s *props, obj map[string]any, wrong Mistake) {
	path := fieldpath.Split(wrong.Field)
	for len(path) > 1 && g.OneIn(4) {
		path = path[:len(path)-1] // the mistake may be in a value around it
	}
	if len(path) == 0 || path[0].Text == "apiVersion" || path[0].Text == "kind" {
		return
	}
	kind := mendings[g.IntN(len(mendings))]
	g.at(s, obj, path, func(s *props, value any, there bool) (any, bool) {
		switch {
		case kind == takenOut && there:
			return nil, false
		case kind == worded:
			return g.worded(s, value, Pick(g.Dice, append(wrong.Words(), wellKnown[g.IntN(len(wellKnown))])...)), true
		case kind == copied && path[0].Text != "metadata": // no other value is similar
			if all := alike(obj, value, nil); len(all) > 0 {
				return clone(Pick(g.Dice, all...)), true
			}
		}
		return g.right(s, maxDepth-len(path)), true
	})
}

// mendings lists the ways to change a value. Making it anew is the most likely one.
var mendings = [...]mendingKind{madeAnew, madeAnew, takenOut, copied, worded}

type mendingKind uint8

const (
	madeAnew mendingKind = iota
	takenOut
	copied
	worded
)

// wellKnown lists texts in notations that rules often require and that schemas have no format for.
var wellKnown = [...]string{
	"a", "1", "50%", "8080", "1Gi", "10.0.0.1", "10.0.0.0/8", "fd00::1", "0 0 * * *", "1h", "example.com",
	"https://example.com/a", "/a", "a=b",
}

// WellKnown returns texts in notations that rules often require and that schemas have no format for.
func WellKnown() []string { return wellKnown[:] }

// worded replaces a value by a word, or sets a field of an object to it.
func (g *objects) worded(s *props, value any, word string) any {
	fields, isMap := value.(map[string]any)
	if !isMap {
		return word
	}
	var texts []string
	for _, name := range sortedNames(s) {
		if s.Properties[name].Type == "string" {
			texts = append(texts, name)
		}
	}
	if len(texts) > 0 {
		fields[Pick(g.Dice, texts...)] = word
	}
	return fields
}

// alike adds to found the containers below a value that are of the same kind as another value, or
// the strings if that is a string.
func alike(in, to any, found []any) []any {
	switch in := in.(type) {
	case map[string]any:
		if _, isMap := to.(map[string]any); isMap {
			found = append(found, in)
		}
		for _, name := range sortedKeys(in) {
			found = alike(in[name], to, found)
		}
	case []any:
		for _, item := range in {
			found = alike(item, to, found)
		}
	case string:
		if _, isText := to.(string); isText && in != to {
			found = append(found, in)
		}
	}
	return found
}

// at changes the value at a path. It adds missing fields on the way. The change returns the new
// value, or false to remove the value from its map or list.
func (g *objects) at(s *props, fields map[string]any, path []fieldpath.Step, change func(s *props, value any, there bool) (any, bool)) {
	name := path[0].Text
	in := fieldOf(s, name)
	value, there := fields[name]
	made, stays := g.atInside(in, value, there, path[1:], change)
	if !stays {
		delete(fields, name)
		return
	}
	fields[name] = made
}

// atInside changes a value, or the value at a path in it.
func (g *objects) atInside(s *props, value any, there bool, path []fieldpath.Step, change func(*props, any, bool) (any, bool)) (any, bool) {
	if len(path) == 0 {
		return change(s, value, there)
	}
	switch value := value.(type) {
	case map[string]any:
		g.at(s, value, path, change)
		return value, true
	case []any:
		at, err := strconv.Atoi(path[0].Text)
		if err != nil || at < 0 || at >= len(value) {
			return g.right(s, maxDepth), true
		}
		made, stays := g.atInside(itemOf(s), value[at], true, path[1:], change)
		if !stays {
			return slices.Delete(value, at, at+1), true
		}
		value[at] = made
		return value, true
	}
	return g.right(s, maxDepth), true
}
