package run

import (
	"fmt"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/harness"
)

// Each case is in one shard. Shards have about the same size, and adding cases moves no other.
func TestShards(t *testing.T) {
	const cases, of = 7_000, 7
	sizes := map[int]int{}
	for i := range cases {
		c := harness.Case{ID: fmt.Sprintf("cases.yaml#case %d", i)}
		in := 0
		for index := 1; index <= of; index++ {
			if (shard{index, of}).has(c.ID) {
				in++
				sizes[index]++
			}
		}
		if in != 1 {
			t.Fatalf("case %s is in %d shards", c.ID, in)
		}
	}
	for index, size := range sizes {
		if size < cases/of*8/10 || size > cases/of*12/10 {
			t.Errorf("shard %d has %d of %d cases", index, size, cases)
		}
	}
	if !(shard{}).has("a") {
		t.Error("without shards every case is run")
	}
	// Schedules of CI systems rely on it: a new version of diffrun moves no case.
	for id, want := range map[string]string{"a": "5/7", "cases.yaml#replicas below zero": "1/7"} {
		for index := 1; index <= of; index++ {
			if one := (shard{index, of}); one.has(id) && one.String() != want {
				t.Errorf("case %s is in shard %s, was in %s", id, one, want)
			}
		}
	}
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]shard{"": {}, "1/1": {1, 1}, "2/7": {2, 7}, "99999/99999": {99999, 99999}} {
		if got, err := parseShard(text); err != nil || got != want {
			t.Errorf("%q: %+v (%v)", text, got, err)
		}
	}
	for _, text := range []string{"0/3", "4/3", "1", "1/0", "-1/3", "1/3/5", " 1/3", "1/100000", "a/b"} {
		if _, err := parseShard(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// TestShardOfJob: the pod with index 0 of an Indexed Job runs the first shard.
func TestShardOfJob(t *testing.T) {
	for _, row := range []struct {
		why, index, completions string
		want                    shard
		mistakes                []string
	}{
		{"the first pod", "0", "3", shard{1, 3}, nil},
		{"the last pod", "2", "3", shard{3, 3}, nil},
		{"no Job", "", "", shard{}, []string{jobIndex, jobCompletions}},
		{"completions that the manifest forgot", "1", "", shard{}, []string{"set it to spec.completions"}},
		{"fewer completions than the Job has", "3", "3", shard{}, []string{"only 3 shards"}},
		{"texts", "a", "-1", shard{}, []string{`"a"`, `"-1"`}},
	} {
		env := map[string]string{jobIndex: row.index, jobCompletions: row.completions}
		got, err := parseShardFlag(jobShard, func(name string) (string, bool) { value := env[name]; return value, value != "" })
		if got != row.want || (err != nil) != (row.mistakes != nil) {
			t.Errorf("%s: %+v (%v)", row.why, got, err)
		}
		for _, mistake := range row.mistakes {
			if err == nil || !strings.Contains(err.Error(), mistake) {
				t.Errorf("%s: %v does not say %s", row.why, err, mistake)
			}
		}
	}
}
