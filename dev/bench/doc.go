// Command bench measures the declarative backend beside what else can validate,
// copy or read the same objects, in one run, and prints the ratios.
//
// What comes in are the CustomResourceDefinitions of a directory and two of
// Kubernetes' own kinds. For each of them objects of about 1 KB and 50 KB are made
// that all validators find valid. What comes out is a table for people on stdout,
// and with -json the same as a document.
//
// Machines are noisy: each contender is measured for a short time in each of
// several rounds, in turn with the others. A round is long enough for the garbage that
// a contender makes to be collected in it. Time is that of processors, where the system
// tells it: what else runs on the machine does not count, and collections that run
// beside the calls do. What is judged are the fastest rounds, because what disturbs a
// round only makes it slower, and the medians of the rounds. Ratios of one run are
// meant to be compared; times of two runs are not.
//
// An update may take 1.1 times as long as a create: of custom resources the API server runs
// all rules again, because it reports one that cannot be evaluated on an unchanged value too.
//
// Left to others: tests. Nothing here fails because something is slow.
package main
