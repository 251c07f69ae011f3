package nativecoverage_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/coverage/nativecoverage/testdata/handcount/inputs"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
	"github.com/diffrun/diffrun/internal/gomodule/gocoverage"
)

const (
	gadgets   = "github.com/diffrun/diffrun/internal/gomodule/errorsites/testdata/gadgets"
	handcount = "github.com/diffrun/diffrun/internal/coverage/nativecoverage/testdata/handcount"
)

// byHand are the counts found by hand in gadgets.go and the inputs: executed; errors seen, matched and
// different.
func byHand() []string {
	return []string{
		`gadgets.go:32 Validate: Required spec.name: true 2 1 1`,
		`gadgets.go:35 Validate: Invalid spec.size "must not be negative": true 1 1 0`,
		`gadgets.go:38 Validate: Invalid spec.size "must be at most …, 100% sure": true 1 0 1`,
		`gadgets.go:42 Validate: NotSupported spec.shape: false 0 0 0`,
		`gadgets.go:46 Validate: TooMany spec.parts: true 1 1 0`,
		`gadgets.go:58 validateParts: Duplicate [*].name: true 1 1 0`,
		`gadgets.go:62 validateParts: badPort [*].port "port must be set": true 2 2 0`,
		`gadgets.go:65 validateParts: badPort [*].port "port is too large": true 1 0 1`,
		`gadgets.go:68 validateParts: Error [*].port "is taken": false 0 0 0`,
		`gadgets.go:81 whole: NotFound [*]: false 0 0 0`,
		`gadgets.go:90 Maker: InternalError: false 0 0 0`,
	}
}

func counts(sites *coverage.Sites) []string {
	var lines []string
	for _, p := range sites.Packages {
		for _, s := range p.Sites {
			lines = append(lines, fmt.Sprintf("%s:%d %s: %t %d %d %d", filepath.Base(s.File), s.Line, s.Name, s.Executed,
				s.Seen, s.Matched, s.Differs))
		}
	}
	return lines
}

// TestByHand: the counts of a program built with -cover equal those found by hand, and so do the counts of
// results without counters, given the profile that the program wrote.
func TestByHand(t *testing.T) {
	program, left := filepath.Join(t.TempDir(), "handcount"), t.TempDir()
	build := exec.Command("go", "build", "-cover", "-covermode=atomic", "-coverpkg="+gadgets+","+handcount, "-o", program, handcount)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(left string, args ...string) coverage.Sites {
		var stderr bytes.Buffer
		run := exec.Command(program, args...)
		run.Env, run.Stderr = append(os.Environ(), "GOCOVERDIR="+left), &stderr
		out, err := run.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		var sites coverage.Sites
		if err := json.Unmarshal(out, &sites); err != nil {
			t.Fatal(err)
		}
		return sites
	}
	live := run(t.TempDir(), gadgets)
	run(left, gadgets, "keep the counters")
	if diff := cmp.Diff(byHand(), counts(&live)); diff != "" || live.Elsewhere+live.Ambiguous > 0 {
		t.Errorf("counted input by input; elsewhere %d, ambiguous %d (-want +got):\n%s", live.Elsewhere, live.Ambiguous, diff)
	}

	sites, err := errorsites.Find(t.Context(), ".", []string{gadgets})
	if err != nil {
		t.Fatal(err)
	}
	profile, err := gocoverage.ReadProfile(left)
	if err != nil {
		t.Fatal(err)
	}
	outside, err := inputs.Run(t.Context(), sites, nil, profile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(byHand(), counts(outside.Sites)); diff != "" {
		t.Errorf("by the profile (-want +got):\n%s", diff)
	}
	if report, err := inputs.Run(t.Context(), sites, nil); err != nil || report.Sites.Elsewhere != 9 {
		t.Errorf("without a profile %d errors belong to no site, not 9: %v", report.Sites.Elsewhere, err)
	}
}
