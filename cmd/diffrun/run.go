package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// Values of --by.
const (
	byText   = "text"
	byOrigin = "origin"
)

// runFlags are the flags of "diffrun run" as the user gave them.
type runFlags struct {
	outputs      []string
	noRules      bool
	noExceptions bool
	paceFlags
	failOn      harness.Gate
	metricsAddr string
	metricsFile string
	verbose     bool
	prune       string
	only        string
	part        string
	partBy      string
	resume      bool
	repeat      int
	self        string
	compare     string
	by          string
	expiring    int
	// coverage counts what the cases do not prove.
	coverage bool
	nativeFlags
	// ignoreMissing leaves out cases of kinds that their suite has no target for.
	ignoreMissing bool
	// checkRecorded compares what was recorded with the native validator.
	checkRecorded bool
}

func (p *program) runCommand() *cobra.Command {
	var flags runFlags
	command := &cobra.Command{
		Use:   "run [SUITE...]",
		Short: "Run both validators of each suite over its cases and compare their errors",
		Long: `Run both validators of each suite over its cases and compare their errors.

A SUITE is a suite.yaml, a directory that holds one or has some below it, or
the name of a bundled suite. No SUITE: all bundled ones.

Exit status: 0 as wanted; 1 differences, unmet expectations or problems of the
run; 2 usage, configuration or input that cannot be read; 3 a fault, a case
that could not be decided; 130 interrupted, the report says what was finished.

The effect of an input says what the user of the API would notice: none (both
sides accept the object, or both refuse it), admits (only the schema accepts it)
or refuses (only the schema refuses it). The class of a difference is about one
error: too-loose is an error that the schema lacks, not an object that it lets
in, since another error may refuse the object all the same.

--fail-on narrows which effects and differences give 1. A fault gives 3 and a problem of the
run (a validator that never reported an error, a stale or expired exception, a
schema that does not compile) gives 1 all the same: such a run proves nothing.`,
		RunE: func(command *cobra.Command, args []string) error {
			options, err := flags.parse()
			files := options.places(p)
			if err := errors.Join(err, files.check()); err != nil {
				return usageError{err}
			}
			return p.run(command.Context(), args, options, files)
		},
	}
	set := command.Flags()
	outputFlag(set, &flags.outputs)
	p.markerFlags(set)
	set.BoolVar(&flags.noRules, "no-rules", false, "let no rule make errors equivalent")
	set.BoolVar(&flags.noExceptions, "no-exceptions", false, "let no exception accept a difference")
	flags.paceFlags.add(set, "cases to check")
	set.StringSliceVar((*[]string)(&flags.failOn), "fail-on", nil, "of the effects (admits: the schema accepts what the native validator refuses; refuses: the reverse), the classes of differences and unmet expectations, let only these give 1; faults and problems of the run fail it whether they are named or not, and ratcheting only if it is named: "+strings.Join(harness.GateWords(), ", "))
	set.StringVar(&flags.metricsAddr, "metrics-addr", "", "serve /metrics on this address while the run lasts, as host:port")
	set.StringVar(&flags.metricsFile, "metrics-file", "", "write the metrics to this file at the end, in the text format")
	set.BoolVar(&flags.coverage, "coverage", false, "count what no case tests, as diffrun coverage does; the reports json, jsonl, markdown and html have it")
	flags.nativeFlags.add(set, "with --coverage: ")
	set.IntVar(&flags.repeat, "repeat", 1, "ask each validator so often, the maps of the object built in another order each time; an input on which it does not always give the same errors is unstable, not different")
	set.StringVar(&flags.self, "self", "", "compare a validator with itself: what differs is noise, and of class unstable: "+oneof.List(harness.SelfValues()))
	set.StringVar(&flags.compare, "compare", "", compareUsage)
	set.StringVar(&flags.by, "by", byText, "what makes errors of one type and field equivalent, besides rules: "+oneof.List([]string{byText, byOrigin}))
	set.IntVar(&flags.expiring, "expiring", expiringDays, "warn of exceptions that lapse within so many days; 0: never")
	set.BoolVarP(&flags.verbose, "verbose", "v", false, "list accepted differences and versions that cannot express a case, too")
	set.StringVar(&flags.prune, "prune", pruneDrop, "fields that a schema does not declare are pruned before both validators look; report: list them for every case, as strict field validation does. Reports for machines always have them")
	set.BoolVar(&flags.ignoreMissing, "ignore-missing-targets", false, "leave out the cases of kinds and versions that their suite has no target for, and count them, instead of failing")
	set.BoolVar(&flags.checkRecorded, "check-recorded", false, "compare the errors that diffrun capture recorded with those that the native validator gives now, in the place of the schema; what else went into the call is shown with each case")
	set.StringVar(&flags.only, "run", "", "run only cases whose id matches this regular expression; stale exceptions and rules are then not looked for")
	set.StringVar(&flags.part, "shard", "", "run only the i-th of n parts of the cases, as i/n, or as job in an Indexed Job of Kubernetes; diffrun merge joins the reports of all parts (-o json or -o jsonl), and says what no part can know: which exceptions are stale")
	set.StringVar(&flags.partBy, "shard-by", shardByCase, "with --shard: what parts are made of: case; or file: a part reads whole files and no others, for a corpus of many files that is too large to be read by each part")
	set.BoolVar(&flags.resume, "resume", false, "with --shard: end with status 0 if -o json or -o jsonl names the complete report of this part of the same run, as when a pod is started again")
	return command
}

// runOptions are the flags, understood.
type runOptions struct {
	runFlags
	outputs []output
	only    *regexp.Regexp
	shard   shard
	comparing
}

// parse says all that is wrong with the flags at once.
func (f runFlags) parse() (runOptions, error) {
	options := runOptions{runFlags: f}
	var errs []error
	outputs, err := parseOutputs(f.outputs)
	errs = append(errs, err, checkFailOn(f.failOn))
	options.outputs = outputs
	errs = append(errs, f.paceFlags.check("cases"))
	if f.expiring < 0 {
		errs = append(errs, fmt.Errorf("--expiring %d: give a number of days, or 0 for no warnings", f.expiring))
	}
	if f.repeat < 1 {
		errs = append(errs, fmt.Errorf("--repeat %d: give a number of times, 1 or more", f.repeat))
	}
	errs = append(errs,
		oneof.Check("--prune", f.prune, pruneDrop, pruneReport),
		oneof.Check("--self", harness.Self(f.self), append(harness.SelfValues(), "")...),
		oneof.Check("--by", f.by, byText, byOrigin),
		oneof.Check("--shard-by", f.partBy, shardByCase, shardByFile))
	if len(f.native) > 0 && !f.coverage {
		errs = append(errs, errors.New("--native counts hand-written validators for --coverage; add that"))
	}
	if len(f.native) == 0 && len(f.profiles) > 0 {
		errs = append(errs, errProfileAlone)
	}
	options.shard, err = shardOfFlag(f.part, os.LookupEnv)
	errs = append(errs, err)
	if options.byFile() && f.part == "" {
		errs = append(errs, errors.New("--shard-by says what parts are made of; add --shard"))
	}
	errs = append(errs, options.checkResume())
	options.only, err = parseOnly(f.only)
	errs = append(errs, err)
	options.comparing, err = parseComparing(f.compare)
	errs = append(errs, err)
	if options.comparing.sides != (harness.Sides{}) && (f.self != "" || f.checkRecorded) {
		errs = append(errs, errors.New("--compare names two backends, and --self and --check-recorded say what else to compare; use one of them"))
	}
	return options, errors.Join(errs...)
}

// places are the files that a run writes, and those that its flags name.
func (o runOptions) places(p *program) places {
	var files places
	files.outputs(o.outputs, p.stdout)
	if o.metricsFile != "" {
		files.output("--metrics-file "+o.metricsFile, o.metricsFile)
	}
	files.input("--profile", p.stdin, o.profiles...)
	return files
}

// writesFiles says that something of the run goes to files.
func (o runOptions) writesFiles() bool {
	return o.metricsFile != "" || slices.ContainsFunc(o.outputs, func(out output) bool { return out.file != "" })
}

// meaning gives the flags that decide what is compared, and how: shards of one run have the
// same.
func (o runOptions) meaning() []string {
	var words []string
	for _, flag := range []struct {
		given bool
		text  string
	}{
		{o.noRules, "--no-rules"}, {o.noExceptions, "--no-exceptions"}, {o.ignoreMissing, "--ignore-missing-targets"}, {o.checkRecorded, "--check-recorded"},
		{o.repeat > 1, fmt.Sprintf("--repeat=%d", o.repeat)}, {o.self != "", "--self=" + o.self},
		{o.compare != "" && o.compare != string(harness.CompareAll), "--compare=" + o.compare}, {o.by != byText, "--by=" + o.by},
		{o.byFile(), wordByFile}, {o.runFlags.only != "", "--run=" + o.runFlags.only}, {o.coverage, "--coverage"}, {len(o.native) > 0, "--native=" + strings.Join(o.native, ",")},
	} {
		if flag.given {
			words = append(words, flag.text)
		}
	}
	return words
}

// narrowed says that the run leaves out something that a rule or an exception may
// be there for.
func (o runOptions) narrowed() bool {
	return o.only != nil || o.checkRecorded || o.self != "" || o.compare != "" && o.compare != string(harness.CompareAll) || o.by != byText
}
