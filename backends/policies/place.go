package policies

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// Place returns the place of a denial for people, such as `ValidatingAdmissionPolicy "ports" with binding
// "all": validations[1]`. It is empty if the error is not a denial of the set.
func (s *Set) Place(err *field.Error) string {
	for _, hook := range s.hooks {
		part, isOf := strings.CutPrefix(err.Origin, fielderror.OriginPolicy+"/"+hook.policy.Name+"/"+hook.binding.Name)
		if !isOf || part != "" && part[0] != '/' {
			continue
		}
		part, hasFailed := strings.CutSuffix(part, failed)
		return hook.place(strings.TrimPrefix(part, "/"), hasFailed)
	}
	return ""
}

// Places returns the file and line of each place that Place returns.
func (s *Set) Places() map[string]string {
	places := map[string]string{}
	for _, hook := range s.hooks {
		parts := []string{""}
		for i := range hook.policy.Spec.Validations {
			parts = append(parts, fmt.Sprintf("validations[%d]", i))
		}
		for i := range hook.policy.Spec.AuditAnnotations {
			parts = append(parts, fmt.Sprintf("auditAnnotations[%d]", i))
		}
		for _, part := range parts {
			where := hook.at(strings.TrimSuffix("spec."+part, ".")).String()
			places[hook.place(part, false)], places[hook.place(part, true)] = where, where
		}
	}
	return places
}

// place names a part of a policy.
func (h *hook) place(part string, hasFailed bool) string {
	place := h.String()
	if part != "" {
		place += ": " + part
	}
	if hasFailed {
		place += ": the expression failed"
	}
	return place
}
