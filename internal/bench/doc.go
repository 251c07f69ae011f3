// Command bench measures the declarative backend beside what else can validate,
// copy or read the same objects, in one run, and prints the ratios.
//
// What comes in are the CustomResourceDefinitions of a directory and two of
// Kubernetes' own kinds. For each of them objects of about 1 KB and 50 KB are made
// that all validators find valid. What comes out is a table for people on stdout,
// and with -json the same as a document.
//
// Machines are noisy: each contender is measured for a short time in each of
// several rounds, in turn with the others, and the medians are compared. Ratios of
// one run are meant to be compared; times of two runs are not.
//
// Left to others: tests. Nothing here fails because something is slow.
package main
