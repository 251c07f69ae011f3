package explore

import (
	"regexp"
	"slices"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
)

// remedy is an attempt to make a part that opens others acceptable: a value for a field that is wrong.
type remedy struct {
	// mistakes counts the errors before, depth the attempts.
	mistakes, depth int
	// text is the error that the value is for.
	text  string
	value any
}

// The numbers of attempts in a row, of wrong fields for which values are tried, and of values for each.
const (
	remedyDepth  = 4
	remedyFields = 2
	mostRemedies = 24
)

// planRemedies plans values for what is wrong with a part that opens others. A value that was the remedy for the
// same error elsewhere is tried alone.
func (e *Explorer) planRemedies(t task, answer Answer) {
	depth := 0
	if t.remedy != nil {
		if depth = t.remedy.depth; len(answer.Errors) >= t.remedy.mistakes {
			return
		}
		e.remedies[t.remedy.text] = t.remedy.value
	}
	if depth >= remedyDepth {
		return
	}
	var fields []string
	for _, said := range answer.Errors {
		if slices.Contains(fields, said.Field) || len(fields) == remedyFields {
			continue
		}
		path, schema, ok := locate(e.options.Schema, t.Object, said.Field)
		if !ok {
			continue
		}
		fields = append(fields, said.Field)
		for _, value := range e.remediesFor(said.Mistake, t.Object, path, schema) {
			object := replaced(t.Object, path, value)
			if object == nil {
				continue
			}
			next := t
			next.Input, next.assigned = e.sent(Input{Object: object, Old: t.Old}), nil
			next.remedy = &remedy{len(answer.Errors), depth + 1, said.Text, value}
			e.agenda.add(opening, next)
		}
	}
}

// fieldNames matches the words of a message that may be names of fields.
var fieldNames = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*`)

// withNamed returns the value at a path with changes of the fields that a message names: set, or taken out.
func (e *Explorer) withNamed(said generate.Mistake, in map[string]any, path steps, s *props) []any {
	value, _ := path.Get(in)
	fields := asObject(value)
	if fields == nil {
		return nil
	}
	var all []any
	for _, word := range fieldNames.FindAllString(said.Text, -1) {
		if _, declared := s.Properties[word]; !declared {
			continue
		}
		changed := object.Of(word).Put(fields, e.placer(e.src).part(path.Field(word)))
		if _, set := fields[word]; set {
			delete(changed, word)
		}
		all = append(all, changed)
	}
	return all
}

// examples matches the examples in messages.
var examples = regexp.MustCompile(`e\.g\.,? '?([^\s',)]+)`)

// remediesFor returns values that may be right in a field: the remedy of the same error, those with the fields that
// the message names, examples and words of the message, values of other objects, and common notations.
func (e *Explorer) remediesFor(said generate.Mistake, object map[string]any, path steps, s *props) []any {
	if known, is := e.remedies[said.Text]; is {
		return []any{known}
	}
	var all []any
	add := func(value any) {
		if len(all) < mostRemedies && !slices.ContainsFunc(all, func(other any) bool { return same(other, value) }) {
			all = append(all, value)
		}
	}
	for _, value := range e.withNamed(said, object, path, s) {
		add(value)
	}
	for _, example := range examples.FindAllStringSubmatch(said.Text, 3) {
		add(example[1])
	}
	for _, word := range said.Words() {
		for _, value := range wordsOf(s, word) {
			add(value)
		}
	}
	for _, known := range e.values.at[path.General()] {
		add(known)
	}
	for i := range 2 {
		add(generate.Value(e.src, s, generate.ObjectOptions{Values: 1 + 8*i, Generous: i > 0}))
	}
	add(absence{})
	switch s.Type {
	case "string":
		for _, text := range generate.WellKnown() {
			add(text)
		}
	case "integer":
		for _, number := range []int64{1, 2, 80, 1000} {
			add(number)
		}
	}
	return all
}
