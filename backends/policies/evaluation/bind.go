package evaluation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"

	"github.com/diffrun/diffrun/userfile"
)

// bind links bindings, policies and parameters.
func (c *content) bind(files []File) {
	if len(c.policies) == 0 && len(c.mistakes) == 0 {
		c.mistakes.Addf(userfile.Position{File: firstName(files)}, "there is no %s in these files", c.wanted)
	}
	for _, policy := range c.policies {
		bindings := slices.DeleteFunc(slices.Clone(c.bindings), func(b *binding) bool { return b.Spec.PolicyName != policy.Name })
		if len(bindings) == 0 && !c.incomplete {
			c.mistakes.Addf(policy.at("metadata.name"), "%[1]s %[2]q has no binding, so it does nothing; add a %[1]sBinding with "+
				"spec.policyName: %[2]s", c.wanted, policy.Name)
		}
		parameters := c.parametersOf(policy, bindings)
		for _, binding := range bindings {
			reads := policy.reads
			if resources := binding.Spec.MatchResources; resources != nil && !selectsByName(resources.NamespaceSelector) {
				reads.namespace = true
			}
			c.bound = append(c.bound, &hook{
				placed:     policy.placed,
				policy:     policy.ValidatingAdmissionPolicy,
				binding:    binding.ValidatingAdmissionPolicyBinding,
				evaluator:  policy.evaluator,
				mutating:   policy.mutating,
				mutator:    policy.mutator,
				parameters: parameters,
				reads:      reads,
			})
		}
	}
	for _, binding := range c.bindings {
		if name := binding.Spec.PolicyName; name != "" && !c.incomplete && !c.unreadable[name] &&
			!slices.ContainsFunc(c.policies, func(p *policy) bool { return p.Name == name }) {
			c.mistakes.Addf(binding.at("spec.policyName"), "there is no %s %q in these files; there %s", c.wanted, name, c.policyNames())
		}
	}
	slices.SortFunc(c.bound, func(a, b *hook) int {
		return cmp.Or(strings.Compare(a.policy.Name, b.policy.Name), strings.Compare(a.binding.Name, b.binding.Name))
	})
}

func firstName(files []File) string {
	if len(files) == 0 {
		return "policies"
	}
	return files[0].Name
}

func (c *content) policyNames() string {
	if len(c.policies) == 0 {
		return "is none"
	}
	var names []string
	for _, policy := range c.policies {
		names = append(names, fmt.Sprintf("%q", policy.Name))
	}
	slices.Sort(names)
	return "are " + strings.Join(names, ", ")
}

// parametersOf returns the parameters of a policy; nil if it has no paramKind.
func (c *content) parametersOf(policy *policy, bindings []*binding) *parameters {
	wanted := policy.Spec.ParamKind
	if wanted == nil || wanted.Kind == "" {
		return nil
	}
	group, err := schema.ParseGroupVersion(wanted.APIVersion)
	if err != nil {
		c.mistakes.Addf(policy.at("spec.paramKind.apiVersion"), "spec.paramKind.apiVersion: %v", err)
		return nil
	}
	kind := group.WithKind(wanted.Kind)
	var objects []*unstructured.Unstructured
	var scoped, unscoped []placed
	for _, one := range c.objects {
		switch {
		case one.kind.GroupKind() != kind.GroupKind():
			continue
		case one.kind.Version != kind.Version:
			c.mistakes.Addf(one.at("apiVersion"), "this %s is in version %s, and %s %q wants its parameters in version %s",
				kind.Kind, one.kind.Version, c.wanted, policy.Name, kind.Version)
			continue
		case one.object().GetName() == "":
			c.mistakes.Addf(one.at("metadata"), "metadata.name: a value is missing")
			continue
		case one.object().GetNamespace() == "":
			unscoped = append(unscoped, one)
		default:
			scoped = append(scoped, one)
		}
		objects = append(objects, one.object())
	}
	namespaced := c.scopeOf(kind.GroupKind(), bindings, len(scoped) > 0)
	misplaced, words := unscoped, "is in no namespace; add metadata.namespace"
	if !namespaced {
		misplaced, words = scoped, "is of the whole cluster; take metadata.namespace out"
	}
	for _, one := range misplaced {
		c.mistakes.Addf(one.at("metadata.name"), "the parameter %s %q %s", kind.Kind, one.object().GetName(), words)
	}
	c.wantsParameters(policy, bindings, kind, len(objects))
	for _, binding := range bindings {
		c.warnOfParameter(binding, kind, objects)
	}
	parameters, err := newParameters(kind, namespaced, objects)
	if err != nil {
		c.mistakes.Addf(policy.at("spec.paramKind"), "%v", err)
	}
	return parameters
}

// scopeOf reports whether the parameters of a kind are namespaced: according to a definition, a
// binding that names a namespace, or the parameters.
func (c *content) scopeOf(kind schema.GroupKind, bindings []*binding, anyScoped bool) bool {
	if scope, defined := c.scopes[kind]; defined {
		return scope == apiextensionsv1.NamespaceScoped
	}
	if kind == (schema.GroupKind{Kind: "ConfigMap"}) || kind == (schema.GroupKind{Kind: "Secret"}) {
		return true
	}
	return anyScoped || slices.ContainsFunc(bindings, func(b *binding) bool {
		return b.Spec.ParamRef != nil && b.Spec.ParamRef.Namespace != ""
	})
}

// wantsParameters adds a mistake if a policy is bound to parameters of a kind that no file has.
func (c *content) wantsParameters(policy *policy, bindings []*binding, kind schema.GroupVersionKind, count int) {
	_, defined := c.scopes[kind.GroupKind()]
	if count > 0 || defined {
		return
	}
	for _, binding := range bindings {
		if binding.Spec.ParamRef != nil {
			c.mistakes.Addf(policy.at("spec.paramKind"), "no file has a parameter of %s, kind %s, which %sBinding %q refers to; "+
				"add the parameters, or the CustomResourceDefinition of the kind if there are none on purpose", kind.GroupVersion(),
				kind.Kind, c.wanted, binding.Name)
			return
		}
	}
}

// warnOfParameter warns of a binding that names a parameter that no file has: the API server then applies
// parameterNotFoundAction and does not evaluate the policy.
func (c *content) warnOfParameter(binding *binding, kind schema.GroupVersionKind, objects []*unstructured.Unstructured) {
	ref := binding.Spec.ParamRef
	if ref == nil || ref.Name == "" || len(objects) == 0 || slices.ContainsFunc(objects, func(o *unstructured.Unstructured) bool {
		return o.GetName() == ref.Name && (ref.Namespace == "" || o.GetNamespace() == ref.Namespace)
	}) {
		return
	}
	var names []string
	for _, object := range objects {
		names = append(names, fmt.Sprintf("%q", strings.TrimPrefix(object.GetNamespace()+"/"+object.GetName(), "/")))
	}
	slices.Sort(names)
	c.warnings.Addf(binding.at("spec.paramRef.name"), "no file has the %s %q that the binding names, so each request only "+
		"gets parameterNotFoundAction: %s; there are %s; correct the name, or add the parameter to the files under policies",
		kind.Kind, strings.TrimPrefix(ref.Namespace+"/"+ref.Name, "/"), ptr.Deref(ref.ParameterNotFoundAction,
			admissionregistrationv1.AllowAction), strings.Join(names, ", "))
}
