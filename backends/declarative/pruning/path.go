package pruning

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// step leads from a value to a part of it.
type step struct {
	name  string // of a field or key
	index int    // of an item
	kind  stepKind
}

type stepKind uint8

const (
	toField stepKind = iota // a declared or unknown field
	toKey                   // a field that additionalProperties covers
	toItem
)

// notation is how the key of a map is written.
type notation uint8

const (
	dotted    notation = iota // as strict field validation does
	bracketed                 // as errors about metadata do
)

// path writes steps, given in reverse order.
func path(steps []step, keys notation) string {
	var out strings.Builder
	for _, s := range slices.Backward(steps) {
		switch {
		case s.kind == toItem:
			out.WriteString("[" + strconv.Itoa(s.index) + "]")
		case s.kind == toKey && keys == bracketed:
			out.WriteString("[" + s.name + "]")
		case out.Len() > 0:
			out.WriteString("." + s.name)
		default:
			out.WriteString(s.name)
		}
	}
	return out.String()
}

// paths are the fields that were dropped, in order. Where objects are not resources,
// apiVersion, kind and metadata at their top go without a word, as in the API server
// (pkg/apiserver/schema/pruning/algorithm.go).
func (w *walk) paths() []string {
	var all []string
	for _, f := range w.dropped {
		if f.within == "" {
			if len(f.steps) > 1 || !isTypeOrMetadata(f.steps[0].name) {
				all = append(all, path(f.steps, dotted))
			}
		} else {
			all = append(all, path(f.steps, bracketed)+"."+f.within)
		}
	}
	slices.Sort(all)
	return all
}

// errors are the errors with their fields, in order.
func (w *walk) errors() field.ErrorList {
	var all field.ErrorList
	for _, f := range w.failed {
		f.err.Field = path(f.steps, bracketed)
		all = append(all, f.err)
	}
	fielderror.Sort(all)
	return all
}

func isTypeOrMetadata(name string) bool {
	return name == "apiVersion" || name == "kind" || name == "metadata"
}
