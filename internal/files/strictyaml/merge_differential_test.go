package strictyaml_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// TestMergesAreKubectls: "<<" has the result that kubectl would send. In its reader the last key wins: a
// merge overrides the keys before it, unlike in https://yaml.org/type/merge.
func TestMergesAreKubectls(t *testing.T) {
	const seeds = 3000
	compared, refused := 0, 0
	for seed := range uint64(seeds) {
		random := rand.New(rand.NewPCG(seed, 17))
		text := mergingText(random)
		var got any
		err := strictyaml.Decode("f.yaml", []byte(text), &got)
		sent, kubectls := yaml.YAMLToJSON([]byte(text))
		if (err != nil) != (kubectls != nil) {
			t.Fatalf("seed %d: error %v, kubectl's %v, of\n%s", seed, err, kubectls, text)
		}
		if err != nil {
			refused++
			continue
		}
		compared++
		var want any
		if err := json.Unmarshal(sent, &want); err != nil {
			t.Fatal(err)
		}
		written, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var plain any
		if err := json.Unmarshal(written, &plain); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, plain); diff != "" {
			t.Fatalf("seed %d: -kubectl +got of\n%s%s", seed, text, diff)
		}
	}
	if compared < seeds/2 || refused < seeds/50 {
		t.Errorf("%d documents compared, %d refused, of %d", compared, refused, seeds)
	}
}

// mergingText makes mappings that merge earlier ones, and sometimes themselves.
func mergingText(random *rand.Rand) string {
	var text strings.Builder
	for i := range 5 {
		fmt.Fprintf(&text, "m%d: &m%d {%s}\n", i, i, mergingEntries(random, i))
	}
	return text.String()
}

func mergingEntries(random *rand.Rand, before int) string {
	var entries []string
	for _, key := range random.Perm(4)[:random.IntN(4)] {
		entries = append(entries, fmt.Sprintf("k%d: %d", key, random.IntN(1000)))
	}
	for range random.IntN(3) {
		entries = append(entries, "<<: "+merged(random, before))
	}
	random.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return strings.Join(entries, ", ")
}

// merged are the possible values of a merge key.
func merged(random *rand.Rand, before int) string {
	one := func() string {
		switch {
		case random.IntN(60) == 0:
			return fmt.Sprintf("*m%d", before) // itself
		case random.IntN(60) == 0:
			return "7"
		case before == 0 || random.IntN(3) == 0:
			return fmt.Sprintf("{k%d: %d}", random.IntN(4), random.IntN(1000))
		}
		return fmt.Sprintf("*m%d", random.IntN(before))
	}
	if random.IntN(2) == 0 {
		return one()
	}
	var items []string
	for range random.IntN(4) {
		items = append(items, one())
	}
	return "[" + strings.Join(items, ", ") + "]"
}
