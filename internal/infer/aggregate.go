package infer

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// beginningLength is how many letters of an error without a path tell it from others, if a text joins several.
const beginningLength = 12

// beginningOf returns the first letters of a text.
func beginningOf(text string) string { return text[:min(len(text), beginningLength)] }

// partsOf returns the errors that one of the native validator consists of. Errors without paths are often joined as in
// k8s.io/apimachinery/pkg/util/errors: "[first, second]". The parts of such a text must begin as an error does that was
// reported alone; else it returns nil, because nobody knows where one of them ends.
func (e *evidence) partsOf(err *field.Error) []*field.Error {
	joined, isJoined := strings.CutPrefix(err.Detail, "[")
	joined, ends := strings.CutSuffix(joined, "]")
	if err.Field != "" || !isJoined || !ends {
		if err.Field == "" {
			e.beginnings[beginningOf(err.Detail)] = true
		}
		return []*field.Error{err}
	}
	if !e.beginnings[beginningOf(joined)] {
		return nil
	}
	var all []*field.Error
	begin := 0
	add := func(end int) {
		part := *err
		part.Detail = joined[begin:end]
		all = append(all, &part)
	}
	for at := range joined {
		if next, is := strings.CutPrefix(joined[at:], ", "); is && e.beginnings[beginningOf(next)] {
			add(at)
			begin = at + len(", ")
		}
	}
	add(len(joined))
	return all
}
