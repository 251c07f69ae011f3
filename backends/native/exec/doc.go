// Package exec runs a program as a native backend.
//
// [New] takes the command. The backend starts it when first needed, in at most Options.Parallel
// copies. The program reads AdmissionReview requests from stdin, one per line, and answers each
// with an AdmissionReview response on one line of stdout. Package admission describes both and
// turns the response into errors.
//
// The time until the first answer of the program is not time of a case (Options.StartTimeout). A
// command "go run PACKAGE" is built once, into a temporary folder, and not once for each copy.
//
// A case is a fault if the program exits, does not answer before the context ends, or prints
// something else, such as a Status (meta/v1) that explains why there is no verdict. The backend
// then kills the program with its process group and starts it again for the next case. The fault
// includes the last lines of its stderr.
//
// [Serve] is the other end: it turns a validator written in Go into such a program.
//
// Call Close when the backend is no longer used. The programs then see the end of stdin, as they do
// if this process ends for any other reason.
package exec
