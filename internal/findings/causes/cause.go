package causes

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// Cause identifies differences that probably have one reason. They share the kind, the class, the field
// without indices and keys, and both errors without the values of one object. Causes are comparable, so
// they can be keys of maps.
type Cause struct {
	// Kind is the kind of the objects, in any group and version: a kind has one validator.
	Kind, Subresource string
	Class             difference.Class
	// Field is the field of the pair, with any index or key. OtherField is the field of the schema's
	// error if the class is Path, and empty otherwise.
	Field, OtherField   string
	Native, Declarative CauseError
}

// CauseError is the common part of errors of one side; the zero value means no error.
type CauseError struct {
	Type field.ErrorType
	// Detail is their text, with "#" for each value of an object in it. It is empty for the denial of a
	// validation of a policy, which may make any text of the object: Part is its place.
	Detail string
	// Part is the part of a policy that denied: several may have the same text.
	Part string
}

// CauseOf returns the cause of a difference in a result.
func CauseOf(r *harness.Result, pair equivalence.Pair) Cause {
	return causeOf(r, pair, textsOf(r, pair))
}

// causeOf is CauseOf. texts are the texts of the object in the messages.
func causeOf(r *harness.Result, pair equivalence.Pair, texts []string) Cause {
	cause := Cause{
		Kind: r.Version.Kind, Subresource: r.Case.Subresource, Class: pair.Class,
		Field: generalField(pair.Field(), texts), Native: causeError(pair.Native, texts), Declarative: causeError(pair.Declarative, texts),
	}
	if pair.Class == difference.Path && pair.Declarative != nil {
		cause.OtherField = generalField(pair.Declarative.Field, texts)
	}
	return cause
}

// Signature returns a short name for the cause, the same in every run. Words, such as the effect,
// separate differences with the same cause.
func (c Cause) Signature(words ...string) string {
	text := fieldpath.JoinKey(append(words, c.Kind, c.Subresource, string(c.Class), c.Field, c.OtherField,
		string(c.Native.Type), c.Native.Detail, string(c.Declarative.Type), c.Declarative.Detail)...)
	if c.Native.Part+c.Declarative.Part != "" { // other causes keep the signatures in the names of recorded findings
		text += fieldpath.JoinKey(c.Native.Part, c.Declarative.Part)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// causeError returns what an error shares with others. texts are the texts of the object in the messages.
func causeError(err *field.Error, texts []string) CauseError {
	if err == nil {
		return CauseError{}
	}
	cause := CauseError{Type: err.Type, Part: fielderror.PolicyPart(err)}
	if !strings.HasSuffix(cause.Part, "]") || strings.HasPrefix(err.Detail, fielderror.ExpressionFailed) {
		cause.Detail = SharedText(withoutValues(err, texts))
	}
	return cause
}

// longestCause limits how much of a field or a text identifies a cause. It bounds the memory for causes.
const longestCause = 400

// generalField returns the pattern of a field. A step that is one of the texts of the object is a key of a map.
func generalField(at string, texts []string) string {
	return GeneralText(anyIndex(at, texts))
}

// AnyIndex returns the pattern of a field at any index or key.
func AnyIndex(at string) string { return anyIndex(at, nil) }

func anyIndex(at string, keys []string) string {
	if fieldpath.Canonical(at) == "" {
		return fieldpath.Root
	}
	var text strings.Builder
	for _, step := range fieldpath.Split(at) {
		switch {
		case step.Bracket || text.Len() > 0 && slices.Contains(keys, step.Text):
			text.WriteString("[*]")
		case text.Len() > 0:
			text.WriteString("." + step.Text)
		default:
			text.WriteString(step.Text)
		}
	}
	return text.String()
}

// particular matches the differences between equal messages about different objects.
var particular = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|'[^' ]*'|[0-9]+")

// wideParticular also matches values that no exception should accept at a stroke: numbers with their
// units, such as 1h30m, 10Gi, 10.0.0.1 and 2026-01-31, UUIDs, lists and maps as Go prints them, texts for
// values that are not set, such as <nil>, and the indices and keys of a path.
var wideParticular = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|'[^' ]*'|" +
	`\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|` + structure.String() + `|<[a-z][a-z ]*>|[0-9A-Za-z_](?:\[[^][\s]*\])+|` +
	`[0-9](?:[0-9A-Za-z.:/+_-]*[0-9A-Za-z])?`)

// structure matches the innermost list, map or struct of a value. A list of one item, or of none, follows a blank:
// after a word brackets are an index, and at the begin of a text they may name the rule.
var structure = regexp.MustCompile(`(?:map)?\[[^][]* [^][]*\]|map\[[^][]*\]| \[[^][]*\]|&?\{[^{}]*\}`)

// phrase matches a value with blanks in single quotes, which are no apostrophes.
var phrase = regexp.MustCompile(`(^|[\s([{=:,;])'[^'\n]* [^'\n]*'(?:$|[^0-9A-Za-z'])`)

// open matches a list, map or struct that was cut off.
var open = regexp.MustCompile(`(?s)(?:[{]|map\[).*$`)

// listed matches values that follow each other: lists of any length are alike.
var listed = regexp.MustCompile(`#(?:,? #)+`)

// unended matches a quoted value that was cut off.
var unended = regexp.MustCompile("(?s)(?:[\"`]|'[^' ]*$).*$")

// GeneralText returns a text with "#" for each number and each quoted value, cut if it is long.
func GeneralText(text string) string { return replaced(text, particular) }

// SharedText returns what a text has in common with equal messages about other objects: it has "#" for
// each value, and for lists of values of any length, and each line once. It is cut if it is long.
func SharedText(text string) string {
	const longest = 32 << 10 // of a text that quotes whole objects
	wasCut := len(text) > longest || strings.HasSuffix(text, "…") || strings.HasSuffix(text, "...")
	if len(text) > longest {
		text = unended.ReplaceAllString(strings.ToValidUTF8(text[:longest], ""), "#")
	}
	text = phrase.ReplaceAllStringFunc(strings.TrimSpace(withoutDiffs(text)), func(found string) string {
		first, last := strings.Index(found, "'"), strings.LastIndex(found, "'")
		return found[:first] + "#" + found[last+1:]
	})
	for pattern := wideParticular; ; pattern = structure {
		before := text
		text = pattern.ReplaceAllStringFunc(text, func(found string) string {
			switch {
			case found[0] == ' ':
				return " #"
			case strings.HasPrefix(found[1:], "[") && found[0] != '&':
				return found[:1] + "[#]"
			}
			return "#"
		})
		if pattern == structure && text == before {
			break
		}
	}
	text = distinctLines(listed.ReplaceAllString(text, "#"))
	if wasCut = wasCut || len(text) > longestCause; wasCut {
		text = open.ReplaceAllString(text, "#")
	}
	return strings.ToValidUTF8(text[:min(len(text), longestCause)], "")
}

// distinctLines returns a text with each of its lines once: a message may say the same of several items.
func distinctLines(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// replaced replaces the matches of a pattern in a text of bounded length.
func replaced(text string, pattern *regexp.Regexp) string {
	if len(text) <= longestCause {
		return pattern.ReplaceAllString(strings.TrimSpace(text), "#")
	}
	text = strings.ToValidUTF8(text[:longestCause], "")
	return unended.ReplaceAllString(pattern.ReplaceAllString(strings.TrimSpace(text), "#"), "#")
}

// TextPart is a piece of a text.
type TextPart struct {
	Text string
	// Particular is true if the piece is about one object. Texts of one cause share the other pieces.
	Particular bool
}

// TextParts splits a text into its parts. Shared and particular parts alternate. The first and the last
// part are shared, and may be empty.
func TextParts(text string) []TextPart {
	var parts []TextPart
	end := 0
	for _, at := range particular.FindAllStringIndex(text, -1) {
		parts = append(parts, TextPart{Text: text[end:at[0]]}, TextPart{Text: text[at[0]:at[1]], Particular: true})
		end = at[1]
	}
	return append(parts, TextPart{Text: text[end:]})
}

// Pattern returns a pattern (RE2) for all parts of the same form: any number for a number, any text in
// the same quotes for a quoted value.
func (p TextPart) Pattern() string {
	switch {
	case !p.Particular:
		return regexp.QuoteMeta(p.Text)
	case strings.HasPrefix(p.Text, `"`):
		return `"(?:[^"\\]|\\.)*"`
	case strings.HasPrefix(p.Text, "`"):
		return "`[^`]*`"
	case strings.HasPrefix(p.Text, "'"):
		return `'[^' ]*'`
	}
	return `[0-9]+`
}
