package exploretest

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// SeedVariable is the environment variable that repeats an exploration: the seed that Run logged.
const SeedVariable = "DIFFRUN_SEED"

// Run explores each version of the target of both for an equal part of a duration, or until nothing new
// is seen for a while. It fails t for each finding, with a small case, and logs the seed. The objects of
// starts are documents that a validator accepts; without them, objects are made from the schema.
func Run(t testing.TB, both *harness.Harness, duration time.Duration, starts ...harness.Case) {
	t.Helper()
	seed := seedOf(t)
	versions := both.Target().Versions
	for _, version := range versions {
		ctx, cancel := context.WithTimeout(t.Context(), duration/time.Duration(len(versions)))
		runVersion(ctx, t, both, version, starts, seed)
		cancel()
	}
	logCovered(t)
}

// seedOf returns the seed of SeedVariable, or a random one, and logs it.
func seedOf(t testing.TB) uint64 {
	t.Helper()
	text := os.Getenv(SeedVariable)
	if text == "" {
		seed := rand.Uint64N(1_000_000)
		t.Logf("exploring with seed %d; %s=%d explores in the same order", seed, SeedVariable, seed)
		return seed
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s=%s is no seed; give a number", SeedVariable, plaintext.Line(text))
	}
	t.Logf("exploring with seed %d of %s", seed, SeedVariable)
	return seed
}

// maxWithoutNews is how many inputs of a version may show nothing new before its exploration ends.
const maxWithoutNews = 4_000

func runVersion(ctx context.Context, t testing.TB, both *harness.Harness, version harness.Version, starts []harness.Case, seed uint64) {
	t.Helper()
	k, err := newKind(both, version)
	if err != nil {
		t.Fatal(plaintext.Error(err))
	}
	options := k.options(inputsOf(starts))
	options.Seed = seed
	options.Found = func(found explore.Found) error {
		k.report(t, found)
		return nil
	}
	explorer := explore.New(options)
	for ctx.Err() == nil && !explorer.Done(maxWithoutNews) {
		if err := explorer.Step(ctx); err != nil && ctx.Err() == nil {
			t.Fatal(plaintext.Error(err))
		}
	}
	if err := explorer.Flush(context.WithoutCancel(ctx)); err != nil {
		t.Fatal(plaintext.Error(err))
	}
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("the test ended before the exploration did: %v", err)
	}
	stats := explorer.Stats()
	t.Logf("%s: %s, %d accepted by a side, %d different errors", k.name(), plaintext.Count(stats.Inputs, "input"),
		stats.Accepted, stats.Behaviors)
	if stats.Accepted == 0 {
		t.Errorf("%s: none of %s was accepted by a side, so nothing was explored; give a case with an object that one of them accepts",
			k.name(), plaintext.Count(stats.Inputs, "input"))
	}
}
