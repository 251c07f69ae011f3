package exploretest

import (
	"encoding/json"
	"testing"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Fuzz adds the documents of seeds to f, and fuzzes the first version of the target of both. An input of
// the fuzzer is an object, its old object, which may be empty, and a number that selects random changes
// of the object; zero: none. Package testing keeps the corpus. For each disagreement the test fails with
// a small case, which is also written to testdata/explored.
func Fuzz(f *testing.F, both *harness.Harness, seeds ...harness.Case) {
	f.Helper()
	k, err := newKind(both, both.Target().Versions[0])
	if err != nil {
		f.Fatal(plaintext.Error(err))
	}
	inputs := inputsOf(seeds)
	if len(inputs) == 0 {
		f.Fatal("no seed has a document; give cases with an object that a validator accepts")
	}
	for _, in := range inputs {
		object, old, err := encoded(in)
		if err != nil {
			f.Fatal(plaintext.Error(err))
		}
		for change := range uint64(4) {
			f.Add(object, old, change)
		}
	}
	options := k.options(inputs)
	f.Fuzz(func(t *testing.T, object, old []byte, change uint64) {
		in, ok := decoded(object, old)
		if !ok {
			return // the fuzzer broke the JSON
		}
		if change != 0 {
			in = explore.New(options).Vary(in, change)
		}
		if exists, err := explore.New(options).OldExists(t.Context(), in); err != nil {
			t.Fatal(plaintext.Error(err))
		} else if exists {
			k.check(t, options.Ask, in)
		}
	})
}

// check fails a test for each finding of an input.
func (k *kind) check(t testing.TB, ask explore.Ask, in explore.Input) {
	t.Helper()
	answer, err := ask(t.Context(), in)
	if err != nil {
		t.Fatal(plaintext.Error(err))
	}
	for _, finding := range answer.Findings {
		found, err := explore.Shrink(t.Context(), ask, in, finding)
		if err != nil {
			t.Fatal(plaintext.Error(err))
		}
		k.report(t, found)
	}
}

func encoded(in explore.Input) (object, old []byte, err error) {
	if object, err = json.Marshal(in.Object); err != nil || !in.IsUpdate() {
		return object, nil, err
	}
	old, err = json.Marshal(in.Old)
	return object, old, err
}

func decoded(object, old []byte) (in explore.Input, ok bool) {
	if in.Object, ok = documentOf(object); !ok || len(old) == 0 {
		return in, ok
	}
	in.Old, ok = documentOf(old)
	return in, ok
}

// documentOf returns a document with the numbers of cases.
func documentOf(text []byte) (map[string]any, bool) {
	var value map[string]any
	if json.Unmarshal(text, &value) != nil || value == nil {
		return nil, false
	}
	return documents.AsSent(value), true
}
