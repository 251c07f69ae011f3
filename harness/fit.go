package harness

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
)

// fits returns why a case cannot be compared in any version, as far as that is known before its
// objects are decoded.
func (t *Target) fits(c *Case) *contract.Fault {
	if absent(c.Object) {
		return &contract.Fault{
			Reason: words.FaultInput,
			Err:    errors.New("the case has no object, or a nil pointer; use a document, or a pointer to its Go struct"),
		}
	}
	if object, old := reflect.TypeOf(c.Object), reflect.TypeOf(c.Old); c.Old != nil && object != old {
		return &contract.Fault{
			Reason: words.FaultInput,
			Err:    fmt.Errorf("the old object is a %s and the new one a %s; use the same type for both", old, object),
		}
	}
	if _, isDocument := c.Object.(map[string]any); !isDocument {
		return t.compares(c.Version)
	}
	return nil
}

// compares returns a fault if the target lacks the version that a case names.
func (t *Target) compares(named schema.GroupVersionKind) *contract.Fault {
	var known []string
	for _, version := range t.Versions {
		if named.Empty() || named == version.GroupVersionKind {
			return nil
		}
		known = append(known, fmt.Sprintf("%q", apiname.Target(version.GroupVersionKind)))
	}
	return &contract.Fault{
		Reason: words.FaultTarget,
		Err:    fmt.Errorf("the case names the version %q; the target compares %s", apiname.Target(named), strings.Join(known, ", ")),
	}
}

// deletes returns a fault if a case deletes its object, or connects, and no backend looks at that. Only
// tests call it: recorded requests may be deletions.
func (t *Target) deletes(c *Case) *contract.Fault {
	looks := func(v Version) bool {
		return contract.CapabilitiesOf(v.Native).ValidatesDeletes || contract.CapabilitiesOf(v.Declarative).ValidatesDeletes
	}
	if !c.Deletes && !c.Connects || slices.ContainsFunc(t.Versions, looks) {
		return nil
	}
	return &contract.Fault{
		Reason: words.FaultInput,
		Err:    fmt.Errorf("neither validator looks at a %s, so that there is nothing to compare; webhooks and policies do", c.Operation()),
	}
}
