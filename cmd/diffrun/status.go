package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
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

const (
	// failFault, failUnmet and failProblem are what fails a run besides the
	// classes of differences. Of these --fail-on can leave out failUnmet alone: a
	// run with a fault or a problem has proved nothing that it could pass for.
	failFault   = "fault"
	failUnmet   = "unmet"
	failProblem = "problem"
)

// failures lists all that fails a run, in the words of --fail-on.
func failures() []string {
	var all []string
	for _, effect := range verdictChanges() {
		all = append(all, string(effect))
	}
	for _, class := range equivalence.Classes() {
		all = append(all, string(class))
	}
	return append(all, failUnmet, failProblem, failFault)
}

// verdictChanges are the effects that the user of the API notices.
func verdictChanges() []harness.Effect { return []harness.Effect{harness.Admits, harness.Refuses} }

// checkFailOn finds words that --fail-on does not know.
func checkFailOn(words []string) error {
	var unknown []string
	for _, word := range words {
		if !slices.Contains(failures(), word) {
			unknown = append(unknown, strconv.Quote(word))
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return fmt.Errorf("--fail-on does not know %s; accepted: %s", strings.Join(unknown, ", "), strings.Join(failures(), ", "))
}

// judge gives the status of a finished run. A fault comes before a difference:
// where something could not be decided, the count of differences means little.
// Of the effects, the classes and the unmet expectations, only those count that failOn
// names; nothing in it: all do but ratcheting, which is explained. Faults and problems count always. What exceptions accept
// counts neither by its class nor by its effect.
func judge(summary harness.Summary, problems []string, failOn []string) status {
	counts := func(word string) bool { return len(failOn) == 0 || slices.Contains(failOn, word) }
	if summary.Verdicts[harness.Faulted] > 0 {
		return statusFault
	}
	if len(problems) > 0 {
		return statusDifferent
	}
	for _, effect := range verdictChanges() {
		if summary.OpenEffects[effect] > 0 && counts(string(effect)) {
			return statusDifferent
		}
	}
	for class, n := range summary.Classes {
		if n > 0 && counts(string(class)) && !(class.Explained() && len(failOn) == 0) {
			return statusDifferent
		}
	}
	if summary.Unmet > 0 && counts(failUnmet) {
		return statusDifferent
	}
	return statusOK
}
