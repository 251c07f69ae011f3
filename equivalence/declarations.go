package equivalence

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// Declarations says what the schema of the declarative side declares at the fields of
// an object. It is the evidence for rules whose two texts alone do not show that they
// mean the same. Fields are paths of errors; implementations are safe for concurrent
// use.
type Declarations interface {
	// Declares says whether the schema has the field, or may have it: below a value
	// that the schema leaves open, every field counts as declared.
	Declares(path string) bool
	// Keyword gives what a keyword says at a field, once for each schema that every
	// value there must meet (the field's own and its allOf). Numbers are decimal, the
	// items of a list are joined by commas. An exclusive bound is a value of
	// exclusiveMinimum or exclusiveMaximum, not of minimum or maximum; a keyword that is
	// true or false says "true" where it is. At the item of a list,
	// x-kubernetes-list-type and x-kubernetes-list-map-keys are those of the list.
	Keyword(path, keyword string) []string
}

// schemaKeywords are the keywords that a rule may name under "schema".
func schemaKeywords() []string {
	return []string{
		"type", "format", "pattern", "multipleOf",
		"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum",
		"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
		"x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-int-or-string",
	}
}

// keywordPattern is what a rule demands of a keyword at the declarative field.
type keywordPattern struct {
	keyword string
	pattern *pattern
}

// capture matches all that the schema says for the keyword. It fails if the schema
// says nothing, or if two of its values do not capture the same.
func (k keywordPattern) capture(l line) (map[string]string, bool) {
	if l.declared == nil {
		return nil, false
	}
	var captured map[string]string
	for _, text := range l.declared.Keyword(l.err.Field, k.keyword) {
		found, ok := k.pattern.capture(text)
		if !ok || captured != nil && !maps.Equal(captured, found) {
			return nil, false
		}
		captured = found
	}
	return captured, captured != nil
}

// schemaPatterns compiles what a rule demands of the schema, sorted by keyword.
func (b *ruleBuilder) schemaPatterns() []keywordPattern {
	var patterns []keywordPattern
	for _, keyword := range slices.Sorted(maps.Keys(b.entry.Schema)) {
		if !slices.Contains(schemaKeywords(), keyword) {
			b.addf("schema: unknown keyword %q; accepted: %s", keyword, strings.Join(schemaKeywords(), ", "))
			continue
		}
		compiled, err := compilePattern(b.entry.Schema[keyword])
		if err != nil {
			b.addf("schema: %s: %v", keyword, err)
			continue
		}
		patterns = append(patterns, keywordPattern{keyword, compiled})
	}
	return patterns
}

// holds checks what a rule demands of two errors beside their texts and fields: the
// condition on the value, and for a rule that rewrites fields, that the native field
// is another name for the declarative one and not a field of its own. Where the schema
// is not known, a built-in rule of that kind does not apply; one that a user wrote does.
func (r *Rule) holds(native, declarative line) bool {
	switch {
	case native.disagreesAs(declarative, r.amount):
		return false
	case r.value != nil && !r.value.holdsFor(native.bad(), declarative.bad()):
		return false
	case r.native.field == nil || related(native.steps, declarative.steps):
		return true
	case declarative.declared == nil:
		return !r.Builtin
	}
	return !declarative.declared.Declares(native.err.Field)
}

// holdsFor says whether the values that the two sides name match; one must be named.
func (p *pattern) holdsFor(values ...badValue) bool {
	named := false
	for _, value := range values {
		if value.Scalar() && !p.re.MatchString(value.Text) {
			return false
		}
		named = named || value.Scalar()
	}
	return named
}

// related reports whether one field contains the other, or they are the same. The key of a map and a
// field of the same name are the same.
func related(a, b []step) bool {
	shorter := min(len(a), len(b))
	return slices.Equal(a[:shorter], b[:shorter]) || withoutBrackets(a) == withoutBrackets(b)
}

func withoutBrackets(steps []step) string {
	texts := make([]string, len(steps))
	for i, step := range steps {
		texts[i] = step.Text
	}
	return strings.Join(texts, ".")
}

// exampleDeclarations is the schema of an example: what the file says of it. All items
// of a list have one schema, so paths are kept without their indices.
type exampleDeclarations struct {
	declared map[string]bool
	keywords map[string]map[string]string
}

func withoutIndices(path string) string {
	steps := fieldpath.Split(path)
	for i, step := range steps {
		if _, err := strconv.Atoi(step.Text); err == nil && step.Bracket {
			steps[i].Text = "*"
		}
	}
	return stepsKey(steps)
}

// Declares says whether the example calls the field declared.
func (d exampleDeclarations) Declares(path string) bool {
	return d.declared[withoutIndices(path)]
}

// Keyword gives what the example says of a keyword.
func (d exampleDeclarations) Keyword(path, keyword string) []string {
	if text, ok := d.keywords[withoutIndices(path)][keyword]; ok {
		return []string{text}
	}
	return nil
}

// declarations collects what the errors of an example say about its schema.
func (e exampleEntry) declarations(at string) exampleDeclarations {
	d := exampleDeclarations{declared: map[string]bool{}, keywords: map[string]map[string]string{}}
	for _, err := range slices.Concat(e.native, e.declarative) {
		path := withoutIndices(err.at(at))
		d.declared[path] = d.declared[path] || err.Declared
		if len(err.Schema) > 0 {
			d.keywords[path] = err.Schema
		}
	}
	return d
}

// schemaOfExample reads the key schema of an error of an example.
func schemaOfExample(keywords map[string]any) (map[string]string, error) {
	texts := map[string]string{}
	for keyword, value := range keywords {
		if !slices.Contains(schemaKeywords(), keyword) {
			return nil, fmt.Errorf("schema of an example: unknown keyword %q; accepted: %s", keyword, strings.Join(schemaKeywords(), ", "))
		}
		texts[keyword] = fmt.Sprint(value)
	}
	return texts, nil
}
