package reports

import (
	"cmp"
	"fmt"

	"github.com/diffrun/diffrun/harness"
)

// fewTargets is how many targets have a row each. More are folded: a row stands for all targets of
// a suite, or of an API group if there is one suite, that are as expected.
const fewTargets = 15

// fold returns the rows to draw, those of one suite or group together. Rows that are not as
// expected come first and stay as they are.
func fold(rows []*row, bySuite bool) []*row {
	key := func(r *row) string {
		if bySuite {
			return r.suite
		}
		return cmp.Or(r.version.Group, "core")
	}
	var keys []string
	members := map[string][]*row{}
	for _, row := range rows {
		if members[key(row)] == nil {
			keys = append(keys, key(row))
		}
		members[key(row)] = append(members[key(row)], row)
	}
	var drawn []*row
	for _, key := range keys {
		var expected []*row
		for _, row := range members[key] {
			if row.failing+row.allowed > 0 {
				drawn = append(drawn, row)
			} else {
				expected = append(expected, row)
			}
		}
		switch {
		case len(expected) == 1:
			drawn = append(drawn, expected[0])
		case len(expected) == len(members[key]):
			drawn = append(drawn, sum(expected, fmt.Sprintf("%s, %d targets", key, len(expected)), true))
		case len(expected) > 1:
			drawn = append(drawn, sum(expected, fmt.Sprintf("%d other targets of %s", len(expected), key), false))
		}
	}
	return drawn
}

// sum adds rows of one suite. whole is true if they are all rows of the suite or group.
func sum(rows []*row, title string, whole bool) *row {
	total := &row{rowKey: rowKey{rows[0].suite, title}, whole: whole, verdicts: map[harness.Verdict]int{}, effects: map[harness.Effect]int{}}
	for _, row := range rows {
		for verdict, n := range row.verdicts {
			total.verdicts[verdict] += n
		}
		for effect, n := range row.effects {
			total.effects[effect] += n
		}
	}
	return total
}
