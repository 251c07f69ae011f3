package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/harness"
)

// paceFlags say how many things are done at once, and how long one may take.
type paceFlags struct {
	parallel int
	timeout  time.Duration
}

func (f *paceFlags) add(set *pflag.FlagSet, what string) {
	set.IntVar(&f.parallel, "parallel", 0, what+" at once; 0: one for each core")
	set.DurationVar(&f.timeout, "timeout", harness.DefaultTimeout, "how long a validator may take for one input")
}

func (f paceFlags) check(things string) error {
	var errs []error
	if f.parallel < 0 {
		errs = append(errs, fmt.Errorf("--parallel %d: give a number of %s, or 0 for one for each core", f.parallel, things))
	}
	if f.timeout <= 0 {
		errs = append(errs, fmt.Errorf("--timeout %v: give a duration above zero, for instance 10s", f.timeout))
	}
	return errors.Join(errs...)
}
