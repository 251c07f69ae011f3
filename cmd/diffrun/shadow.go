package main

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/diffrun/diffrun/internal/live/reviewserver"
)

// shadowFlags are the flags of "diffrun shadow".
type shadowFlags struct {
	keepFlags
	addr        string
	metricsAddr string
	certFile    string
	keyFile     string
	queue       string
	grace       time.Duration
	printCases  bool

	queueBytes int64 // of queue
}

// sourceRequests is the source of a shadow in the state of its folder.
const sourceRequests = "the requests of an API server"

func (p *program) shadowCommand() *cobra.Command {
	var flags shadowFlags
	command := &cobra.Command{
		Use:   "shadow SUITE...",
		Short: "Be a webhook that allows each request, and compare the requests meanwhile",
		Long: `Serve a validating webhook that allows each request at once, and compare the objects of the
requests in the background, so that the traffic of a live cluster is the source of cases. A SUITE
needs no cases.

What is found is kept in FOLDER as "diffrun soak" keeps it: each new difference once, as a case
that "diffrun run" replays. --print-cases prints these cases on stdout as well, a line of JSON
each, so that the log of a container has them.

A request never waits. If more wait for their comparison than --queue holds, or one is too large,
it is allowed and counted in apiserver_declarative_validation_skipped_total. Requests about kinds
that no suite has are allowed and counted, too.

--addr speaks HTTPS, at any path. The certificate is read again when its file changes.
--metrics-addr serves /metrics, /healthz and /readyz without TLS. After SIGTERM, /readyz says 503,
requests under way are answered, and what is in the queue is compared for at most --grace.

Exit status: as for "diffrun soak", about all shadows in FOLDER.`,
		RunE: func(command *cobra.Command, args []string) error {
			if err := flags.check(args); err != nil {
				return usageError{err}
			}
			if flags.parallel == 0 {
				flags.parallel = max(1, runtime.GOMAXPROCS(0)-1) // a core is left to answers, so that they come at once
			}
			return p.keep(command.Context(), args, flags.keepFlags, source{
				name: sourceRequests, elsewhere: true, requests: true,
				run: func(k *soaking) error { return newShadowing(k, flags).run() },
			})
		},
	}
	set := command.Flags()
	p.markerFlags(set)
	flags.add(set, "shadow")
	set.Lookup("parallel").Usage = "cases to check at once; 0: one for each core but one, which answers requests"
	set.StringVar(&flags.addr, "addr", ":9443", "serve the webhook on this address, as host:port")
	set.StringVar(&flags.metricsAddr, "metrics-addr", ":9090", "serve /metrics, /healthz and /readyz on this address, as host:port; empty: nowhere")
	set.StringVar(&flags.certFile, "tls-cert-file", "", "the certificate of the webhook, PEM")
	set.StringVar(&flags.keyFile, "tls-private-key-file", "", "the key of the certificate, PEM")
	set.StringVar(&flags.queue, "queue", "64Mi", "how many bytes of requests may wait for their comparison")
	set.DurationVar(&flags.grace, "grace", 20*time.Second, "how long what is in the queue is compared after SIGTERM")
	set.BoolVar(&flags.printCases, "print-cases", false, "print the case of each new difference on stdout, too")
	return command
}

// check says all that is wrong with the flags at once.
func (f *shadowFlags) check(suites []string) error {
	var errs []error
	if len(suites) == 0 {
		errs = append(errs, errors.New("no suite is named; name one that says what validates the objects today, and what will"))
	}
	if f.addr == "" {
		errs = append(errs, errors.New("--addr is empty; give the address of the webhook as host:port"))
	}
	if f.certFile == "" {
		errs = append(errs, errors.New("--tls-cert-file is missing: an API server speaks HTTPS with webhooks; give a certificate for the name of the service"))
	}
	if f.keyFile == "" {
		errs = append(errs, errors.New("--tls-private-key-file is missing: give the key of the certificate"))
	}
	quantity, err := resource.ParseQuantity(f.queue)
	if f.queueBytes = quantity.Value(); err != nil || f.queueBytes < reviewserver.SmallestQueue {
		errs = append(errs, fmt.Errorf("--queue %q: give a number of bytes, 1Mi or more, for instance 64Mi", f.queue))
	}
	if f.grace < 0 {
		errs = append(errs, fmt.Errorf("--grace %v: give a time, or 0 to compare nothing after SIGTERM", f.grace))
	}
	return f.keepFlags.check(errs...)
}
