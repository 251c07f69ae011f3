package validate

import (
	"fmt"
	"strings"
	"testing"
)

func TestSchemaCache(t *testing.T) {
	cache := newSchemaCache(compiler{engine: Declarative})
	first := cache.get([]byte(`{"type":"object"}`))
	if cache.get([]byte(`{"type":"object"}`)) != first {
		t.Error("the same text was compiled anew")
	}
	for i := range 3 * maxCached / cachedAtLeast {
		cache.get(fmt.Appendf(nil, `{"type":"object","maxProperties":%d}`, i))
		cache.get([]byte(`{"type":"object"}`)) // in use all the time
	}
	if cache.weight > maxCached || len(cache.byText) != cache.recent.Len() || cache.weight != len(cache.byText)*cachedAtLeast {
		t.Errorf("%d schemas that weigh %d of %d are kept", len(cache.byText), cache.weight, maxCached)
	}
	if cache.get([]byte(`{"type":"object"}`)) != first {
		t.Error("a schema that is in use was dropped")
	}
	huge := fmt.Sprintf(`{"type":"object","description":%q}`, strings.Repeat("x", 2*maxCached))
	if _, err := cache.get([]byte(huge)).in(innerRole); err == nil {
		t.Error("a schema larger than any object compiled")
	}
	cache.get([]byte(`{}`))
	if cache.weight > maxCached {
		t.Error("a huge schema is kept")
	}
}
