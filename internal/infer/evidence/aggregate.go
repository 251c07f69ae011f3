package evidence

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

// Part is one of several errors in a text, with the place in the source that makes it; nil: unknown.
type Part struct {
	Err    *field.Error
	origin *errorsites.Site
	// inner is the place that makes the error that origin wraps, as in fmt.Errorf("rule %d: %w", n, err); nil: none.
	inner *errorsites.Site
}

// PartsOf returns the errors that each native error of a result consists of. Some have no parts, because these are not known.
func (e *Evidence) PartsOf(r *harness.Result) map[*field.Error][]Part {
	all := map[*field.Error][]Part{}
	var flat field.ErrorList // in the order in which they were made
	for _, err := range r.Native.Errors {
		all[err] = nil
		for _, one := range e.split(err) {
			all[err] = append(all[err], Part{Err: one})
			flat = append(flat, one)
		}
	}
	for _, pair := range r.Pairs {
		if _, isKnown := all[pair.Native]; !isKnown && pair.Native != nil {
			all[pair.Native] = []Part{{Err: pair.Native}}
		}
	}
	origins := e.originsOf(r, flat)
	for _, err := range r.Native.Errors {
		for n := range all[err] {
			one := &all[err][n]
			one.origin = origins[one.Err]
			one.inner = e.innerOf(r, one)
		}
	}
	return all
}

// innerOf returns the place that makes the error that a part wraps. The text of the outer one may have values before it, in
// which its separator occurs as well.
func (e *Evidence) innerOf(r *harness.Result, of *Part) *errorsites.Site {
	wrapped := wrappedIn(of)
	origins := e.originsOf(r, wrapped)
	for _, err := range wrapped { // the longest first
		if inner := origins[err]; inner != nil && inner != of.origin && identify(inner.Texts()) {
			return inner
		}
	}
	return nil
}

// wrappedIn returns the errors that may be at the end of the text of another, if the source has a text before them.
func wrappedIn(of *Part) (all field.ErrorList) {
	if of.origin == nil || of.Err.Field != "" {
		return nil
	}
	texts := of.origin.Texts()
	if len(texts) < 2 || texts[len(texts)-1] != "" {
		return nil
	}
	separator := texts[len(texts)-2]
	for at := range of.Err.Detail {
		if rest, is := strings.CutPrefix(of.Err.Detail[at:], separator); is && len(all) < mostWrapped {
			inner := *of.Err
			inner.Detail = rest
			all = append(all, &inner)
		}
	}
	return all
}

// mostWrapped bounds the ends of a text that may be another error.
const mostWrapped = 20

// split returns the errors that one of the native validator consists of. Errors without paths are often joined as in
// k8s.io/apimachinery/pkg/util/errors: "[first, second]". The parts of such a text must begin as an error does that was
// reported alone; else it returns nil, because it is not known where one of them ends.
func (e *Evidence) split(err *field.Error) []*field.Error {
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
