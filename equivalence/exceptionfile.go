package equivalence

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/files/waiver"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

type exceptionEntry struct {
	Position     strictyaml.Position `yaml:"-"`
	ID           string              `yaml:"id"`
	Target       *targetPattern      `yaml:"target"`
	Operations   []operation         `yaml:"operations"`
	Subresources []string            `yaml:"subresources"`
	Class        *exceptionClass     `yaml:"class"`
	Field        *fieldPattern       `yaml:"field"`
	Native       *errorEntry         `yaml:"native"`
	Declarative  *errorEntry         `yaml:"declarative"`
	Why          string              `yaml:"why"`
	Owner        string              `yaml:"owner"`
	Issue        *issueURL           `yaml:"issue"`
	Expires      *day                `yaml:"expires"`
	MaxHits      *howOften           `yaml:"maxHits"`
}

type errorEntry struct {
	Position strictyaml.Position `yaml:"-"`
	Field    *fieldPattern       `yaml:"field"`
	Type     errorType           `yaml:"type"`
	Detail   *string             `yaml:"detail"`
	Count    *howOften           `yaml:"count"`
}

// LoadExceptions reads a file of exceptions (docs/reference/exceptions.md). now decides which exceptions
// have expired. Expired ones are loaded, accept nothing, and a Ledger reports them. The error is a
// userfile.Mistakes that lists everything that is wrong, including two exceptions that could accept the
// same difference. A file with only comments has no exceptions.
func LoadExceptions(file string, data []byte, now time.Time) (*Exceptions, error) {
	var mistakes strictyaml.Mistakes
	exceptions := &Exceptions{}
	if strictyaml.IsEmpty(data) {
		return exceptions, nil
	}
	for _, entry := range decodeEntries[exceptionEntry](file, data, &mistakes) {
		builder := exceptionBuilder{entry: entry, mistakes: &mistakes}
		exceptions.list = append(exceptions.list, builder.build(now))
	}
	for i, exception := range exceptions.list {
		for _, earlier := range exceptions.list[:i] {
			checkTogether(earlier, exception, &mistakes)
		}
	}
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	return exceptions, nil
}

// exceptionBuilder turns an entry of a file into an exception and collects
// everything that is wrong with it.
type exceptionBuilder struct {
	entry    exceptionEntry
	mistakes *strictyaml.Mistakes
}

func (b *exceptionBuilder) addf(at strictyaml.Position, format string, args ...any) {
	b.mistakes.Addf(at, "exception %q: "+format, append([]any{b.entry.ID}, args...)...)
}

func (b *exceptionBuilder) build(now time.Time) *Exception {
	entry := b.entry
	b.required()
	expires := time.Time(orZero(entry.Expires))
	exception := &Exception{
		ID:           entry.ID,
		Class:        difference.Class(orZero(entry.Class)),
		Why:          entry.Why,
		Owner:        entry.Owner,
		Issue:        string(orZero(entry.Issue)),
		Expires:      expires,
		Expired:      orZero(entry.Expires).Over(now),
		Position:     entry.Position,
		target:       orZero(entry.Target),
		subresources: entry.Subresources,
		field:        orZero(entry.Field),
		MaxHits:      int(orZero(entry.MaxHits)),
	}
	for _, operation := range entry.Operations {
		exception.operations = append(exception.operations, string(operation))
	}
	b.pathFields(exception.Class)
	exception.native = b.errorPattern("native", entry.Native, exception.Class == difference.TooStrict)
	exception.declarative = b.errorPattern("declarative", entry.Declarative, exception.Class == difference.TooLoose)
	if exception.field.below && len(exception.field.steps) == 0 && !exception.native.namesText() && !exception.declarative.namesText() {
		b.addf(entry.Position, "field: %s is every field; name the part of the object that it is about, or give a detail", exception.field)
	}
	return exception
}

// orZero returns the value of a key, or zero if it is missing.
func orZero[T any](value *T) T {
	if value == nil {
		var zero T
		return zero
	}
	return *value
}

// required reports missing keys. A key with a wrong value is not missing: its
// pointer is set, and decoding has reported it.
func (b *exceptionBuilder) required() {
	entry := b.entry
	for _, key := range []struct {
		name    string
		missing bool
		hint    string
	}{
		{"id", entry.ID == "", "a name of its own"},
		{"target", entry.Target == nil, "such as apps/v1 Deployment"},
		{"class", entry.Class == nil, "one of " + classNames()},
		{"field", entry.Field == nil, "such as spec.containers[*].name, or " + rootField + " for the root"},
	} {
		if key.missing {
			b.addf(entry.Position, "%s is missing (%s)", key.name, key.hint)
		}
	}
	terms := waiver.Terms{Why: entry.Why, Owner: entry.Owner, Issue: entry.Issue, Expires: entry.Expires}
	for _, missing := range terms.Missing("the difference") {
		b.addf(entry.Position, "%s is missing (%s)", missing.Key, missing.Hint)
	}
}

// pathFields checks that an exception of class path names both fields, and that no other exception names
// a second field.
func (b *exceptionBuilder) pathFields(class difference.Class) {
	native, declarative := orZero(b.entry.Native), orZero(b.entry.Declarative)
	if native.Field != nil {
		b.addf(native.Position, "native: write field beside class, not under native")
	}
	switch {
	case class == difference.Path && declarative.Field == nil:
		b.addf(b.entry.Position, "declarative: field is missing; without the field of the schema's error, a difference of class "+
			"%s is accepted wherever the schema reports it", difference.Path)
	case class != difference.Path && class != "" && declarative.Field != nil:
		b.addf(declarative.Position, "declarative: field is for class %s; the errors of class %s have one field, written beside class",
			difference.Path, class)
	}
}

func (b *exceptionBuilder) errorPattern(key string, entry *errorEntry, absent bool) *errorPattern {
	if entry == nil {
		return nil
	}
	if absent {
		b.addf(entry.Position, "a difference of class %s has no %s error; leave %s out", *b.entry.Class, key, key)
	}
	if entry.Field == nil && entry.Type == "" && entry.Detail == nil && entry.Count == nil {
		b.addf(entry.Position, "%s has no effect; set type, detail or count, or leave it out", key)
	}
	narrowed := &errorPattern{field: orZero(entry.Field), errorType: field.ErrorType(entry.Type), count: int(orZero(entry.Count))}
	if entry.Detail == nil {
		return narrowed
	}
	detail, err := compilePattern(*entry.Detail)
	switch {
	case err != nil:
		b.addf(entry.Position, "%s.detail: %v", key, err)
	case slices.ContainsFunc(probes(), detail.re.MatchString):
		b.addf(entry.Position, "%s.detail: the pattern %q matches random text; leave it out if any text will do", key, *entry.Detail)
	}
	narrowed.detail = detail
	return narrowed
}

// checkTogether reports two exceptions with the same id, or that could accept the same difference: their
// order would decide which of them is used.
func checkTogether(earlier, later *Exception, mistakes *strictyaml.Mistakes) {
	if later.ID != "" && earlier.ID == later.ID {
		mistakes.Addf(later.Position, "exception %q: the exception at %s has the same id", later.ID, earlier.Position)
	}
	if earlier.Overlaps(later) {
		mistakes.Addf(later.Position, "exception %q: could accept the same difference as %q at %s; narrow one of them",
			later.ID, earlier.ID, earlier.Position)
	}
}

// Overlaps reports whether two exceptions could accept the same difference. An exception that could not
// be read overlaps none.
func (e *Exception) Overlaps(other *Exception) bool {
	if e.target.source == "" || other.target.source == "" || e.field.IsZero() || other.field.IsZero() {
		return false
	}
	return e.Class != "" && e.Class == other.Class &&
		e.target.overlaps(other.target) &&
		shareOrAny(e.operations, other.operations) &&
		shareOrAny(e.subresources, other.subresources) &&
		e.field.overlaps(other.field) && !e.countsApart(other) && !other.countsApart(e) &&
		e.native.overlaps(other.native) && e.declarative.overlaps(other.declarative)
}

// countsApart reports whether e requires equal counts and the other exception unequal ones.
func (e *Exception) countsApart(other *Exception) bool {
	natives, declaratives := other.native.times(), other.declarative.times()
	return e.wantsEqualCounts() && natives != 0 && declaratives != 0 && natives != declaratives
}

func (p *errorPattern) overlaps(other *errorPattern) bool {
	if p == nil || other == nil {
		return true
	}
	return (p.field.IsZero() || other.field.IsZero() || p.field.overlaps(other.field)) &&
		(p.errorType == "" || other.errorType == "" || p.errorType == other.errorType) &&
		(p.count == 0 || other.count == 0 || p.count == other.count) &&
		(p.detail == nil || other.detail == nil || p.detail.meets(other.detail))
}

func shareOrAny(a, b []string) bool {
	return len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, func(text string) bool { return slices.Contains(b, text) })
}

// howOften is a number of differences or errors; 0 means invalid.
type howOften int

func (n *howOften) UnmarshalYAML(node *yaml.Node) error {
	var read int
	if err := node.Decode(&read); err != nil || node.ShortTag() != "!!int" || read < 1 {
		return errors.New("must be an integer of 1 or more, or left out")
	}
	*n = howOften(read)
	return nil
}

// JSONSchema implements strictyaml.Described.
func (howOften) JSONSchema() map[string]any { return map[string]any{"type": "integer", "minimum": 1} }

type exceptionClass difference.Class

// JSONSchema implements strictyaml.Described.
func (exceptionClass) JSONSchema() map[string]any {
	return map[string]any{"enum": strings.Split(classNames(), ", ")}
}

func (c *exceptionClass) UnmarshalText(text []byte) error {
	class, err := difference.ParseClass(string(text))
	switch {
	case err != nil:
		err = fmt.Errorf("unknown class %q; accepted: %s", text, classNames())
	case class.Explained():
		err = fmt.Errorf("class %s needs no exception: it is explained, and fails a run only with --fail-on %s; accepted: %s",
			class, class, classNames())
	}
	*c = exceptionClass(class)
	return err
}

func classNames() string {
	var names []string
	for _, class := range difference.Classes() {
		if !class.Explained() {
			names = append(names, string(class))
		}
	}
	return strings.Join(names, ", ")
}

type operation string

func (o *operation) UnmarshalText(text []byte) error {
	*o = operation(text)
	if accepted := apiname.Operations(); !slices.Contains(accepted, admissionv1.Operation(text)) {
		return fmt.Errorf("unknown operation %q; accepted: %s", text, oneof.List(accepted))
	}
	return nil
}

// JSONSchema implements strictyaml.Described.
func (operation) JSONSchema() map[string]any {
	return map[string]any{"enum": apiname.Operations()}
}

// issueURL and day are keys that every exception has.
type (
	issueURL = waiver.IssueURL
	day      = waiver.Day
)
