// Package policylint finds what is unwise in admission policies.
//
// [Check] reads the policies of files and the schemas of the resources that they match: those of definitions in
// the same arguments, and of the built-in kinds. It is linked by the command alone, because the API server's library of
// policies is large.
package policylint

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	schemas "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/backends/policies/evaluation"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/schema/celproof"
	"github.com/diffrun/diffrun/internal/schema/lintreport"
	"github.com/diffrun/diffrun/internal/schema/source"
)

// Check returns the findings in policies. The built-in resources are those that their rules may name. It is a
// lintreport.PolicyLinter.
func Check(in source.Found, builtin []serving.Description) ([]lintreport.PolicyFinding, error) {
	options := evaluation.LintOptions{AlwaysTrue: alwaysTrue}
	for _, one := range in.Schemas {
		if one.Version != nil {
			options.Resources = append(options.Resources, defined(one))
		}
	}
	library := schemas.NewLibrary()
	for _, described := range builtin {
		options.Resources = append(options.Resources, evaluation.LintResource{Description: described,
			Schema: func(version schema.GroupVersionKind) (*spec.Schema, map[string]*spec.Schema) {
				of, definitions, err := library.Schema(version)
				if err != nil {
					return nil, nil
				}
				return of, definitions
			}})
	}
	files := make([]evaluation.File, len(in.Policies))
	for i, file := range in.Policies {
		files[i] = evaluation.File{Name: file.Name, Data: file.Data}
	}
	found, err := evaluation.Lint(files, options)
	var all []lintreport.PolicyFinding
	for _, one := range found {
		all = append(all, lintreport.PolicyFinding{
			Lint: one.Lint, Of: one.Of, At: one.Path, What: one.What, Position: one.Position, Release: one.Release,
		})
	}
	return all, err
}

// defined returns the resource of a version of a definition.
func defined(of source.Schema) evaluation.LintResource {
	version := serving.Version{GroupVersionKind: of.Version.GroupVersionKind, Plural: of.Version.Of.CRD.Spec.Names.Plural}
	return evaluation.LintResource{
		Description: serving.Description{
			Kind: version.GroupKind(), Versions: []serving.Version{version},
			Namespaced: of.Version.Of.CRD.Spec.Scope == apiextensionsv1.NamespaceScoped,
		},
		Schema: func(schema.GroupVersionKind) (*spec.Schema, map[string]*spec.Schema) {
			return of.Schema, of.Definitions
		},
	}
}

// alwaysTrue reports whether an expression about object is provably true for each value of a schema.
func alwaysTrue(expression string, of *spec.Schema, definitions map[string]*spec.Schema) bool {
	rule := celexpr.Parse(expression)
	if rule == nil {
		return false
	}
	names := map[string]string{"object": "self", "oldObject": "oldSelf"}
	known := true
	rule = celexpr.Replace(rule, func(e celexpr.Expr) celexpr.Expr {
		name := e.AsIdent()
		known = known && name != "self" && name != "oldSelf"
		if to := names[name]; to != "" {
			return celexpr.Name(to)
		}
		return nil
	})
	self := celproof.Schema{Schema: of, Definitions: definitions}
	return known && celproof.Always(rule, self, self)
}
