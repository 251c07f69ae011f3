package agreement

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/dev/upstream/capture"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// outcome is the result of one side: errors, a value with paths, or facts about rules.
type outcome struct {
	// refused means that the schema does not compile; note, why. note is not compared.
	refused bool
	note    string
	errs    []failure
	// value is the changed object; changed, whether it differs from the original.
	value   any
	changed bool
	paths   []string
	facts   []string
	// weighty means that facts alone are worth comparing.
	weighty bool
}

// failure is an error as it is compared.
type failure struct{ typ, field, detail, badValue string }

func (f failure) brief() string { return f.typ + " " + f.field }

// ownErrors returns the errors of this project.
func ownErrors(errs field.ErrorList) []failure {
	var all []failure
	for _, e := range errs {
		all = append(all, failure{string(e.Type), relative(e.Field, ""), e.Detail, badValue(json.RawMessage(jsonText(e.BadValue)))})
	}
	return all
}

// captured returns the errors of a call, with their fields relative to the value.
func captured(c *capture.Call) []failure {
	var all []failure
	for _, e := range c.Errors {
		all = append(all, failure{string(e.Type), relative(e.Field, c.Path), e.Detail, badValue(e.BadValue)})
	}
	return all
}

// relative returns a field as seen from a path above it.
func relative(at, path string) string {
	rest, _ := fieldpath.CutPrefix(at, path)
	return strings.TrimPrefix(rest, ".")
}

// badValue returns the bad value of an error as it is compared: equal numbers have one form, and an
// omitted value (field.OmitValueType, written as {}) is "".
func badValue(text json.RawMessage) string {
	v, err := readValue(text)
	if err != nil {
		return string(text)
	}
	if m, isMap := v.(map[string]any); v == nil || isMap && len(m) == 0 {
		return ""
	}
	return jsonText(v)
}

func jsonText(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}

func (o outcome) speaks() bool {
	return o.refused || o.weighty || len(o.errs) > 0 || o.changed || len(o.paths) > 0 || slices.ContainsFunc(o.facts, isRefusal)
}

// equal reports whether two outcomes agree, apart from their texts.
func (o outcome) equal(other outcome) bool {
	return o.refused == other.refused && slices.Equal(o.briefs(), other.briefs()) &&
		reflect.DeepEqual(o.value, other.value) && slices.Equal(o.paths, other.paths) && slices.Equal(o.facts, other.facts)
}

// exactly reports whether the texts agree, too.
func (o outcome) exactly(other outcome) bool {
	sorted := func(of outcome) []failure {
		all := slices.Clone(of.errs)
		slices.SortFunc(all, func(a, b failure) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		return all
	}
	return o.equal(other) && slices.Equal(sorted(o), sorted(other))
}

func (o outcome) briefs() []string {
	var all []string
	for _, f := range o.errs {
		all = append(all, f.brief())
	}
	slices.Sort(all)
	return all
}

// String prints an outcome for people.
func (o outcome) String() string {
	var lines []string
	if o.refused {
		lines = append(lines, "the schema does not compile: "+o.note)
	}
	for _, f := range o.errs {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s: %s (%s)", f.typ, f.field, f.detail, f.badValue)))
	}
	slices.Sort(lines)
	if o.value != nil || o.changed {
		lines = append(lines, jsonText(o.value))
	}
	if len(o.paths) > 0 {
		lines = append(lines, "dropped "+strings.Join(o.paths, ", "))
	}
	lines = append(lines, o.facts...)
	if len(lines) == 0 {
		return "nothing"
	}
	return strings.Join(lines, "\n")
}

// readValue reads a captured value; an empty text is nil.
func readValue(text json.RawMessage) (any, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var v any
	return v, utiljson.Unmarshal(text, &v)
}
