package tally_test

import (
	"testing"
	"time"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/tally"
)

func TestLine(t *testing.T) {
	for _, row := range []struct {
		why  string
		of   tally.Tally
		want string
	}{
		{"nothing may pass for success", tally.Tally{Cases: 3}, "Nothing was compared."},
		{"a fault has no effect, and all counts have commas", tally.Tally{
			Cases:    1,
			Inputs:   1234,
			Verdicts: map[words.Verdict]int{words.Faulted: 1, words.Equal: 1233},
			Effects:  map[words.Effect]int{words.NoEffect: 1233},
		},
			"1,234 inputs of 1 case: no verdict changes; 1,233 equal, 1 fault."},
		{"only faults: no verdict was compared", tally.Tally{Cases: 1, Inputs: 1, Verdicts: map[words.Verdict]int{words.Faulted: 1}},
			"1 input of 1 case: 1 fault."},
		{"an accepted change is still a change", tally.Tally{
			Cases:    2,
			Inputs:   2,
			Accepted: 2,
			Verdicts: map[words.Verdict]int{words.Excepted: 2},
			Effects:  map[words.Effect]int{words.Admits: 1, words.Refuses: 1},
		},
			"2 inputs of 2 cases: 1 admits, 1 refuses, all accepted; 2 excepted."},
		{"open changes beside accepted ones", tally.Tally{
			Cases: 3, Inputs: 3, Accepted: 1, Elapsed: 1534 * time.Millisecond,
			Effects:  map[words.Effect]int{words.Admits: 2, words.NoEffect: 1},
			Verdicts: map[words.Verdict]int{words.Different: 1, words.Excepted: 1, words.Equivalent: 1}, ByVerdict: 1, Unmet: 1,
			Classes: map[difference.Class]int{difference.TooLoose: 1, difference.Unstable: 4},
		}, "3 inputs of 3 cases in 1.53s: 2 admits, 1 of them accepted; 1 equivalent (1 by the verdict alone, because the " +
			"validator gives no reason), 1 excepted, 1 different (1 too-loose), 1 unmet."},
	} {
		if got := row.of.Line(); got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.why, got, row.want)
		}
	}
}
