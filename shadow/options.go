package shadow

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/metrics"
)

// defaultBudget is the time that the schema may take for one request.
const defaultBudget = 100 * time.Millisecond

// Options of a Shadow. The zero value compares each request with the built-in rules, logs to
// slog.Default, and decides nothing.
type Options struct {
	// Rules decide which errors mean the same. Nil: the built-in ones.
	Rules *equivalence.RuleSet
	// Exceptions are the accepted differences. Nil: none.
	Exceptions *equivalence.Exceptions
	// Metrics counts results, and requests that were not compared. It is optional.
	Metrics *metrics.Metrics
	// Logger logs each new difference and fault. Nil: slog.Default.
	Logger *slog.Logger

	// Budget limits the time of the schema for one request: rules that run longer are stopped, and the
	// request counts as a fault with the reason "timeout". Zero: defaultBudget.
	Budget time.Duration
	// Sample is the share of requests that are compared, above 0 and up to 1. Zero: all.
	Sample float64
	// Overhead limits the time of all comparisons to a share of the time of the hand-written code; 0.1 is
	// a tenth. Refused requests come first: their comparisons may take up to a second in advance. Zero: no
	// limit.
	Overhead float64

	// Enforce lets the schema decide together with the hand-written code. Then each request is compared,
	// regardless of Sample and Overhead, and a fault of the schema refuses the request. If the target does
	// not have the version of a request, only the hand-written code decides. Errors of stable rules are
	// returned, errors of beta rules if the gate DeclarativeValidationBeta is on, and errors of alpha rules
	// never. They replace native errors that mean the same.
	Enforce bool
	// Gates are asked at each request. Nil: FixedGates{}, the defaults of Kubernetes 1.37.
	Gates Gates
}

// validate returns all mistakes in the options at once.
func (o Options) validate() error {
	var mistakes []error
	if o.Budget < 0 {
		mistakes = append(mistakes, fmt.Errorf("the budget is %v; it must not be negative", o.Budget))
	}
	if !(o.Sample >= 0 && o.Sample <= 1) {
		mistakes = append(mistakes, fmt.Errorf("the sample is %v; it must be between 0 and 1", o.Sample))
	}
	if !(o.Overhead >= 0) {
		mistakes = append(mistakes, fmt.Errorf("the overhead is %v; it must be a share, such as 0.1", o.Overhead))
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
		o.Budget = defaultBudget
	}
	if o.Sample == 0 {
		o.Sample = 1
	}
	if o.Gates == nil {
		o.Gates = FixedGates{}
	}
	return o, nil
}
