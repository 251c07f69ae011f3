package equivalence

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

//go:embed rules/*.yaml
var builtinRules embed.FS

// builtinFolder is the folder of the embedded rules in messages.
const builtinFolder = "equivalence/"

// RuleSet is an ordered set of rules. It is immutable and safe for concurrent use; the zero value and nil
// are empty.
type RuleSet struct{ rules []*Rule }

// BuiltinRules returns the rules that relate the wording of Kubernetes' hand-written validators
// (k8s.io/kubernetes pkg/apis/*/validation, apimachinery pkg/util/validation and pkg/api/validate) to
// that of schema validators (kube-openapi pkg/validation/errors, as apiextensions-apiserver converts it
// to field errors, and the CEL library "format"). The folder rules has one file per subject. The rules
// are loaded once per process. The tests of this package, not each process, hold them against their
// examples.
func BuiltinRules() (*RuleSet, error) { return readBuiltinRules() }

var readBuiltinRules = sync.OnceValues(func() (*RuleSet, error) {
	files, err := fs.Glob(builtinRules, "rules/*.yaml")
	if err != nil {
		return nil, err
	}
	var sets []*RuleSet
	for _, file := range files {
		content, err := builtinRules.ReadFile(file)
		if err != nil {
			return nil, err
		}
		set, err := loadRules(builtinFolder+file, content, builtinLoaded)
		if err != nil {
			return nil, err
		}
		for _, rule := range set.rules {
			rule.Builtin = true
		}
		sets = append(sets, set)
	}
	return (*RuleSet)(nil).With(sets...)
})

// With returns the rules of the set and of others, in this order. If several rules explain a pair, the first one is
// named. A duplicate name is a userfile.Mistakes.
func (s *RuleSet) With(others ...*RuleSet) (*RuleSet, error) {
	var joined RuleSet
	var mistakes strictyaml.Mistakes
	named := map[string]*Rule{}
	for _, set := range append([]*RuleSet{s}, others...) {
		for _, rule := range set.All() {
			if first, twice := named[rule.Name]; twice {
				mistakes = append(mistakes, nameTaken(rule.Name, rule.Position, first.Position))
				continue
			}
			named[rule.Name] = rule
			joined.rules = append(joined.rules, rule)
		}
	}
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	return &joined, nil
}

func nameTaken(name string, at, first strictyaml.Position) strictyaml.Mistake {
	return strictyaml.Mistake{
		Position: at,
		Message:  fmt.Sprintf("rule %q has the name of the rule at %s; choose a different one", name, first),
	}
}

// All returns the rules in their order.
func (s *RuleSet) All() []*Rule {
	if s == nil {
		return nil
	}
	return slices.Clone(s.rules)
}

// For returns the rules that are about a version of a kind.
func (s *RuleSet) For(version schema.GroupVersionKind) *RuleSet {
	return &RuleSet{rules: slices.DeleteFunc(s.All(), func(rule *Rule) bool { return !rule.AppliesTo(version) })}
}

// overlapping returns the rules that may apply to the same versions as a given rule.
func (s *RuleSet) overlapping(rule *Rule) *RuleSet {
	return &RuleSet{rules: slices.DeleteFunc(s.All(), func(other *Rule) bool {
		return rule.Target() != "" && other.Target() != "" && !rule.target.overlaps(other.target)
	})}
}

// without returns the set without one rule.
func (s *RuleSet) without(name string) *RuleSet {
	return &RuleSet{rules: slices.DeleteFunc(s.All(), func(rule *Rule) bool { return rule.Name == name })}
}
