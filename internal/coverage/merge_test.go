package coverage_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/coverage"
)

// counted is the report of a shard in which n inputs failed the keyword, and some had unknown fields.
func counted(n int, sites ...coverage.Site) coverage.Report {
	t := coverage.Target{
		Suite:        "s",
		Name:         "example.com/v1 A",
		Inputs:       n,
		Pruned:       new(n / 2),
		Subresources: []coverage.Subresource{{Name: "status", Inputs: n}},
	}
	if n > 0 { // otherwise the schema was not compiled
		t.Keywords = []tally.Place{{Path: "f", Keyword: "maximum", Value: "3", Declared: []string{"properties[f].maximum"},
			Reached: n, Passed: n - 1, Failed: 1}}
		t.Fields = []tally.Place{{Path: "f", Keyword: tally.FieldPlace, Reached: n, Passed: n}}
	}
	r := coverage.Report{Targets: []coverage.Target{t, {Suite: "s", Name: "example.com/v2 A"}, {Suite: "other", Name: "example.com/v1 A"}}}
	if len(sites) > 0 {
		r.Sites = &coverage.Sites{Elsewhere: 1, Packages: []coverage.SitePackage{{Path: "p", Sites: sites}}}
	}
	return r
}

func TestMerge(t *testing.T) {
	site := func(executed bool, seen int) coverage.Site {
		return coverage.Site{
			File:       "p/a.go",
			Line:       3,
			Name:       "A: Invalid",
			SiteCounts: coverage.SiteCounts{Executed: executed, Seen: seen, Differs: seen},
		}
	}
	merged, err := coverage.Merge([]coverage.Report{counted(2, site(false, 0)), counted(0, site(true, 0)), counted(4, site(true, 2))})
	if err != nil {
		t.Fatal(err)
	}
	want := counted(6, site(true, 2))
	want.Sites.Elsewhere = 3
	want.Targets = want.Targets[:2] // no input of the other suite, which compares the version too
	want.Targets[0].Keywords[0].Failed, want.Targets[0].Keywords[0].Passed = 2, 4
	options := cmp.Options{cmpopts.IgnoreUnexported(coverage.Target{}), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(want, merged, options); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	text, err := json.Marshal(merged)
	var read coverage.Report
	if err != nil || json.Unmarshal(text, &read) != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if diff := cmp.Diff(merged, read, options); diff != "" {
		t.Errorf("written and read again (-before +after):\n%s", diff)
	}

	other := site(true, 1)
	other.Name = "B: Invalid"
	for why, shards := range map[string][]coverage.Report{
		"only one counts by hand":  {counted(1, site(true, 1)), counted(1)},
		"another version":          {counted(1, site(true, 1)), counted(1, other)},
		"another number of places": {counted(1, site(true, 1)), counted(1, other, other)},
	} {
		if _, err := coverage.Merge(shards); err == nil {
			t.Errorf("%s: merged", why)
		}
	}
}
