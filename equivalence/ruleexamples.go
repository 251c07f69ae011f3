package equivalence

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
)

// examples checks the rule against the examples of its author.
func (b *ruleBuilder) examples(rule *Rule) {
	rule.Match = b.exampleErrors(rule, "match", b.entry.Examples.Match)
	rule.Differ = b.exampleErrors(rule, "differ", b.entry.Examples.Differ)
	if b.origin == builtinLoaded {
		return
	}
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
	if b.failed || rule.Kind != kindWording && rule.Kind != kindJoins {
		return
	}
	if rule.Kind == kindWording {
		b.crossed(rule)
	}
	if b.origin == ofUsers {
		b.openWords(rule)
	}
	for i, example := range rule.Match {
		if free, ok := rule.freePart(example); ok {
			b.addf("explains its example %d of match also if %s has %s in place of %s; capture it in a group that both sides have",
				i+1, free.in, free.other, free.is)
		}
		if native, declarative, ok := rule.ignoresIndex(example); ok {
			b.addf("nativeField and declarativeField take %s and %s for one field; capture the index on both sides", native, declarative)
		}
	}
}

// exampleErrors returns examples with errors of the rule's types.
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

// exampleType returns a rule's type, or Invalid if the rule is about any type.
func (r *Rule) exampleType(of field.ErrorType) field.ErrorType {
	if of == "" {
		return field.ErrorTypeInvalid
	}
	return of
}

// unexplained returns why the rule alone does not explain an example, or "".
func (r *Rule) unexplained(example Example) string {
	if r.Kind == kindWording && len(example.Native) == 1 && len(example.Declarative) == 1 {
		native, declarative := lineIn(example, example.Native[0]), lineIn(example, example.Declarative[0])
		if r.explains(native, declarative) {
			return ""
		}
		return whyNot(r, native, declarative)
	}
	used := false
	for _, pair := range NewMatcher(&RuleSet{rules: []*Rule{r}}).MatchAnswers(difference.Answer{Errors: example.Native},
		difference.Answer{Errors: example.Declarative}, example.Declared) {
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

// ignoresIndex returns two fields that the rule makes equivalent although an index differs. If one side
// of the example has no index, there is nothing to compare.
func (r *Rule) ignoresIndex(example Example) (native, declarative string, ignored bool) {
	if r.native.field == nil {
		return "", "", false
	}
	indices := func(of sideName) [][]int {
		return index.FindAllStringSubmatchIndex((*example.side(of))[0].Field, -1)
	}
	for _, of := range []sideName{declarativeSide, nativeSide} {
		if len(indices(of)) > len(indices(of.other())) {
			continue
		}
		at := (*example.side(of))[0].Field
		for _, place := range indices(of) {
			for other := range otherIndices {
				if strconv.Itoa(other) == at[place[2]:place[3]] {
					continue
				}
				changed := example.withField(of, at[:place[2]]+strconv.Itoa(other)+at[place[3]:])
				if r.unexplained(changed) == "" {
					return changed.Native[0].Field, changed.Declarative[0].Field, true
				}
			}
		}
	}
	return "", "", false
}

// index matches the index of an item in a field.
var index = regexp.MustCompile(`\[(\d+)\]`)

// otherIndices is how many indices replace one; patterns may match only single digits.
const otherIndices = 11

// withField returns the example with the first error of a side at a different field.
func (e Example) withField(of sideName, at string) Example {
	errs := slices.Clone(*e.side(of))
	changed := *errs[0]
	changed.Field = at
	errs[0] = &changed
	*e.side(of) = errs
	return e
}

func whyNot(rule *Rule, native, declarative line) string {
	if _, ok := rule.nativeKey(native); !ok {
		return "native does not match " + quoteAt(native)
	}
	if _, ok := rule.declarativeKey(declarative); !ok {
		return "declarative does not match " + quoteAt(declarative)
	}
	if native.contradictsAs(declarative, rule.amount) {
		for _, as := range []amount{quantityAmount, durationAmount} {
			if !native.contradictsAs(declarative, as) {
				return "the values contradict each other; for texts that are amounts write amount: " + string(as)
			}
		}
		return "the values contradict each other"
	}
	if rule.value != nil && !rule.value.holdsFor(native.bad(), declarative.bad()) {
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

// quoteAll returns the errors of a side for a message.
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
