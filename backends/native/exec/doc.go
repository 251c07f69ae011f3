// Package exec makes a child process into a native backend.
//
// In goes a command. It is started when it is first needed, up to
// Options.Parallel times, and reads AdmissionReview requests from its stdin,
// one on each line, and writes one response on one line of stdout for each.
// Out come the errors that the responses mean. What a request and a response
// look like is left to package admission.
//
// A child that dies, that does not answer before the context ends or that
// prints something else is a fault of the case that was asked about: the child
// is killed with its whole process group, and the next case gets a new one. Its
// stderr is for people: the end of it comes with the fault. Children see the
// end of their stdin when the backend is closed, or when this process ends in
// whatever way.
package exec
