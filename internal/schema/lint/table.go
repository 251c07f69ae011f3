package lint

import "slices"

// What the API server lets one rule, and all rules of a schema, cost at most, in CEL's
// units (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation).
const (
	ruleLimit  = 10_000_000
	totalLimit = 100_000_000
)

// sumOfCosts is the lint that is about a schema as a whole.
const sumOfCosts = "rule-costs"

// All gives the table of all lints.
func All() []Lint { return slices.Concat(ofSources(), ofRules(), ofContradictions(), ofSchemas()) }

// TagsDiffer is the lint about versions of one API. Package source finds it.
const TagsDiffer = "tags-differ"

// ofSources are the lints about Go sources alone, which a schema does not show.
func ofSources() []Lint {
	return []Lint{{
		Name: TagsDiffer, Severity: Warning,
		Why: "an object that is stored in one version is validated in another one, which accepts something else",
		Do:  "write the same marker on the field in both versions, or accept the difference with a reason (--exceptions)",
	}}
}

// ofRules are the lints about rules, and about what they read.
func ofRules() []Lint {
	return []Lint{{
		Name: "rule-cost", Severity: Warning, of: ruleCost,
		Why: "the API server refuses a definition with a rule over its limit, and the next field or longer list brings it there",
		Do:  "set maxLength, maxItems or maxProperties on what the rule reads and on the lists that it is in, or part the rule",
	}, {
		Name: sumOfCosts, Severity: Warning,
		Why: "the API server refuses a definition whose rules are over the limit together, and the next rule brings them there",
		Do:  "bound the lists that have rules in their items first: their maxItems multiplies what the rules cost",
	}, {
		Name: "rule-always-true", Severity: Warning, of: alwaysTrue,
		Why: "the rule can never fail: the other keywords of the schema refuse everything that it would",
		Do:  "take the rule out, or mend it: it may mean another field or another bound",
	}, {
		Name: "rule-never-true", Severity: Error, of: neverTrue,
		Why: "the rule fails for every value that the other keywords of the schema accept",
		Do:  "mend the rule, or the bound that it contradicts",
	}, {
		Name: "needless-guard", Severity: Info, of: needlessGuard,
		Why: "has() of a required field is always true, so the guard says nothing",
		Do:  "take the guard out, or say +optional",
	}, {
		Name: "rule-is-keyword", Severity: Info, of: ruleIsKeyword,
		Why: "a keyword says the same, without CEL: clients, documentation and other validators understand it, and it costs nothing",
		Do:  "write the keyword instead of the rule",
	}, {
		Name: "transition-of-optional", Severity: Warning, of: transitionOfOptional,
		Why: "a rule with oldSelf is asked only if the field was there before and is there now: whoever removes the field, or adds it later, is not refused, so that two updates change the value",
		Do:  "add to the schema around it a rule that sees this: has(self.x) == has(oldSelf.x); or require the field, or give it a default",
	}, {
		Name: "unbounded-in-rule", Severity: Info, of: unboundedInRule,
		Why: "what a rule reads is estimated at its largest, 3 MiB without a bound, so the rule gets dear",
		Do:  "set maxLength, maxItems or maxProperties to what the field really holds",
	}, {
		Name: "negated-all", Severity: Warning, of: negatedAll,
		Why: "!list.all(x, wrong(x)) is true as soon as one item is right (karpenter issues 1003 and 1006)",
		Do:  "write list.all(x, !wrong(x)) or !list.exists(x, wrong(x)); if one item is enough, write list.exists(x, !wrong(x))",
	}, {
		Name: "rule-without-message", Severity: Info, of: ruleWithoutMessage,
		Why: "people get the text of the expression as the error",
		Do:  "add message, or messageExpression where the values matter",
	}}
}

// ofContradictions are the lints about what a schema says against itself.
func ofContradictions() []Lint {
	return []Lint{{
		Name: "no-value", Severity: Error, of: noValue,
		Why: "no value is ever valid, so the field can never be set",
		Do:  "mend one of the two bounds, or name the values of the enum",
	}, {
		Name: "default-outside", Severity: Error, of: defaultOutside,
		Why: "whoever leaves the field out gets an object that is not valid",
		Do:  "choose a default that the other keywords accept, or widen them",
	}, {
		Name: "enum-outside", Severity: Warning, of: enumOutside,
		Why: "the value stands in the list of those that are supported, and is refused",
		Do:  "take the value out of the enum, or widen the other keyword",
	}, {
		Name: "required-with-default", Severity: Warning, of: requiredWithDefault,
		Why: "the default is filled in before anything is required, so the field is never missing",
		Do:  "say +optional where there is a default, or leave the default out",
	}, {
		Name: "required-status", Severity: Warning, of: requiredStatus,
		Why: "the API server drops the status of a request that creates an object, so every create is refused",
		Do:  "take status out of required: only the controller sets it, through the subresource",
	}, {
		Name: "null-outside-enum", Severity: Warning, of: nullOutsideEnum,
		Why: "the API server compares a null with the enum as any other value, and no enum accepts one, even if it has a null: what is nullable is refused when it is null",
		Do:  "take nullable out, so that a null is dropped; or say the values as a pattern or a rule, which are not asked of a null",
	}}
}

// ofSchemas are the lints about all else.
func ofSchemas() []Lint {
	return []Lint{{
		Name: "unbounded-string", Severity: Info, of: unboundedString,
		Why: "a client can store megabytes in it, and a bound that is added later breaks objects that are stored",
		Do:  "set maxLength while the field is new",
	}, {
		Name: "unanchored-pattern", Severity: Warning, of: unanchoredPattern,
		Why: "a pattern matches anywhere in a string, so it says nothing about what stands before or after the match",
		Do:  "begin it with ^ and end it with $, around all alternatives: ^(a|b)$; or write .* where anything may stand",
	}, {
		Name: "list-without-type", Severity: Info, of: listWithoutType,
		Why: "server-side apply replaces the list as a whole, and rules cannot find the old item of an item",
		Do:  "declare x-kubernetes-list-type: map with its keys, set, or atomic",
	}, {
		Name: "default-under-nullable", Severity: Warning, of: defaultUnderNullable,
		Why: "a null is kept and gets no default, so readers see null although a default is there (KEP-575)",
		Do:  "leave out nullable or the default",
	}, {
		Name: "required-undeclared", Severity: Error, of: requiredUndeclared,
		Why: "the name is pruned before it is required, so no object is ever valid",
		Do:  "declare the property, or take it out of required: it may have leaked from another type",
	}, {
		Name: "required-but-empty", Severity: Info, of: requiredButEmpty,
		Why: "required asks for the name alone: \"\" passes, while Go code that calls a field required refuses its zero value",
		Do:  "set minLength: 1, a pattern or an enum",
	}, {
		Name: "preserved-root", Severity: Warning, of: preservedRoot,
		Why: "nothing is pruned anywhere but below declared fields, so a misspelt field is stored without a word",
		Do:  "put x-kubernetes-preserve-unknown-fields on the fields that need it",
	}, {
		Name: "inert-keyword", Severity: Error, of: inertKeyword,
		Why: "the API server looks at it for values of other types only, so it checks nothing",
		Do:  "use the keyword of the type (maxItems for a list, maximum for a number), or put it on the items or fields that it is meant for",
	}, {
		Name: "no-effect", Severity: Warning, of: noEffect,
		Why: "the API server does not know it and checks nothing",
		Do:  "use a format that it knows, a pattern, junctors (oneOf of required) or a rule",
	}, {
		Name: "newer-format", Severity: Info, of: newerFormat,
		Why: "an older API server stores the format and checks nothing",
		Do:  "ask for that release, or say the same as a pattern or a rule",
	}}
}
