// Package actionrun runs, for tests, a composite action of GitHub and the workflow that uses it
// on this machine, with the commands as they stand.
//
// In come the two files. Each key must be one that GitHub knows, each command must be bash, and
// expressions stand where the runner allows them and not within commands, where a branch with a
// hostile name would run as one. Out comes what each step printed and wrote.
//
// Of the actions of others it knows those that move files between jobs, which it does, and those
// that prepare a machine, which it leaves out.
package actionrun
