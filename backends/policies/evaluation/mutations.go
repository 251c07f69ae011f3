package evaluation

import (
	"context"
	"errors"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/diffrun/diffrun/harness/contract"
)

// Mutations is a set of bound MutatingAdmissionPolicies. It never changes, so several goroutines can
// use it.
type Mutations struct {
	bound
	dispatcher generic.Dispatcher[mutating.PolicyHook]
	converters *typeConverters
	authorizer authorizer.Authorizer
	weaker     func() []*contract.WeakerGuard
}

func mutationsOf(all bound, converters *typeConverters, authorizer authorizer.Authorizer) *Mutations {
	return &Mutations{all, mutating.NewDispatcher(authorizer, all.matcher, converters), converters, authorizer,
		all.weakerForms(func(changed bound) any { return mutationsOf(changed, converters, authorizer) })}
}

// mutationExpressions returns the expressions of the mutations of a policy.
func mutationExpressions(policy *admissionregistrationv1.MutatingAdmissionPolicy) []expression {
	var all []expression
	variables := cel.OptionalVariableDeclarations{HasParams: policy.Spec.ParamKind != nil, HasAuthorizer: true, HasPatchTypes: true}
	for i, m := range policy.Spec.Mutations {
		switch {
		case m.PatchType == admissionregistrationv1.PatchTypeJSONPatch && m.JSONPatch != nil:
			all = append(all, expression{&patch.JSONPatchCondition{Expression: m.JSONPatch.Expression},
				place("mutations", i, "jsonPatch.expression"), variables})
		case m.PatchType == admissionregistrationv1.PatchTypeApplyConfiguration && m.ApplyConfiguration != nil:
			all = append(all, expression{&patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression},
				place("mutations", i, "applyConfiguration.expression"), variables})
		}
	}
	return all
}

// compileMutations returns the evaluator of a policy, as upstream's unexported compilePolicy does.
func compileMutations(policy *admissionregistrationv1.MutatingAdmissionPolicy, all expressions) (mutating.PolicyEvaluator, error) {
	compiler, err := cel.NewCompositedCompiler(environments())
	if err != nil {
		return mutating.PolicyEvaluator{}, err
	}
	storeVariables(compiler, all.variables)
	evaluator := mutating.PolicyEvaluator{
		CompositedCompiler: compiler,
		Matcher:            newMatcher(compiler, all.conditions, policy.Spec.FailurePolicy, policy.Name),
	}
	for _, mutation := range all.mutations {
		compiled := compiler.CompileMutatingEvaluator(mutation.ExpressionAccessor, mutation.variables, environment.StoredExpressions)
		if _, isJSONPatch := mutation.ExpressionAccessor.(*patch.JSONPatchCondition); isJSONPatch {
			evaluator.Mutators = append(evaluator.Mutators, patch.NewJSONPatcher(compiled))
		} else {
			evaluator.Mutators = append(evaluator.Mutators, patch.NewApplyConfigurationPatcher(compiled))
		}
	}
	return evaluator, nil
}

// Mutation is the way of one request through the policies. Other mutating admission may follow and
// call the policies again.
type Mutation struct {
	set          *Mutations
	reinvocation *reinvocation
}

// Start returns the Mutation of a request.
func (m *Mutations) Start() *Mutation { return &Mutation{m, &reinvocation{values: map[string]any{}}} }

// ReinvokesAfter reports whether the policies are called again after all mutating admission: one of
// them, or what followed, changed the object. Only policies with the reinvocationPolicy IfNeeded are
// then evaluated.
func (m *Mutation) ReinvokesAfter(changed bool) bool {
	again := !m.reinvocation.again && (m.reinvocation.wanted || changed)
	m.reinvocation.again = m.reinvocation.again || again
	return again
}

// Mutated is the result of mutating policies for a request.
type Mutated struct {
	// Object is the changed object; nil: it is unchanged.
	Object *unstructured.Unstructured
	// Errors refuse the request: a policy with the failurePolicy Fail could not be applied.
	Errors field.ErrorList
	// Denials are what Errors report, in the same order.
	Denials []Denial
	// Asked lists the policies that matched the request, or whose match conditions excluded it, and whether
	// they changed it.
	Asked []contract.Asked
}

// Mutate calls the policies in the order of their names. The object of the request is not changed. The
// error is a fault: the API server answers with an internal error, or a policy needs something that
// neither the files nor the request have.
func (m *Mutation) Mutate(ctx context.Context, request Request) (Mutated, error) {
	if err := request.check(); err != nil {
		return Mutated{}, err
	}
	if request.Object == nil || unguarded(request.Resource.GroupResource()) {
		return Mutated{}, nil
	}
	own, differs, err := m.set.within(request)
	if err != nil {
		return Mutated{}, err
	}
	rights, err := m.set.rightsOf(request, m.set.authorizer)
	if err != nil {
		return Mutated{}, err
	}
	if differs || rights != nil {
		m = &Mutation{mutationsOf(own, m.set.converters, rights.or(m.set.authorizer)), m.reinvocation}
	}
	before := request.Object
	request.Object = before.DeepCopy()
	attributes, objects := request.attributes(), m.set.versions.objects(ctx)
	attributes.reinvocation = m.reinvocation
	kept := make([]*patches, len(m.set.hooks))
	hooks := make([]mutating.PolicyHook, len(m.set.hooks))
	for i, hook := range m.set.hooks {
		if err := m.set.missesNamespace(hook, request, attributes, objects); err != nil {
			return Mutated{}, err
		}
		kept[i] = &patches{versions: m.set.versions}
		hooks[i] = hook.mutates(kept[i])
	}
	err = m.set.dispatcher.Dispatch(ctx, attributes, objects, hooks)
	if ended := context.Cause(ctx); ended != nil {
		return Mutated{}, fmt.Errorf("the mutating policies were not evaluated to the end: %w", ended)
	}
	for i, hook := range m.set.hooks {
		if kept[i].unknown != nil {
			return Mutated{}, hook.asksUnknown(kept[i].unknown)
		}
		if kept[i].asked && hook.reads.user && request.User.Username == "" {
			return Mutated{}, fmt.Errorf("%s reads request.userInfo, and the request has no user; say who sends it", hook)
		}
	}
	if err != nil {
		return m.refused(request, kept, err)
	}
	result := Mutated{Asked: m.asked(kept)}
	if !equality.Semantic.DeepEqual(before.Object, request.Object.Object) {
		result.Object = request.Object
	}
	return result, nil
}

// refused returns the refusal of a request for the answer of the dispatcher, or a fault that names the
// policies that were applied.
func (m *Mutation) refused(request Request, kept []*patches, answer error) (Mutated, error) {
	refusal := (*apierrors.StatusError)(nil)
	result := Mutated{Asked: m.asked(kept)}
	if errors.As(answer, &refusal) && refusal.ErrStatus.Details != nil {
		for _, cause := range refusal.ErrStatus.Details.Causes {
			if denial, ok := ParseDenial(cause.Message); ok {
				result.Denials, result.Errors = append(result.Denials, denial), append(result.Errors, denial.Error())
				result.act(denial)
			}
		}
	}
	if len(result.Errors) > 0 {
		return result, nil
	}
	for i := len(kept) - 1; i >= 0; i-- {
		if kept[i].asked {
			return Mutated{}, fmt.Errorf("%s: %w", m.set.hooks[i], answer)
		}
	}
	return Mutated{}, fmt.Errorf("the mutating policies for %s: %w", request.Kind, answer)
}

// act records that a policy refused the request.
func (m *Mutated) act(denial Denial) {
	name := fmt.Sprintf("%s %q with binding %q", mutatingKind, denial.Policy, denial.Binding)
	for i := range m.Asked {
		if m.Asked[i].Guard == name {
			m.Asked[i].Acted, m.Asked[i].Refused, m.Asked[i].Excluded = true, true, false
			return
		}
	}
	m.Asked = append(m.Asked, contract.Asked{Guard: name, Acted: true, Refused: true})
}

// asked lists the policies that were applied, or whose match conditions excluded the request.
func (m *Mutation) asked(kept []*patches) []contract.Asked {
	var all []contract.Asked
	for i, hook := range m.set.hooks {
		if done := kept[i]; done.asked || len(done.matches) > 0 {
			var parts evaluated
			parts.conditions(hook, done.matches)
			all = append(all, contract.Asked{Guard: hook.String(), Acted: done.changed, Excluded: !done.asked,
				Parts: append(parts, done.parts...)})
		}
	}
	return all
}

// mutates returns the hook in the form of upstream's dispatcher.
func (h *hook) mutates(kept *patches) mutating.PolicyHook {
	evaluator := h.mutator
	evaluator.Mutators = nil
	if evaluator.Matcher != nil {
		evaluator.Matcher = watchedMatcher{evaluator.Matcher, kept}
	}
	for i, patcher := range h.mutator.Mutators {
		evaluator.Mutators = append(evaluator.Mutators, keptPatcher{patcher, i, kept})
	}
	binding := &admissionregistrationv1.MutatingAdmissionPolicyBinding{ObjectMeta: h.binding.ObjectMeta,
		Spec: admissionregistrationv1.MutatingAdmissionPolicyBindingSpec{
			PolicyName: h.binding.Spec.PolicyName, ParamRef: h.binding.Spec.ParamRef, MatchResources: h.binding.Spec.MatchResources,
		}}
	as := mutating.PolicyHook{Policy: h.mutating, Bindings: []*mutating.PolicyBinding{binding}, Evaluator: evaluator}
	if h.parameters != nil {
		as.ParamInformer, as.ParamScope = h.parameters, h.parameters.scope()
	}
	return as
}

// patches are what the mutations of a policy did for a request.
type patches struct {
	versions       *versions
	asked, changed bool
	matches        []match
	parts          evaluated // mutations
	unknown        error     // see watchedRights
}

// keptPatcher records the calls of a patcher, and fills in the defaults of what it returns.
type keptPatcher struct {
	patch.Patcher
	index int // of the mutation
	kept  *patches
}

// Patch calls the patcher. An object that cannot be defaulted is an internal error, as in the API server: no later
// policy is called.
func (k keptPatcher) Patch(ctx context.Context, request patch.Request, budget int64) (runtime.Object, error) {
	k.kept.asked = true
	k.kept.parts.add(mutationPart, k.index, false)
	request.OptionalVariables.Authorizer = watchedRights{request.OptionalVariables.Authorizer, &k.kept.unknown}
	patched, err := k.Patcher.Patch(ctx, request, budget)
	if err != nil {
		return nil, err
	}
	if err := k.kept.versions.fillDefaults(patched); err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	if !equality.Semantic.DeepEqual(patched, request.VersionedAttributes.VersionedObject.Object()) {
		k.kept.changed = true
		k.kept.parts.add(mutationPart, k.index, true)
	}
	return patched, nil
}

// reinvocation implements admission.ReinvocationContext for a request.
type reinvocation struct {
	again, wanted bool
	values        map[string]any
}

var _ admission.ReinvocationContext = &reinvocation{}

func (r *reinvocation) IsReinvoke() bool              { return r.again }
func (r *reinvocation) SetIsReinvoke()                { r.again = true }
func (r *reinvocation) ShouldReinvoke() bool          { return r.wanted }
func (r *reinvocation) SetShouldReinvoke()            { r.wanted = true }
func (r *reinvocation) SetValue(plugin string, v any) { r.values[plugin] = v }
func (r *reinvocation) Value(plugin string) any       { return r.values[plugin] }
