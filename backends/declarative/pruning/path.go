package pruning

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/object"
)

// path returns the path from the root.
func (f finding) path() object.Path {
	steps := slices.Clone(f.steps)
	slices.Reverse(steps)
	return steps
}

// paths are the fields that were dropped, in order. Where objects are not resources,
// apiVersion, kind and metadata at their top go without a word, as in the API server
// (pkg/apiserver/schema/pruning/algorithm.go).
func (w *walk) paths() []string {
	var all []string
	for _, f := range w.dropped {
		if f.within == "" {
			if len(f.steps) > 1 || !isTypeOrMetadata(f.steps[0].Name) {
				all = append(all, f.path().Dotted())
			}
		} else {
			all = append(all, f.path().String()+"."+f.within)
		}
	}
	slices.Sort(all)
	return all
}

// errors are the errors with their fields, in order.
func (w *walk) errors() field.ErrorList {
	var all field.ErrorList
	for _, f := range w.failed {
		f.err.Field = f.path().String()
		all = append(all, f.err)
	}
	fielderror.Sort(all)
	return all
}

func isTypeOrMetadata(name string) bool {
	return name == "apiVersion" || name == "kind" || name == "metadata"
}
