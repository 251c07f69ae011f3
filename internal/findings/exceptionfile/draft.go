package exceptionfile

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/files/waiver"
)

// checkDrafts returns an error if entries cannot be added to known exceptions. Mistakes in the review
// have no line; conflicts have the line of the known exception.
func checkDrafts(drafts []*draftEntry, known *equivalence.Exceptions, now time.Time) error {
	var mistakes strictyaml.Mistakes
	for _, entry := range drafts {
		text, err := entry.yaml()
		if err != nil {
			return err
		}
		alone, err := equivalence.LoadExceptions("", []byte(text), now)
		if err != nil {
			return unplaced(err)
		}
		if err := waiver.CheckExpires(entry.review.Expires, now); err != nil {
			return err
		}
		for _, exception := range known.All() {
			checkDraft(entry, alone.All()[0], exception, &mistakes)
		}
	}
	return mistakes.Err()
}

// checkDraft reports a conflict between an exception of the file and an entry.
func checkDraft(entry *draftEntry, drafted, known *equivalence.Exception, mistakes *strictyaml.Mistakes) {
	what := entry.what()
	switch isAbout := entry.matches(known); {
	case isAbout && known.Expired:
		mistakes.Addf(known.Position, "exception %q is about %s and expired on %s; renew it, or remove it before adding a new one",
			known.ID, what, known.Expires.Format(time.DateOnly))
	case isAbout:
		mistakes.Addf(known.Position, "exception %q accepts %s already; where a run counts more than its maxHits, "+
			"look at the new ones and raise that here", known.ID, what)
	case known.Overlaps(drafted):
		mistakes.Addf(known.Position, "exception %q could accept the same as one for %s would; narrow it first", known.ID, what)
	}
}

// what returns a description of the difference.
func (e *draftEntry) what() string {
	return "the difference of class " + string(e.first.Class) + " at " + e.field + " of " + e.target()
}

// matches reports whether an exception, expired or not, is about a difference of the entry.
func (e *draftEntry) matches(exception *equivalence.Exception) bool {
	return slices.ContainsFunc(e.all, func(f Difference) bool { return f.IsOf(exception) })
}

// IsOf reports whether an exception would accept the difference if it had not expired.
func (f Difference) IsOf(exception *equivalence.Exception) bool {
	return exception.IsAbout(f.Subject, f.pair())
}

// pair returns the difference as a Pair.
func (f Difference) pair() equivalence.Pair {
	return equivalence.Pair{
		Native:           f.Native,
		Declarative:      f.Declarative,
		Class:            f.Class,
		NativeCount:      f.NativeCount,
		DeclarativeCount: f.DeclarativeCount,
	}
}

// unplaced removes the lines from mistakes in a text that is in no file.
func unplaced(err error) error {
	var mistakes strictyaml.Mistakes
	if !errors.As(err, &mistakes) {
		return err
	}
	var texts []string
	for _, mistake := range mistakes {
		texts = append(texts, mistake.Message)
	}
	return errors.New(strings.Join(texts, "; "))
}
