package equivalence

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// schemaKeywords returns the keywords that a rule may name under "schema".
func schemaKeywords() []string {
	return []string{
		"type", "format", "pattern", "multipleOf",
		"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum",
		"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
		"x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-int-or-string",
	}
}

// keywordPattern is a rule's pattern for a keyword at the declarative field.
type keywordPattern struct {
	keyword string
	pattern *pattern
}

// capture matches all values of the keyword in the schema. It fails if there is none, or if two values
// capture different texts.
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

// schemaPatterns compiles the schema patterns of a rule, sorted by keyword.
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

// holds reports whether two errors meet a rule's conditions besides texts and fields: the condition on
// the value and, if the rule rewrites fields, that the schema does not declare the native field. Without
// a schema, a built-in rule that rewrites fields does not apply; a user's rule does.
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

// holdsFor reports whether the values that the two sides name match; one must be named.
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

// related reports whether the fields are equal, or one contains the other. A map key equals a field of
// the same name.
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

// exampleDeclarations is the schema of an example, as its file describes it. All items of a list share a
// schema, so paths have no indices.
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

// Declares reports whether the example declares the field.
func (d exampleDeclarations) Declares(path string) bool {
	return d.declared[withoutIndices(path)]
}

// Keyword returns the value of a keyword in the example.
func (d exampleDeclarations) Keyword(path, keyword string) []string {
	if text, ok := d.keywords[withoutIndices(path)][keyword]; ok {
		return []string{text}
	}
	return nil
}

// declarations returns the schema that the errors of an example describe.
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

// schemaOfExample reads the schema key of an error in an example.
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
