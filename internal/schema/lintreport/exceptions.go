package lintreport

import (
	"slices"
	"strings"
	"time"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/files/waiver"
	"github.com/diffrun/diffrun/internal/schema/lint"
)

// Exceptions accept reviewed findings until a date.
type Exceptions struct{ list []*exception }

// exception is an entry of a file. Its governing keys are those of the exceptions of differences.
type exception struct {
	Position     strictyaml.Position `yaml:"-"`
	ID           string              `yaml:"id"`
	Lint         string              `yaml:"lint"`
	Of           string              `yaml:"of"`
	Place        string              `yaml:"place"`
	waiver.Terms `yaml:",inline"`

	expired bool
	hits    int
}

// ReadExceptions reads a file of exceptions: a list, each with id, lint, of, place, why, owner,
// issue and expires. In of and place, "*" matches any text, and an empty value matches everything.
// now decides which have expired. The error is a strictyaml.Mistakes.
func ReadExceptions(file string, now time.Time) (*Exceptions, error) {
	data, err := infile.ReadFile(file)
	if err != nil {
		return nil, documents.Unreadable(file, err)
	}
	all := &Exceptions{}
	if err := strictyaml.Decode(file, data, &all.list); err != nil {
		return nil, err
	}
	var mistakes strictyaml.Mistakes
	ids := map[string]strictyaml.Position{}
	for _, each := range all.list {
		addf := func(format string, args ...any) {
			mistakes.Addf(each.Position, "exception %q: "+format, append([]any{each.ID}, args...)...)
		}
		if each.ID == "" {
			addf("id is missing (a unique name)")
		} else if first, again := ids[each.ID]; again {
			addf("the id is already used in %s", first)
		}
		ids[each.ID] = each.Position
		if each.Lint == "" {
			addf("lint is missing (one of those that schema lint --list prints)")
		} else if _, err := lint.Select([]string{each.Lint}, nil); err != nil {
			addf("%v", err)
		}
		if each.Of == "" && each.Place == "" {
			addf("of and place are missing; name the definition or API, or the place in it, that the exception is about")
		}
		for _, missing := range each.Missing("the finding") {
			addf("%s is missing (%s)", missing.Key, missing.Hint)
		}
		each.expired = each.Expires != nil && each.Expires.Over(now)
	}
	return all, mistakes.Err()
}

// accepts reports whether an exception is about a finding, and counts it.
func (e *Exceptions) accepts(f Finding) bool {
	if e == nil {
		return false
	}
	for _, each := range e.list {
		if !each.expired && each.Lint == f.Lint && matches(each.Of, f.Of) && matches(each.Place, f.At) {
			each.hits++
			return true
		}
	}
	return false
}

// stale returns the exceptions that have expired, or that accepted nothing although their lint ran.
func (e *Exceptions) stale(lints []lint.Lint) strictyaml.Mistakes {
	if e == nil {
		return nil
	}
	var mistakes strictyaml.Mistakes
	for _, each := range e.list {
		switch {
		case !slices.ContainsFunc(lints, func(l lint.Lint) bool { return l.Name == each.Lint }):
		case each.expired:
			mistakes.Addf(each.Position, "exception %q expired on %s: review its finding, then fix it or set a later date", each.ID,
				each.Expires)
		case each.hits == 0:
			mistakes.Addf(each.Position, "exception %q no longer accepts anything; remove it", each.ID)
		}
	}
	return mistakes
}

// matches reports whether a text matches a pattern in which "*" is any text. An empty pattern
// matches everything.
func matches(pattern, text string) bool {
	if pattern == "" {
		return true
	}
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	rest, ok := strings.CutPrefix(text, parts[0])
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return ok && strings.HasSuffix(rest, parts[len(parts)-1])
}
