// Package exec runs a program as a native backend.
//
// [New] takes the command. The backend starts it when it is first needed, and at most
// Options.Parallel times. The program reads AdmissionReview requests from stdin, one a
// line, and answers each with an AdmissionReview response on one line of stdout. Package
// admission describes both and turns the response into errors.
//
// It is a fault of the case if the program exits, does not answer before the context
// ends, or prints something else, such as a Status (meta/v1) that says why there is no
// verdict. The backend then kills the program with its process
// group and starts it again for the next case. The fault ends with the last lines of its
// stderr.
//
// [Serve] is the other end: it makes a validator that is written in Go such a program.
//
// Call Close when the backend is not used any more. The programs see the end of stdin
// then, and also if this process ends for any other reason.
package exec
