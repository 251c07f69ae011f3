package equivalence_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
)

// TestCrossedExamples compares the native error of each example with the declarative errors of all other
// examples, of all rules, near misses included. The golden file lists the pairs that agree without being an
// example: everything that the built-in rules make equivalent beyond what their authors wrote. A rule that
// explains too much shows up there.
func TestCrossedExamples(t *testing.T) {
	rules := builtinRules(t)
	matcher := equivalence.NewMatcher(rules)
	natives, declaratives, written := crossed(rules)
	tried, agreements := 0, map[string]bool{}
	for _, native := range natives {
		for _, declarative := range declaratives {
			if written[said(native.err)+said(declarative.err)] {
				continue
			}
			tried++
			pairs := matchBy(matcher, field.ErrorList{native.err}, field.ErrorList{declarative.err}, declarative.declared)
			if len(pairs) == 1 && pairs[0].Agrees() && pairs[0].Rule != nil {
				agreements[fmt.Sprintf("%s: %s | %s", pairs[0].Rule.Name, said(native.err), said(declarative.err))] = true
			}
		}
	}
	t.Logf("%d pairs tried", tried)
	if tried < 10_000 {
		t.Errorf("only %d pairs were tried", tried)
	}
	compareGolden(t, "testdata/crossed.golden", strings.Join(slices.Sorted(maps.Keys(agreements)), "\n")+"\n")
}

// shown is an error of an example and its schema.
type shown struct {
	err      *field.Error
	declared difference.Declarations
}

// crossed returns the errors of all examples of wordings, each once, and the pairs that are examples.
func crossed(rules *equivalence.RuleSet) (natives, declaratives []shown, written map[string]bool) {
	written = map[string]bool{}
	known := map[string]bool{}
	add := func(to []shown, side string, err *field.Error, declared difference.Declarations) []shown {
		key := side + said(err) + fmt.Sprint(declared)
		if known[key] {
			return to
		}
		known[key] = true
		return append(to, shown{err, declared})
	}
	for _, rule := range rules.All() {
		if rule.Kind != "wording" {
			continue
		}
		for _, example := range slices.Concat(rule.Match, rule.Differ) {
			natives = add(natives, "native", example.Native[0], nil)
			declaratives = add(declaratives, "declarative", example.Declarative[0], example.Declared)
			written[said(example.Native[0])+said(example.Declarative[0])] = true
		}
	}
	return natives, declaratives, written
}

// said prints an error on one line. Texts that only explain a name are cut.
func said(err *field.Error) string {
	detail := strings.TrimPrefix(err.Detail, err.Field+" in body ")
	if before, _, found := strings.Cut(detail, " must consist of "); found {
		detail = before + " must consist of …"
	}
	text := strings.TrimSuffix(fmt.Sprintf("%s %s: %s", strings.TrimPrefix(string(err.Type), "FieldValue"), err.Field, detail), ": ")
	if err.BadValue != nil {
		text += fmt.Sprintf(" (%#v)", err.BadValue)
	}
	return text
}
