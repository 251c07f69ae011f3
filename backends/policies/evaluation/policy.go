package evaluation

import (
	"cmp"
	"fmt"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
)

// policy is a policy of a file.
type policy struct {
	placed
	// ValidatingAdmissionPolicy has what both kinds of policies share, if mutating is set.
	*admissionregistrationv1.ValidatingAdmissionPolicy
	evaluator validating.Validator
	mutating  *admissionregistrationv1.MutatingAdmissionPolicy // nil: it validates
	mutator   mutating.PolicyEvaluator
	reads     reads
}

// binding is a binding of a file. That of a mutating policy has no validationActions.
type binding struct {
	placed
	*admissionregistrationv1.ValidatingAdmissionPolicyBinding
}

// hook is a policy with one of its bindings.
type hook struct {
	placed     // the policy
	policy     *admissionregistrationv1.ValidatingAdmissionPolicy
	binding    *admissionregistrationv1.ValidatingAdmissionPolicyBinding
	evaluator  validating.Validator
	mutating   *admissionregistrationv1.MutatingAdmissionPolicy // nil: it validates
	mutator    mutating.PolicyEvaluator
	parameters *parameters // nil: the policy has no paramKind
	reads      reads
}

// String names both for messages.
func (h *hook) String() string {
	return fmt.Sprintf("%s %q with binding %q", h.kind.Kind, h.policy.Name, h.binding.Name)
}

// dispatched returns the hook in the form of upstream's dispatcher.
func (h *hook) dispatched(evaluator validating.Validator) validating.PolicyHook {
	as := validating.PolicyHook{Policy: h.policy, Bindings: []*validating.PolicyBinding{h.binding}, Evaluator: evaluator}
	if h.parameters != nil {
		as.ParamInformer, as.ParamScope = h.parameters, h.parameters.scope()
	}
	return as
}

// versionsOfPolicies returns the accepted API versions. The older ones have the fields of v1.
func versionsOfPolicies() []string { return []string{"v1", "v1beta1", "v1alpha1"} }

// head checks the parts that policies and bindings share.
func (c *content) head(one placed, meta metav1.ObjectMeta) bool {
	if !slices.Contains(versionsOfPolicies(), one.kind.Version) {
		c.mistakes.Addf(one.at("apiVersion"), "there is no %s in version %q; accepted: %q", one.kind.Kind, one.kind.Version,
			versionsOfPolicies())
		return false
	}
	if meta.Name == "" {
		c.mistakes.Addf(one.at("metadata"), "metadata.name: a value is missing")
		return false
	}
	for _, message := range validation.NameIsDNSSubdomain(meta.Name, false) {
		c.mistakes.Addf(one.at("metadata.name"), "metadata.name: %s", message)
	}
	return true
}

// policy reads, checks and compiles a policy.
func (c *content) policy(one placed) {
	read, decoded := c.decodePolicy(one)
	if !c.head(one, read.ObjectMeta) || !decoded {
		c.unreadable[one.object().GetName()] = true
		return
	}
	if at := slices.IndexFunc(c.policies, func(p *policy) bool { return p.Name == read.Name }); at >= 0 {
		c.mistakes.Addf(one.at("metadata.name"), "a second %s %q%s", c.wanted, read.Name, again(one, c.policies[at].placed))
		return
	}
	c.policies = append(c.policies, read)
	setPolicyDefaults(&read.Spec)
	all := read.expressions()
	c.wrong(one, read.check())
	found, err := all.check(environments())
	if err != nil {
		c.mistakes.Addf(one.at(""), "%v", err)
		return
	}
	c.wrong(one, found)
	for _, list := range all.lists() {
		for _, expression := range list {
			c.reads(read, expression)
		}
	}
	if constraints := read.Spec.MatchConstraints; constraints != nil && !selectsByName(constraints.NamespaceSelector) {
		read.reads.namespace = true
	}
	if read.mutating != nil {
		read.mutator, err = compileMutations(read.mutating, all)
	} else {
		read.evaluator, err = compile(read.ValidatingAdmissionPolicy, all)
	}
	if err != nil {
		c.mistakes.Addf(one.at(""), "%v", err)
	}
}

// decodePolicy decodes a policy of the wanted kind. Of one that mutates, the fields that both kinds
// have become those of a validating policy.
func (c *content) decodePolicy(one placed) (*policy, bool) {
	read := &policy{placed: one, ValidatingAdmissionPolicy: &admissionregistrationv1.ValidatingAdmissionPolicy{}}
	if c.wanted == validatingKind {
		return read, c.decode(one, read.ValidatingAdmissionPolicy)
	}
	read.mutating = &admissionregistrationv1.MutatingAdmissionPolicy{}
	decoded := c.decode(one, read.mutating)
	spec := &read.mutating.Spec
	read.ObjectMeta = read.mutating.ObjectMeta
	setPolicyDefaults(&read.Spec)
	spec.FailurePolicy = cmp.Or(spec.FailurePolicy, read.Spec.FailurePolicy)
	setMatchDefaults(spec.MatchConstraints)
	read.Spec = admissionregistrationv1.ValidatingAdmissionPolicySpec{
		ParamKind: spec.ParamKind, MatchConstraints: spec.MatchConstraints, Variables: spec.Variables,
		MatchConditions: spec.MatchConditions, FailurePolicy: spec.FailurePolicy,
	}
	return read, decoded
}

// check returns what the API server would refuse to store.
func (p *policy) check() []wrong {
	if p.mutating != nil {
		return checkMutating(p.mutating, &p.Spec)
	}
	return checkPolicy(p.Name, &p.Spec)
}

// expressions returns the expressions of a policy.
func (p *policy) expressions() expressions {
	all := expressionsOf(p.ValidatingAdmissionPolicy)
	if p.mutating != nil {
		all.mutations = mutationExpressions(p.mutating)
	}
	return all
}

// reads records what an expression of a policy reads.
func (c *content) reads(read *policy, expression expression) {
	if expression.ExpressionAccessor == nil {
		return
	}
	found := readBy(expression.GetExpression())
	read.reads.namespace = read.reads.namespace || found.namespace
	read.reads.user = read.reads.user || found.user
	read.reads.authorizer = read.reads.authorizer || found.authorizer
}

// binding reads and checks a binding.
func (c *content) binding(one placed) {
	read := &binding{placed: one, ValidatingAdmissionPolicyBinding: &admissionregistrationv1.ValidatingAdmissionPolicyBinding{}}
	if decoded := c.decodeBinding(one, read.ValidatingAdmissionPolicyBinding); !c.head(one, read.ObjectMeta) || !decoded {
		return
	}
	if at := slices.IndexFunc(c.bindings, func(b *binding) bool { return b.Name == read.Name }); at >= 0 {
		c.mistakes.Addf(one.at("metadata.name"), "a second %sBinding %q%s", c.wanted, read.Name, again(one, c.bindings[at].placed))
		return
	}
	setMatchDefaults(read.Spec.MatchResources)
	c.wrong(one, checkBinding(&read.Spec, c.wanted == validatingKind))
	c.bindings = append(c.bindings, read)
}

func (c *content) decodeBinding(one placed, into *admissionregistrationv1.ValidatingAdmissionPolicyBinding) bool {
	if c.wanted == validatingKind {
		return c.decode(one, into)
	}
	read := &admissionregistrationv1.MutatingAdmissionPolicyBinding{}
	decoded := c.decode(one, read)
	into.ObjectMeta = read.ObjectMeta
	into.Spec = admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec{
		PolicyName:     read.Spec.PolicyName,
		ParamRef:       read.Spec.ParamRef,
		MatchResources: read.Spec.MatchResources,
	}
	return decoded
}

// again says where the first object of a name is, and what to do about the second.
func again(second, first placed) string {
	at, other := second.at("metadata.name"), first.at("metadata.name")
	if at == other {
		return "; the side names the file twice: name it once"
	}
	return fmt.Sprintf("; the first is in %s: remove one of them", other)
}

// wrong adds the mistakes of an object.
func (c *content) wrong(one placed, found []wrong) {
	for _, wrong := range found {
		c.mistakes.Addf(one.at(wrong.path), "%s: %s", wrong.path, wrong.message)
	}
}

// setPolicyDefaults sets the defaults of the API server
// (k8s.io/kubernetes/pkg/apis/admissionregistration/v1, defaults.go).
func setPolicyDefaults(spec *admissionregistrationv1.ValidatingAdmissionPolicySpec) {
	if spec.FailurePolicy == nil {
		fail := admissionregistrationv1.Fail
		spec.FailurePolicy = &fail
	}
	setMatchDefaults(spec.MatchConstraints)
}

func setMatchDefaults(resources *admissionregistrationv1.MatchResources) {
	if resources == nil {
		return
	}
	if resources.MatchPolicy == nil {
		equivalent := admissionregistrationv1.Equivalent
		resources.MatchPolicy = &equivalent
	}
	if resources.NamespaceSelector == nil {
		resources.NamespaceSelector = &metav1.LabelSelector{}
	}
	if resources.ObjectSelector == nil {
		resources.ObjectSelector = &metav1.LabelSelector{}
	}
	for _, rules := range [][]admissionregistrationv1.NamedRuleWithOperations{resources.ResourceRules, resources.ExcludeResourceRules} {
		for i := range rules {
			if rules[i].Scope == nil {
				all := admissionregistrationv1.AllScopes
				rules[i].Scope = &all
			}
		}
	}
}
