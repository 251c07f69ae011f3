package equivalence

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// isDenial reports whether an error is a denial by a ValidatingAdmissionPolicy: it names no field.
func (l line) isDenial() bool {
	return strings.HasPrefix(l.err.Origin, fielderror.OriginPolicy+"/") && l.field == "" && l.detail != ""
}

// deniesAs reports whether a denial has the text of the other error. A policy can report only Invalid and
// Forbidden, so its Invalid matches every type that it cannot report.
func (l line) deniesAs(other line) bool {
	return l.isDenial() && !other.isDenial() && l.detail == other.detail &&
		(l.err.Type == other.err.Type || l.err.Type == field.ErrorTypeInvalid && other.err.Type != field.ErrorTypeForbidden)
}

func denialKey(l line) (string, bool) { return l.detail, l.isDenial() }

func textKey(l line) (string, bool) { return l.detail, l.detail != "" && !l.isDenial() }
