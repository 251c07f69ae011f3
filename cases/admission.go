package cases

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/policies"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/cases/internal/suitefile"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/oneof"
	"github.com/diffrun/diffrun/userfile"
)

// acceptedWorld describes the keys of a world.
const acceptedWorld = "a world with some of the keys builtin or crd, version, mutate, policies, then"

// guard adds the guards of a side. resources are the kinds that they can see.
func (l *loader) guard(side *worldSide, of suitefile.Admission, resources []serving.Resource) {
	described := make([]serving.Description, len(resources))
	for i, resource := range resources {
		described[i] = resource.Describe()
	}
	if of.Mutate != nil && of.Mutate.HasHook() {
		hook := &of.Mutate.Hook
		if backend, ok := l.hook("mutate", hook); ok {
			side.Mutate = world.Mutating{Mutator: backend, Match: l.matches(hook), Guard: hook.Guard("mutate", harness.ToChange)}
			l.checkReach("mutate", hook, side.Mutate.Match, described)
		}
	}
	for i := range of.Then {
		then, name := &of.Then[i], "then"
		if len(of.Then) > 1 {
			name = fmt.Sprintf("then[%d]", i)
		}
		if backend, ok := l.hook(name, then); ok {
			match := l.matches(then)
			side.Then = append(side.Then, world.Validating{Backend: backend, Match: match, Guard: then.Guard(name, harness.ToRefuse)})
			l.checkReach(name, then, match, described)
		}
	}
	options := policies.Options{}
	for _, resource := range resources {
		options.Resources = append(options.Resources, policyResource(resource))
	}
	validating, mutating := of.Policies, []suitefile.Reference(nil)
	if of.Mutate != nil {
		mutating = of.Mutate.Policies
	}
	if set, ok := loadPolicies(l, validating, mutating, policies.Load, options); ok {
		side.Policies = set
		l.checkPolicies(validating, set, described)
		l.shared.warnings = append(l.shared.warnings, set.TypeCheck()...)
		l.shared.warnings = append(l.shared.warnings, set.MissingFields()...)
	}
	if set, ok := loadPolicies(l, mutating, validating, policies.LoadMutations, options); ok {
		side.Mutations = set
		l.checkPolicies(mutating, set, described)
	}
}

// loadPolicies loads policies of one kind. Files that others names too may have policies of both.
func loadPolicies[S any](l *loader, refs, others []suitefile.Reference, load func([]policies.File, policies.Options) (*S, error), options policies.Options) (*S, bool) {
	if len(refs) == 0 {
		return nil, false
	}
	var files []policies.File
	for _, ref := range refs {
		if data, ok := l.read(ref); ok {
			mixed := slices.ContainsFunc(others, func(other suitefile.Reference) bool { return l.resolve(other) == l.resolve(ref) })
			files = append(files, policies.File{Name: l.resolve(ref), Data: data, Mixed: mixed})
		}
	}
	if len(files) < len(refs) {
		return nil, false // that a file cannot be read was said, and it may have the policies
	}
	set, err := load(files, options)
	l.shared.mistakes.Merge(l.Name, err)
	return set, set != nil
}

// boundPolicies are policies of either kind.
type boundPolicies interface {
	Rules() []admissionregistrationv1.RuleWithOperations
	Unreached(matches func([]admissionregistrationv1.RuleWithOperations) bool, why string) userfile.Mistakes
}

// checkPolicies reports policies that no object of the suite can reach: beside a definition if there
// is no other, and each of those for built-in kinds.
func (l *loader) checkPolicies(refs []suitefile.Reference, set boundPolicies, described []serving.Description) {
	if first := described[0]; !first.BuiltIn {
		if !(world.Match{Rules: set.Rules()}).Reaches(first) {
			l.shared.mistakes.Addf(l.at(refs[0]), "no bound policy of these files matches %s of the group %s, so none would look at an object; write apiGroups: [%s] and resources: [%s] in a rule of matchConstraints",
				first.Versions[0].Plural, first.Kind.Group, first.Kind.Group, first.Versions[0].Plural)
		}
		return
	}
	l.shared.mistakes = append(l.shared.mistakes, set.Unreached(func(rules []admissionregistrationv1.RuleWithOperations) bool {
		return slices.ContainsFunc(described, world.Match{Rules: rules}.Reaches)
	}, "Kubernetes has no such kind, and the suite names no crd of it")...)
}

// typed is a resource whose objects have Go types.
type typed interface {
	// TypeConverter returns what applies configurations to objects.
	TypeConverter() managedfields.TypeConverter
	// DefaultStrictly fills in the defaults of a document. The error names unknown fields.
	DefaultStrictly(object map[string]any) (map[string]any, error)
}

// policyResource describes a resource to policies.
func policyResource(resource serving.Resource) policies.Resource {
	of := policies.Resource{
		Description: resource.Describe(),
		Convert: func(_ context.Context, object *unstructured.Unstructured, to schema.GroupVersionKind) (*unstructured.Unstructured, error) {
			converted, err := resource.Convert(object.Object, to)
			return &unstructured.Unstructured{Object: converted}, err
		},
	}
	if definition, isDefined := resource.(*customresource.Definition); isDefined {
		of.Schema = schemaOf(definition.Resource())
		of.Default = func(object *unstructured.Unstructured) error {
			object.Object = definition.Stored(object.Object)
			return nil
		}
	}
	if typed, isTyped := resource.(typed); isTyped {
		of.TypeConverter = typed.TypeConverter
		of.Default = func(object *unstructured.Unstructured) (err error) {
			object.Object, err = typed.DefaultStrictly(object.Object)
			return err
		}
	}
	return of
}

// schemaOf returns the function that finds the schemas that the API server publishes.
func schemaOf(of customresource.Resource) func(version string) *spec.Schema {
	return func(version string) *spec.Schema {
		if at := slices.IndexFunc(of.Versions, func(v customresource.Version) bool { return v.Name == version }); at >= 0 && !of.Versions[at].Unserved {
			return of.Versions[at].Schema
		}
		return nil
	}
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

// checkReach reports a webhook whose rules do not match a compared resource. It would never be
// called, so its side would accept what the webhook rejects.
func (l *loader) checkReach(key string, of *suitefile.Hook, match world.Match, described []serving.Description) {
	if len(of.Rules) == 0 || slices.ContainsFunc(of.Rules, func(r suitefile.HookRule) bool { return len(r.Missing()) > 0 }) || slices.ContainsFunc(described, match.Reaches) {
		return
	}
	if first := described[0]; !first.BuiltIn {
		l.shared.mistakes.Addf(of.Rules[0].Position, "no rule of %s names %s of the group %s, so it would never be called; write apiGroups: [%s] and resources: [%s]",
			key, first.Versions[0].Plural, first.Kind.Group, first.Kind.Group, first.Versions[0].Plural)
		return
	}
	l.shared.mistakes.Addf(of.Rules[0].Position, "no rule of %s names a resource of a built-in kind, so it would never be called; write it as apiGroups: [apps] and resources: [deployments], with [\"\"] for the core group", key)
}
