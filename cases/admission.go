package cases

import (
	"errors"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/cases/internal/suitefile"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// acceptedWorld describes the keys of a world.
const acceptedWorld = "a world with some of the keys crd, version, mutate, policies, then"

// policies loads the policies of a world that reads objects with a definition.
func (l *loader) policies(of suitefile.Admission, read *customresource.Definition) world.Policies {
	if len(of.Policies) == 0 || read == nil {
		return nil
	}
	if l.shared.options.Policies == nil {
		l.shared.mistakes.Addf(l.at(of.Policies[0]), "this program evaluates no policies: cases.Options.Policies is not set")
		return nil
	}
	var files []PolicyFile
	for _, ref := range of.Policies {
		if data, ok := l.read(ref); ok {
			files = append(files, PolicyFile{Name: l.resolve(ref), Data: data})
		}
	}
	if len(files) < len(of.Policies) {
		return nil // that a file cannot be read was said, and it may have the policies
	}
	made, err := l.shared.options.Policies(files, read)
	if leftOut := (*LeftOutError)(nil); errors.As(err, &leftOut) {
		l.shared.mistakes.Addf(l.at(of.Policies[0]), "policies: %v", leftOut)
		return nil
	}
	l.shared.mistakes.Merge(l.Name, err)
	if made == nil {
		return nil
	}
	if resource := read.Resource(); !(world.Match{Rules: made.Rules}).Reaches(resource) {
		l.shared.mistakes.Addf(l.at(of.Policies[0]), "no bound policy of these files matches %s of the group %s, so none would look at an object; write apiGroups: [%s] and resources: [%s] in a rule of matchConstraints",
			resource.Plural, resource.Kind.Group, resource.Kind.Group, resource.Plural)
	}
	l.shared.warnings = append(l.shared.warnings, made.Warnings...)
	return made.Policies
}

// hook returns the webhook or program of a stage. The plan closes it.
func (l *loader) hook(key string, of *suitefile.Hook) (closable, bool) {
	switch {
	case of == nil:
		return nil, false
	case (of.Exec == nil) == (of.Webhook == nil):
		l.shared.mistakes.Addf(of.Position, "%s must name one of webhook and exec", key)
		return nil, false
	}
	return l.external(of.Exec, of.Webhook)
}

// matches describes the requests that a webhook gets.
func (l *loader) matches(of *suitefile.Hook) world.Match {
	policy := admissionregistrationv1.MatchPolicyType(of.MatchPolicy)
	if err := oneof.Check("matchPolicy", policy, "", admissionregistrationv1.Exact, admissionregistrationv1.Equivalent); err != nil {
		l.shared.mistakes.Addf(of.Position, "%v", err)
	}
	match := world.Match{Policy: policy}
	for _, rule := range of.Rules {
		if missing := rule.Missing(); len(missing) > 0 {
			l.shared.mistakes.Addf(rule.Position, "the rule has no %s; write it as in a webhook configuration, with * for all", strings.Join(missing, ", "))
		}
		l.checkWords(rule)
		match.Rules = append(match.Rules, rule.API())
	}
	return match
}

// checkWords reports operations and scopes that do not exist.
func (l *loader) checkWords(rule suitefile.HookRule) {
	for _, operation := range rule.Operations {
		if err := oneof.Check("operations", operation, "CREATE", "UPDATE", "DELETE", "CONNECT", "*"); err != nil {
			l.shared.mistakes.Addf(rule.Position, "%v", err)
		}
	}
	if err := oneof.Check("scope", rule.Scope, "", "Namespaced", "Cluster", "*"); err != nil {
		l.shared.mistakes.Addf(rule.Position, "%v", err)
	}
}

// checkReach reports a webhook whose rules do not match the compared resource. It would never be
// called, so its side would accept what the webhook rejects.
func (l *loader) checkReach(key string, of *suitefile.Hook, match world.Match, read *customresource.Definition) {
	if of == nil || read == nil || len(of.Rules) == 0 {
		return
	}
	resource := read.Resource()
	if slices.ContainsFunc(of.Rules, func(r suitefile.HookRule) bool { return len(r.Missing()) > 0 }) || match.Reaches(resource) {
		return
	}
	l.shared.mistakes.Addf(of.Rules[0].Position, "no rule of %s names %s of the group %s, so it would never be called; write apiGroups: [%s] and resources: [%s]",
		key, resource.Plural, resource.Kind.Group, resource.Kind.Group, resource.Plural)
}
