package causes

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/findings/objecttext"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Bounds of the values that are looked for in a text. A shorter value might be a word of the message.
const (
	shortestValue = 3
	longestValue  = longestCause
	mostValues    = 20
	largestValue  = 4 << 10 // bytes of JSON
)

// withoutValues returns the text of an error with "#" for each word that is a value of the object: the
// bad value, a text inside it, a key in the path of the field, or one of the texts of the object.
func withoutValues(err *field.Error, texts []string) string {
	text := err.Detail
	for _, value := range valuesOf(err, texts) {
		text = objecttext.Replace(text, value, "#")
	}
	return text
}

// valuesOf returns the texts of an error that are about one object, the longest first.
func valuesOf(err *field.Error, texts []string) []string {
	var values []string
	addText := func(text string) {
		if len(values) < mostValues && strings.Contains(err.Detail, text) {
			values = append(values, text)
		}
	}
	for _, text := range texts {
		addText(text)
	}
	add := func(text string) {
		if utf8.RuneCountInString(text) >= shortestValue {
			addText(text)
		}
	}
	for _, step := range fieldpath.Split(err.Field) {
		if step.Bracket {
			add(strings.Trim(step.Text, "[]"))
		}
	}
	if text, isText := err.BadValue.(string); isText {
		add(text)
	} else if encoded := plaintext.BadValue(err.BadValue); len(encoded) <= largestValue {
		var decoded any
		if json.Unmarshal(encoded, &decoded) == nil {
			eachText(decoded, add)
		}
	}
	slices.SortStableFunc(values, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return values
}

// eachText calls a function for each text in a decoded JSON value.
func eachText(value any, call func(string)) {
	switch value := value.(type) {
	case string:
		call(value)
	case []any:
		for _, item := range value {
			eachText(item, call)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			eachText(value[key], call)
		}
	}
}

// mostTexts limits the texts of the objects of one case.
const mostTexts = 200

// ObjectTexts returns the texts of the objects of a case that occur in messages about what nothing explains: errors of
// differences, faults, unmet expectations. Messages that differ only in them have one cause. Recorded
// runs keep these texts, because they keep no objects.
func ObjectTexts(r *harness.Result) []string {
	messages, fields := slices.Clone(r.Unmet), []string{}
	for _, fault := range r.Faults() {
		messages = append(messages, fault.Error())
	}
	for _, pair := range r.Pairs {
		if !pair.Explained() {
			messages, fields = append(messages, details(pair)...), append(fields, fieldsOf(pair)...)
		}
	}
	return textsIn(r, fields, messages...)
}

// textsOf returns the texts of the objects that occur in a pair.
func textsOf(r *harness.Result, pair equivalence.Pair) []string {
	return textsIn(r, fieldsOf(pair), details(pair)...)
}

func fieldsOf(pair equivalence.Pair) []string {
	var fields []string
	for _, err := range []*field.Error{pair.Native, pair.Declarative} {
		if err != nil {
			fields = append(fields, err.Field)
		}
	}
	return fields
}

func details(pair equivalence.Pair) []string {
	var texts []string
	for _, err := range []*field.Error{pair.Native, pair.Declarative} {
		if err != nil {
			texts = append(texts, err.Detail)
		}
	}
	return texts
}

// textsIn returns the texts of the objects that occur in messages, and the keys of maps in fields, the longest first.
func textsIn(r *harness.Result, fields []string, messages ...string) []string {
	if r.ObjectTexts != nil {
		return r.ObjectTexts
	}
	said := func(string) bool { return false }
	if naming, is := r.Declared.(fieldpath.Naming); is {
		said = naming.HasWord
	}
	found := map[string]bool{}
	add := func(text string) {
		if isParticular(text, said) && slices.ContainsFunc(messages, func(message string) bool { return strings.Contains(message, text) }) {
			found[text] = true
		}
	}
	for _, key := range mapKeys(r, fields) {
		if !said(key) {
			found[key] = true
		}
	}
	if !slices.ContainsFunc(messages, func(message string) bool { return message != "" }) {
		return longestFirst(found)
	}
	objects := []map[string]any{objecttext.Document(r.Case.Object), objecttext.Document(r.Case.Old)}
	for _, object := range slices.Concat(objects, r.Case.Cluster) {
		for key, value := range object {
			if key != "apiVersion" && key != "kind" {
				eachText(value, add)
			}
		}
		metadata, _ := object["metadata"].(map[string]any)
		for _, name := range []string{"name", "namespace", "generateName"} {
			if text, is := metadata[name].(string); is && isName(text, said) &&
				slices.ContainsFunc(messages, func(message string) bool { return strings.Contains(message, text) }) {
				found[text] = true // however short it is
			}
		}
		for _, name := range []string{"labels", "annotations"} {
			of, _ := metadata[name].(map[string]any)
			for key := range of {
				add(key)
			}
		}
	}
	return longestFirst(found)
}

// longestFirst returns texts, not too many.
func longestFirst(found map[string]bool) []string {
	texts := slices.SortedFunc(maps.Keys(found),
		func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return texts[:min(len(texts), mostTexts)]
}

// SharedMessage returns what a message about a result has in common with messages about other objects, as SharedText
// does. It also has "#" for the texts of the objects.
func SharedMessage(r *harness.Result, message string) string {
	shared := message
	for _, text := range textsIn(r, nil, message) {
		shared = objecttext.Replace(shared, text, "#")
	}
	return SharedText(shared)
}

// mapKeys returns the steps of fields that look like names of fields and are keys of maps by the schema.
func mapKeys(r *harness.Result, fields []string) []string {
	schema, is := r.Declared.(fieldpath.Generalizing)
	if !is {
		return nil
	}
	var keys []string
	for _, at := range fields {
		steps, general := fieldpath.Split(at), fieldpath.Split(schema.General(at))
		for i, step := range steps {
			if len(general) == len(steps) && !step.Bracket && general[i].Bracket {
				keys = append(keys, step.Text)
			}
		}
	}
	return keys
}

// isName reports whether the name of an object may identify it in a message.
func isName(text string, said func(string) bool) bool {
	return text != "" && len(text) <= longestValue && !objecttext.Common(strings.ToLower(text)) && !said(text)
}

// isParticular reports whether a text of an object may identify it in a message. A word that is common in messages, or
// that the schema has, may be there for every object.
func isParticular(text string, said func(string) bool) bool {
	return utf8.RuneCountInString(text) >= shortestValue && isName(text, said)
}
