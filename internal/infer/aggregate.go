package infer

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
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
	// inner is the place that makes the error that origin wraps, as in fmt.Errorf("rule %d: %w", n, err); nil: none.
	inner *errorsites.Site
}

// partsOf returns the errors that each native error of a result consists of. Nobody knows the parts of some: they have none.
func (e *evidence) partsOf(r *harness.Result) map[*field.Error][]part {
	all := map[*field.Error][]part{}
	var flat field.ErrorList // in the order in which they were made
	for _, err := range r.Native.Errors {
		all[err] = nil
		for _, one := range e.split(err) {
			all[err] = append(all[err], part{err: one})
			flat = append(flat, one)
		}
	}
	for _, pair := range r.Pairs {
		if _, isKnown := all[pair.Native]; !isKnown && pair.Native != nil {
			all[pair.Native] = []part{{err: pair.Native}}
		}
	}
	origins := e.originsOf(r, flat)
	var wrapped field.ErrorList
	for _, err := range flat {
		if inner := wrappedIn(err, origins[err]); inner != nil {
			wrapped = append(wrapped, inner)
		}
	}
	inners := e.originsOf(r, wrapped)
	for _, err := range r.Native.Errors {
		for n := range all[err] {
			one := &all[err][n]
			one.origin = origins[one.err]
			if inner := wrappedIn(one.err, one.origin); inner != nil {
				one.inner = inners[wrapped[0]]
				wrapped = wrapped[1:]
			}
			if one.inner != nil && (one.inner == one.origin || !identify(one.inner.Texts())) {
				one.inner = nil
			}
		}
	}
	return all
}

// wrappedIn returns the error at the end of the text of another, if the source has a text before it; nil: there is none.
func wrappedIn(err *field.Error, origin *errorsites.Site) *field.Error {
	if origin == nil || err.Field != "" {
		return nil
	}
	texts := origin.Texts()
	if len(texts) < 2 || texts[len(texts)-1] != "" {
		return nil
	}
	fills := fillsOf(texts, err.Detail)
	if len(fills) == 0 {
		return nil
	}
	inner := *err
	inner.Detail = fills[len(fills)-1]
	return &inner
}

// split returns the errors that one of the native validator consists of. Errors without paths are often joined as in
// k8s.io/apimachinery/pkg/util/errors: "[first, second]". The parts of such a text must begin as an error does that was
// reported alone; else it returns nil, because nobody knows where one of them ends.
func (e *evidence) split(err *field.Error) []*field.Error {
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
		one := *err
		one.Detail = joined[begin:end]
		all = append(all, &one)
	}
	for at := range joined {
		next, is := strings.CutPrefix(joined[at:], ", ")
		if is && e.beginnings[beginningOf(next)] {
			add(at)
			begin = at + len(", ")
		}
	}
	add(len(joined))
	return all
}
