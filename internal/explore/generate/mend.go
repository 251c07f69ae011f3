package generate

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/object"
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
		opts.Values = 1 + Dice{src}.IntN(6)
		changed := newObjects(src, opts).mend(schema, obj, Pick(Dice{src}, wrong...))
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

// mend returns an object in which the wrong value or one near it is another one.
func (g *objects) mend(s *props, obj map[string]any, wrong Mistake) map[string]any {
	path := fieldpath.Split(wrong.Field)
	for len(path) > 1 && g.OneIn(4) {
		path = path[:len(path)-1] // the mistake may be in a value around it
	}
	if len(path) == 0 || path[0].Text == "apiVersion" || path[0].Text == "kind" {
		return obj
	}
	kind := mendings[g.IntN(len(mendings))]
	at, s, reached := locate(s, obj, path)
	value, there := at.Get(obj)
	switch {
	case !reached:
		return at.Put(obj, g.right(s, maxDepth))
	case kind == takenOut && there:
		return at.Delete(obj)
	case kind == worded:
		return at.Put(obj, g.worded(s, value, Pick(g.Dice, append(wrong.Words(), wellKnown[g.IntN(len(wellKnown))])...)))
	case kind == copied && path[0].Text != "metadata": // no other value is similar
		if all := alike(obj, value, nil); len(all) > 0 {
			return at.Put(obj, Pick(g.Dice, all...))
		}
	}
	return at.Put(obj, g.right(s, maxDepth-len(path)))
}

// locate returns the path of a part of a value, with its schema. If a value on the way has no such part, it returns
// that value, and false.
func locate(s *props, value any, field []fieldpath.Step) (object.Path, *props, bool) {
	var at object.Path
	for _, step := range field {
		switch in := value.(type) {
		case map[string]any:
			at, s, value = at.Field(step.Text), fieldOf(s, step.Text), in[step.Text]
		case []any:
			index, err := strconv.Atoi(step.Text)
			if err != nil || index < 0 || index >= len(in) {
				return at, s, false
			}
			at, s, value = at.Item(index), Items(s), in[index]
		default:
			return at, s, false
		}
	}
	return at, s, true
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
	if len(texts) == 0 {
		return value
	}
	return object.Of(Pick(g.Dice, texts...)).Put(fields, word)
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
