package evaluation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/operators"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi/fieldreader"
	"github.com/diffrun/diffrun/userfile"
)

// The names of the lints.
const (
	lintUnguardedField     = "policy-unguarded-field"
	lintTransition         = "policy-transition"
	lintUnguardedParameter = "policy-unguarded-parameter"
	lintNeverRefuses       = "policy-never-refuses"
	lintUnseenSubresource  = "policy-unseen-subresource"
	lintNullVariable       = "policy-null-variable"
)

// LintOptions are the options of Lint.
type LintOptions struct {
	// Resources are those whose schemas are known.
	Resources []LintResource
	// AlwaysTrue reports whether an expression that reads object is provably true for all values of a
	// schema. Optional.
	AlwaysTrue func(expression string, schema *spec.Schema, definitions map[string]*spec.Schema) bool
}

// LintResource is a resource with its schemas.
type LintResource struct {
	serving.Description
	// Schema returns the schema of a version, and the definitions that it refers to; nil: it is unknown.
	Schema func(version schema.GroupVersionKind) (*spec.Schema, map[string]*spec.Schema)
}

// LintFinding is an unwise place of a policy or a binding.
type LintFinding struct {
	Lint string
	// Of is the object, such as `ValidatingAdmissionPolicy "ports"`, and Path the place in it.
	Of, Path string
	What     string
	Position userfile.Position
	// Release is the oldest release of Kubernetes that accepts the policy, if the finding is that old ones do not. It then has
	// no lint.
	Release string
}

// Lint returns what is unwise in the policies of files, which need no bindings, in the order of the files. The
// error is a userfile.Mistakes with what the API server would refuse to store.
func Lint(files []File, options LintOptions) ([]LintFinding, error) {
	var found []LintFinding
	var mistakes userfile.Mistakes
	for _, file := range files {
		for _, kind := range []string{validatingKind, mutatingKind} {
			read := &content{wanted: kind, mixed: true, unreadable: map[string]bool{}, namespaces: namespaces{}}
			read.file(file)
			mistakes = append(mistakes, read.mistakes...)
			for _, policy := range read.policies {
				l := &linter{options: options, policy: policy}
				l.lint(read.bindings)
				found = append(found, l.found...)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b LintFinding) int {
		return strings.Compare(fmt.Sprintf("%s %09d", a.Position.File, a.Position.Line),
			fmt.Sprintf("%s %09d", b.Position.File, b.Position.Line))
	})
	return found, mistakes.Err()
}

// linter lints one policy.
type linter struct {
	options LintOptions
	policy  *policy
	found   []LintFinding
}

// lint runs all lints.
func (l *linter) lint(bindings []*binding) {
	parameters, parameterDefinitions := l.parameterSchema()
	roots := map[string]*spec.Schema{"params": parameters}
	if parameters == nil {
		delete(roots, "params")
	}
	matched := l.matched()
	if len(matched) == 0 { // its schemas are unknown, or it is for all kinds
		matched = []matchedSchema{{name: "object", schema: &spec.Schema{}}}
	}
	never := map[int]bool{} // by the index of validations: no object of any matched version breaks it
	expressions := make([]string, len(l.policy.Spec.Validations))
	for i, validation := range l.policy.Spec.Validations {
		expressions[i], never[i] = inlined(validation.Expression, l.policy.Spec.Variables)
		never[i] = never[i] && l.options.AlwaysTrue != nil
	}
	for _, of := range matched {
		definitions := map[string]*spec.Schema{}
		maps.Copy(definitions, of.definitions)
		maps.Copy(definitions, parameterDefinitions)
		all := maps.Clone(roots)
		all["object"], all["oldObject"] = of.schema, of.schema
		l.read(definitions, all, of.name)
		for i, expression := range expressions {
			never[i] = never[i] && l.options.AlwaysTrue(expression, of.schema, of.definitions)
		}
	}
	for i := range l.policy.Spec.Validations {
		if never[i] {
			l.add(lintNeverRefuses, place(validationPart, i, "expression"),
				"the expression is true for each object that Kubernetes accepts")
		}
	}
	l.releases()
	l.nulls(matched)
	l.bindings(bindings)
	l.subresources()
}

func (l *linter) add(lint, path, format string, args ...any) {
	l.addTo(l.policy.placed, lint, path, fmt.Sprintf(format, args...))
}

// addTo adds a finding in an object, unless there is the same.
func (l *linter) addTo(of placed, lint, path, what string) {
	made := LintFinding{
		Lint:     lint,
		Of:       fmt.Sprintf("%s %q", of.kind.Kind, of.object().GetName()),
		Path:     path,
		What:     what,
		Position: of.at(path),
	}
	if !slices.Contains(l.found, made) {
		l.found = append(l.found, made)
	}
}

// read runs the lints about the fields that expressions read.
func (l *linter) read(definitions, roots map[string]*spec.Schema, kind string) {
	r := newFieldReader(l.policy.ValidatingAdmissionPolicy, definitions, roots)
	eachRead(r, l.policy.ValidatingAdmissionPolicy, func(path string) {
		for _, field := range r.Found {
			if strings.HasPrefix(field, "params.") {
				l.add(lintUnguardedParameter, path, "%s may be missing; without it the request %s", field,
					outcomeOfError(l.policy.ValidatingAdmissionPolicy))
				continue
			}
			l.add(lintUnguardedField, path, "%s may be missing in a %s; without it the request %s", field, kind,
				outcomeOfError(l.policy.ValidatingAdmissionPolicy))
		}
		for _, field := range r.Transitions {
			if l.handlesRemoval(field) {
				continue
			}
			l.add(lintTransition, path, "%s is compared with its old value only if both are set: it may be removed, "+
				"and then set to another value", field)
		}
	})
}

// matchedSchema is the schema of a kind that the policy matches.
type matchedSchema struct {
	name        string // of the kind
	schema      *spec.Schema
	definitions map[string]*spec.Schema
	// clusterScoped means that the objects are in no namespace.
	clusterScoped bool
}

// matched returns the schemas of the resources that the rules name. A rule for all resources names none.
func (l *linter) matched() []matchedSchema {
	var all []matchedSchema
	if l.policy.Spec.MatchConstraints == nil {
		return nil
	}
	for _, resource := range l.options.Resources {
		for _, version := range resource.Versions {
			if !slices.ContainsFunc(l.policy.Spec.MatchConstraints.ResourceRules,
				func(rule admissionregistrationv1.NamedRuleWithOperations) bool {
					has := func(list []string, name string) bool {
						return slices.Contains(list, name) || slices.Contains(list, "*")
					}
					return slices.Contains(rule.Resources, version.Plural) && has(rule.APIGroups, version.Group) &&
						has(rule.APIVersions, version.Version)
				}) {
				continue
			}
			if found, definitions := resource.Schema(version.GroupVersionKind); found != nil {
				all = append(all, matchedSchema{version.Kind, found, definitions, !resource.Namespaced})
			}
		}
	}
	return all
}

// parameterSchema returns the schema of the parameters; nil: the policy has none, or it is unknown.
func (l *linter) parameterSchema() (*spec.Schema, map[string]*spec.Schema) {
	wanted := l.policy.Spec.ParamKind
	if wanted == nil {
		return nil, nil
	}
	kind := schema.FromAPIVersionAndKind(wanted.APIVersion, wanted.Kind)
	for _, resource := range l.options.Resources {
		for _, version := range resource.Versions {
			if version.GroupVersionKind == kind {
				return resource.Schema(kind)
			}
		}
	}
	return nil, nil
}

// bindings reports bindings that bind no parameter of a policy that reads one.
func (l *linter) bindings(bindings []*binding) {
	if l.policy.Spec.ParamKind == nil || !l.reads("params") || l.tests("params") {
		return
	}
	for _, binding := range bindings {
		if binding.Spec.PolicyName == l.policy.Name && binding.Spec.ParamRef == nil {
			l.addTo(binding.placed, lintUnguardedParameter, "spec.policyName",
				fmt.Sprintf("the binding has no paramRef, so params is null, and the expressions of %q that read it fail", l.policy.Name))
		}
	}
}

// expressionsIn returns the parsed expressions of lists.
func expressionsIn(lists ...[]expression) []celexpr.Expr {
	var all []celexpr.Expr
	for _, one := range slices.Concat(lists...) {
		if one.ExpressionAccessor == nil {
			continue
		}
		if e := celexpr.Parse(one.GetExpression()); e != nil {
			all = append(all, e)
		}
	}
	return all
}

// any reports whether some part of an expression of the policy is wanted.
func (l *linter) any(wanted func(celexpr.Expr) bool) bool {
	return contains(expressionsIn(l.policy.expressions().lists()...), wanted)
}

func contains(all []celexpr.Expr, wanted func(celexpr.Expr) bool) bool {
	for _, e := range all {
		for part := range celexpr.Parts(e) {
			if wanted(part) {
				return true
			}
		}
	}
	return false
}

// reads reports whether an expression uses a variable of CEL.
func (l *linter) reads(name string) bool {
	return l.any(func(e celexpr.Expr) bool { return e.AsIdent() == name })
}

// tests reports whether an expression compares a variable of CEL with something, such as null.
func (l *linter) tests(name string) bool {
	return l.any(func(e celexpr.Expr) bool {
		args := append(celexpr.ArgsOf(e, operators.Equals), celexpr.ArgsOf(e, operators.NotEquals)...)
		return slices.ContainsFunc(args, func(arg celexpr.Expr) bool { return arg.AsIdent() == name })
	})
}

// selects reports whether an expression reads a field of a name, other than that of a parameter.
func (l *linter) selects(name string) bool {
	return l.any(func(e celexpr.Expr) bool {
		path := celexpr.PathOf(e)
		return e.AsSelect().FieldName() == name && (path == nil || path[0] != "params")
	})
}

// handlesRemoval reports whether a validation demands a field in any way but as a guard: has(object.a) as a
// part of a junctor, or compared with has(oldObject.a).
func (l *linter) handlesRemoval(field string) bool {
	r := &fieldreader.Reader{Roots: map[string]*spec.Schema{"object": nil}}
	demands := func(e celexpr.Expr) bool {
		of := celexpr.HasOf(e)
		return of != nil && r.FieldOf(of) == field
	}
	// all and exists join the conditions of items
	junctors := []string{operators.LogicalAnd, operators.LogicalOr, operators.Equals, operators.All, operators.Exists}
	validations := expressionsIn(l.policy.expressions().validations)
	return contains(validations, func(e celexpr.Expr) bool {
		return slices.Contains(junctors, e.AsCall().FunctionName()) && slices.ContainsFunc(e.AsCall().Args(), demands)
	}) || slices.ContainsFunc(validations, demands)
}
