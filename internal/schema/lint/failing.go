package lint

import (
	"fmt"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi/fieldreader"
)

// ruleFails finds rules of definitions that cannot be evaluated on an object that the schema accepts. The rules of native
// types are left out: they run beside other errors, which such an error then belongs to.
func ruleFails(v *visit) []hit {
	if !v.w.opts.Costs {
		return nil
	}
	var hits []hit
	for _, r := range v.rules {
		if r.expr == nil {
			continue
		}
		missing := strings.Join(v.unguarded(r), ", ")
		if missing == "" && celexpr.CannotFail(r.expr) {
			continue
		}
		failure, found := v.failure(r)
		h := hit{at: r.at.Child("rule")}
		switch {
		case found && failure.Old != nil:
			h.what = fmt.Sprintf("fails on the update of %s to %s: %s", asJSON(failure.Old), asJSON(failure.Object), failure.Detail)
		case found:
			h.what = fmt.Sprintf("fails on %s: %s", asJSON(failure.Object), failure.Detail)
		case missing == "":
			continue
		default: // other rules may exclude the objects without it
			h.severity, h.what = Info, "no object was found on which it fails"
		}
		if missing != "" {
			h.what = missing + " may be missing: " + h.what
		}
		hits = append(hits, h)
	}
	return hits
}

// unguarded returns the fields that a rule reads and that its value may lack.
func (v *visit) unguarded(r *rule) []string {
	reader := fieldreader.Reader{
		Roots: map[string]*spec.Schema{"self": v.s, "oldSelf": v.s}, Definitions: v.w.opts.Definitions, OfDefinition: true,
	}
	if r.optional {
		delete(reader.Roots, "oldSelf") // it is an optional value
	}
	if v.root {
		reader.Resources = []string{"self", "oldSelf"}
	}
	reader.Read(r.expr, nil)
	return reader.Found
}
