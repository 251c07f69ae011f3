package declarative_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
)

var (
	pairs    = flag.Int("pairs", 4000, "how many generated objects the declarative backend is held against the reference on")
	crdPairs = flag.Int("crd-pairs", 300, "how many of them for each version of each real CustomResourceDefinition")
	failing  = flag.Int("failing", 5, "after how many schemas with a difference to stop")
	seed     = flag.Uint64("seed", 1, "what the generated schemas and objects are made from")
)

// TestGeneratedAgainstReference compares the declarative backend with the reference on random schemas, each
// with objects at its bounds and updates of them.
func TestGeneratedAgainstReference(t *testing.T) {
	const perSchema = 12
	t.Logf("seed %d, %d pairs (-seed, -pairs)", *seed, *pairs)
	failures, invalid, schemas := 0, 0, 0
	for done := 0; done < *pairs && failures < *failing; done += perSchema {
		schemas++
		src := rand.New(rand.NewPCG(*seed, uint64(schemas)))
		props := randomschema.Make(src, randomschema.Options{Unadmitted: schemas%2 == 1})
		h, err := bothBackends(props, true)
		if err != nil {
			t.Errorf("-seed %d, schema %d: %v\nschema: %s", *seed, schemas, err, asJSON(t, props))
			failures++
			continue
		}
		for _, pair := range generatedPairs(src, props, perSchema) {
			difference, valid := compared(t.Context(), h, pair)
			if difference != "" {
				t.Errorf("-seed %d, schema %d: %s\n%s", *seed, schemas, difference, shown(t, props, pair))
				failures++
				break
			}
			if !valid {
				invalid++
			}
		}
	}
	t.Logf("%d of %d pairs are invalid", invalid, *pairs)
	if failures == 0 && (invalid < *pairs/10 || invalid > *pairs*95/100) {
		t.Errorf("%d of %d objects are invalid: the generator does not sit on the bounds", invalid, *pairs)
	}
}

// generatedPairs makes objects with no, few and many mistakes, an update of every second one, and an update
// that changes nothing.
func generatedPairs(src generate.Source, props *apiextensionsv1.JSONSchemaProps, count int) []pair {
	var all []pair
	for i := 0; len(all) < count; i++ {
		opts := generate.ObjectOptions{Faults: []int{0, 12, 4, 30}[i%4]}
		obj := generate.Object(src, props, opts)
		all = append(all, pair{obj: obj})
		if i%2 == 1 {
			continue
		}
		opts.Faults = 6
		all = append(all, pair{obj: generate.Vary(src, props, obj, opts), old: obj})
		if i%8 == 2 {
			all = append(all, pair{obj: obj, old: obj})
		}
	}
	return slices.Clip(all)
}

// shown prints a schema and a pair, for a repetition by hand.
func shown(t testing.TB, props *apiextensionsv1.JSONSchemaProps, p pair) string {
	return fmt.Sprintf("schema: %s\nobject: %s\nold:    %s", asJSON(t, props), asJSON(t, p.obj), asJSON(t, p.old))
}
