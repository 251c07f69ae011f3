package equivalence

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fielderror"
)

// otherKeys says that two errors about items which appear twice are about other keys: one
// names a scalar, the other one an item in which the keys of its list have other values.
// Errors of this type have no text that would tell.
func (l line) otherKeys(other line) bool {
	if l.err.Type != field.ErrorTypeDuplicate || other.err.Type != field.ErrorTypeDuplicate {
		return false
	}
	return l.keysDiffer(other.value) || other.keysDiffer(l.value)
}

// keysDiffer says that the error names an item whose keys are not what a scalar says. Of
// several keys the scalar must have all, in whatever form.
func (l line) keysDiffer(scalar badValue) bool {
	item, isMap := l.value.Whole.(map[string]any)
	if !isMap || !scalar.Scalar || l.declared == nil {
		return false
	}
	for _, list := range l.declared.Keyword(l.err.Field, "x-kubernetes-list-map-keys") {
		keys := strings.Split(list, ",")
		for _, key := range keys {
			value := badValue{fielderror.ReadValue(item[key])}
			switch {
			case !value.Scalar:
			case len(keys) == 1 && value.contradicts(scalar), len(keys) > 1 && !strings.Contains(scalar.Text, value.Text):
				return true
			}
		}
	}
	return false
}
