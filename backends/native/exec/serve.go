package exec

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/admission"
)

// Serve makes a validator the program that a suite names under "native: {exec: …}" and
// that [New] starts:
//
//	func main() {
//		if err := exec.Serve(context.Background(), os.Stdin, os.Stdout, native.Func[*Widget](validate)); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// The validator is a backend of package native, or a validator or handler of
// controller-runtime in package controllerruntime. It is asked one request after the
// other, each in one line of in; each response is one line of out. A panic or another
// fault of the validator is answered with a Status (meta/v1), and the next request is read.
// Nothing else may be written to out, so a validator that prints must print to stderr.
//
// Serve returns nil at the end of in. The error says that a line is not a request, that
// one of the streams failed, or that ctx ended.
func Serve(ctx context.Context, in io.Reader, out io.Writer, validator harness.Backend) error {
	requests := make(chan line)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go readRequests(ctx, in, requests)
	for number := 1; ; number++ {
		var request line
		select {
		case request = <-requests:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		switch {
		case errors.Is(request.err, io.EOF):
			return nil
		case request.err != nil:
			return fmt.Errorf("reading request %d: %w", number, request.err)
		}
		response, err := admission.Respond(ctx, validator, request.text)
		if fault := (*admission.NoVerdictError)(nil); errors.As(err, &fault) {
			response, err = fault.Status(), nil
		}
		if err != nil {
			return fmt.Errorf("request %d: %w", number, err)
		}
		if _, err := out.Write(append(response, '\n')); err != nil {
			return fmt.Errorf("writing the answer to request %d: %w", number, err)
		}
	}
}

// readRequests hands on each line that is not blank, and at last why there are no more.
func readRequests(ctx context.Context, in io.Reader, requests chan<- line) {
	reader := bufio.NewReaderSize(in, pipeSize)
	for {
		text, err := readRequest(reader)
		next := line{text: text, err: err}
		if err == nil && len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		select {
		case requests <- next:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// readRequest reads a line, or what stands behind the last one.
func readRequest(reader *bufio.Reader) (text []byte, err error) {
	for {
		part, err := reader.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > admission.MaxRequest:
			return nil, fmt.Errorf("it is longer than %d MiB", admission.MaxRequest>>20)
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(text) > 0:
			return text, nil
		default:
			return text, err
		}
	}
}
