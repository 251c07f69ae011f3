package explore

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// planWords plans the values that an error names, at its field. It is called for errors that are
// new.
func (e *Explorer) planWords(t task, said generate.Mistake) {
	if t.near == nil {
		return
	}
	place, schema, ok := locate(e.options.Schema, t.near, said.Field)
	if !ok {
		return
	}
	value, has := place.Get(t.near)
	at := site{path: place, schema: schema, value: value, has: has}
	for _, word := range append(said.Words(), numerals.FindAllString(said.Text, mostNumerals)...) {
		for _, to := range wordsOf(schema, word) {
			e.addChange(t.near, at, at.general(), "", change{aim: literal, name: fmt.Sprintf("said: %.60v", to), to: to})
		}
	}
}

// numerals matches the numbers of an error, which often are bounds.
var numerals = regexp.MustCompile(`\b[0-9]{1,9}\b`)

const mostNumerals = 8

// wordsOf returns the values of a field that a word in an error represents.
func wordsOf(s *props, word string) []any {
	number, err := strconv.ParseInt(word, 10, 32)
	if err != nil {
		if s.Type == "string" || s.XIntOrString {
			return []any{word}
		}
		return nil
	}
	return fitting(generate.Seeded(0), s, nil, number)
}

// locate returns the place in an object that an error names.
func locate(s *props, object any, named string) (steps, *props, bool) {
	var path steps
	for _, at := range fieldpath.Split(named) {
		token := at.Text
		switch value := object.(type) {
		case []any:
			index, err := strconv.Atoi(token)
			if err != nil || index >= len(value) || index < 0 {
				return nil, nil, false
			}
			path, object = path.Item(index), value[index]
		default:
			fields, _ := value.(map[string]any)
			next := path.Field(token)
			if _, declared := s.Properties[token]; !declared && s.AdditionalProperties != nil {
				next = path.Key(token)
			}
			path, object = next, fields[token]
		}
		s = schemaAt(s, path[len(path)-1:])
	}
	return path, s, len(path) > 0
}
