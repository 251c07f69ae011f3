package infer

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
)

// beginningLength is how many bytes of an error without a path tell it from others, if a text joins several.
const beginningLength = 12

// beginningOf returns the first bytes of a text.
func beginningOf(text string) string { return text[:min(len(text), beginningLength)] }

// part is one of several errors in a text, with the place in the source that makes it; nil: unknown.
type part struct {
	err    *field.Error
	origin *errorsites.Site
}

// partsOf returns the errors that one of the native validator consists of. Errors without paths are often joined as in
// k8s.io/apimachinery/pkg/util/errors: "[first, second]". The parts of such a text must begin as an error does that was
// reported alone; else it returns nil, because nobody knows where one of them ends.
func (e *evidence) partsOf(err *field.Error, origin *errorsites.Site) []part {
	joined, isJoined := strings.CutPrefix(err.Detail, "[")
	joined, ends := strings.CutSuffix(joined, "]")
	if err.Field != "" || !isJoined || !ends {
		if err.Field == "" {
			e.beginnings[beginningOf(err.Detail)] = origin
		}
		return []part{{err, origin}}
	}
	if _, isKnown := e.beginnings[beginningOf(joined)]; !isKnown {
		return nil
	}
	var all []part
	begin := 0
	add := func(end int) {
		one := *err
		one.Detail = joined[begin:end]
		all = append(all, part{&one, e.beginnings[beginningOf(one.Detail)]})
	}
	for at := range joined {
		next, is := strings.CutPrefix(joined[at:], ", ")
		if _, isKnown := e.beginnings[beginningOf(next)]; is && isKnown {
			add(at)
			begin = at + len(", ")
		}
	}
	add(len(joined))
	return all
}
