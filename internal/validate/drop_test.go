package validate

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDropField(t *testing.T) {
	for _, test := range []struct{ path, want, why string }{
		{"spec.a", "map[spec:map[b.c:map[d:2] list:[map[e:3]]]]", "a field"},
		{"spec.b.c.d", "map[spec:map[a:1 b.c:map[] list:[map[e:3]]]]", "a key with a dot on the way"},
		{"spec.list[0].e", "map[spec:map[a:1 b.c:map[d:2] list:[map[]]]]", "a field of an item"},
		{"spec.list[1].e", "", "an item that is not there"},
		{"spec.none", "", "a field that is not there"},
		{"spec[b.c]", "map[spec:map[a:1 list:[map[e:3]]]]", "a key in brackets"},
		{"spec[b.c].d", "map[spec:map[a:1 b.c:map[] list:[map[e:3]]]]", "a key in brackets on the way"},
		{"spec[none]", "", "a key that is not there"},
	} {
		object := map[string]any{"spec": map[string]any{
			"a": int64(1), "b.c": map[string]any{"d": int64(2)}, "list": []any{map[string]any{"e": int64(3)}},
		}}
		got := ""
		if left, dropped := dropField(object, test.path); dropped {
			got = fmt.Sprint(left)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.why, diff)
		}
	}
}
