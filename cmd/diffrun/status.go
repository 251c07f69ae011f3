package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/harness"
)

// status is the exit status of the command.
type status int

const (
	statusOK        status = 0
	statusDifferent status = 1
	statusMistake   status = 2
	statusFault     status = 3
	// statusInterrupted is what shells give a command that SIGINT ended.
	statusInterrupted status = 130
)

// checkFailOn finds words that --fail-on does not know.
func checkFailOn(words []string) error {
	var unknown []string
	for _, word := range words {
		if !slices.Contains(harness.GateWords(), word) {
			unknown = append(unknown, strconv.Quote(word))
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return fmt.Errorf("--fail-on does not know %s; accepted: %s", strings.Join(unknown, ", "), strings.Join(harness.GateWords(), ", "))
}

// judge gives the status of a finished run. A fault comes before a difference:
// where something could not be decided, the count of differences means little.
// The gate decides about the others; faults and problems count always. What exceptions accept
// counts neither by its class nor by its effect.
func judge(summary harness.Summary, problems []string, gate harness.Gate) status {
	switch {
	case summary.Verdicts[harness.Faulted] > 0:
		return statusFault
	case len(problems) > 0 || gate.FailsOn(summary):
		return statusDifferent
	}
	return statusOK
}
