package infer

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// findAbsentInStored notes the required fields that the old objects of cases do not have: they were stored before the definition required
// them. The API server tolerates that as long as an update leaves the value around the field as it is (KEP-4008). A rule
// further out is evaluated nevertheless if anything else changes. It fails if it reads such a field without has().
func (e *evidence) findAbsentInStored() {
	for _, in := range e.target.Starts {
		if !in.IsUpdate() {
			continue
		}
		old := &sample{Input: explore.Input{Object: in.Old}}
		if !e.decode(old) {
			continue
		}
		for _, err := range e.today(context.Background(), old.decoded, nil) {
			if err.Type == field.ErrorTypeRequired {
				e.absentInStored[placeOf(fieldpath.Canonical(err.Field)).String()] = true
			}
		}
	}
}
