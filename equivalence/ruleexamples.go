package equivalence

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// examples tries the rule on what its author says about it.
func (b *ruleBuilder) examples(rule *Rule) {
	rule.Match = b.exampleErrors(rule, "match", b.entry.Examples.Match)
	rule.Differ = b.exampleErrors(rule, "differ", b.entry.Examples.Differ)
	for i, example := range rule.Match {
		if complaint := rule.unexplained(example); complaint != "" {
			b.addf("does not explain its example %d of match: %s", i+1, complaint)
		}
	}
	for i, example := range rule.Differ {
		if rule.unexplained(example) == "" {
			b.addf("explains its example %d of differ: %s and %s", i+1, quoteAll(example.Native), quoteAll(example.Declarative))
		}
	}
	if b.failed || rule.Kind != Wording {
		return
	}
	for i, example := range rule.Match {
		if is, other, ok := rule.ignores(example); ok {
			b.addf("explains its example %d of match also if declarative has %s in place of %s; capture it in a group that both sides have", i+1, other, is)
		}
		if at, ok := rule.ignoresIndex(example); ok {
			b.addf("nativeField and declarativeField take %s and %s for one field; capture the index on both sides", example.Native[0].Field, at)
		}
	}
}

// exampleErrors makes errors of the rule's types of the texts of examples.
func (b *ruleBuilder) exampleErrors(rule *Rule, key string, entries []exampleEntry) []Example {
	at := exampleField
	if !rule.field.IsZero() {
		at = rule.field.example()
	}
	var examples []Example
	for i, entry := range entries {
		if entry.listed >= 0 && entry.listed != 2 {
			b.addf("example %d of %s has %d texts; write [native, declarative]", i+1, key, entry.listed)
			continue
		}
		example := Example{Declared: entry.declarations(at)}
		for _, err := range entry.native {
			example.Native = append(example.Native, err.error(rule.exampleType(rule.NativeType), at))
		}
		for _, err := range entry.declarative {
			example.Declarative = append(example.Declarative, err.error(rule.exampleType(rule.DeclarativeType), at))
		}
		examples = append(examples, example)
	}
	return examples
}

// exampleType is that of a rule's examples when the rule is about any type.
func (r *Rule) exampleType(of field.ErrorType) field.ErrorType {
	if of == "" {
		return field.ErrorTypeInvalid
	}
	return of
}

// unexplained says why the rule, by itself, does not explain an example, or
// gives "".
func (r *Rule) unexplained(example Example) string {
	if r.Kind == Wording && len(example.Native) == 1 && len(example.Declarative) == 1 {
		native, declarative := lineIn(example, example.Native[0]), lineIn(example, example.Declarative[0])
		if r.explains(native, declarative) {
			return ""
		}
		return whyNot(r, native, declarative)
	}
	used := false
	for _, pair := range NewMatcher(&RuleSet{rules: []*Rule{r}}).MatchAnswers(Answer{Steady: example.Native}, Answer{Steady: example.Declarative}, example.Declared) {
		if !pair.Agrees() {
			return string(pair.Class) + " remains at " + pair.Field()
		}
		used = used || pair.Rule == r || pair.Repeats == r
	}
	if !used {
		return "its errors agree without the rule"
	}
	return ""
}

// ignoresIndex gives a field that the rule takes for the native one of an
// example although an index in it is another. Where the native field lacks the
// index there is nothing to compare.
func (r *Rule) ignoresIndex(example Example) (string, bool) {
	if r.native.field == nil {
		return "", false
	}
	native, declarative := example.Native[0], *example.Declarative[0]
	indices := regexp.MustCompile(`\[\d+\]`)
	places := indices.FindAllStringIndex(declarative.Field, -1)
	if len(indices.FindAllString(native.Field, -1)) < len(places) {
		return "", false
	}
	at := slices.IndexFunc(places, func(place []int) bool {
		index, _ := strconv.Atoi(example.Declarative[0].Field[place[0]+1 : place[1]-1])
		declarative.Field = example.Declarative[0].Field[:place[0]+1] + strconv.Itoa(index+1) + example.Declarative[0].Field[place[1]-1:]
		return r.explains(lineIn(example, native), lineIn(example, &declarative))
	})
	return declarative.Field, at >= 0
}

func whyNot(rule *Rule, native, declarative line) string {
	if _, ok := rule.nativeKey(native); !ok {
		return "native does not match " + quoteAt(native)
	}
	if _, ok := rule.declarativeKey(declarative); !ok {
		return "declarative does not match " + quoteAt(declarative)
	}
	if native.contradicts(declarative) {
		return "the values contradict each other"
	}
	if rule.value != nil && !rule.value.holdsFor(native.value, declarative.value) {
		return fmt.Sprintf("no value, or one that does not match %q", rule.value.source)
	}
	if !rule.holds(native, declarative) {
		return "the schema declares " + native.err.Field + " as a field of its own"
	}
	if rule.native.detail == nil {
		return "the texts, or the groups of the fields, of " + quoteAt(native) + " and " + quoteAt(declarative) + " are not the same"
	}
	return "the named groups of " + quoteAt(native) + " and " + quoteAt(declarative) + " capture different texts"
}

// quoteAll shows the errors of a side in a message.
func quoteAll(errs field.ErrorList) string {
	text := ""
	for i, err := range errs {
		if i > 0 {
			text += ", "
		}
		text += quoteAt(newLine(err))
	}
	return text
}
