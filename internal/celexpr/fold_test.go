package celexpr_test

import (
	"testing"

	"github.com/diffrun/diffrun/internal/celexpr"
)

func TestBelow(t *testing.T) {
	for _, c := range []struct {
		why, expr string
		names     []string
		want      string // empty: the expression reads something else
	}{
		{"the field is set", "has(self.spec) && self.spec.size > 3", []string{"spec"}, "self.size > 3"},
		{"absence is false", "!has(self.spec) || !has(self.spec.size)", []string{"spec"}, "!has(self.size)"},
		{"a choice", "(has(self.spec) && has(self.spec.a) ? self.spec.a : '') == ''", []string{"spec"},
			"(has(self.a) ? self.a : '') == ''"},
		{"both objects", "self.spec.a != oldSelf.spec.a", []string{"spec"}, "self.a != oldSelf.a"},
		{"the list itself", "has(self.spec) && has(self.spec.items) && self.spec.items.exists(x, x.a == '')", []string{"spec", "items"},
			"self.exists(x, x.a == '')"},
		{"a name that is escaped", "self.spec.__namespace__ == ''", []string{"spec", "namespace"}, "self == ''"},
		{"a neighbour", "self.spec.a != self.b", []string{"spec"}, ""},
		{"the object", "self.a == 1", nil, "self.a == 1"},
	} {
		got, ok := celexpr.Below(celexpr.Parse(c.expr), []string{"self", "oldSelf"}, c.names...)
		text := ""
		if ok {
			text = celexpr.String(got)
		}
		if text != c.want {
			t.Errorf("%s: %s below %q is %q, want %q", c.why, c.expr, c.names, text, c.want)
		}
	}
}
