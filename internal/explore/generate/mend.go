package generate

import (
	"regexp"
	"slices"
)

// Mending is how Mend makes an object valid.
type Mending struct {
	// Wrong returns what is wrong with the object; nothing if it is valid.
	Wrong func(obj map[string]any) []Mistake
	// Steps is how many changes are tried at most.
	Steps int
	// Object has the options of Object for the object.
	Object ObjectOptions
}

// Mistake is something that is wrong with an object.
type Mistake struct {
	// Field is where, as errors write it ("spec.ports[0].name").
	Field string
	// Text is the error. The words that it quotes may be right there.
	Text string
}

// quotation matches quoted words.
var quotation = regexp.MustCompile(`"[^"]+"|'[^']+'`)

// longestWord is the length in bytes of the longest word that is taken from an error.
const longestWord = 200

// Words returns the quoted words of the error, often the accepted values. Long messages are not
// read to the end, because there are many of them.
func (m Mistake) Words() []string {
	const most, longest = 20, 4096
	words := quotation.FindAllString(m.Text[:min(len(m.Text), longest)], most)
	for i, word := range words {
		words[i] = word[1 : len(word)-1]
	}
	return slices.DeleteFunc(words, func(word string) bool { return len(word) > longestWord })
}

// Mend makes a valid object from a small one by changing the places that are wrong. It keeps each
// change after which the object is no worse. A change may also copy another value of the object,
// which satisfies rules that compare fields. It returns false if the object is still invalid.
func Mend(src Source, schema *props, obj map[string]any, mending Mending) (map[string]any, bool) {
	opts := mending.Object
	opts.Faults, opts.Generous = 0, false
	wrong := mending.Wrong(obj)
	for range mending.Steps {
		if len(wrong) == 0 {
			return obj, true
		}
		changed, _ := clone(obj).(map[string]any)
		opts.Values = 1 + dice{src}.IntN(6)
		newObjects(src, opts).mend(schema, changed, pick(dice{src}, wrong...))
		if left := mending.Wrong(changed); worse(left, wrong) <= 0 {
			obj, wrong = changed, left
		}
	}
	return obj, len(wrong) == 0
}

// worse compares two objects: the worse one has more mistakes near the root, because a missing
// value hides the mistakes in it.
func worse(a, b []Mistake) int {
	const levels = 8
	var balance [levels]int
	for _, m := range a {
		balance[min(len(PathTokens(m.Field)), levels-1)]++
	}
	for _, m := range b {
		balance[min(len(PathTokens(m.Field)), levels-1)]--
	}
	for _, more := range balance {
		if more != 0 {
			return more
		}
	}
	return 0
}

// mend changes the value where something is wrong, or one near it.
func (g *objects) mend(s *props, obj map[string]any, wrong Mistake) {
	path := PathTokens(wrong.Field)
	for len(path) > 1 && g.oneIn(4) {
		path = path[:len(path)-1] // what is wrong may be what stands around it
	}
	if len(path) == 0 || path[0] == "apiVersion" || path[0] == "kind" {
		return
	}
	kind := mendings[g.IntN(len(mendings))]
	g.at(s, obj, path, func(s *props, value any, there bool) (any, bool) {
		switch {
		case kind == takenOut && there:
			return nil, false
		case kind == worded:
			return g.worded(s, value, pick(g.dice, append(wrong.Words(), wellKnown[g.IntN(len(wellKnown))])...)), true
		case kind == copied && path[0] != "metadata": // nothing else is like it
			if all := alike(obj, value, nil); len(all) > 0 {
				return clone(pick(g.dice, all...)), true
			}
		}
		return g.right(s, maxDepth-len(path)), true
	})
}

// mendings are the ways to change a value. Making it anew is the most likely one.
var mendings = [...]mendingKind{madeAnew, madeAnew, takenOut, copied, worded}

type mendingKind uint8

const (
	madeAnew mendingKind = iota
	takenOut
	copied
	worded
)

// wellKnown are texts of the notations that rules ask for, and schemas have no format
// of.
var wellKnown = [...]string{
	"a", "1", "50%", "8080", "1Gi", "10.0.0.1", "10.0.0.0/8", "fd00::1", "0 0 * * *", "1h", "example.com", "https://example.com/a", "/a", "a=b",
}

// worded puts a word in the place of a value, or into a field of it.
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
		fields[pick(g.dice, texts...)] = word
	}
	return fields
}

// alike lists the values below one that are containers of the same kind as another value, or
// strings if it is one, without itself.
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

// at changes the value at a path. Missing fields on the way are added. The change returns the new
// value, or false to remove it from its map or list.
func (g *objects) at(s *props, fields map[string]any, path []string, change func(s *props, value any, there bool) (any, bool)) {
	name := path[0]
	in := fieldOf(s, name)
	value, there := fields[name]
	made, stays := g.atInside(in, value, there, path[1:], change)
	if !stays {
		delete(fields, name)
		return
	}
	fields[name] = made
}

// atInside changes a value, or what is at a path in it.
func (g *objects) atInside(s *props, value any, there bool, path []string, change func(*props, any, bool) (any, bool)) (any, bool) {
	if len(path) == 0 {
		return change(s, value, there)
	}
	switch value := value.(type) {
	case map[string]any:
		g.at(s, value, path, change)
		return value, true
	case []any:
		at, ok := index(path[0])
		if !ok || at >= len(value) {
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
