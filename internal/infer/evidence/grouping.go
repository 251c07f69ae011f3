package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
	"github.com/diffrun/diffrun/internal/object"
	"github.com/diffrun/diffrun/internal/openapi"
)

// SiteKey identifies a site: its errors have a place, a type and a text in common and, where it is known, the line of the
// source that makes them. The text is that of the error, or a general form with a hole for each value.
type SiteKey struct {
	Place  string
	Typ    field.ErrorType
	Detail string
	Source string // "file:line"; empty: unknown
}

func (k SiteKey) withDetail(detail string) SiteKey {
	k.Detail = detail
	return k
}

// fits reports whether a text has the general form of a site, if that says enough, and no word of the API in its holes.
func (e *Evidence) fits(general SiteKey, text string) bool {
	parts := strings.Split(general.Detail, hole)
	fills := fillsOf(parts, text)
	return fills != nil && identify(parts) && !slices.ContainsFunc(fills, func(fill string) bool { return e.enumWords()[fill] })
}

// enumWords returns the values of the enums of the schema. They are words of the API: a text that has one is about it.
func (e *Evidence) enumWords() map[string]bool {
	if e.Words == nil {
		e.Words = map[string]bool{}
		wordsOfEnums(e.Target.Document.Root, e.Words)
	}
	return e.Words
}

// hole takes the place of a value in a general text. Package causes writes the same.
const hole = "#"

// A text that has a general form in common with many others contains values. Those that the object has are values already
// if a few texts differ only in them.
const (
	mostDetails       = 12
	mostDetailsOfBoth = 5
)

// leastSaid is how many letters the source must say about a text to identify its errors.
const leastSaid = 6

// originsOf returns the places in the source that made errors of a result.
func (e *Evidence) originsOf(r *harness.Result, errs field.ErrorList) map[*field.Error]*errorsites.Site {
	if e.Options.Origins == nil || len(r.Native.Executed) == 0 || len(errs) == 0 {
		return nil
	}
	origins := map[*field.Error]*errorsites.Site{}
	for n, origin := range e.Options.Origins(r.Native.Executed, errs) {
		if origin != nil {
			origins[errs[n]] = origin
		}
	}
	return origins
}

// SiteOf returns the site of an error in an object, which is a part of an answer.
func (e *Evidence) SiteOf(err *field.Error, in explore.Input, of Part) SiteKey {
	key := SiteKey{Place: mendField(e.Target.Document.Root, err.Field).Place.String(), Typ: err.Type}
	if origin := of.origin; origin != nil {
		key.Source = fmt.Sprintf("%s:%d", origin.File, origin.Line)
		if key.Detail = e.readText(key.Source, err.Detail); key.Detail != "" {
			e.general[key] = true
			return key
		}
		if parts := origin.Texts(); len(parts) > 1 && identify(parts) {
			key.Detail = strings.Join(parts, hole)
			if inner := of.inner; inner != nil {
				key.Source = fmt.Sprintf("%s:%d", inner.File, inner.Line)
				key.Detail = strings.TrimSuffix(key.Detail, hole) + strings.Join(inner.Texts(), hole)
			}
			e.general[key] = true
			return key
		}
	}
	if text := e.textOfReadings(err); strings.Contains(text, hole) {
		key.Detail = text
		e.general[key] = true
		return key
	}
	detail := err.Detail
	if e.bySite[key.withDetail(detail)] == nil {
		detail = withoutDumps(e.withoutOwnWord(withoutBadValue(err), err, in))
	}
	for _, general := range e.forms[key.withDetail("")] {
		if e.fits(general, detail) {
			return general
		}
	}
	for _, form := range []struct {
		detail string
		most   int
	}{{masked(detail, e.valuesOf(in)), mostDetailsOfBoth}, {causes.GeneralText(detail), mostDetails}} {
		general := key.withDetail(form.detail)
		if e.general[general] {
			return general
		}
		if form.detail == detail {
			continue
		}
		known := e.details[general]
		if slices.Contains(known, detail) {
			continue
		}
		if len(known) == form.most {
			e.generalize(general)
			return general
		}
		e.details[general] = append(known, detail)
	}
	key.Detail = detail
	if detail != err.Detail {
		e.general[key] = true
	}
	return key
}

// identify reports whether the parts of a text say enough to tell it from others.
func identify(parts []string) bool {
	letters := 0
	for _, part := range parts {
		for _, r := range part {
			if unicode.IsLetter(r) {
				letters++
			}
		}
	}
	return letters >= leastSaid
}

// withoutBadValue returns the text of an error with a hole for its bad value.
func withoutBadValue(err *field.Error) string {
	value := fmt.Sprint(err.BadValue)
	if len(value) < 2 {
		return err.Detail
	}
	if text, isText := err.BadValue.(string); isText {
		return strings.ReplaceAll(err.Detail, strconv.Quote(text), hole)
	}
	return replacedWords(err.Detail, value)
}

// withoutOwnWord returns the text of an error with a hole for the text at its place, if that is a word of the API by chance:
// the field itself has no enum.
func (e *Evidence) withoutOwnWord(detail string, err *field.Error, in explore.Input) string {
	at := fieldpath.Canonical(err.Field)
	own, _ := object.Parse(at).Get(in.Object)
	word, isText := own.(string)
	schema := mendField(e.Target.Document.Root, err.Field).Place.Schema(e.Target.Document.Root)
	if !isText || !e.enumWords()[word] || schema == nil || len(schema.Enum) > 0 {
		return detail
	}
	return replacedWords(detail, word)
}

// masked returns a text with a hole for each of some values in it.
func masked(text string, values []string) string {
	for _, value := range values {
		if strings.Contains(text, value) {
			text = replacedWords(text, value)
		}
	}
	return text
}

// valuesOf returns the texts and numbers of an input, the longest first, except words of the API.
func (e *Evidence) valuesOf(in explore.Input) (values []string) {
	Collect(in.Object, &values)
	Collect(in.Old, &values)
	slices.SortFunc(values, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.DeleteFunc(slices.Compact(values), func(value string) bool { return value == "" || e.enumWords()[value] })
}

// wordsOfEnums adds the values of all enums in a schema.
func wordsOfEnums(schema *spec.Schema, to map[string]bool) {
	for _, value := range schema.Enum {
		if word, isText := value.(string); isText {
			to[word] = true
		}
	}
	for child := range openapi.Children(schema) {
		wordsOfEnums(child.Schema, to)
	}
}

// Collect appends the texts and numbers in a value.
func Collect(value any, to *[]string) {
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			if name != "apiVersion" && name != "kind" {
				Collect(part, to)
			}
		}
	case []any:
		for _, item := range value {
			Collect(item, to)
		}
	case string:
		*to = append(*to, value)
	case int64, float64:
		*to = append(*to, fmt.Sprint(value))
	}
}

// replacedWords replaces a value where it is not a part of a longer word.
func replacedWords(text, value string) string {
	isWord := func(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	var out strings.Builder
	for {
		at := strings.Index(text, value)
		if at < 0 || value == "" {
			return out.String() + text
		}
		end := at + len(value)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[end:])
		out.WriteString(text[:at])
		if at > 0 && isWord(before) || end < len(text) && isWord(after) {
			out.WriteString(value)
		} else {
			out.WriteString(hole)
		}
		text = text[end:]
	}
}

// generalize makes one site of those whose texts have a general form.
func (e *Evidence) generalize(general SiteKey) {
	e.general[general] = true
	family := general.withDetail("")
	e.forms[family] = append(e.forms[family], general)
	var merged *Site
	isPart := func(key SiteKey) bool {
		return key.withDetail("") == family && (slices.Contains(e.details[general], key.Detail) || e.fits(general, key.Detail))
	}
	e.Sites = slices.DeleteFunc(e.Sites, func(of *Site) bool {
		if !isPart(of.Key) {
			return false
		}
		delete(e.bySite, of.Key)
		if merged == nil {
			merged = of
			return false
		}
		merged.reported += of.reported
		merged.Alone = merged.Alone || of.Alone
		if of.size < merged.size {
			merged.First, merged.Example, merged.size = of.First, of.Example, of.size
		}
		return true
	})
	for _, s := range e.Samples {
		for n := range s.Reported {
			if isPart(s.Reported[n].Site) {
				s.Reported[n].Site = general
			}
		}
	}
	if merged != nil {
		merged.Key, merged.fills = general, nil
		e.bySite[general] = merged
		for _, detail := range e.details[general] {
			merged.fill(detail)
		}
	}
}

// fill notes what the text of an error has in the holes of the general text.
func (s *Site) fill(text string) {
	found := fillsOf(strings.Split(s.Key.Detail, hole), text)
	if s.fills == nil {
		for n := range found {
			s.fills = append(s.fills, &found[n])
		}
		return
	}
	for n := range s.fills {
		if n >= len(found) || s.fills[n] != nil && *s.fills[n] != found[n] {
			s.fills[n] = nil
		}
	}
}

// fillsOf returns what a text has between parts.
func fillsOf(parts []string, text string) (fills []string) {
	rest, begins := strings.CutPrefix(text, parts[0])
	if !begins {
		return nil
	}
	for n, part := range parts[1:] {
		at := strings.Index(rest, part)
		if n == len(parts)-2 && strings.HasSuffix(rest, part) {
			at = len(rest) - len(part)
		}
		if at < 0 {
			return nil
		}
		fills = append(fills, rest[:at])
		rest = rest[at+len(part):]
	}
	return fills
}

// leastConstant is how many errors show that a part of their text is not a value of an object.
const leastConstant = 3

// Message returns the text of the errors in one line, without the values of one object.
func (e *Evidence) Message(of *Site) string {
	text, values := of.First.Detail, e.valuesOf(of.Example)
	values = slices.DeleteFunc(values, func(value string) bool { return value == "a" }) // an article
	switch {
	case e.general[of.Key]:
		parts := strings.Split(of.Key.Detail, hole)
		text = parts[0]
		for n, part := range parts[1:] {
			fill := "…"
			if n < len(of.fills) && of.fills[n] != nil && of.reported >= leastConstant && masked(*of.fills[n], values) == *of.fills[n] {
				fill = *of.fills[n]
			}
			text += fill + part
		}
	case of.reported < leastConstant:
		text = strings.ReplaceAll(masked(text, values), hole, "…")
	}
	return strings.Join(strings.Fields(text), " ")
}
