package upgrading

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSince asks releases in between that are made up.
func TestSince(t *testing.T) {
	for _, row := range []struct {
		why      string
		from, to string
		emulates string // of the release of the cluster
		changed  int    // the minor release
		missing  int    // one that cannot be built
		since    string
		asked    []string
	}{
		{why: "neighbours: the heading says it", from: "v1.35.4", to: "v1.36.3", changed: 36},
		{why: "patches of one release", from: "v1.36.1", to: "v1.36.3", changed: 36},
		{why: "the first in between", from: "v1.30.14", to: "v1.37.2", changed: 31, since: "v1.31.9",
			asked: []string{"v1.31.9", "v1.33.9"}},
		{why: "the last in between", from: "v1.33.13", to: "v1.36.3", changed: 35, since: "v1.35.9", asked: []string{"v1.34.9", "v1.35.9"}},
		{why: "the new release itself", from: "v1.33.13", to: "v1.36.3", changed: 36, since: "v1.36.3",
			asked: []string{"v1.34.9", "v1.35.9"}},
		{why: "emulated: there is one in between", from: "v1.36.3", emulates: "1.34", to: "v1.36.3", changed: 36,
			since: "v1.36.3", asked: []string{"v1.35.9"}},
		{why: "one cannot be built: a range", from: "v1.33.13", to: "v1.36.3", changed: 35, missing: 35,
			since: "v1.35 to v1.36.3", asked: []string{"v1.34.9"}},
	} {
		warned := false
		i := &inquiry{
			flags: &Flags{from: row.from, to: row.to, fromEmulates: row.emulates},
			warn:  func(string, ...any) { warned = true },
		}
		i.open = func(_ context.Context, version string) comparison {
			var minor int
			fmt.Sscanf(version, "v1.%d", &minor)
			if minor == row.missing {
				return comparison{err: errors.New("it does not build")}
			}
			return comparison{version: version + ".9",
				shows: func(context.Context, *subject) (bool, error) { return minor >= row.changed, nil }}
		}
		if got := i.since(t.Context(), &subject{}); got != row.since {
			t.Errorf("%s: since %q, want %q", row.why, got, row.since)
		}
		asked := i.names()
		if diff := cmp.Diff(row.asked, asked); diff != "" {
			t.Errorf("%s: asked (-want +got):\n%s", row.why, diff)
		}
		if warned != (row.missing > 0) {
			t.Errorf("%s: warned %v", row.why, warned)
		}
		if !slices.IsSorted(asked) {
			t.Errorf("%s: %s", row.why, strings.Join(asked, ", "))
		}
	}
}
