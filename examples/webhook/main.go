// Command webhook is a validating webhook as a program that diffrun can start: it reads
// one AdmissionReview request from each line of stdin and writes one response to stdout.
//
// A webhook that serves HTTPS needs no such program: a suite names its URL. A webhook
// that is written in Go can also be compared in `go test`, see validation_test.go.
package main

import (
	"context"
	"log"
	"os"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/backends/native/exec"
)

func main() {
	if err := exec.Serve(context.Background(), os.Stdin, os.Stdout, native.Func[*Backup](validateBackup)); err != nil {
		log.Fatal(err)
	}
}
