package causes_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/findings/causes"
)

func TestCauses(t *testing.T) {
	subject := equivalence.Subject{GroupVersionKind: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}}
	other := subject
	other.GroupVersionKind.Version = "v1beta1"
	status, kind := subject, subject
	status.Subresource, kind.GroupVersionKind.Kind = "status", "DaemonSet"
	said := func(at, detail string) *field.Error {
		return &field.Error{Type: field.ErrorTypeInvalid, Field: at, Detail: detail}
	}
	retyped := said("spec.ports[0]", "must be 1 to 5")
	retyped.Type = field.ErrorTypeForbidden
	base := equivalence.Pair{Native: said("spec.ports[0]", "must be 1 to 5"), Class: equivalence.TooLoose}
	for _, row := range []struct {
		why     string
		subject equivalence.Subject
		pair    equivalence.Pair
		same    bool
	}{
		{"itself", subject, base, true},
		{"another version has the same validator", other, base, true},
		{"another item", subject, equivalence.Pair{Native: said("spec.ports[12]", "must be 1 to 5"), Class: equivalence.TooLoose}, true},
		{"another map key, with a dot", subject, equivalence.Pair{Native: said("spec.ports[a.b]", "must be 1 to 5"), Class: equivalence.TooLoose}, true},
		{"other numbers", subject, equivalence.Pair{Native: said("spec.ports[0]", "must be 2 to 77"), Class: equivalence.TooLoose}, true},
		{"another subresource", status, base, false},
		{"another kind", kind, base, false},
		{"another class", subject, equivalence.Pair{Native: base.Native, Class: equivalence.Unstable}, false},
		{"the other side", subject, equivalence.Pair{Declarative: base.Native, Class: equivalence.TooLoose}, false},
		{"another field", subject, equivalence.Pair{Native: said("spec.ports[0].port", "must be 1 to 5"), Class: equivalence.TooLoose}, false},
		{"another text", subject, equivalence.Pair{Native: said("spec.ports[0]", "must be 1 or 5"), Class: equivalence.TooLoose}, false},
		{"another type", subject, equivalence.Pair{Native: retyped, Class: equivalence.TooLoose}, false},
	} {
		a, b := causes.CauseOf(subject, base), causes.CauseOf(row.subject, row.pair)
		if (a == b) != row.same || (a.Signature() == b.Signature()) != row.same {
			t.Errorf("%s: %+v and %+v: want the same: %v", row.why, a, b, row.same)
		}
	}
	moved := func(at string) causes.Cause {
		return causes.CauseOf(subject, equivalence.Pair{Native: base.Native, Declarative: said(at, "must be 1 to 5"), Class: equivalence.Path})
	}
	if moved("spec.ports[1]") != moved("spec.ports[2]") || moved("spec.ports[1]") == moved("spec.port") {
		t.Error("of class path, the field of the schema tells causes apart, but for its index")
	}
	if a := causes.CauseOf(subject, base); a.Signature("admits") == a.Signature("refuses") {
		t.Error("words do not tell signatures apart")
	}
	long := said("spec."+strings.Repeat("a", 100_000), strings.Repeat("b", 100_000))
	if cause := causes.CauseOf(subject, equivalence.Pair{Native: long, Class: equivalence.TooLoose}); len(cause.Field)+len(cause.Native.Detail) > 1000 {
		t.Error("a cause keeps long texts")
	}
}
