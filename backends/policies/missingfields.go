package policies

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/userfile"
)

// MissingFields returns the fields that policies read, but that the schema does not require and the
// policy does not check with has(). Without the field the expression is an error, and failurePolicy
// decides. The API server does not warn about it. Resources without Schema are skipped.
func (s *Set) MissingFields() userfile.Mistakes {
	var found userfile.Mistakes
	checked := map[*admissionregistrationv1.ValidatingAdmissionPolicy]bool{}
	for _, hook := range s.hooks {
		if checked[hook.policy] {
			continue
		}
		checked[hook.policy] = true
		said := map[string]bool{}
		for _, resource := range s.resources {
			for _, version := range matched(hook.policy, resource) {
				schema := resource.Schema(version)
				for _, one := range missingIn(hook.policy, schema) {
					if said[one.path+one.field] {
						continue
					}
					said[one.path+one.field] = true
					found.Addf(hook.at(one.path), "%s: %s may be missing: the schema of %s in %s does not require it, and the expression does not check it with has(); without the field the expression is an error, and the request %s; write has(%[2]s) && … or !has(%[2]s) || …",
						one.path, one.field, resource.Kind.Kind, version, outcomeOfError(hook.policy))
				}
			}
		}
	}
	return found
}

// outcomeOfError describes what an error of a policy does to a request.
func outcomeOfError(policy *admissionregistrationv1.ValidatingAdmissionPolicy) string {
	if of := policy.Spec.FailurePolicy; of != nil && *of == admissionregistrationv1.Ignore {
		return "passes unchecked (failurePolicy: Ignore)"
	}
	return "is refused (failurePolicy: Fail)"
}

// matched returns the versions of a resource, with schemas, that a policy matches on create or
// update.
func matched(policy *admissionregistrationv1.ValidatingAdmissionPolicy, resource Resource) []string {
	if resource.Schema == nil || policy.Spec.MatchConstraints == nil {
		return nil
	}
	var all []string
	for _, of := range resource.Versions {
		version := of.Version
		if resource.Schema(version) != nil && slices.ContainsFunc(policy.Spec.MatchConstraints.ResourceRules, func(rule admissionregistrationv1.NamedRuleWithOperations) bool {
			has := func(list []string, names ...string) bool {
				return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(list, name) })
			}
			writes := slices.ContainsFunc(rule.Operations, func(operation admissionregistrationv1.OperationType) bool {
				return operation == admissionregistrationv1.OperationAll || operation == admissionregistrationv1.Create || operation == admissionregistrationv1.Update
			})
			return writes && has(rule.APIGroups, of.Group, "*") && has(rule.APIVersions, version, "*") && has(rule.Resources, of.Plural, "*", "*/*")
		}) {
			all = append(all, version)
		}
	}
	return all
}

// missing is a field that an expression reads and that may be absent.
type missing struct{ path, field string }

// missingIn returns the missing fields of a policy.
func missingIn(policy *admissionregistrationv1.ValidatingAdmissionPolicy, schema *spec.Schema) []missing {
	env, err := environments().Env(environment.StoredExpressions)
	if err != nil {
		return nil // check reports this error, too
	}
	parse := func(of expression) ast.Expr {
		if of.ExpressionAccessor == nil {
			return nil
		}
		parsed, issues := env.Parse(of.GetExpression())
		if issues.Err() != nil {
			return nil // check reports it
		}
		return parsed.NativeRep().Expr()
	}
	all := expressionsOf(policy)
	r := &fieldReader{schema: schema, variables: map[string]ast.Expr{}}
	for i, variable := range all.variables {
		r.variables[policy.Spec.Variables[i].Name] = parse(variable)
	}
	conditions := present{}
	for _, condition := range all.conditions {
		if e := parse(condition); e != nil {
			maps.Copy(conditions, r.proved(e, true, 0))
		}
	}
	var found []missing
	for _, list := range [][]expression{all.conditions, all.validations, all.annotations} {
		for _, one := range list {
			if e := parse(one); e != nil {
				r.found = nil
				r.read(e, conditions, 0)
				for _, field := range r.found {
					found = append(found, missing{one.path, field})
				}
			}
		}
	}
	return found
}

// present is the set of fields that are known to be set, such as "object.spec".
type present map[string]bool

func (p present) and(other present) present {
	all := maps.Clone(p)
	maps.Copy(all, other)
	return all
}

// fieldReader finds the fields of the object that expressions read.
type fieldReader struct {
	schema    *spec.Schema
	variables map[string]ast.Expr
	found     []string
}

// deepest bounds how deep variables are followed.
const deepest = 8

// read records the fields that an expression reads and that may be absent.
func (r *fieldReader) read(e ast.Expr, there present, depth int) {
	if depth > deepest || e == nil {
		return
	}
	switch e.Kind() {
	case ast.SelectKind:
		r.selected(e, there, depth)
	case ast.CallKind:
		r.called(e.AsCall(), there, depth)
	case ast.ListKind:
		for _, element := range e.AsList().Elements() {
			r.read(element, there, depth)
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			r.read(entry.AsMapEntry().Key(), there, depth)
			r.read(entry.AsMapEntry().Value(), there, depth)
		}
	case ast.ComprehensionKind:
		loop := e.AsComprehension()
		for _, part := range []ast.Expr{loop.IterRange(), loop.AccuInit(), loop.LoopCondition(), loop.LoopStep(), loop.Result()} {
			r.read(part, there, depth)
		}
	}
}

// selected records the first field of a chain that may be absent. has() does not read its last
// field.
func (r *fieldReader) selected(e ast.Expr, there present, depth int) {
	chain, variable := chainOf(e)
	if variable != "" {
		r.read(r.variables[variable], there, depth+1)
		return
	}
	if chain == nil {
		r.read(e.AsSelect().Operand(), there, depth)
		return
	}
	if e.AsSelect().IsTestOnly() {
		chain = chain[:len(chain)-1]
	}
	schema := r.schema
	for i := 1; i < len(chain) && schema != nil; i++ {
		name := chain[i]
		if i == 1 && (name == "metadata" || name == "apiVersion" || name == "kind") {
			return
		}
		property, declared := schema.Properties[name]
		if !declared {
			return // TypeCheck reports it, or any field is allowed
		}
		at := strings.Join(chain[:i+1], ".")
		if !requires(schema, name) && property.Default == nil && !there[at] {
			if !slices.Contains(r.found, at) {
				r.found = append(r.found, at)
			}
			return
		}
		schema = &property
	}
}

// requires reports whether a schema, or its allOf, requires a field.
func requires(s *spec.Schema, name string) bool {
	return slices.Contains(s.Required, name) || slices.ContainsFunc(s.AllOf, func(part spec.Schema) bool { return requires(&part, name) })
}

// called reads the arguments of a call, each with the fields that the others prove: "a && b" is no
// error if either is false, and "a || b" if either is true.
func (r *fieldReader) called(call ast.CallExpr, there present, depth int) {
	args := call.Args()
	switch name := call.FunctionName(); {
	case (name == operators.LogicalAnd || name == operators.LogicalOr) && len(args) == 2:
		is := name == operators.LogicalAnd
		r.read(args[0], there.and(r.proved(args[1], is, depth)), depth)
		r.read(args[1], there.and(r.proved(args[0], is, depth)), depth)
	case name == operators.Conditional && len(args) == 3:
		r.read(args[0], there, depth)
		r.read(args[1], there.and(r.proved(args[0], true, depth)), depth)
		r.read(args[2], there.and(r.proved(args[0], false, depth)), depth)
	default:
		if call.IsMemberFunction() {
			r.read(call.Target(), there, depth)
		}
		for _, arg := range args {
			r.read(arg, there, depth)
		}
	}
}

// proved returns the fields that are set if an expression is true, or false.
func (r *fieldReader) proved(e ast.Expr, is bool, depth int) present {
	if e == nil || depth > deepest {
		return present{}
	}
	if e.Kind() == ast.SelectKind {
		chain, variable := chainOf(e)
		switch {
		case variable != "" && e.AsSelect().Operand().Kind() == ast.IdentKind:
			return r.proved(r.variables[variable], is, depth+1)
		case chain == nil || !is:
			return present{}
		}
		return prefixes(chain)
	}
	if e.Kind() != ast.CallKind {
		return present{}
	}
	call := e.AsCall()
	args := call.Args()
	switch name := call.FunctionName(); {
	case name == operators.LogicalNot && len(args) == 1:
		return r.proved(args[0], !is, depth)
	case name == operators.LogicalAnd && is, name == operators.LogicalOr && !is:
		return r.proved(args[0], is, depth).and(r.proved(args[1], is, depth))
	case name == operators.LogicalAnd, name == operators.LogicalOr:
		both, other := r.proved(args[0], is, depth), r.proved(args[1], is, depth)
		maps.DeleteFunc(both, func(field string, _ bool) bool { return !other[field] })
		return both
	case name == operators.In && len(args) == 2 && is && args[0].Kind() == ast.LiteralKind:
		if key, isText := args[0].AsLiteral().Value().(string); isText {
			if chain, _ := chainOf(args[1]); chain != nil {
				return prefixes(append(slices.Clone(chain), key))
			}
			if args[1].Kind() == ast.IdentKind && args[1].AsIdent() == "object" {
				return prefixes([]string{"object", key})
			}
		}
	}
	return present{}
}

// prefixes returns the fields along a chain.
func prefixes(chain []string) present {
	all := present{}
	for i := 2; i <= len(chain); i++ {
		all[strings.Join(chain[:i], ".")] = true
	}
	return all
}

// chainOf returns the names in "object.a.b", or the name of the variable that an expression is or
// selects from; nil and "" if it is neither.
func chainOf(e ast.Expr) (chain []string, variable string) {
	for e.Kind() == ast.SelectKind {
		chain = append(chain, e.AsSelect().FieldName())
		e = e.AsSelect().Operand()
	}
	if e.Kind() != ast.IdentKind {
		return nil, ""
	}
	slices.Reverse(chain)
	switch e.AsIdent() {
	case "object":
		return append([]string{"object"}, chain...), ""
	case "variables":
		if len(chain) > 0 {
			return nil, chain[0]
		}
	}
	return nil, ""
}
