package exec_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/backends/native/exec"
	"github.com/diffrun/diffrun/internal/admission"
)

// served is the validator that the test binary serves if an environment variable is set.
type served struct {
	Mode string `json:"mode"`
	Size int64  `json:"size"`
}

func validateServed(_ context.Context, object, old *served) field.ErrorList {
	size := field.NewPath("size")
	var errs field.ErrorList
	switch {
	case object.Mode == "panic":
		panic("as real ones do")
	case object.Mode == "exit":
		os.Exit(7)
	case object.Mode == "print":
		fmt.Fprintln(os.Stderr, "to people")
	}
	if object.Size < 0 {
		errs = append(errs, field.Invalid(size, object.Size, "must be greater than or equal to 0, [as] \"always\""))
	}
	if old != nil && object.Size < old.Size {
		errs = append(errs, field.Forbidden(size, "may not shrink"))
	}
	return errs
}

// serveFunc is the main function of a program that serves a validator.
func serveFunc() {
	if err := exec.Serve(context.Background(), os.Stdin, os.Stdout, native.Func[*served](validateServed)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A function that is served by a real process returns the same as in this process.
func TestServe(t *testing.T) {
	backend, err := exec.New(exec.Options{Command: []string{os.Args[0], "serve"}, Parallel: 3})
	if err != nil {
		t.Fatal(err)
	}
	inProcess := native.Func[*served](validateServed)
	var asking sync.WaitGroup
	for i := range int64(200) {
		asking.Go(func() {
			in := ask("", i%7-3)
			if i%2 == 0 {
				in.Operation, in.Old = admissionv1.Update, ask("", i%5-2).Object
			}
			want, fault := inProcess.Validate(t.Context(), in)
			if fault != nil {
				t.Error(fault)
			}
			got, fault := backend.Validate(t.Context(), in)
			if diff := cmp.Diff(want, got); diff != "" || fault != nil {
				t.Errorf("%d (-want +got):\n%s, fault %v", i, diff, fault)
			}
		})
	}
	asking.Wait()
	for mode, want := range map[string]string{
		"panic": "the response is a Status, not an AdmissionReview: the validator failed: there is no verdict: panic: " +
			"as real ones do at github.com/diffrun/diffrun/backends/native/exec_test/serve_test.go:",
		"exit": "it ended without an answer (exit status 7)",
	} {
		if errs, fault := backend.Validate(t.Context(), ask(mode, -1)); fault == nil || !strings.Contains(fault.Error(), want) {
			t.Errorf("%s: errors %v, fault %v", mode, errs, fault)
		}
	}
	check(t, backend, ask("print", -4), tooSmall(-4))
	if err := backend.Close(); err != nil {
		t.Error(err)
	}
}

// A serving program exits with success at the end of its stdin, and reports what is wrong with a request that
// it cannot read.
func TestServeProgram(t *testing.T) {
	for _, tt := range []struct {
		why, stdin, stderr string
		status             int
	}{
		{"nothing", "", "", 0},
		{"blank lines", "\n \n", "", 0},
		{"no request", "{}\n", `request 1: the request is of apiVersion "" and kind ""; accepted: admission.k8s.io/v1 AdmissionReview`, 1},
		{"not JSON", "\nhello\n", "request 1: the request is not an AdmissionReview", 1},
		{"too long", strings.Repeat("x", admission.MaxRequest+1), "reading request 1: it is longer than 16 MiB", 1},
	} {
		command := osexec.Command(os.Args[0], "serve")
		var stdout, stderr bytes.Buffer
		command.Stdin, command.Stdout, command.Stderr = strings.NewReader(tt.stdin), &stdout, &stderr
		err := command.Run()
		if got := command.ProcessState.ExitCode(); got != tt.status || !strings.Contains(stderr.String(), tt.stderr) || stdout.Len() > 0 {
			t.Errorf("%s: %v, stdout %q, stderr %q", tt.why, err, &stdout, &stderr)
		}
	}
}

// Serve ends when its context does, or when its answers are not read.
func TestServeEnds(t *testing.T) {
	validator := native.Func[*served](validateServed)
	ctx, cancel := context.WithCancelCause(t.Context())
	stdin, hold := io.Pipe()
	defer hold.Close()
	cancel(errors.New("enough"))
	if err := exec.Serve(ctx, stdin, io.Discard, validator); err == nil || err.Error() != "enough" {
		t.Errorf("a context that ended: %v", err)
	}
	request, err := admission.NewRequest(ask("", 1))
	if err != nil {
		t.Fatal(err)
	}
	reading, gone := io.Pipe()
	_ = reading.Close()
	if err := exec.Serve(t.Context(), bytes.NewReader(request.Body), gone, validator); err == nil ||
		!strings.Contains(err.Error(), "writing the answer to request 1: io: read/write on closed pipe") {
		t.Errorf("nobody reads: %v", err)
	}
}

// A policy engine answers whole requests. Its error is not a decision.
func TestServeRequests(t *testing.T) {
	request := func(uid, user string) string {
		return fmt.Sprintf(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":%q,"operation":"CREATE",`+
			`"userInfo":{"username":%q},"object":{"a":1}}}`+"\n", uid, user)
	}
	var out bytes.Buffer
	in := strings.NewReader(request("1", "alice") + request("2", "bob") + request("3", "") + request("4", "nobody"))
	err := exec.ServeRequests(t.Context(), in, &out,
		func(_ context.Context, asked *admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) {
			switch asked.UserInfo.Username {
			case "":
				return nil, errors.New("conflict in the rule a")
			case "nobody":
				return nil, nil
			}
			return &admissionv1.AdmissionResponse{Allowed: asked.UserInfo.Username == "alice"}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{
		`"uid":"1","allowed":true`,
		`"uid":"2","allowed":false`,
		`"message":"there is no verdict: conflict in the rule a"`,
		`"message":"there is no verdict: it gave no response"`,
	} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("answer %d is %s, want %s", i, lines[i], want)
		}
	}
}
