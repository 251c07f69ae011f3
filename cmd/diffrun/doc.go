// Command diffrun runs every case through two validators of an API, the hand-written one and a
// schema, and fails where their errors differ.
//
// Each subcommand has a file here, with its flags and help. Package internal/run runs suites,
// internal/soak runs them for a long time, internal/recorded reads reports of earlier runs, and
// internal/terminal connects all of them to files, interrupts and the exit status:
//
//	0    success
//	1    differences, unmet expectations, problems of the run as a whole, or
//	     invalid objects (validate -f)
//	2    usage, configuration, or input that cannot be read
//	3    a fault: a case without a verdict
//	130  interrupted; the report has what was finished, and says so
package main
