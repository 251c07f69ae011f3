package main

import (
	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
)

func (p *program) mergeCommand() *cobra.Command {
	var options run.MergeOptions
	command := &cobra.Command{
		Use:   "merge SHARD...",
		Short: "Join the reports of the shards of a run",
		Long: `Join the reports of the shards of a run.

Each SHARD is a report that "diffrun run --shard i/n" wrote with -o json or -o jsonl.
All n are needed, each once, of the same cases, suites, flags and version of diffrun.
The result and the exit status equal those of a single run, except for timings. Stale
exceptions, unused rules and validators that never reported an error are looked for
here, because a shard cannot know them. In the URL of an object of a bucket, * matches
any part of a name except a slash, as in s3://results/*.jsonl.

  diffrun run --shard 1/2 -o jsonl=1.jsonl    # each on a machine of its own
  diffrun run --shard 2/2 -o jsonl=2.jsonl
  diffrun merge 1.jsonl 2.jsonl -o text -o markdown=summary.md`,
		RunE: func(command *cobra.Command, args []string) error {
			return run.Merge(command.Context(), p.Console, args, &options)
		},
	}
	options.AddFlags(command.Flags())
	return command
}
