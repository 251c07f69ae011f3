package equivalence

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/userfile"
)

// Subject identifies what was validated when a difference was found.
type Subject struct {
	GroupVersionKind schema.GroupVersionKind
	// Operation is CREATE, UPDATE, DELETE or CONNECT, as in an AdmissionReview.
	Operation string
	// Subresource is "" for the main resource.
	Subresource string
}

// Exception accepts one kind of known difference.
type Exception struct {
	ID    string
	Class difference.Class
	// Why, Owner and Issue are the reason, who is responsible, and where it is discussed.
	Why, Owner, Issue string
	// Expires is the last day on which the exception applies, in UTC.
	Expires time.Time
	// Expired is true if Expires had passed when the file was loaded. An expired exception accepts
	// nothing.
	Expired bool
	// MaxHits is the number of differences of a run that it may accept; 0 means no limit.
	MaxHits int
	// Position is its place in the file.
	Position userfile.Position

	target       targetPattern
	operations   []string // empty: all
	subresources []string // empty: all, and the main resource
	field        fieldPattern
	native       *errorPattern
	declarative  *errorPattern
}

// Target returns the target as written, such as "autoscaling/* HorizontalPodAutoscaler".
func (e *Exception) Target() string { return e.target.source }

// Field returns the field pattern as written, such as "spec.containers[*].name".
func (e *Exception) Field() string { return e.field.String() }

// DaysLeft returns how many days after today the exception applies, in UTC; negative after it expired.
func (e *Exception) DaysLeft(now time.Time) int {
	return int(e.Expires.Sub(now.UTC().Truncate(24*time.Hour)) / (24 * time.Hour))
}

// accepts reports whether the exception is about this difference and has not expired.
func (e *Exception) accepts(subject Subject, pair Pair) bool {
	return !e.Expired && e.IsAbout(subject, pair)
}

// AppliesTo reports whether the exception is about a version of a kind. An exception that concerns no
// version of a run is not stale in that run.
func (e *Exception) AppliesTo(version schema.GroupVersionKind) bool { return e.target.matches(version) }

// IsAbout reports whether the exception would accept a difference if it had not expired. That the schema
// drops its error because an update did not change the value makes no new difference.
func (e *Exception) IsAbout(subject Subject, pair Pair) bool {
	if e.isAbout(subject, pair) {
		return true
	}
	compared, ok := pair.withDropped()
	return ok && e.isAbout(subject, compared)
}

func (e *Exception) isAbout(subject Subject, pair Pair) bool {
	natives, declaratives := pair.Counts()
	return e.Class == pair.Class &&
		e.target.matches(subject.GroupVersionKind) &&
		(len(e.operations) == 0 || slices.Contains(e.operations, subject.Operation)) &&
		(len(e.subresources) == 0 || slices.Contains(e.subresources, subject.Subresource)) &&
		e.field.Matches(pair.Field()) && e.namesWords(pair) && e.acceptsCounts(natives, declaratives) &&
		e.native.matches(pair.Native, natives) && e.declarative.matches(pair.Declarative, declaratives)
}

// acceptsCounts reports whether both sides report their errors equally often, or the exception does not
// require it. Otherwise one exception would accept two differences.
func (e *Exception) acceptsCounts(natives, declaratives int) bool {
	return natives == declaratives || !e.wantsEqualCounts()
}

// wantsEqualCounts reports whether the exception is about two errors, not about how often they are
// reported.
func (e *Exception) wantsEqualCounts() bool {
	return (e.Class == difference.Detail || e.Class == difference.Type || e.Class == difference.Path) &&
		e.native.times() == 0 && e.declarative.times() == 0
}

// times returns how often the errors must be reported; 0 means any number of times.
func (p *errorPattern) times() int {
	if p == nil {
		return 0
	}
	return p.count
}

// namesWords reports whether the exception names enough of a difference of class Path. If the sides also
// differ in type or text, it must name these for both. Fields alone accept only equal errors at different
// fields, or a refusal whose text names no field.
func (e *Exception) namesWords(pair Pair) bool {
	if pair.Class != difference.Path || fielderror.NamesNoField(pair.Native) {
		return true
	}
	native, declarative := newLine(pair.Native), newLine(pair.Declarative)
	return native.err.Type == declarative.err.Type && native.detail == declarative.detail ||
		e.native.namesWords() && e.declarative.namesWords()
}

// SameAs reports whether two exceptions accept the same differences until the same day, for the same
// reasons.
func (e *Exception) SameAs(other *Exception) bool {
	return e.ID == other.ID && e.Class == other.Class && e.Why == other.Why && e.Owner == other.Owner && e.Issue == other.Issue &&
		e.Expires.Equal(other.Expires) && e.MaxHits == other.MaxHits &&
		e.Target() == other.Target() && e.Field() == other.Field() &&
		slices.Equal(e.operations, other.operations) && slices.Equal(e.subresources, other.subresources) &&
		e.native.source() == other.native.source() && e.declarative.source() == other.declarative.source()
}

// source returns the pattern as text.
func (p *errorPattern) source() string {
	if p == nil {
		return ""
	}
	detail := ""
	if p.detail != nil {
		detail = p.detail.re.String()
	}
	return fieldpath.JoinKey(p.field.String(), string(p.errorType), detail, fmt.Sprint(p.detail != nil, p.count))
}

// errorPattern narrows an exception to some errors of one side.
type errorPattern struct {
	field     fieldPattern    // zero: any
	errorType field.ErrorType // "": any
	detail    *pattern        // nil: any
	count     int             // how often it is reported; 0: any number of times
}

// namesWords reports whether the pattern requires a type or a text.
func (p *errorPattern) namesWords() bool { return p != nil && (p.errorType != "" || p.detail != nil) }

// namesText reports whether the pattern requires a text.
func (p *errorPattern) namesText() bool { return p != nil && p.detail != nil }

// matches reports whether an error with this count matches. A nil pattern matches everything.
func (p *errorPattern) matches(err *field.Error, count int) bool {
	if p == nil {
		return true
	}
	return err != nil &&
		(p.field.IsZero() || p.field.Matches(err.Field)) &&
		(p.errorType == "" || p.errorType == err.Type) &&
		(p.count == 0 || p.count == count) &&
		(p.detail == nil || p.detail.matchesLine(newLine(err)))
}

// targetPattern names kinds: "GROUP/VERSION KIND" with * for any whole part;
// the core group is left out, as in apiVersion.
type targetPattern struct {
	source               string
	group, version, kind string
}

func (t *targetPattern) UnmarshalText(text []byte) error {
	source := strings.TrimSpace(string(text))
	parts := strings.Fields(source)
	if len(parts) != 2 {
		return fmt.Errorf("target %q: write VERSION KIND or GROUP/VERSION KIND, such as apps/v1 Deployment, autoscaling/* "+
			"HorizontalPodAutoscaler or */* Pod", source)
	}
	group, version, grouped := strings.Cut(parts[0], "/")
	if !grouped {
		group, version = "", parts[0]
	}
	for _, part := range []string{group, version, parts[1]} {
		if strings.Contains(part, "*") && part != "*" {
			return fmt.Errorf("target %q: * matches a whole group, version or kind, not a part of it", source)
		}
	}
	if grouped && group == "" || version == "" || strings.Contains(version, "/") {
		return fmt.Errorf("target %q: %q is not an API version", source, parts[0])
	}
	*t = targetPattern{source: source, group: group, version: version, kind: parts[1]}
	return nil
}

func (t targetPattern) matches(gvk schema.GroupVersionKind) bool {
	return sameOrAny(t.group, gvk.Group) && sameOrAny(t.version, gvk.Version) && sameOrAny(t.kind, gvk.Kind)
}

func (t targetPattern) overlaps(other targetPattern) bool {
	return (sameOrAny(t.group, other.group) || other.group == "*") &&
		(sameOrAny(t.version, other.version) || other.version == "*") &&
		(sameOrAny(t.kind, other.kind) || other.kind == "*")
}

func sameOrAny(want, got string) bool { return want == "*" || want == got }

// Exceptions is the list of exceptions of a suite. It is immutable and safe for concurrent use; nil is an
// empty list.
type Exceptions struct{ list []*Exception }

// All returns the exceptions in the order of the file.
func (e *Exceptions) All() []*Exception {
	if e == nil {
		return nil
	}
	return slices.Clone(e.list)
}

// With returns a list with the exceptions of both; either may be nil. If several accept a difference,
// those of e come first.
func (e *Exceptions) With(others *Exceptions) *Exceptions {
	return &Exceptions{list: append(e.All(), others.All()...)}
}

// Explain returns a copy of the pairs in which each accepted difference has its exception. Pairs that
// agree have none.
func (e *Exceptions) Explain(subject Subject, pairs []Pair) []Pair {
	explained := slices.Clone(pairs)
	if e == nil {
		return explained
	}
	for i, pair := range explained {
		if pair.Explained() {
			continue
		}
		at := slices.IndexFunc(e.list, func(exception *Exception) bool { return exception.accepts(subject, pair) })
		if at >= 0 {
			explained[i].Exception = e.list[at]
		}
	}
	return explained
}
