package generate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

func TestShrink(t *testing.T) {
	value := map[string]any{
		"a": []any{int64(1), map[string]any{"x": true, "y": "needed"}, "z"},
		"b": map[string]any{"c": nil},
	}
	needed := func(value any) bool {
		fields, _ := value.(map[string]any)
		list, _ := fields["a"].([]any)
		for _, item := range list {
			if fields, ok := item.(map[string]any); ok && fields["y"] == "needed" {
				return true
			}
		}
		return false
	}
	want := map[string]any{"a": []any{map[string]any{"y": "needed"}}}
	if d := cmp.Diff(any(want), generate.Shrink(value, needed)); d != "" {
		t.Errorf("what is left is not just what matters (-want +got):\n%s", d)
	}
	if len(value) != 2 {
		t.Error("the value itself was changed")
	}
}
