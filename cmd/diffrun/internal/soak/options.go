package soak

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/exploring"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/internal/live/reviewserver"
)

// options are the flags that soak and shadow have in common.
type options struct {
	run.Pace
	folder string
	rate   float64
	redact bool
}

func (o *options) addFlags(set *pflag.FlagSet, folder string) {
	set.StringVar(&o.folder, "folder", folder, "where to keep differences and counts: a directory; or, for differences only, "+
		"the URL of a bucket, which several processes may share")
	set.Float64Var(&o.rate, "rate", 0, "maximum number of cases per second; 0: no limit")
	set.BoolVar(&o.redact, "redact", false, "write, print and serve no texts of objects, only their shapes and messages without them")
	o.Pace.AddFlags(set, "cases to check")
	o.Pace.AddStartFlag(set)
}

func (o options) check(errs ...error) error {
	if o.folder == "" {
		errs = append(errs, errors.New("--folder is empty; name a directory, or a bucket by its URL"))
	}
	if !(o.rate >= 0) {
		errs = append(errs, fmt.Errorf("--rate %v: must be a number of cases a second, or 0 for no limit", o.rate))
	}
	return errors.Join(append(errs, o.Pace.Check("cases"))...)
}

// limiter returns a limiter for --rate.
func (o options) limiter() *rate.Limiter {
	if o.rate == 0 {
		return rate.NewLimiter(rate.Inf, 1)
	}
	return rate.NewLimiter(rate.Limit(o.rate), 1)
}

// Options are the flags of "diffrun soak".
type Options struct {
	options
	duration time.Duration
	addr     string
	stdin    bool
	generate bool
	seed     uint64
	corpus   string
}

// AddFlags adds the flags.
func (o *Options) AddFlags(set *pflag.FlagSet) {
	o.addFlags(set, "soak")
	set.DurationVar(&o.duration, "duration", 0, "how long to run, for instance 10m; 0: forever, or until the end of stdin")
	set.StringVar(&o.addr, "addr", "", "serve /metrics, /healthz and /readyz on this address, as host:port")
	set.BoolVar(&o.stdin, "stdin", false, "compare the lines of stdin instead of the cases of the suites")
	set.BoolVar(&o.generate, "generate", false, "compare objects and updates generated from the schemas instead of the cases of the suites")
	set.Uint64Var(&o.seed, "seed", 1, "the seed of --generate")
	set.StringVar(&o.corpus, "corpus", "", "with --generate: "+exploring.CorpusUsage)
}

// Check returns all mistakes in the flags.
func (o *Options) Check() error {
	var errs []error
	if o.duration < 0 {
		errs = append(errs, fmt.Errorf("--duration %v: must be a duration, or 0 for no end", o.duration))
	}
	if o.stdin && o.generate {
		errs = append(errs, errors.New("--stdin and --generate: the cases come from one of them"))
	}
	if o.corpus != "" && !o.generate {
		errs = append(errs, errors.New("--corpus is what --generate goes on from; add --generate"))
	}
	if o.corpus != "" && o.redact {
		errs = append(errs, errors.New("--corpus keeps objects, and --redact keeps none; leave out one of them"))
	}
	return o.check(errs...)
}

// ShadowOptions are the flags of "diffrun shadow".
type ShadowOptions struct {
	options
	addr        string
	metricsAddr string
	certFile    string
	keyFile     string
	queue       string
	queueBytes  int64 // parsed from queue
	grace       time.Duration
	printCases  bool
}

// AddFlags adds the flags.
func (o *ShadowOptions) AddFlags(set *pflag.FlagSet) {
	o.addFlags(set, "shadow")
	set.Lookup("parallel").Usage = "cases to check at once; 0: one for each core but one, which answers requests"
	set.StringVar(&o.addr, "addr", ":9443", "serve the webhook on this address, as host:port")
	set.StringVar(&o.metricsAddr, "metrics-addr", ":9090", "serve /metrics, /healthz and /readyz on this address, "+
		"as host:port; empty: do not serve them")
	set.StringVar(&o.certFile, "tls-cert-file", "", "the certificate of the webhook, PEM")
	set.StringVar(&o.keyFile, "tls-private-key-file", "", "the key of the certificate, PEM")
	set.StringVar(&o.queue, "queue", "64Mi", "how many bytes of requests may wait for their comparison")
	set.DurationVar(&o.grace, "grace", 20*time.Second, "how long to compare the requests in the queue after SIGTERM")
	set.BoolVar(&o.printCases, "print-cases", false, "print the case of each new difference on stdout, too")
}

// Check returns all mistakes in the flags and arguments.
func (o *ShadowOptions) Check(suites []string) error {
	var errs []error
	if len(suites) == 0 {
		errs = append(errs, errors.New("no suite is named; name one with today's and tomorrow's validators of the objects"))
	}
	if o.addr == "" {
		errs = append(errs, errors.New("--addr is empty; set the address of the webhook as host:port"))
	}
	if o.certFile == "" {
		errs = append(errs, errors.New("--tls-cert-file is missing: an API server calls webhooks over HTTPS; name a certificate "+
			"for the name of the service"))
	}
	if o.keyFile == "" {
		errs = append(errs, errors.New("--tls-private-key-file is missing: name the key of the certificate"))
	}
	quantity, err := resource.ParseQuantity(o.queue)
	if o.queueBytes = quantity.Value(); err != nil || o.queueBytes < reviewserver.SmallestQueue {
		errs = append(errs, fmt.Errorf("--queue %q: must be a number of bytes, 1Mi or more, for instance 64Mi", o.queue))
	}
	if o.grace < 0 {
		errs = append(errs, fmt.Errorf("--grace %v: must be a duration, or 0 to compare nothing after SIGTERM", o.grace))
	}
	return o.check(errs...)
}
