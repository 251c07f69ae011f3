package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

// soakFlags are the flags of "diffrun soak".
type soakFlags struct {
	keepFlags
	duration time.Duration
	addr     string
	stdin    bool
	generate bool
	seed     uint64
}

func (p *program) soakCommand() *cobra.Command {
	var flags soakFlags
	command := &cobra.Command{
		Use:   "soak [SUITE...]",
		Short: "Run suites or requests from stdin for a long time, and keep each new difference",
		Long: `Run suites again and again, or compare what comes in on stdin, for a time or for ever.
No SUITE: all bundled ones.

Each new difference is written once into FOLDER/differences: its case as a line of JSON,
which "diffrun run" replays, and a text beside it. Differences are the same if class,
effect, group, kind, field and messages are, but for versions, numbers and quoted values.
FOLDER/state.json has the counts. Another soak in the folder goes on from there.

With --stdin, each line is a case (id, object, oldObject, operation, subresource), an event
of an audit log of the API server (audit.k8s.io) or an AdmissionReview. It is compared by
each suite that has its target, but only once by suites that compare the same, as the bundled
ones do; what no suite has is left out and counted.

With --generate, objects and updates are made from the schema of each target in turn, valid ones
and wrong ones. Most of them begin with an object of the suite's cases; subresources that cases
update are updated too. What the API server could not decode is left out, unless a
CustomResourceDefinition accepts it. The same seed and cases make the same objects; another soak
in the folder makes those that come next.

--addr serves /metrics, /healthz and /readyz. SIGTERM and SIGINT end the soak after the cases
that are being compared.

Exit status: 0 no difference; 1 differences that nothing explains; 2 usage or configuration,
or nothing was compared; 3 inputs that could not be decided. It is about all soaks in FOLDER.`,
		RunE: func(command *cobra.Command, args []string) error {
			if err := flags.check(); err != nil {
				return usageError{err}
			}
			from := source{name: "their cases", elsewhere: flags.stdin || flags.generate, run: func(k *soaking) error { return k.soak(flags) }}
			switch {
			case flags.stdin:
				from.name = "stdin"
			case flags.generate:
				from.name = fmt.Sprintf("generated objects, seed %d", flags.seed)
			}
			return p.keep(command.Context(), args, flags.keepFlags, from)
		},
	}
	set := command.Flags()
	p.markerFlags(set)
	flags.add(set, "soak")
	set.DurationVar(&flags.duration, "duration", 0, "how long to run, for instance 10m; 0: for ever, or to the end of stdin")
	set.StringVar(&flags.addr, "addr", "", "serve /metrics, /healthz and /readyz on this address, as host:port")
	set.BoolVar(&flags.stdin, "stdin", false, "compare what stdin has, a line each, instead of the cases of the suites")
	set.BoolVar(&flags.generate, "generate", false, "compare objects and updates that are made from the schemas, instead of the cases of the suites")
	set.Uint64Var(&flags.seed, "seed", 1, "what --generate begins with")
	return command
}

// check says all that is wrong with the flags at once.
func (f soakFlags) check() error {
	var errs []error
	if f.duration < 0 {
		errs = append(errs, fmt.Errorf("--duration %v: give a time, or 0 for no end", f.duration))
	}
	if f.stdin && f.generate {
		errs = append(errs, errors.New("--stdin and --generate: the cases come from one of them"))
	}
	return f.keepFlags.check(errs...)
}

// soak compares cases until they end, or it is time to end.
func (k *soaking) soak(flags soakFlags) error {
	server, err := k.serve(flags.addr)
	if err != nil {
		return err
	}
	if flags.duration > 0 {
		var cancel context.CancelFunc
		k.stopping, cancel = context.WithTimeout(k.stopping, flags.duration)
		defer cancel()
	}
	defer k.routes.Ready(false)
	switch {
	case flags.stdin:
		err = k.run(k.fromElsewhere(k.stdin()))
	case flags.generate:
		err = k.run(k.generated(flags.seed))
	default:
		err = k.all()
	}
	return errors.Join(err, server.close())
}
