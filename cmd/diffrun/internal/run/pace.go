package run

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/harness/contract"
)

// Pace is the flags --parallel, --timeout and --start-timeout.
type Pace struct {
	Parallel int
	Timeout  time.Duration
	// StartTimeout is how long a program that validates may take to its first answer.
	StartTimeout time.Duration
}

// AddFlags adds the flags. things names the items that are processed in parallel.
func (p *Pace) AddFlags(set *pflag.FlagSet, things string) {
	set.IntVar(&p.Parallel, "parallel", 0, things+" at once; 0: one for each core")
	set.DurationVar(&p.Timeout, "timeout", contract.DefaultTimeout, "how long a validator may take for one input")
}

// AddStartFlag adds --start-timeout, for commands that start programs of suites.
func (p *Pace) AddStartFlag(set *pflag.FlagSet) {
	set.DurationVar(&p.StartTimeout, "start-timeout", contract.DefaultStartTimeout,
		"how long a program of a suite may take until its first answer, including builds by go run; this time does not count for a case")
}

// Check checks the values of the flags.
func (p Pace) Check(things string) error {
	var errs []error
	if p.Parallel < 0 {
		errs = append(errs, fmt.Errorf("--parallel %d: must be a number of %s, or 0 for one for each core", p.Parallel, things))
	}
	if p.Timeout <= 0 {
		errs = append(errs, fmt.Errorf("--timeout %v: must be a duration above zero, for instance 10s", p.Timeout))
	}
	if p.StartTimeout < 0 {
		errs = append(errs, fmt.Errorf("--start-timeout %v: must be a duration above zero, for instance 5m", p.StartTimeout))
	}
	return errors.Join(errs...)
}
