package evaluation

import (
	"fmt"
	"slices"
	"sync"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/diffrun/diffrun/harness/contract"
)

// Weaker returns the weaker forms of all policies, each with one change to a *Set. They are the same at each call.
func (s *Set) Weaker() []*contract.WeakerGuard { return s.weaker() }

// Weaker returns the weaker forms of all policies, each with one change to *Mutations. They are the same at each call.
func (m *Mutations) Weaker() []*contract.WeakerGuard { return m.weaker() }

// weakerForms returns a function that returns the weaker forms of all policies. with returns the policies with other hooks.
func (b *bound) weakerForms(with func(bound) any) func() []*contract.WeakerGuard {
	return sync.OnceValue(func() (all []*contract.WeakerGuard) {
		for i, hook := range b.hooks {
			if i > 0 && b.hooks[i-1].policy == hook.policy {
				continue
			}
			of := weakeningPolicy{bound: b, hook: hook, with: with}
			of.conditions()
			of.validations()
			of.mutations()
			of.constraints()
			of.bindings()
			all = append(all, of.all...)
		}
		return all
	})
}

// policyChange changes a copy of a policy. The second argument is nil unless the policy mutates; the first has what
// both kinds share.
type policyChange = func(*admissionregistrationv1.ValidatingAdmissionPolicySpec, *admissionregistrationv1.MutatingAdmissionPolicySpec)

// weakeningPolicy collects the weaker forms of one policy.
type weakeningPolicy struct {
	bound *bound
	hook  *hook // the first of the policy
	with  func(bound) any
	all   []*contract.WeakerGuard
}

// add adds a form of the policy with a change.
func (w *weakeningPolicy) add(weaker contract.WeakerGuard, change policyChange) {
	w.addHooks(weaker, func() ([]*hook, error) { return w.bound.changed(w.hook, change) })
}

// addHooks adds a form of the policy with other hooks.
func (w *weakeningPolicy) addHooks(weaker contract.WeakerGuard, hooks func() ([]*hook, error)) {
	weaker.Policy = fmt.Sprintf("%s %q", w.hook.kind.Kind, w.hook.policy.Name)
	weaker.Where = w.hook.at("spec." + weaker.Part).String()
	for _, hook := range w.bound.hooks {
		if hook.policy == w.hook.policy {
			weaker.Guards = append(weaker.Guards, hook.String())
		}
	}
	weaker.Changed = sync.OnceValues(func() (any, error) {
		all, err := *w.bound, error(nil)
		all.hooks, err = hooks()
		return w.with(all), err
	})
	w.all = append(w.all, &weaker)
}

// changed returns the hooks with a change to the policy of one of them.
func (b *bound) changed(of *hook, change policyChange) ([]*hook, error) {
	changed := policy{placed: of.placed, ValidatingAdmissionPolicy: of.policy.DeepCopy()}
	var err error
	if of.mutating != nil {
		changed.mutating = of.mutating.DeepCopy()
		change(&changed.Spec, &changed.mutating.Spec)
		changed.mutator, err = compileMutations(changed.mutating, changed.expressions())
	} else {
		change(&changed.Spec, nil)
		changed.evaluator, err = compile(changed.ValidatingAdmissionPolicy, changed.expressions())
	}
	hooks := slices.Clone(b.hooks)
	for i, one := range hooks {
		if one.policy == of.policy {
			copied := *one
			copied.policy, copied.mutating = changed.ValidatingAdmissionPolicy, changed.mutating
			copied.evaluator, copied.mutator = changed.evaluator, changed.mutator
			hooks[i] = &copied
		}
	}
	return hooks, err
}

// conditions weakens the match conditions: the policy then sees more requests.
func (w *weakeningPolicy) conditions() {
	for i, condition := range w.hook.policy.Spec.MatchConditions {
		for _, weaker := range weakerExpressions(condition.Expression) {
			w.expression(partName(conditionPart, i), weaker,
				func(spec *admissionregistrationv1.ValidatingAdmissionPolicySpec,
					mutating *admissionregistrationv1.MutatingAdmissionPolicySpec) {
					spec.MatchConditions[i].Expression = weaker.text
					if mutating != nil {
						mutating.MatchConditions[i].Expression = weaker.text
					}
				})
		}
	}
}

func (w *weakeningPolicy) validations() {
	for i, validation := range w.hook.policy.Spec.Validations {
		for _, weaker := range weakerExpressions(validation.Expression) {
			w.expression(partName(validationPart, i), weaker,
				func(spec *admissionregistrationv1.ValidatingAdmissionPolicySpec, _ *admissionregistrationv1.MutatingAdmissionPolicySpec) {
					spec.Validations[i].Expression = weaker.text
				})
		}
	}
}

func (w *weakeningPolicy) expression(part string, weaker weakerExpression, change policyChange) {
	w.add(contract.WeakerGuard{Part: part, Change: part + " " + weaker.change}, change)
}

// mutations leaves out each mutation. The only one of a policy becomes a patch without operations.
func (w *weakeningPolicy) mutations() {
	if w.hook.mutating == nil {
		return
	}
	for i := range w.hook.mutating.Spec.Mutations {
		part := partName(mutationPart, i)
		w.add(contract.WeakerGuard{
			Part:   part,
			Change: part + " left out",
		}, func(_ *admissionregistrationv1.ValidatingAdmissionPolicySpec, mutating *admissionregistrationv1.MutatingAdmissionPolicySpec) {
			mutating.Mutations[i] = admissionregistrationv1.Mutation{
				PatchType: admissionregistrationv1.PatchTypeJSONPatch,
				JSONPatch: &admissionregistrationv1.JSONPatch{Expression: "[]"},
			}
		})
	}
}

// constraints leaves out each rule of matchConstraints, and each of its operations and resources.
func (w *weakeningPolicy) constraints() {
	rules := w.hook.policy.Spec.MatchConstraints.ResourceRules
	add := func(part, change string, apply func(*admissionregistrationv1.MatchResources)) {
		w.add(contract.WeakerGuard{Part: part, Change: part + " " + change, Unmatched: true},
			func(spec *admissionregistrationv1.ValidatingAdmissionPolicySpec,
				mutating *admissionregistrationv1.MutatingAdmissionPolicySpec) {
				apply(spec.MatchConstraints)
				if mutating != nil {
					mutating.MatchConstraints = spec.MatchConstraints
				}
			})
	}
	for i, rule := range rules {
		part := fmt.Sprintf("matchConstraints.resourceRules[%d]", i)
		if len(rules) > 1 {
			add(part, "left out", func(m *admissionregistrationv1.MatchResources) {
				m.ResourceRules = slices.Delete(m.ResourceRules, i, i+1)
			})
		}
		if operations := w.operations(rule); len(operations) > 1 {
			for at, operation := range operations {
				add(part, "without the operation "+string(operation), func(m *admissionregistrationv1.MatchResources) {
					m.ResourceRules[i].Operations = slices.Delete(slices.Clone(operations), at, at+1)
				})
			}
		}
		if len(rule.Resources) > 1 {
			for at, resource := range rule.Resources {
				add(part, "without "+resource, func(m *admissionregistrationv1.MatchResources) {
					m.ResourceRules[i].Resources = slices.Delete(m.ResourceRules[i].Resources, at, at+1)
				})
			}
		}
	}
}

// operations returns the operations of a rule; "*" stands for all that the kind of policy can see.
func (w *weakeningPolicy) operations(rule admissionregistrationv1.NamedRuleWithOperations) []admissionregistrationv1.OperationType {
	if !slices.Contains(rule.Operations, admissionregistrationv1.OperationAll) {
		return rule.Operations
	}
	return []admissionregistrationv1.OperationType{
		admissionregistrationv1.Create,
		admissionregistrationv1.Update,
		admissionregistrationv1.Delete,
		admissionregistrationv1.Connect,
	}
}

// bindings leaves out each binding of a policy that has several.
func (w *weakeningPolicy) bindings() {
	bound := slices.DeleteFunc(slices.Clone(w.bound.hooks), func(h *hook) bool { return h.policy != w.hook.policy })
	if len(bound) < 2 {
		return
	}
	for _, left := range bound {
		w.addHooks(contract.WeakerGuard{Part: "binding", Change: fmt.Sprintf("binding %q left out", left.binding.Name), Unmatched: true},
			func() ([]*hook, error) {
				return slices.DeleteFunc(slices.Clone(w.bound.hooks), func(h *hook) bool { return h == left }), nil
			})
	}
}
