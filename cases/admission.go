package cases

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/cases/internal/suitefile"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/userfile"
)

// acceptedWorld describes the keys of a world of native, and acceptedNewWorld those of declarative.
const (
	acceptedWorld    = "a world with some of the keys builtin or crd, version, mutate, policies, kyverno or gatekeeper, then"
	acceptedNewWorld = "a world with some of the keys builtin, crd, openapi or go, version, mutate, policies, kyverno or gatekeeper, then"
)

// guard adds the guards of a side, which is at a position. resources are the kinds that they can see.
func (l *loader) guard(side *worldSide, of suitefile.Admission, at strictyaml.Position, resources []serving.Resource) {
	described := make([]serving.Description, len(resources))
	for i, resource := range resources {
		described[i] = resource.Describe()
	}
	if of.Mutate != nil && of.Mutate.HasHook() {
		hook := &of.Mutate.Hook
		if backend, ok := l.mutator(hook); ok {
			side.Mutate = world.Mutating{Mutator: backend, Match: l.matches(hook, resources), Guard: hook.Guard("mutate", words.ToChange)}
			l.checkReach("mutate", hook, side.Mutate.Match, described)
		}
	}
	for i := range of.Then {
		then, name := &of.Then[i], "then"
		if len(of.Then) > 1 {
			name = fmt.Sprintf("then[%d]", i)
		}
		if backend, ok := l.hook(name, then); ok {
			match := l.matches(then, resources)
			side.Then = append(side.Then, world.Validating{Backend: backend, Match: match, Guard: then.Guard(name, words.ToRefuse)})
			l.checkReach(name, then, match, described)
		}
	}
	l.policies(side, of, at, resources, described)
}

// policies loads the policies of a world.
func (l *loader) policies(side *worldSide, of suitefile.Admission, at strictyaml.Position, resources []serving.Resource,
	described []serving.Description) {
	validating, mutating := of.Policies, of.Mutate.Files()
	named := slices.Concat(validating, mutating)
	files := PolicyFiles{Validating: l.policyFiles(validating), Mutating: l.policyFiles(mutating)}
	if len(files.Validating)+len(files.Mutating) < len(named) {
		return // that a file cannot be read was said, and it may have the policies
	}
	if files.Validating = l.evaluated(side, of, at, files.Validating, described); len(files.Validating)+len(files.Mutating) == 0 {
		return
	}
	if len(files.Validating) == 0 {
		validating = nil // an engine evaluates them
	}
	if l.shared.options.Policies == nil {
		l.shared.mistakes.Addf(l.at(named[0]), "this program evaluates no policies: cases.Options.Policies is not set")
		return
	}
	made, err := l.shared.options.Policies(files, resources)
	if leftOut := (*LeftOutError)(nil); errors.As(err, &leftOut) {
		l.shared.mistakes.Addf(l.at(named[0]), "policies: %v", leftOut)
		return
	}
	l.shared.mistakes.Merge(l.Name, err)
	if made == nil {
		return
	}
	l.suite.expressions = append(l.suite.expressions, made.Expressions...)
	l.shared.warnings = append(l.shared.warnings, made.Warnings...)
	if made.Validating != nil {
		side.Policies = made.Validating
		l.checkPolicies(validating, made.Validating.Rules(), described)
	}
	if made.Mutating != nil {
		side.Mutations = made.Mutating
		l.checkPolicies(mutating, made.Mutating.Rules(), described)
	}
	if described[0].BuiltIn {
		l.shared.mistakes = append(l.shared.mistakes, made.Unreached(func(rules []admissionregistrationv1.RuleWithOperations) bool {
			return slices.ContainsFunc(described, world.Match{Rules: rules}.Reaches)
		}, "Kubernetes has no such kind, and the suite names no crd of it")...)
	}
}

// policyFiles reads files with policies.
func (l *loader) policyFiles(refs []suitefile.Reference) []PolicyFile {
	var files []PolicyFile
	for _, ref := range refs {
		if data, ok := l.read(ref); ok {
			files = append(files, PolicyFile{Name: l.resolve(ref), Data: data})
		}
	}
	return files
}

// checkPolicies reports policies of which none can see an object of a definition. Beside built-in kinds,
// each policy is checked.
func (l *loader) checkPolicies(refs []suitefile.Reference, rules []admissionregistrationv1.RuleWithOperations,
	described []serving.Description) {
	if first := described[0]; !first.BuiltIn && !(world.Match{Rules: rules}).Reaches(first) {
		l.shared.mistakes.Addf(l.at(refs[0]), "no bound policy of these files matches %s of the group %s, so none would look "+
			"at an object; write apiGroups: [%s] and resources: [%s] in a rule of matchConstraints",
			first.Versions[0].Plural, first.Kind.Group, first.Kind.Group, first.Versions[0].Plural)
	}
}

// mutator returns the webhook or program of the stage mutate. Both sides share a program.
func (l *loader) mutator(of *suitefile.Hook) (closable, bool) {
	if of.Exec == nil || of.Webhook != nil {
		return l.hook("mutate", of)
	}
	command := strings.Join(of.Exec.Command, "\x00")
	backend, known := l.mutators[command]
	if !known {
		if made, ok := l.hook("mutate", of); ok {
			backend = made
			if l.mutators == nil {
				l.mutators = map[string]closable{}
			}
			l.mutators[command] = made
		}
	}
	return backend, backend != nil
}

// hook returns the webhook or program of a stage. The plan closes it.
func (l *loader) hook(key string, of *suitefile.Hook) (closable, bool) {
	if (of.Exec == nil) == (of.Webhook == nil) {
		l.shared.mistakes.Addf(of.Position, "%s must name one of webhook and exec", key)
		return nil, false
	}
	return l.external(of.Exec, of.Webhook)
}

// matches describes the requests that a webhook gets.
func (l *loader) matches(of *suitefile.Hook, resources []serving.Resource) world.Match {
	if err := of.Matching().Check(); err != nil {
		l.shared.mistakes.Addf(of.Position, "%v", err)
	}
	match := world.Match{
		Policy:     admissionregistrationv1.MatchPolicyType(of.MatchPolicy),
		Objects:    l.selector(of, "objectSelector", of.ObjectSelector),
		Namespaces: l.selector(of, "namespaceSelector", of.NamespaceSelector),
	}
	if len(of.MatchConditions) > 0 {
		match.Conditions = l.conditions(of.MatchConditions, resources)
	}
	for _, rule := range of.Rules {
		if missing := rule.Missing(); len(missing) > 0 {
			l.shared.mistakes.Addf(rule.Position, "the rule has no %s; write it as in a webhook configuration, with * for all",
				strings.Join(missing, ", "))
		}
		l.checkWords(rule)
		match.Rules = append(match.Rules, rule.API())
	}
	return match
}

// conditions compiles the match conditions of a webhook.
func (l *loader) conditions(of []suitefile.MatchCondition, resources []serving.Resource) contract.MatchConditions {
	at := of[0].Position
	if l.shared.options.Policies == nil {
		l.shared.mistakes.Addf(at, "this program evaluates no match conditions: cases.Options.Policies is not set")
		return nil
	}
	var files PolicyFiles
	for _, condition := range of {
		files.Conditions = append(files.Conditions, condition.API())
	}
	made, err := l.shared.options.Policies(files, resources)
	var mistakes userfile.Mistakes
	switch {
	case errors.As(err, &mistakes):
		for _, mistake := range mistakes {
			l.shared.mistakes.Addf(at, "%s", strings.TrimPrefix(mistake.Message, "spec."))
		}
	case err != nil:
		l.shared.mistakes.Addf(at, "matchConditions: %v", err)
	default:
		return made.Conditions
	}
	return nil
}

// selector reads a selector of labels; nil: it selects everything.
func (l *loader) selector(of *suitefile.Hook, key, text string) labels.Selector {
	if text == "" {
		return nil
	}
	selector, err := labels.Parse(text)
	if err != nil {
		l.shared.mistakes.Addf(of.Position, "%s: %v; write it as kubectl get -l takes it, for instance tier=front,!legacy", key, err)
	}
	return selector
}

// checkWords reports operations and scopes that do not exist.
func (l *loader) checkWords(rule suitefile.HookRule) {
	for _, word := range rule.Words() {
		if err := word.Check(); err != nil {
			l.shared.mistakes.Addf(rule.Position, "%v", err)
		}
	}
}

// checkReach reports a webhook whose rules do not match a compared resource. It would never be
// called, so its side would accept what the webhook rejects.
func (l *loader) checkReach(key string, of *suitefile.Hook, match world.Match, described []serving.Description) {
	if len(of.Rules) == 0 || slices.ContainsFunc(of.Rules, func(r suitefile.HookRule) bool { return len(r.Missing()) > 0 }) ||
		slices.ContainsFunc(described, match.Reaches) {
		return
	}
	if first := described[0]; !first.BuiltIn {
		l.shared.mistakes.Addf(of.Rules[0].Position, "no rule of %s names %s of the group %s, so it would never be called; "+
			"write apiGroups: [%s] and resources: [%s]",
			key, first.Versions[0].Plural, first.Kind.Group, first.Kind.Group, first.Versions[0].Plural)
		return
	}
	l.shared.mistakes.Addf(of.Rules[0].Position, "no rule of %s names a resource of a built-in kind, so it would never be "+
		"called; write it as apiGroups: [apps] and resources: [deployments], with [\"\"] for the core group", key)
}
