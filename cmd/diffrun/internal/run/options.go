package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/backends/native/exec/counting"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// Values of --by.
const (
	byText   = "text"
	byOrigin = "origin"
)

// ByWords returns the values of --by.
func ByWords() []string { return []string{byText, byOrigin} }

// ShardByWords returns the values of --shard-by.
func ShardByWords() []string { return []string{shardByCase, shardByFile} }

// Options are the flags of "diffrun run". The commands coverage and mutate set the exported fields
// alone.
type Options struct {
	Pace
	OutputOptions
	Comparison Comparison
	// Only selects cases by their id; nil selects all.
	Only   *regexp.Regexp
	failOn gate.Gate
	// Source finds the cases; nil: they are those of the suites.
	Source Source
	// Suites returns the suites to run; nil: they are those of the arguments.
	Suites func(context.Context) ([]cases.Location, error)
	// After is called when all cases were compared, before the reports are completed; nil: nothing is.
	After func(context.Context, *cases.Plan) error
	// Counting makes programs that are built count what they execute; nil: they do not.
	Counting counting.Counter

	noRules, noExceptions bool
	metricsAddress        string
	onlyText              string
	list                  bool
	shard                 shard
	shardText, shardBy    string
	resume                bool
	repeat                int
	self                  string
	by                    string
	expiring              int // days
	coverage              bool
	native                NativeFlags
	ignoreMissing         bool
	checkRecorded         bool
}

// AddFlags adds the flags of "diffrun run".
func (o *Options) AddFlags(set *pflag.FlagSet) {
	o.OutputOptions.AddFlags(set)
	set.Lookup("prune").Usage = "fields that a schema does not declare are pruned before validation; report: list them for " +
		"every case, as strict field validation does. Reports for machines always have them"
	o.Pace.AddFlags(set, "cases to check")
	o.Pace.AddStartFlag(set)
	set.StringVar(&o.metricsFile, "metrics-file", "", "write the metrics to this file at the end, in the text format")
	set.StringVar(&o.metricsAddress, "metrics-addr", "", "serve /metrics on this address while the run lasts, as host:port")
	o.addFailOn(set)
	set.BoolVar(&o.noRules, "no-rules", false, "use no rules; only equal errors are equivalent")
	set.BoolVar(&o.noExceptions, "no-exceptions", false, "use no exceptions")
	set.BoolVar(&o.coverage, "coverage", false, "measure coverage, as diffrun coverage does; the reports json, jsonl, "+
		"markdown and html have it")
	o.native.AddFlags(set, "with --coverage: ")
	set.IntVar(&o.repeat, "repeat", 1, "run each validator this many times, with the maps of the object in a different order "+
		"each time; an input whose errors vary is unstable, not different")
	set.StringVar(&o.self, "self", "",
		"compare a validator with itself; differences are noise, of class unstable: "+contract.NativeName+", "+contract.DeclarativeName)
	set.StringVar(&o.Comparison.text, "compare", "", comparisonUsage)
	set.StringVar(&o.by, "by", byText, "what makes errors of one type and field equivalent, besides rules: "+
		oneof.List([]string{byText, byOrigin}))
	set.IntVar(&o.expiring, "expiring", ExpiringDays, "warn of exceptions that expire within this many days; 0: never")
	set.BoolVar(&o.ignoreMissing, "ignore-missing-targets", false, "leave out the cases of kinds and versions that their "+
		"suite has no target for, and count them, instead of failing")
	set.BoolVar(&o.checkRecorded, "check-recorded", false, "compare the errors that diffrun capture recorded with those that "+
		"the native validator reports now, in place of the schema; the other arguments of the call are shown with each case")
	set.StringVar(&o.onlyText, "run", "", "run only cases whose id matches this regular expression; it does not look for "+
		"stale exceptions and rules")
	set.BoolVar(&o.list, "list", false, "list the ids of the cases that --run selects, and run none")
	set.StringVar(&o.shardText, "shard", "", "run only the i-th of n parts of the cases, as i/n, or as job in an Indexed "+
		"Job of Kubernetes; diffrun merge joins the reports of all parts (-o json or -o jsonl) and finds what no part can know, "+
		"such as stale exceptions")
	set.StringVar(&o.shardBy, "shard-by", shardByCase, "with --shard: what parts consist of: cases (case), or whole files "+
		"(file), for a corpus of many files that is too large for each part to read all of it")
	set.BoolVar(&o.resume, "resume", false, "with --shard: exit with status 0 if -o json or -o jsonl names the complete "+
		"report of this part of the same run, for instance after a pod was restarted")
}

func (o *Options) addFailOn(set *pflag.FlagSet) {
	set.StringSliceVar((*[]string)(&o.failOn), "fail-on", nil,
		"exit with 1 only for these effects (admits: the schema accepts what the native validator refuses; refuses: the reverse; "+
			"stuck: it refuses to update or delete a stored object, which refuses includes), classes of differences, "+
			"and unmet expectations; faults and problems of the run always fail it, and ratcheting fails it only if it is named: "+
			strings.Join(gate.Words(), ", "))
}

// AddFoundFlags adds the flags of a command that finds cases and reports them as a run.
func (o *Options) AddFoundFlags(set *pflag.FlagSet) {
	o.OutputOptions.AddFlags(set)
	o.Pace.AddFlags(set, "inputs to check")
	o.addFailOn(set)
	o.by, o.repeat, o.shardBy = byText, 1, shardByCase
}

// LeaveOutMissing leaves out the cases of kinds without a target, as --ignore-missing-targets does.
func (o *Options) LeaveOutMissing() { o.ignoreMissing = true }

// Parse parses the values of the flags, and returns all mistakes in them.
func (o *Options) Parse() error {
	errs := []error{o.OutputOptions.Parse(), checkFailOn(o.failOn), o.Pace.Check("cases")}
	if o.expiring < 0 {
		errs = append(errs, fmt.Errorf("--expiring %d: must be a number of days, or 0 for no warnings", o.expiring))
	}
	if o.repeat < 1 {
		errs = append(errs, fmt.Errorf("--repeat %d: must be a number of times, 1 or more", o.repeat))
	}
	errs = append(errs,
		oneof.Check("--prune", o.prune, PruneDrop, PruneReport),
		oneof.Check("--self", o.self, contract.NativeName, contract.DeclarativeName, ""),
		oneof.Check("--by", o.by, ByWords()...),
		oneof.Check("--shard-by", o.shardBy, ShardByWords()...))
	if len(o.native.Packages) > 0 && !o.coverage {
		errs = append(errs, errors.New("--native counts hand-written validators for --coverage; add that"))
	}
	errs = append(errs, o.native.Check(nil))
	var err error
	o.shard, err = parseShardFlag(o.shardText, os.LookupEnv)
	errs = append(errs, err)
	if o.byFile() && o.shardText == "" {
		errs = append(errs, errors.New("--shard-by selects what shards consist of; add --shard"))
	}
	errs = append(errs, o.checkResume())
	o.Only, err = ParseOnly(o.onlyText)
	errs = append(errs, err)
	o.Comparison, err = ParseComparison(o.Comparison.text)
	errs = append(errs, err)
	if o.Comparison.sides != (harness.Sides{}) && (o.self != "" || o.checkRecorded) {
		errs = append(errs, errors.New("--compare names two backends, and --self and --check-recorded say what else to "+
			"compare; use one of them"))
	}
	return errors.Join(errs...)
}

// Files returns the files that the flags name.
func (o *Options) Files(c *terminal.Console) *terminal.Files {
	files := o.OutputOptions.Files(c)
	files.Input("--profile", o.native.Profiles...)
	return files
}

// meaning returns the flags that decide what is compared, and how. The shards of one run have the
// same.
func (o *Options) meaning() []string {
	var words []string
	for _, flag := range []struct {
		set  bool
		text string
	}{
		{o.noRules, "--no-rules"}, {o.noExceptions, "--no-exceptions"}, {o.ignoreMissing, "--ignore-missing-targets"},
		{o.checkRecorded, "--check-recorded"},
		{o.repeat > 1, fmt.Sprintf("--repeat=%d", o.repeat)}, {o.self != "", "--self=" + o.self},
		{!o.Comparison.all(), "--compare=" + o.Comparison.text}, {o.by != byText, "--by=" + o.by},
		{o.byFile(), ByFileOption}, {o.onlyText != "", "--run=" + o.onlyText}, {o.coverage, "--coverage"},
		{len(o.native.Packages) > 0, "--native=" + strings.Join(o.native.Packages, ",")},
	} {
		if flag.set {
			words = append(words, flag.text)
		}
	}
	return words
}

// narrowed reports whether the run leaves out something that a rule or an exception may be for.
func (o *Options) narrowed() bool {
	return o.Only != nil || o.checkRecorded || o.self != "" || !o.Comparison.all() || o.by != byText
}
