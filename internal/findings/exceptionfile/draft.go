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

// checkDrafts says why entries cannot be added to known exceptions. What the reviewer
// said is wrong in no line of the file; what is there already is named by its own.
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

// checkDraft finds that an exception of the file leaves no room for an entry.
func checkDraft(entry *draftEntry, drafted, known *equivalence.Exception, mistakes *strictyaml.Mistakes) {
	what := entry.what()
	switch isAbout := entry.concerns(known); {
	case isAbout && known.Expired:
		mistakes.Addf(known.Position, "exception %q is about %s and expired on %s; give it another day, or remove it before another one is added", known.ID, what, known.Expires.Format(time.DateOnly))
	case isAbout:
		mistakes.Addf(known.Position, "exception %q accepts %s already; where a run counts more than its maxHits, look at the new ones and raise that here", known.ID, what)
	case known.Overlaps(drafted):
		mistakes.Addf(known.Position, "exception %q could accept the same as one for %s would; narrow it first", known.ID, what)
	}
}

// what names the difference in a message.
func (e *draftEntry) what() string {
	return "the difference of class " + string(e.first.Class) + " at " + e.field + " of " + e.target()
}

// concerns says that an exception, expired or not, is about some of what the entry is for.
func (e *draftEntry) concerns(exception *equivalence.Exception) bool {
	return slices.ContainsFunc(e.all, func(f Difference) bool { return f.IsOf(exception) })
}

// IsOf reports whether an exception would accept the difference if it had not expired.
func (f Difference) IsOf(exception *equivalence.Exception) bool {
	return exception.IsAbout(f.Subject, f.pair())
}

// pair is the difference as a comparison returns it.
func (f Difference) pair() equivalence.Pair {
	return equivalence.Pair{Native: f.Native, Declarative: f.Declarative, Class: f.Class, NativeCount: f.NativeCount, DeclarativeCount: f.DeclarativeCount}
}

// unplaced leaves out the lines of mistakes in a text that stands in no file.
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
