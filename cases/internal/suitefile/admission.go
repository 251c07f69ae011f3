package suitefile

import (
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// Admission are the keys of a world other than its definition. Both sides have them.
type Admission struct {
	Mutate   *Mutation   `yaml:"mutate"`
	Policies []Reference `yaml:"policies"`
	// Kyverno and Gatekeeper are the version of the engine that evaluates the policies, as in v1.19.1. Without one, the API
	// server does.
	Kyverno    string `yaml:"kyverno"`
	Gatekeeper string `yaml:"gatekeeper"`
	// Generated is set for the ValidatingAdmissionPolicies that the engine generates of the policies.
	Generated bool `yaml:"generated"`
	// Then are the validating webhooks, in their order.
	Then strictyaml.OneOrMore[Hook] `yaml:"then"`
}

// Given reports whether some key is set.
func (a Admission) Given() bool {
	return a.Mutate != nil || len(a.Policies) > 0 || len(a.Then) > 0 || len(a.Engines()) > 0 || a.Generated
}

// Engine is the version of an engine of policies, by its key.
type Engine struct{ Key, Version string }

// Engines returns the engines that the side names. More than one is a mistake.
func (a Admission) Engines() []Engine {
	var all []Engine
	for _, one := range []Engine{{"kyverno", a.Kyverno}, {"gatekeeper", a.Gatekeeper}} {
		if one.Version != "" {
			all = append(all, one)
		}
	}
	return all
}

// keys lists the keys that are set.
func (a Admission) keys() []string {
	keys := given([]key{{"mutate", a.Mutate != nil}, {"policies", len(a.Policies) > 0}, {"then", len(a.Then) > 0}})
	for _, engine := range a.Engines() {
		keys = append(keys, engine.Key)
	}
	return keys
}

// Files returns the files with policies.
func (a Admission) Files() []Reference {
	return slices.Concat(a.Policies, a.Mutate.Files())
}

// Mutation is the mutating admission of a world: policies, and after them a webhook or a program
// instead of it.
type Mutation struct {
	Policies []Reference `yaml:"policies"`
	Hook     `yaml:",inline"`
}

// Files returns the files with mutating policies; m may be nil.
func (m *Mutation) Files() []Reference {
	if m == nil {
		return nil
	}
	return m.Policies
}

// HasHook reports whether a webhook is expected: it is set, or nothing else is.
func (m *Mutation) HasHook() bool {
	return m.Exec != nil || m.Webhook != nil || len(m.Rules) > 0 || len(m.Policies) == 0
}

// Hook is a webhook of a world, or a program instead of it, with the settings of a webhook
// configuration.
type Hook struct {
	strictyaml.Position `yaml:"-"`

	Exec    *Process `yaml:"exec"`
	Webhook *Webhook `yaml:"webhook"`
	// Rules select the requests. The default is all.
	Rules       []HookRule `yaml:"rules"`
	MatchPolicy string     `yaml:"matchPolicy"`
	// ObjectSelector and NamespaceSelector are selectors of labels, as kubectl takes them.
	ObjectSelector    string `yaml:"objectSelector"`
	NamespaceSelector string `yaml:"namespaceSelector"`
	// MatchConditions are CEL expressions as in a webhook configuration.
	MatchConditions []MatchCondition `yaml:"matchConditions"`
}

// MatchCondition is an expression that is true for the requests that a webhook gets.
type MatchCondition struct {
	strictyaml.Position `yaml:"-"`

	Name       string `yaml:"name"`
	Expression string `yaml:"expression"`
}

// API converts the condition to the API type.
func (c MatchCondition) API() admissionregistrationv1.MatchCondition {
	return admissionregistrationv1.MatchCondition{Name: c.Name, Expression: c.Expression}
}

// Matching is the key matchPolicy.
func (h *Hook) Matching() Word {
	accepted := []string{string(admissionregistrationv1.Exact), string(admissionregistrationv1.Equivalent)}
	return Word{"matchPolicy", h.MatchPolicy, accepted}
}

// Restrict implements strictyaml.Restricted.
func (h *Hook) Restrict(schema map[string]any) {
	restrictWords(schema, h.Matching())
	schema["oneOf"] = []any{map[string]any{"required": []string{"webhook"}}, map[string]any{"required": []string{"exec"}}}
}

// Restrict implements strictyaml.Restricted.
func (m *Mutation) Restrict(schema map[string]any) {
	restrictWords(schema, m.Matching())
	schema["anyOf"] = anyRequired([]string{"policies", "webhook", "exec"})["anyOf"]
	schema["not"] = map[string]any{"required": []string{"webhook", "exec"}}
}

// Guard names the webhook among the guards of its world.
func (h *Hook) Guard(key string, purpose words.Purpose) contract.Guard {
	return contract.Guard{Name: key, Where: h.Position.String(), Purpose: purpose}
}

// HookRule is a rule of a webhook configuration.
type HookRule struct {
	strictyaml.Position `yaml:"-"`

	Operations  []string `yaml:"operations"`
	APIGroups   []string `yaml:"apiGroups"`
	APIVersions []string `yaml:"apiVersions"`
	Resources   []string `yaml:"resources"`
	Scope       string   `yaml:"scope"`
}

// Words are the keys that accept some words, once for each of the operations.
func (r HookRule) Words() []Word {
	words := []Word{{"scope", r.Scope, []string{"Namespaced", "Cluster", "*"}}}
	for _, operation := range r.Operations {
		words = append(words, Word{"operations", operation, []string{"CREATE", "UPDATE", "DELETE", "CONNECT", "*"}})
	}
	return words
}

// Restrict implements strictyaml.Restricted.
func (HookRule) Restrict(schema map[string]any) {
	restrictWords(schema, HookRule{Operations: []string{""}}.Words()...)
}

// API converts the rule to the API type.
func (r HookRule) API() admissionregistrationv1.RuleWithOperations {
	rule := admissionregistrationv1.RuleWithOperations{Rule: admissionregistrationv1.Rule{
		APIGroups: r.APIGroups, APIVersions: r.APIVersions, Resources: r.Resources,
	}}
	for _, operation := range r.Operations {
		rule.Operations = append(rule.Operations, admissionregistrationv1.OperationType(operation))
	}
	if r.Scope != "" {
		scope := admissionregistrationv1.ScopeType(r.Scope)
		rule.Scope = &scope
	}
	return rule
}

// Missing returns the keys that a rule lacks.
func (r HookRule) Missing() []string {
	var missing []string
	for _, key := range []struct {
		name  string
		value []string
	}{{"operations", r.Operations}, {"apiGroups", r.APIGroups}, {"apiVersions", r.APIVersions}, {"resources", r.Resources}} {
		if len(key.value) == 0 {
			missing = append(missing, key.name)
		}
	}
	return missing
}
