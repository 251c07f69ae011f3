package evaluation

import (
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/text/oneline"
	"github.com/diffrun/diffrun/userfile"
)

// TypeCheck returns what the API server writes into status.typeChecking of the policies:
// expressions that do not fit the schema of the resource, for instance because they read an
// undeclared field. The API server stores and evaluates such a policy anyway. Resources without
// Schema are skipped.
func (s *Set) TypeCheck() userfile.Mistakes {
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, resource := range s.resources {
		for _, version := range resource.Versions {
			if resource.Schema != nil {
				mapper.AddSpecific(version.GroupVersionKind, version.Resource(), version.Resource(), meta.RESTScopeRoot)
			}
		}
	}
	documents := &resolver.ClientDiscoveryResolver{Discovery: published{resources: s.resources}}
	checker := &validating.TypeChecker{
		SchemaResolver: &remembering{of: documents, known: map[schema.GroupVersionKind]resolved{}},
		RestMapper:     mapper,
	}
	var found userfile.Mistakes
	checked := map[*admissionregistrationv1.ValidatingAdmissionPolicy]bool{}
	for _, hook := range s.hooks {
		if checked[hook.policy] {
			continue
		}
		checked[hook.policy] = true
		for _, warning := range checker.Check(hook.policy) {
			found.Addf(hook.at(warning.FieldRef), "%s: %s; the API server only reports this in status.typeChecking, and evaluates "+
				"the policy anyway", warning.FieldRef, typeMistake(warning.Warning))
		}
	}
	return found
}

// typeMistake returns the text of a warning without the version, which is that of the suite.
func typeMistake(warning string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(warning), "\n\n")
	if _, said, found := strings.Cut(first, ": ERROR: "); found {
		first = "ERROR: " + said
	}
	return oneline.Text(first)
}

// remembering caches the schema of a kind for all policies, because making a document is slow.
type remembering struct {
	of    resolver.SchemaResolver
	known map[schema.GroupVersionKind]resolved
}

type resolved struct {
	schema *spec.Schema
	err    error
}

// ResolveSchema implements resolver.SchemaResolver.
func (r *remembering) ResolveSchema(kind schema.GroupVersionKind) (*spec.Schema, error) {
	found, known := r.known[kind]
	if !known {
		found.schema, found.err = r.of.ResolveSchema(kind)
		r.known[kind] = found
	}
	return found.schema, found.err
}
