package read

import (
	"go/types"
	"slices"
	"strings"
)

// any returns the condition that there is an error, where a path runs.
func (f failures) any(at path) *condition {
	var all []*condition
	parts := 0
	for _, one := range f.all {
		condition := and(one.path.beyond(at, true), one.when)
		if condition == yes {
			return yes
		}
		if parts += condition.size; parts <= largest {
			all = append(all, condition)
		}
	}
	if parts > largest {
		return tooLarge
	}
	return or(all...)
}

// asked is any for a condition that the source asks: it is remembered whose it is.
func (f failures) asked(at path) *condition {
	any := f.any(at)
	if any == yes || any == no {
		return any
	}
	is, isNot := *any, *not(any)
	is.errors, isNot.errors, isNot.absent = &f, &f, true
	is.opposite, isNot.opposite = &isNot, &is
	return &is
}

// areThere reports whether it is known on a path that there is one of these errors.
func (f failures) areThere(at path) bool {
	for _, frame := range at {
		for _, a := range frame.atoms {
			if of := a.condition.errors; of != nil && !a.condition.absent && len(of.all) > 0 &&
				!slices.ContainsFunc(of.all, func(one failure) bool { return !f.hasSite(one.site) }) {
				return true
			}
		}
	}
	return len(f.all) > 0 && at.decided(f.any(at)) == yes
}

// and returns these errors and others, each once.
func (f failures) and(more failures) failures {
	all := f.all[:len(f.all):len(f.all)]
	for _, one := range more.all {
		if !f.has(one) {
			all = append(all, one)
		}
	}
	return failures{all}
}

func (f failures) has(one failure) bool {
	for _, other := range f.all {
		if other.site == one.site && other.when.id == one.when.id && other.path.equal(one.path) {
			return true
		}
	}
	return false
}

// areErrors reports whether each was made by the program, and none is a text of a library.
func (f failures) areErrors() bool {
	return !slices.ContainsFunc(f.all, func(one failure) bool { return one.site == nil })
}

func (f failures) hasSite(site *Site) bool {
	return slices.ContainsFunc(f.all, func(one failure) bool {
		return one.site == site || one.site != nil && site != nil && one.site.origin() == site.origin()
	})
}

// always reports whether an error is returned wherever it is made, on a path.
func (f failures) always(one failure, on path) bool {
	return slices.ContainsFunc(f.all, func(other failure) bool {
		if !(failures{[]failure{other}}).hasSite(one.site) || other.when != yes && other.when.id != one.when.id {
			return false
		}
		for i, frame := range other.path {
			for _, a := range frame.atoms {
				isItself := a.condition.errors != nil && !a.condition.absent && a.condition.errors.hasSite(one.site)
				if !isItself && !one.path.has(i, a.condition) && !on.has(i, a.condition) {
					return false
				}
			}
		}
		return true
	})
}

// on returns these errors as what they are where a path runs, too.
func (f failures) on(p path) failures {
	all := make([]failure, len(f.all))
	for i, one := range f.all {
		all[i] = failure{one.site, one.path.joint(p), one.when}
	}
	return failures{all}
}

const (
	fieldPackage     = "k8s.io/apimachinery/pkg/util/validation/field"
	admissionPackage = "sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// errorTypes are the types of errors beside error, without pointers and lists.
var errorTypes = map[string]bool{
	"error":                     true,
	fieldPackage + ".Error":     true,
	fieldPackage + ".ErrorList": true,
	"k8s.io/apimachinery/pkg/util/errors.Aggregate":    true,
	"k8s.io/apimachinery/pkg/api/errors.StatusError":   true,
	"k8s.io/apimachinery/pkg/apis/meta/v1.StatusCause": true,
	"knative.dev/pkg/apis.FieldError":                  true,
	admissionPackage + ".Response":                     true,
}

// isErrors reports whether values of a type are errors or lists of them.
func isErrors(t types.Type) bool {
	t = types.Unalias(t)
	name := strings.TrimLeft(types.TypeString(t, nil), "*[]")
	return errorTypes[name]
}

// fail returns an error that is made here.
func (a *activation) fail(s *state, site Site, when *condition) failures {
	site.Calls = slices.Clone(a.calls)
	made := &site
	a.sites = append(a.sites, made)
	return failures{[]failure{{made, s.path, when}}}
}
