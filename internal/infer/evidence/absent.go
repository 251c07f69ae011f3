package evidence

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// FindAbsentInStored notes the required fields that the old objects of cases do not have: they were stored before the definition required
// them. The API server tolerates that as long as an update leaves the value around the field as it is (KEP-4008). A rule
// further out is evaluated nevertheless if anything else changes. It fails if it reads such a field without has().
func (e *Evidence) FindAbsentInStored() {
	for _, in := range e.Target.Starts {
		if !in.IsUpdate() {
			continue
		}
		old := &Sample{Input: explore.Input{Object: in.Old}}
		if !e.DecodeUnmutated(old) {
			continue
		}
		for _, err := range e.Today(context.Background(), old.Decoded, nil) {
			if err.Type == field.ErrorTypeRequired {
				e.AbsentInStored[PlaceOf(fieldpath.Canonical(err.Field)).String()] = true
			}
		}
	}
}
