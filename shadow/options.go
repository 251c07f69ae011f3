package shadow

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/metrics"
)

// DefaultBudget is how long the schema may take for one request.
const DefaultBudget = 100 * time.Millisecond

// Options say what a Shadow compares, and what of it decides. The zero value compares each
// request with the built-in rules, logs to slog.Default, and decides nothing.
type Options struct {
	// Rules say which errors mean the same. Nil: the built-in ones.
	Rules *equivalence.RuleSet
	// Exceptions are the accepted differences. Nil: none.
	Exceptions *equivalence.Exceptions
	// Metrics counts results, and requests that were not compared. Nil: nobody counts.
	Metrics *metrics.Metrics
	// Logger is told each new difference and fault. Nil: slog.Default.
	Logger *slog.Logger

	// Budget bounds the schema side of one request: rules that are still running then are
	// broken off, and the request counts as a fault with the reason "timeout". Zero:
	// DefaultBudget.
	Budget time.Duration
	// Sample is the share of requests that are compared, above 0 and up to 1. Zero: all.
	Sample float64
	// Overhead bounds all comparisons together to a share of the time that the hand-written
	// code takes; 0.1 is a tenth. Requests that it refuses are compared first: up to a second
	// is taken in advance for them. Zero: no bound.
	Overhead float64

	// Enforce lets the schema decide with the hand-written code. Each request is compared
	// then, whatever Sample and Overhead say, and a fault of the schema refuses the request. If
	// the target does not have the version of a request, the hand-written code alone decides.
	// An error of a rule that is stable is returned, one of the stage beta if the gate
	// DeclarativeValidationBeta is on, one of the stage alpha never. A native error that
	// means the same is replaced.
	Enforce bool
	// Gates are asked at each request. Nil: FixedGates{}, the defaults of Kubernetes 1.36.
	Gates Gates
}

// validate says all that is wrong with options at once.
func (o Options) validate() error {
	var mistakes []error
	if o.Budget < 0 {
		mistakes = append(mistakes, fmt.Errorf("the budget is %v; give a time", o.Budget))
	}
	if !(o.Sample >= 0 && o.Sample <= 1) {
		mistakes = append(mistakes, fmt.Errorf("the sample is %v; give a share from 0 to 1", o.Sample))
	}
	if !(o.Overhead >= 0) {
		mistakes = append(mistakes, fmt.Errorf("the overhead is %v; give a share, such as 0.1", o.Overhead))
	}
	return errors.Join(mistakes...)
}

// complete fills in the defaults.
func (o Options) complete() (Options, error) {
	if o.Rules == nil {
		rules, err := equivalence.BuiltinRules()
		if err != nil {
			return o, err
		}
		o.Rules = rules
	}
	if o.Metrics == nil {
		o.Metrics = metrics.New()
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	if o.Sample == 0 {
		o.Sample = 1
	}
	if o.Gates == nil {
		o.Gates = FixedGates{}
	}
	return o, nil
}
