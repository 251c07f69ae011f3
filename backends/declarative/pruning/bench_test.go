package pruning_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/generate"
)

// BenchmarkPrune prunes objects that have nothing to prune, and prints what it
// costs as a share of a deep copy of the object in the same run. The goal is a
// quarter (DESIGN section 6).
func BenchmarkPrune(b *testing.B) {
	for _, name := range crdNames() {
		p := crd(b, name)
		for _, size := range []int{1 << 10, 50 << 10} {
			obj := sized(b, p, size)
			pruner := compileProps(b, p, pruning.Options{Root: true})
			if r := pruner.Prune(obj); len(r.Dropped)+len(r.Errors) > 0 {
				b.Fatalf("%s: the object has something to prune: %v %v", name, r.Dropped, r.Errors)
			}
			b.Run(fmt.Sprintf("%s/%dKB", name, size>>10), func(b *testing.B) { benchmark(b, pruner, obj) })
		}
	}
}

// benchmark times Prune, and a deep copy in turn with it so that both see the same
// machine.
func benchmark(b *testing.B, pruner *pruning.Pruner, obj map[string]any) {
	var pruned, copied time.Duration
	rounds := 0
	b.ReportAllocs()
	for b.Loop() {
		if rounds++; rounds%4 == 0 {
			b.StopTimer()
			start := time.Now()
			runtime.DeepCopyJSON(obj)
			copied += time.Since(start)
			b.StartTimer()
			start = time.Now()
			pruner.Prune(obj)
			pruned += time.Since(start)
			continue
		}
		pruner.Prune(obj)
	}
	if copied > 0 {
		b.ReportMetric(float64(pruned)/float64(copied), "of-a-deep-copy")
	}
}

func crdNames() []string {
	return []string{"gwapi-httproutes", "gwapi-gateways", "prom-prometheuses", "prom-prometheusrules", "cm-certificates"}
}

// crd reads the storage version's schema of a CustomResourceDefinition that lies
// beside the repository.
func crd(t testing.TB, name string) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../../shared/data/crds", name+".yaml"))
	if err != nil {
		t.Skipf("SKIPPED, nothing was tested or measured: the CRDs are not beside the repository: %v", err)
	}
	var read apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	for i := range read.Spec.Versions {
		if v := &read.Spec.Versions[i]; v.Storage {
			return v.Schema.OpenAPIV3Schema
		}
	}
	t.Fatalf("%s has no storage version", name)
	return nil
}

// sized makes an object of a size in bytes of JSON.
func sized(t testing.TB, p *apiextensionsv1.JSONSchemaProps, size int) map[string]any {
	t.Helper()
	obj, err := generate.Grow(generate.Seeded(1), p, generate.Growth{Bytes: size})
	if err != nil {
		t.Fatal(err)
	}
	return obj
}
