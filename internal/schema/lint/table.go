package lint

import "slices"

// The limits of the API server on the cost of one rule, and of all rules of a schema, in CEL's
// units (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation).
const (
	ruleLimit  = 10_000_000
	totalLimit = 100_000_000
)

// sumOfCosts is the lint that is about a schema as a whole.
const sumOfCosts = "rule-costs"

// All returns the table of all lints.
func All() []Lint {
	return slices.Concat(ofSources(), ofVersions(), ofPolicies(), ofRules(), ofContradictions(), ofSchemas())
}

// TagsDiffer is the lint about versions of one API. Package source finds it.
const TagsDiffer = "tags-differ"

// ofSources are the lints about Go sources, which need more than a schema.
func ofSources() []Lint {
	return []Lint{{
		Name: TagsDiffer, Severity: Warning,
		Why: "an object that one version accepts may be invalid in the other one",
		Do:  "write the same marker on the field in both versions, or accept the difference with a reason (--exceptions)",
	}}
}

// LostWhenStored is the lint about fields that the storage version of a definition does not have. Package storage finds
// them.
const LostWhenStored = "lost-when-stored"

// ofVersions are the lints about several versions of a definition.
func ofVersions() []Lint {
	return []Lint{{
		Name: LostWhenStored, Severity: Error,
		Why: "an object is converted to the storage version and pruned by its schema, so each write loses the field without an error",
		Do:  "declare the field in the storage version, remove it from the other one, or convert with a webhook (spec.conversion.strategy)",
	}}
}

// ofPolicies are the lints about admission policies, which package policylint finds.
func ofPolicies() []Lint {
	return []Lint{{
		Name: "policy-unguarded-field", Severity: Warning,
		Why: "an expression that reads a field that is not set is an error, and failurePolicy decides",
		Do:  "write !has(object.a) || …, has(object.a) && …, or object.?a.orValue(…)",
	}, {
		Name: "policy-transition", Severity: Warning,
		Why: "two updates change what one update must not: the first removes the field, the second adds it with another value",
		Do:  "add a validation: has(object.a) == has(oldObject.a), or !has(oldObject.a) || has(object.a) if it may be added",
	}, {
		Name: "policy-unguarded-parameter", Severity: Warning,
		Why: "a parameter may lack the field or the key, and then each request fails",
		Do:  "write has(params.a) && … or params.?a.orValue(…), require the field in the definition of the parameter, or name a paramRef",
	}, {
		Name: "policy-null-variable", Severity: Warning,
		Why: "object is null on DELETE, oldObject on CREATE, and namespaceObject in matchConditions and for kinds without a namespace; " +
			"an expression that reads a field of null is an error",
		Do: "write object == null || …, request.operation == 'DELETE' || …, or leave the operation out of the rules of matchConstraints; " +
			"read the namespace in a validation, or select it with namespaceSelector",
	}, {
		Name: "policy-never-refuses", Severity: Warning,
		Why: "the validation can never deny: the schema refuses every object that it would deny, or it is always true",
		Do:  "remove the validation, or fix it: perhaps another field or another bound was meant",
	}, {
		Name: "policy-unseen-subresource", Severity: Warning,
		Why: "requests to a subresource change the object, and the policy does not see them",
		Do:  "add the subresource to the rule, such as pods/ephemeralcontainers or */scale, and read a Scale where object.kind says so",
	}}
}

// ofRules are the lints about rules and the values that they read.
func ofRules() []Lint {
	return []Lint{{
		Name: "rule-cost", Severity: Warning, of: ruleCost,
		Why: "the API server refuses a definition with a rule over its limit, and one more field or a longer list may exceed it",
		Do:  "set maxLength, maxItems or maxProperties on the values that the rule reads and on the lists around it, or split the rule",
	}, {
		Name: sumOfCosts, Severity: Warning,
		Why: "the API server refuses a definition whose rules together exceed the limit, and one more rule may do so",
		Do:  "bound the lists that have rules in their items first: their maxItems multiplies what the rules cost",
	}, {
		Name: "rule-always-true", Severity: Warning, of: alwaysTrue,
		Why: "the rule can never fail: the other keywords of the schema refuse every value that it would refuse",
		Do:  "remove the rule, or fix it: perhaps another field or another bound was meant",
	}, {
		Name: "rule-never-true", Severity: Error, of: neverTrue,
		Why: "the rule fails for every value that the other keywords of the schema accept",
		Do:  "fix the rule, or the bound that it contradicts",
	}, {
		Name: "needless-guard", Severity: Info, of: needlessGuard,
		Why: "has() of a required field is always true, so the guard has no effect",
		Do:  "remove the guard, or make the field +optional",
	}, {
		Name: "rule-is-keyword", Severity: Info, of: ruleIsKeyword,
		Why: "a keyword means the same without CEL: clients, documentation and other validators understand it, and it costs nothing",
		Do:  "write the keyword instead of the rule",
	}, {
		Name: "transition-of-optional", Severity: Warning, of: transitionOfOptional,
		Why: "a rule with oldSelf runs only if the field was set before and is set now: removing the field and adding it again " +
			"changes the value in two updates",
		Do: "add a rule to the schema around it: has(self.x) == has(oldSelf.x); or require the field, or give it a default",
	}, {
		Name: "transition-evaded", Severity: Warning, of: transitionEvaded,
		Why: "a rule with oldSelf is asked only if the value was there before and is there now, so whoever removes it, or what is " +
			"around it, may set another value in the next update",
		Do: "add a rule where the value cannot be removed, which refuses the removal: !has(oldSelf.a) || has(self.a), or for items " +
			"oldSelf.l.all(o, self.l.exists(n, n.key == o.key)); or accept it if removing is allowed",
	}, {
		Name: "rule-fails", Severity: Warning, of: ruleFails,
		Why: "an object that the schema accepts is refused with an error about the expression, which tells users nothing",
		Do: "test the field first, !has(self.a) || … or has(self.a) && …, or read self.?a.orValue(…); or require the field or give " +
			"it a default",
	}, {
		Name: "unbounded-in-rule", Severity: Info, of: unboundedInRule,
		Why: "the estimate assumes the largest value, 3 MiB without a bound, so the rule becomes expensive",
		Do:  "set maxLength, maxItems or maxProperties to what the field really holds",
	}, {
		Name: "negated-all", Severity: Warning, of: negatedAll,
		Why: "!list.all(x, wrong(x)) is true as soon as one item is right (karpenter issues 1003 and 1006)",
		Do:  "write list.all(x, !wrong(x)) or !list.exists(x, wrong(x)); if one item is enough, write list.exists(x, !wrong(x))",
	}, {
		Name: "rule-without-message", Severity: Info, of: ruleWithoutMessage,
		Why: "users see the expression as the error",
		Do:  "add a message, or a messageExpression if the values matter",
	}}
}

// ofContradictions are the lints about schemas that contradict themselves.
func ofContradictions() []Lint {
	return []Lint{{
		Name: "no-value", Severity: Error, of: noValue,
		Why: "no value is ever valid, so the field can never be set",
		Do:  "fix one of the two bounds, or list the values of the enum",
	}, {
		Name: "default-outside", Severity: Error, of: defaultOutside,
		Why: "an object without the field becomes invalid",
		Do:  "choose a default that the other keywords accept, or widen them",
	}, {
		Name: "enum-outside", Severity: Warning, of: enumOutside,
		Why: "the value is listed as supported, but refused",
		Do:  "remove the value from the enum, or widen the other keyword",
	}, {
		Name: "required-with-default", Severity: Warning, of: requiredWithDefault,
		Why: "the default is set before required fields are checked, so the field is never missing",
		Do:  "make the field +optional, or remove the default",
	}, {
		Name: "required-in-optional-spec", Severity: Warning, of: absentSpec,
		Why: "required is checked only if the object around the field is there, so an object without spec passes",
		Do:  "require spec, or give it the default {} so that its required fields are checked",
	}, {
		Name: "defaults-of-absent", Severity: Info, of: absentDefaults,
		Why: "a default is set only if the object around the field is there, so readers see nothing where they expect the defaults",
		Do:  "give the object the default {}, or let readers handle its absence",
	}, {
		Name: "required-status", Severity: Warning, of: requiredStatus,
		Why: "the API server drops the status of a request that creates an object, so every create is refused",
		Do:  "remove status from required: only the controller sets it, through the subresource",
	}, {
		Name: "null-outside-enum", Severity: Warning, of: nullOutsideEnum,
		Why: "the API server compares null with the enum like any other value, and no enum accepts null, even if it lists it: " +
			"a nullable field is refused if it is null",
		Do: "remove nullable, so that null is dropped; or express the values as a pattern or a rule, which ignore null",
	}}
}

// ofSchemas are the other lints.
func ofSchemas() []Lint {
	return []Lint{{
		Name: "unbounded-string", Severity: Info, of: unboundedString,
		Why: "a client can store megabytes in it, and a bound that is added later breaks stored objects",
		Do:  "set maxLength while the field is new",
	}, {
		Name: "unanchored-pattern", Severity: Warning, of: unanchoredPattern,
		Why: "a pattern matches anywhere in a string, so it allows anything before and after the match",
		Do:  "begin it with ^ and end it with $, around all alternatives: ^(a|b)$; or write .* where anything is allowed",
	}, {
		Name: "list-without-type", Severity: Info, of: listWithoutType,
		Why: "server-side apply replaces the list as a whole, and rules cannot correlate items with their old values",
		Do:  "declare x-kubernetes-list-type: map with its keys, set, or atomic",
	}, {
		Name: "default-under-nullable", Severity: Warning, of: defaultUnderNullable,
		Why: "null is kept and gets no default, so readers see null although there is a default (KEP-575)",
		Do:  "remove nullable or the default",
	}, {
		Name: "required-undeclared", Severity: Error, of: requiredUndeclared,
		Why: "the field is pruned before required fields are checked, so no object is ever valid",
		Do:  "declare the property, or remove it from required: it may have been copied from another type",
	}, {
		Name: "required-but-empty", Severity: Info, of: requiredButEmpty,
		Why: "required only checks that the field is present: \"\" passes, while Go code that requires a field refuses its zero value",
		Do:  "set minLength: 1, a pattern or an enum",
	}, {
		Name: "preserved-root", Severity: Warning, of: preservedRoot,
		Why: "only fields below declared ones are pruned, so a misspelled field is stored silently",
		Do:  "put x-kubernetes-preserve-unknown-fields on the fields that need it",
	}, {
		Name: "inert-keyword", Severity: Error, of: inertKeyword,
		Why: "the API server applies it to values of other types only, so it has no effect",
		Do: "use the keyword of the type (maxItems for a list, maximum for a number), or put it on the items or fields that " +
			"it is meant for",
	}, {
		Name: "no-effect", Severity: Warning, of: noEffect,
		Why: "the API server does not know it, so it has no effect",
		Do:  "use a format that it knows, a pattern, junctors (oneOf of required) or a rule",
	}, {
		Name: "newer-format", Severity: Info, of: newerFormat,
		Why: "an older API server stores the format and does not validate it",
		Do:  "require that release, or express the format as a pattern or a rule",
	}}
}
