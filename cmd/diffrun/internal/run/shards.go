package run

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/recorded"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/reports"
	"github.com/diffrun/diffrun/reports/record"
)

// wholeRun is a run without its results, joined from its shards.
type wholeRun struct {
	header reports.Header
	footer reports.Footer
	tally  *record.Tally
	byFile bool // shards consist of whole files
}

// readShard is the report of a shard without its results.
type readShard struct {
	file   string
	header reports.Header
	footer reports.Footer
}

// readShards reads shards and checks that they are all the shards of one run.
func readShards(c *terminal.Console, files []string, gate gate.Gate) (wholeRun, error) {
	var shards []readShard
	var errs []error
	for _, file := range files {
		shard := readShard{file: file}
		err := recorded.Play(c, file, recorded.Handler{
			Header: func(header reports.Header) { shard.header = header },
			Footer: func(footer reports.Footer) { shard.footer = footer },
		})
		switch {
		case err != nil:
			errs = append(errs, err)
		case shard.header.Shard == "" || shard.footer.Tally == nil:
			errs = append(errs, fmt.Errorf("%s is not the report of a shard: diffrun run --shard i/n writes one", file))
		case shard.footer.Incomplete:
			errs = append(errs, fmt.Errorf("%s is incomplete: its run ended early; run the shard again", file))
		default:
			shards = append(shards, shard)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return wholeRun{}, err
	}
	if err := errors.Join(checkShards(shards), checkGates(shards, gate)); err != nil {
		return wholeRun{}, err
	}
	return joinShards(shards)
}

// checkGates refuses shards that were run with different gates, unless merge has a gate.
func checkGates(shards []readShard, gate gate.Gate) error {
	for _, shard := range shards[1:] {
		if first := shards[0]; len(gate) == 0 && !slices.Equal(first.header.FailOn, shard.header.FailOn) {
			return fmt.Errorf("%s and %s were run with different gates, --fail-on %q and --fail-on %q; run merge with the --fail-on "+
				"of the whole run", first.file, shard.file, first.header.FailOn, shard.header.FailOn)
		}
	}
	return nil
}

// joinShards joins the shards of one run, in their order.
func joinShards(shards []readShard) (wholeRun, error) {
	index := func(s readShard) int {
		parsed, _ := parseShard(s.header.Shard) // checked by checkShards
		return parsed.index
	}
	shards = slices.SortedFunc(slices.Values(shards), func(a, b readShard) int { return index(a) - index(b) })
	whole := wholeRun{header: shards[0].header, footer: shards[0].footer, tally: shards[0].footer.Tally}
	whole.header.Shard = ""
	if at := slices.Index(whole.header.Options, ByFileOption); at >= 0 {
		whole.byFile = true
		whole.header.Options = slices.Delete(slices.Clone(whole.header.Options), at, at+1)
	}
	covered, err := joinCoverage(shards)
	if err != nil {
		return wholeRun{}, err
	}
	whole.footer.Coverage = covered
	leftOut := LeftOut(whole.footer.LeftOut)
	for _, shard := range shards[1:] {
		whole.tally.Add(*shard.footer.Tally)
		if whole.footer.Narrowings, err = joinNarrowings(whole.footer.Narrowings, shard.footer.Narrowings, whole.byFile); err != nil {
			return wholeRun{}, fmt.Errorf("%s and %s: %w", shards[0].file, shard.file, err)
		}
		whole.header.Origin = joinOrigins(whole.header.Origin, shard.header.Origin)
		whole.footer.Elapsed = max(whole.footer.Elapsed, shard.footer.Elapsed)
		if whole.byFile {
			for _, left := range shard.footer.LeftOut { // shards read different files
				leftOut.add(left)
			}
		}
	}
	whole.footer.LeftOut = leftOut.sorted()
	return whole, nil
}

// joinCoverage joins the coverage of shards. It returns nil if they have none.
func joinCoverage(shards []readShard) (record.Coverage, error) {
	var all []coverage.Report
	for _, shard := range shards {
		if counted, ok := shard.footer.Coverage.(coverage.Report); ok {
			all = append(all, counted)
		}
	}
	switch len(all) {
	case 0:
		return nil, nil
	case len(shards):
		return coverage.Merge(all)
	}
	return nil, fmt.Errorf("%d of %d shards have coverage; run all of them with --coverage", len(all), len(shards))
}

// checkShards refuses shards that are missing, duplicated, or of different runs.
func checkShards(shards []readShard) error {
	var errs []error
	first := shards[0]
	known := map[int]string{}
	of := 0
	for _, one := range shards {
		parsed, err := parseShard(one.header.Shard)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: its shard %q is not i/n", one.file, one.header.Shard))
			continue
		}
		if of == 0 {
			of = parsed.of
		}
		if other, taken := known[parsed.index]; taken && parsed.of == of {
			errs = append(errs, fmt.Errorf("%s and %s are both shard %s; name each once", other, one.file, one.header.Shard))
		}
		known[parsed.index] = one.file
		if difference := runDifference(first, one, of, parsed.of); difference != "" {
			errs = append(errs, fmt.Errorf("%s and %s are of different runs: %s", first.file, one.file, difference))
		}
	}
	var missing []string
	for i := 1; i <= of; i++ {
		if known[i] == "" {
			missing = append(missing, fmt.Sprintf("%d/%d", i, of))
		}
	}
	if len(missing) > 0 {
		errs = append(errs, fmt.Errorf("missing shards: %s", strings.Join(missing[:min(len(missing), 20)], ", ")))
	}
	return errors.Join(errs...)
}

// runDifference returns how the runs of two shards differ, or "" for shards of one run.
func runDifference(a, b readShard, ofA, ofB int) string {
	switch {
	case ofA != ofB:
		return fmt.Sprintf("one of %d shards, and one of %d", ofA, ofB)
	case a.header.Version != b.header.Version:
		return fmt.Sprintf("versions %s and %s of diffrun", a.header.Version, b.header.Version)
	case !slices.Equal(a.header.Suites, b.header.Suites):
		return "the suites differ"
	case !slices.Equal(a.header.Options, b.header.Options):
		return fmt.Sprintf("the flags differ, %q and %q", strings.Join(a.header.Options, " "), strings.Join(b.header.Options, " "))
	case a.footer.Tally.Files != b.footer.Tally.Files:
		return "the suites, or schemas, policies, rules or exceptions that they name, differ"
	case a.footer.Tally.Digest != b.footer.Tally.Digest || a.footer.Tally.Cases != b.footer.Tally.Cases:
		return "the cases differ"
	case !slices.EqualFunc(a.footer.Tally.Usages, b.footer.Tally.Usages, sameEntry):
		return "the rules or exceptions differ"
	case len(a.footer.Tally.Suites) != len(b.footer.Tally.Suites):
		return "the suites differ"
	}
	return ""
}

// sameEntry reports whether two usages are of one rule or exception.
func sameEntry(a, b equivalence.Usage) bool {
	a.Hits, b.Hits, a.Foreign, b.Foreign = 0, 0, false, false
	return a == b
}
