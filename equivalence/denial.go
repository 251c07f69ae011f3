package equivalence

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// isDenial says that an error is a denial by a ValidatingAdmissionPolicy: it names no field.
func (l line) isDenial() bool {
	return strings.HasPrefix(l.err.Origin, OriginPolicy+"/") && l.field == "" && l.detail != ""
}

// deniesAs says that a denial has the text of another error. A policy can say Invalid and
// Forbidden only, so its Invalid stands for each type that it cannot say.
func (l line) deniesAs(other line) bool {
	return l.isDenial() && !other.isDenial() && l.detail == other.detail &&
		(l.err.Type == other.err.Type || l.err.Type == field.ErrorTypeInvalid && other.err.Type != field.ErrorTypeForbidden)
}

func denialKey(l line) (string, bool) { return l.detail, l.isDenial() }

func textKey(l line) (string, bool) { return l.detail, l.detail != "" && !l.isDenial() }
