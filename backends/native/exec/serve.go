package exec

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/admission"
	"github.com/diffrun/diffrun/internal/process"
)

// Serve turns a validator into the program that a suite names under "native: {exec: …}" and that
// [New] starts:
//
//	func main() {
//		if err := exec.Serve(context.Background(), os.Stdin, os.Stdout, native.Func[*Widget](validate)); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// The validator is a backend of package native, or a validator or handler of package
// controllerruntime. Serve asks it one request at a time, each on one line of in, and writes each
// response as one line to out. It answers a panic or other fault of the validator with a Status
// (meta/v1), and reads the next request. Nothing else may be written to out, so a validator that
// prints must print to stderr.
//
// Serve returns nil at the end of in, and an error if a line is not a request, a stream fails, or
// ctx ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, validator harness.Backend) error {
	return serve(ctx, in, out, func(ctx context.Context, review []byte) ([]byte, error) {
		return admission.Respond(ctx, validator, review)
	})
}

// ServeRequests is Serve for a function that answers whole requests, as the engine of a policy does: it
// sees the user, the namespace and the options of a request. It sets Allowed, Result and Warnings of the
// response. Its error is a fault: it came to no decision.
func ServeRequests(ctx context.Context, in io.Reader, out io.Writer,
	answer func(context.Context, *admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error)) error {
	return serve(ctx, in, out, func(ctx context.Context, review []byte) ([]byte, error) {
		return admission.Answer(ctx, review, answer)
	})
}

// serve writes the response to each line of in.
func serve(ctx context.Context, in io.Reader, out io.Writer, respond func(context.Context, []byte) ([]byte, error)) error {
	requests := make(chan process.Line)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go readRequests(ctx, in, requests)
	for number := 1; ; number++ {
		var request process.Line
		select {
		case request = <-requests:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		switch {
		case errors.Is(request.Err, io.EOF):
			return nil
		case request.Err != nil:
			return fmt.Errorf("reading request %d: %w", number, request.Err)
		}
		response, err := respond(ctx, request.Text)
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

// readRequests sends each line that is not blank, and finally why the input ended.
func readRequests(ctx context.Context, in io.Reader, requests chan<- process.Line) {
	reader := bufio.NewReaderSize(in, process.PipeSize)
	for {
		text, err := readRequest(reader)
		next := process.Line{Text: text, Err: err}
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

// readRequest reads a line, or the text after the last newline.
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
