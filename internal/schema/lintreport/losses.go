package lintreport

import (
	"fmt"
	"slices"

	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	schemalint "github.com/diffrun/diffrun/internal/schema/lint"
	"github.com/diffrun/diffrun/internal/schema/source"
	"github.com/diffrun/diffrun/internal/schema/storage"
)

// addLosses adds the fields of schemas that are lost when objects are stored, because the storage version of the
// definition does not have them. A definition that is made of Go types does not say how objects are converted.
func addLosses(
	found []Finding, seen map[identity]int, schemas []source.Schema, lints []schemalint.Lint, mistakes *strictyaml.Mistakes,
) []Finding {
	at := slices.IndexFunc(lints, func(l schemalint.Lint) bool { return l.Name == schemalint.LostWhenStored })
	if at < 0 {
		return found
	}
	known := map[*definitions.Definition][]storage.Loss{}
	for _, one := range schemas {
		if one.Version == nil || one.Version.Of.Origin != nil {
			continue
		}
		lost, asked := known[one.Version.Of]
		if !asked {
			var err error
			lost, err = storage.Lost(one.Version.Of)
			mistakes.Merge(one.Name, err)
			known[one.Version.Of] = lost
		}
		for _, loss := range lost {
			if loss.Version.Version == one.Version.Version {
				found = addFinding(found, seen, one, lossFinding(lints[at], loss))
			}
		}
	}
	return found
}

// lossFinding is a warning if the definition does not say how objects are converted: projects often add a webhook with
// kustomize.
func lossFinding(lint schemalint.Lint, loss storage.Loss) schemalint.Finding {
	made := schemalint.Finding{
		Lint: lint.Name, Severity: lint.Severity, At: loss.At, Why: lint.Why, Do: lint.Do,
		What: fmt.Sprintf("%s is lost: objects are stored as %s, %s", loss.Path, loss.Storage.Version, loss.Reason()),
	}
	if loss.Version.Of.CRD.Spec.Conversion == nil {
		made.Severity = schemalint.Warning
		made.What += "; the definition has no spec.conversion, so no webhook converts unless something adds one"
	}
	return made
}
