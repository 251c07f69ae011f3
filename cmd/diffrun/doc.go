// Command diffrun runs every case through two validators of an API, the
// hand-written one and a schema, and fails where their errors differ.
//
// A subcommand is a file here. What the command adds to the packages below it
// is wiring: flags, the built-in kinds of Kubernetes, where reports go, the
// progress bar, and the exit status:
//
//	0    as wanted
//	1    differences, unmet expectations, problems of the run as a whole, or
//	     invalid objects (validate -f)
//	2    usage, configuration, or input that cannot be read
//	3    a fault: a case that could not be decided
//	130  interrupted; the report covers what was finished, and says so
package main
