package evaluation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"

	"github.com/diffrun/diffrun/userfile"
)

// bound are the policies of files with their bindings, sorted by name, and what they match by.
type bound struct {
	hooks      []*hook
	namespaces namespaces
	versions   *versions
	matcher    *matching.Matcher
	warnings   userfile.Mistakes
}

func newBound(content *content, options Options) bound {
	return bound{
		hooks: content.bound, warnings: content.warnings, namespaces: content.namespaces, versions: newVersions(options.Resources),
		matcher: matching.NewMatcher(content.namespaces, nil), // the lister knows every namespace, so no client is asked
	}
}

// within returns the policies in the cluster of a request, whose Namespaces take precedence, and whether
// it has any. The old object of a request about a Namespace is in the cluster.
func (b bound) within(request Request) (bound, bool, error) {
	objects := request.Cluster
	if request.isNamespace() && request.OldObject != nil {
		objects = append(slices.Clone(objects), request.OldObject.Object)
	}
	more, err := namespacesIn(objects)
	if err != nil || len(more) == 0 {
		return b, false, err
	}
	b.namespaces = maps.Clone(b.namespaces)
	maps.Copy(b.namespaces, more)
	b.matcher = matching.NewMatcher(b.namespaces, nil)
	return b, true, nil
}

// Rules returns the matchConstraints rules of all bound policies. A request that matches none of
// them reaches no policy.
func (b *bound) Rules() []admissionregistrationv1.RuleWithOperations {
	var all []admissionregistrationv1.RuleWithOperations
	for _, hook := range b.hooks {
		for _, rule := range hook.policy.Spec.MatchConstraints.ResourceRules {
			all = append(all, rule.RuleWithOperations)
		}
	}
	return all
}

// MissingParameters returns a warning for each binding that names a parameter that no file has.
func (b *bound) MissingParameters() userfile.Mistakes { return b.warnings }

// Unreached returns a mistake for each policy whose matchConstraints no resource matches. why says
// what is missing.
func (b *bound) Unreached(matches func([]admissionregistrationv1.RuleWithOperations) bool, why string) userfile.Mistakes {
	var unreached userfile.Mistakes
	checked := map[*admissionregistrationv1.ValidatingAdmissionPolicy]bool{}
	for _, hook := range b.hooks {
		if checked[hook.policy] {
			continue
		}
		checked[hook.policy] = true
		var rules []admissionregistrationv1.RuleWithOperations
		var named []string
		for _, rule := range hook.policy.Spec.MatchConstraints.ResourceRules {
			rules = append(rules, rule.RuleWithOperations)
			named = append(named, fmt.Sprintf("%q of the groups %q", rule.Resources, rule.APIGroups))
		}
		if !matches(rules) {
			unreached.Addf(hook.at("spec.matchConstraints.resourceRules"), "%s %q is for the resources %s, and no object can be "+
				"one of these: %s; correct the rule, or take the policy out of the list", hook.kind.Kind, hook.policy.Name,
				strings.Join(named, ", "), why)
		}
	}
	return unreached
}

// missesNamespace returns an error if a policy needs a namespace that no file has, and otherwise
// matches the request. For a Namespace itself, namespaceObject is null, and the selector reads the labels
// of the object that is created or updated (GetNamespaceLabels of the API server's namespace matcher).
func (b *bound) missesNamespace(hook *hook, request Request, attributes *attributes, objects *objects) error {
	if !hook.reads.namespace || request.Namespace == "" || request.isNamespace() || b.namespaces.has(request.Namespace) {
		return nil
	}
	policy, binding := hook.policy.DeepCopy(), hook.binding.DeepCopy()
	for _, resources := range []*admissionregistrationv1.MatchResources{policy.Spec.MatchConstraints, binding.Spec.MatchResources} {
		if resources != nil {
			resources.NamespaceSelector = &metav1.LabelSelector{}
		}
	}
	matcher := generic.NewPolicyMatcher(b.matcher)
	matches, _, _, err := matcher.DefinitionMatches(attributes, objects, validating.NewValidatingAdmissionPolicyAccessor(policy))
	if err != nil || !matches {
		return nil // the dispatcher reports the error
	}
	isBound, err := matcher.BindingMatches(attributes, objects, validating.NewValidatingAdmissionPolicyBindingAccessor(binding))
	if err != nil || !isBound {
		return nil
	}
	return fmt.Errorf("%s looks at the namespace %q, which is neither among the files of the policies nor in the cluster "+
		"of the case; add a Namespace of that name", hook, request.Namespace)
}

// Expression is an expression of a policy.
type Expression struct {
	Text string
	// Variables are the expressions that it may use as "variables.name".
	Variables map[string]string
	// Decides is false if the expression only makes a message.
	Decides bool
	// Parameters are the objects that it may read as "params".
	Parameters []map[string]any
}

// Expressions returns the match conditions, validations and messages of the bound policies, each policy once.
func (b *bound) Expressions() []Expression {
	var all []Expression
	listed := map[string]bool{}
	for _, hook := range b.hooks {
		if listed[hook.policy.Name] {
			continue
		}
		listed[hook.policy.Name] = true
		like := Expression{Variables: map[string]string{}, Parameters: hook.parameters.objects()}
		for _, variable := range hook.policy.Spec.Variables {
			like.Variables[variable.Name] = variable.Expression
		}
		add := func(text string, decides bool) {
			if text != "" {
				like.Text, like.Decides = text, decides
				all = append(all, like)
			}
		}
		for _, condition := range hook.policy.Spec.MatchConditions {
			add(condition.Expression, true)
		}
		for _, validation := range hook.policy.Spec.Validations {
			add(validation.Expression, true)
			add(validation.MessageExpression, false)
		}
	}
	return all
}
