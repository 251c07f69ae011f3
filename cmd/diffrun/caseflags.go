package main

import (
	"errors"
	"fmt"
	"regexp"
	"time"
)

// checkPace says what is wrong with --parallel, a number of things, and with --timeout.
func checkPace(parallel int, things string, timeout time.Duration) error {
	var errs []error
	if parallel < 0 {
		errs = append(errs, fmt.Errorf("--parallel %d: give a number of %s, or 0 for one for each core", parallel, things))
	}
	if timeout <= 0 {
		errs = append(errs, fmt.Errorf("--timeout %v: give a duration above zero, for instance 10s", timeout))
	}
	return errors.Join(errs...)
}

// parseOnly reads --run; nil: all cases.
func parseOnly(text string) (*regexp.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	only, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("--run: %w", err)
	}
	return only, nil
}
