package exceptionfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/files/yamllines"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/fieldvalue"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Difference is a difference that an exception may accept.
type Difference struct {
	Subject equivalence.Subject
	Class   difference.Class
	// Native and Declarative are its errors; one of them may be nil.
	Native, Declarative *field.Error
	// NativeCount and DeclarativeCount are those of the Pair.
	NativeCount, DeclarativeCount int
}

// counts returns the counts for an exception, or zero. Counts matter if nothing else differs, and if they
// differ, too.
func (f Difference) counts() (native, declarative int) {
	if f.Class == difference.Count {
		return f.NativeCount, f.DeclarativeCount
	}
	natives, declaratives := f.pair().Counts()
	if natives == declaratives || natives == 0 || declaratives == 0 {
		return 0, 0
	}
	return natives, declaratives
}

// otherField returns the field of the schema's error if it differs from that of the native error.
func (f Difference) otherField() string {
	if f.Class != difference.Path {
		return ""
	}
	return causes.AnyIndex(f.Declarative.Field)
}

// Of returns a difference of a result.
func Of(result harness.Result, pair equivalence.Pair) Difference {
	return Difference{
		Subject: equivalence.Subject{
			GroupVersionKind: result.Version, Operation: string(result.Case.Operation()), Subresource: result.Case.Subresource,
		},
		Class: pair.Class, Native: pair.Native, Declarative: pair.Declarative,
		NativeCount: pair.NativeCount, DeclarativeCount: pair.DeclarativeCount,
	}
}

// Review is who accepts a difference, and why.
type Review struct {
	Why, Owner, Issue string
	Expires           string // a day, such as 2027-06-30
}

// Add adds exceptions for differences to a file of exceptions. It returns the new content of the file and
// the ids of the new exceptions. Every byte of the old content stays, except an empty list. New entries keep
// the order of ids if the file is sorted by id, and are otherwise appended. Differences that differ only in
// version, operation, subresource, indices, or in quoted values and numbers of their texts share one entry,
// and its maxHits is their number.
//
// The error names what the review lacks, or is a userfile.Mistakes if the file cannot be read or already has
// an exception for one of the differences.
func Add(file string, data []byte, found []Difference, review Review, now time.Time) (content []byte, ids []string, err error) {
	known, err := equivalence.LoadExceptions(file, data, now)
	if err != nil {
		return nil, nil, err
	}
	taken := map[string]bool{}
	for _, exception := range known.All() {
		taken[exception.ID] = true
	}
	drafted := draft(found, review, taken)
	if err := checkDrafts(drafted, known, now); err != nil {
		return nil, nil, err
	}
	mark, data := strictyaml.CutMark(data)
	editor, err := newEditor(file, data)
	if err != nil && len(known.All()) > 0 {
		return nil, nil, err
	}
	text, indent, deleted := yamllines.New(string(data)), 0, 0
	if len(known.All()) == 0 {
		deleted = deleteEmptyList(text)
	} else {
		indent = indentOf(text.Lines[editor.startOf(0)])
	}
	var places []int
	for _, entry := range drafted {
		written, err := entry.yaml()
		if err != nil {
			return nil, nil, err
		}
		place := placeOf(text.Lines, known.All(), entry.id)
		text.Insert(place, written, indent)
		places, ids = append(places, place), append(ids, entry.id)
	}
	content = []byte(mark + text.String())
	if err := checkAdded(file, content, known, ids, places[0]-deleted+1, now); err != nil {
		return nil, nil, err
	}
	return content, ids, nil
}

// checkAdded returns an error if a file is not the old one plus the new exceptions. line is that of the
// first new one.
func checkAdded(file string, content []byte, known *equivalence.Exceptions, ids []string, line int, now time.Time) error {
	after, err := equivalence.LoadExceptions(file, content, now)
	if err == nil {
		kept := slices.DeleteFunc(slices.Clone(after.All()), func(e *equivalence.Exception) bool { return slices.Contains(ids, e.ID) })
		if len(kept)+len(ids) == len(after.All()) && slices.EqualFunc(known.All(), kept, (*equivalence.Exception).SameAs) {
			return nil
		}
		err = errors.New("the entries that are there would change")
	}
	return strictyaml.Mistakes{
		{Position: strictyaml.Position{
			File: file,
			Line: line,
		}, Message: fmt.Sprintf("exception %q cannot be written here (%v); begin each entry with a dash on a line of its own, "+
			"or write it by hand", ids[0], unplaced(err))},
	}
}

// draftEntry is an exception that is being written.
type draftEntry struct {
	id                       string
	first                    Difference // of all
	all                      []Difference
	field                    string
	review                   Review
	operations, subresources []string
}

// draft groups differences into entries, sorted by id.
func draft(found []Difference, review Review, taken map[string]bool) []*draftEntry {
	byKey := map[string]*draftEntry{}
	var entries []*draftEntry
	for _, f := range found {
		at := equivalence.Pair{Native: f.Native, Declarative: f.Declarative}.Field()
		natives, declaratives := f.counts()
		key := fieldpath.JoinKey(f.Subject.GroupVersionKind.Kind, string(f.Class), causes.AnyIndex(at), f.otherField(),
			wordingKey(f.Native), wordingKey(f.Declarative), strconv.Itoa(natives), strconv.Itoa(declaratives))
		entry := byKey[key]
		if entry == nil {
			entry = &draftEntry{first: f, field: causes.AnyIndex(at), review: review}
			byKey[key] = entry
			entries = append(entries, entry)
		}
		entry.add(f)
	}
	for _, entry := range entries {
		slices.Sort(entry.operations)
		slices.Sort(entry.subresources)
		entry.name(taken)
	}
	slices.SortFunc(entries, func(a, b *draftEntry) int { return cmp.Compare(a.id, b.id) })
	return entries
}

// add adds a difference to the entry.
func (e *draftEntry) add(f Difference) {
	e.all = append(e.all, f)
	if !slices.Contains(e.operations, f.Subject.Operation) {
		e.operations = append(e.operations, f.Subject.Operation)
	}
	if !slices.Contains(e.subresources, f.Subject.Subresource) {
		e.subresources = append(e.subresources, f.Subject.Subresource)
	}
}

// longestID limits the length of new ids.
const longestID = 100

// name sets an id that describes the entry and is not taken yet.
func (e *draftEntry) name(taken map[string]bool) {
	words := regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(strings.Join([]string{
		e.first.Subject.GroupVersionKind.Kind, e.first.Subject.Subresource, e.field, string(e.first.Class),
	}, " ")), "-")
	words = strings.Trim(words, "-")
	words = strings.TrimRight(words[:min(len(words), longestID)], "-")
	id := words
	for n := 2; taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", words, n)
	}
	taken[id] = true
	e.id = id
}

// target returns the narrowest pattern for the versions of the entry.
func (e *draftEntry) target() string {
	gvk := e.first.Subject.GroupVersionKind
	group, version := gvk.Group, gvk.Version
	for _, f := range e.all {
		if f.Subject.GroupVersionKind.Group != group {
			return "*/* " + gvk.Kind
		}
		if f.Subject.GroupVersionKind.Version != version {
			version = "*"
		}
	}
	if group == "" {
		return version + " " + gvk.Kind
	}
	return group + "/" + version + " " + gvk.Kind
}

// yaml returns the entry in the usual form. Unprintable characters in the names and texts of a report are
// escaped, so that the file shows what the entry accepts.
func (e *draftEntry) yaml() (string, error) {
	type narrowed struct {
		Field  string `yaml:"field,omitempty"`
		Type   string `yaml:"type,omitempty"` // the value of a field has no line
		Detail string `yaml:"detail"`
		Count  int    `yaml:"count,omitempty"`
	}
	side := func(of func(Difference) *field.Error, at string, count int) *narrowed {
		if of(e.first) == nil {
			return nil
		}
		var errs []*field.Error
		for _, f := range e.all {
			errs = append(errs, of(f))
		}
		errorType := string(errs[0].Type)
		if fieldvalue.IsValue(errs[0].Type) {
			errorType = ""
		}
		return &narrowed{plaintext.MarkYAML(at), plaintext.MarkYAML(errorType), plaintext.MarkYAML(detailPattern(errs)), count}
	}
	natives, declaratives := e.first.counts()
	entry := struct {
		ID           string    `yaml:"id"`
		Target       string    `yaml:"target"`
		Operations   []string  `yaml:"operations,flow"`
		Subresources []string  `yaml:"subresources,flow,omitempty"`
		Class        string    `yaml:"class"`
		Field        string    `yaml:"field"`
		Native       *narrowed `yaml:"native,flow,omitempty"`
		Declarative  *narrowed `yaml:"declarative,flow,omitempty"`
		Why          string    `yaml:"why"`
		Owner        string    `yaml:"owner"`
		Issue        string    `yaml:"issue"`
		Expires      yaml.Node `yaml:"expires"`
		MaxHits      int       `yaml:"maxHits"`
	}{
		ID: e.id, Target: plaintext.MarkYAML(e.target()), Operations: e.operations, Class: string(e.first.Class),
		Field:       plaintext.MarkYAML(e.field),
		Native:      side(func(f Difference) *field.Error { return f.Native }, "", natives),
		Declarative: side(func(f Difference) *field.Error { return f.Declarative }, e.first.otherField(), declaratives),
		Why:         plaintext.MarkYAML(e.review.Why), Owner: plaintext.MarkYAML(e.review.Owner), Issue: plaintext.MarkYAML(e.review.Issue),
		Expires: yaml.Node{Kind: yaml.ScalarNode, Value: e.review.Expires}, MaxHits: len(e.all),
	}
	if len(e.subresources) > 1 || e.subresources[0] != "" {
		for _, subresource := range e.subresources {
			entry.Subresources = append(entry.Subresources, plaintext.MarkYAML(subresource))
		}
	}
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := encoder.Encode([]any{entry}); err != nil {
		return "", fmt.Errorf("writing exception %s: %w", e.id, err)
	}
	return string(plaintext.EscapeYAML(text.Bytes())), encoder.Close()
}

// placeOf returns the line before which an entry goes: that of the first one with a greater id, or of the
// comment before it, or the end if the ids are not sorted.
func placeOf(lines []string, known []*equivalence.Exception, id string) int {
	at := len(lines)
	if slices.IsSortedFunc(known, func(a, b *equivalence.Exception) int { return cmp.Compare(a.ID, b.ID) }) {
		for _, exception := range slices.Backward(known) {
			if exception.ID > id {
				at = exception.Position.Line - 1
			}
		}
	}
	if at == len(lines) {
		return beforeEnd(lines)
	}
	for at > 0 && strictyaml.IsComment(lines[at-1]) {
		at--
	}
	return at
}

// beforeEnd returns the line after the last one of a document: the end of the file, or the line "...".
func beforeEnd(lines []string) int {
	for at, line := range slices.Backward(lines) {
		if strings.HasPrefix(line, "...") {
			return at
		}
		if !strictyaml.IsBlank(line) && !strictyaml.IsComment(line) {
			break
		}
	}
	return len(lines)
}

// deleteEmptyList deletes the lines "[]", because entries cannot follow them, and returns how many there are.
func deleteEmptyList(of *yamllines.Text) (deleted int) {
	for n, line := range of.Lines {
		text, _, _ := strings.Cut(line, "#")
		if strings.TrimSpace(text) == "[]" {
			of.Delete(n, n+1)
			deleted++
		}
	}
	return deleted
}
