package main

import (
	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/soak"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

func (p *program) shadowCommand() *cobra.Command {
	var options soak.ShadowOptions
	command := &cobra.Command{
		Use:   "shadow SUITE...",
		Short: "Serve a webhook that allows each request, and compare the requests in the background",
		Long: `Serve a validating webhook that allows each request at once, and compare the objects of the
requests in the background, so that the traffic of a live cluster is the source of cases. A SUITE
needs no cases.

Findings are kept in FOLDER as "diffrun soak" keeps them: each new difference once, as a case
that "diffrun run" replays. --print-cases prints these cases on stdout as well, a line of JSON
each, so that the log of a container has them.

A request never waits. If more requests wait for their comparison than --queue holds, or one is too
large, it is allowed and counted in apiserver_declarative_validation_skipped_total. Requests about
kinds that no suite has are allowed and counted, too.

--addr speaks HTTPS, at any path. The certificate is read again when its file changes.
--metrics-addr serves /metrics, /healthz and /readyz without TLS. After SIGTERM, /readyz returns 503,
requests in progress are answered, and the queue is compared for at most --grace.

Exit status: as for "diffrun soak", about all shadows in FOLDER.`,
		RunE: func(command *cobra.Command, args []string) error {
			if err := options.Check(args); err != nil {
				return terminal.Usage(err)
			}
			return soak.Shadow(command.Context(), &p.Environment, args, &options)
		},
	}
	options.AddFlags(command.Flags())
	p.markerFlags(command.Flags())
	return command
}
