package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/upgrading"
)

func (p *program) upgradeCommand() *cobra.Command {
	var options run.Options
	var flags upgrading.Flags
	command := &cobra.Command{
		Use:   "upgrade --from RELEASE --to RELEASE (-f FILE | --cluster)",
		Short: "Say which objects another release of Kubernetes treats otherwise",
		Long: `Say which objects another release of Kubernetes treats otherwise, before the cluster is upgraded.

Each object is created with the validators and defaults of both releases, and updated once
it is stored. An audit log has the updates that clients sent. The report lists

  stuck             stored objects that the new release does not let anybody update
  refused           what only the new release refuses
  gone              objects in API versions that the new release does not serve
  accepted          what only the new release accepts, so that a rollback refuses it
  stored otherwise  defaults, fields that are kept, and what other versions return

Each finding says which release changed it, where releases are between the two, and the
function that refuses the object. -v shows the smallest object for each, and --write-cases
writes them as a suite.

The code is that of the API server of each release, without its storage and without
admission plugins. It is built with the go command when a release is first needed, which
takes minutes, and kept in the cache folder of the user. All files are read before that.
Definitions, custom resources and APIServices are left out and counted: compare two
releases of a definition with "diffrun schema compare".

Exit status: 0 both releases treat all objects alike; 1 differences; 2 usage, or input that
cannot be read; 3 an object without a verdict. --fail-on narrows what gives 1.`,
		Example: `  # before the upgrade of a cluster
  kubectl get all -A -o json | diffrun upgrade --from v1.33.13 --to v1.36.3 -f -

  # the same, for all kinds that the cluster has
  diffrun upgrade --cluster --to v1.36

  # in CI: fail for what could not be applied or updated, and write a ticket
  diffrun upgrade --from v1.33 --to v1.36 -f manifests --fail-on refuses -o markdown=ticket.md`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return p.upgrade(command.Context(), &options, &flags)
		},
	}
	flags.AddFlags(command.Flags())
	options.AddFoundFlags(command.Flags())
	return command
}

// upgrade asks two releases about objects.
func (p *program) upgrade(ctx context.Context, options *run.Options, flags *upgrading.Flags) (failed error) {
	err := errors.Join(options.Parse(), flags.Check())
	files := options.Files(p.Console)
	if err := errors.Join(err, files.Check()); err != nil {
		return terminal.Usage(err)
	}
	options.LeaveOutMissing()
	options.Reporter = flags.Reporter
	options.After = func(ctx context.Context, plan *cases.Plan) error {
		return flags.Inquire(ctx, &p.Environment, plan, options.Pace)
	}
	remove := func() error { return nil }
	defer func() {
		if err := remove(); err != nil {
			failed = errors.Join(failed, err)
		}
	}()
	options.Suites = func(ctx context.Context) (suites []cases.Location, err error) {
		suites, remove, err = p.upgradeSuite(ctx, flags)
		return suites, err
	}
	return flags.Reworded(run.Run(ctx, &p.Environment, nil, options, files))
}

// upgradeSuite returns the suite about the objects of the files or of the cluster. remove removes what was read.
func (p *program) upgradeSuite(ctx context.Context, flags *upgrading.Flags) (suites []cases.Location, remove func() error, err error) {
	skipped, err := flags.Read(terminal.Storage(ctx), p.Stdin)
	for _, name := range skipped {
		p.Warn("diffrun: %s has no objects of Kubernetes, and is left out\n", name)
	}
	if err != nil {
		return nil, func() error { return nil }, terminal.Usage(err)
	}
	for _, text := range flags.Counted() {
		p.Warn("diffrun: %s\n", text)
	}
	remove, err = flags.FromCluster(ctx, readCluster)
	if err != nil {
		return nil, func() error { return nil }, err
	}
	if text := flags.ReadText(); text != "" {
		p.Warn("diffrun: read from the cluster: %s\n", text)
	}
	if err := flags.Pin(ctx); err != nil {
		return nil, remove, terminal.Usage(err)
	}
	suite, err := flags.Suite()
	if err != nil {
		return nil, remove, err
	}
	return []cases.Location{suite}, remove, nil
}
