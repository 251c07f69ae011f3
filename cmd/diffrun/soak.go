package main

import (
	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/soak"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

func (p *program) soakCommand() *cobra.Command {
	var options soak.Options
	command := &cobra.Command{
		Use:   "soak [SUITE...]",
		Short: "Run suites or requests from stdin for a long time, and keep each new difference",
		Long: `Run suites again and again, or compare cases from stdin, for some time or forever.
Without a SUITE, those of this directory run, as for "diffrun run".

Each new difference is written once into FOLDER/differences: its case as a line of JSON,
which "diffrun run" replays, and a text beside it. Differences are the same if class,
effect, group, kind, field and messages are, except for versions, numbers and quoted values.
FOLDER/state.json has the counts. Another soak in the folder goes on from there.

With --stdin, each line is a case (id, object, oldObject, operation, subresource), an event
of an audit log of the API server (audit.k8s.io) or an AdmissionReview. Each suite that has its
target compares it; if several suites compare the same validators, as the bundled ones do,
only one of them does. A line without a target in any suite is left out and counted.

With --generate, the targets of the suites are explored in turn, as "diffrun explore" does,
without end: objects and updates are made from the schemas and the objects of the cases, and
a finding is kept with a small case. The same seed and cases make the same inputs; a soak that
goes on in a folder tries them in another order.

--addr serves /metrics, /healthz and /readyz. SIGTERM and SIGINT end the soak after the cases
that are being compared.

Exit status: 0 no difference; 1 unexplained differences; 2 usage or configuration,
or nothing was compared; 3 inputs without a verdict. It is about all soaks in FOLDER.`,
		RunE: func(command *cobra.Command, args []string) error {
			if err := options.Check(); err != nil {
				return terminal.Usage(err)
			}
			return soak.Run(command.Context(), &p.Environment, args, &options)
		},
	}
	options.AddFlags(command.Flags())
	p.markerFlags(command.Flags())
	return command
}
