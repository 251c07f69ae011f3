package exec_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// serve is a validator on stdin and stdout. If the mode of an object asks for it, it misbehaves.
func serve(args []string) {
	for _, arg := range args {
		if dir, ok := strings.CutPrefix(arg, "started in "); ok {
			leave(dir)
		}
		if dir, ok := strings.CutPrefix(arg, "ended in "); ok {
			defer leave(dir)
		}
		if arg == "die at once" {
			os.Exit(5)
		}
		if arg == "starts slowly" {
			time.Sleep(time.Second)
		}
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		request, err := in.ReadBytes('\n')
		fmt.Print(late)
		late = ""
		if err == io.EOF {
			return
		}
		var review admissionv1.AdmissionReview
		must(err, json.Unmarshal(request, &review))
		answer(review.Request)
	}
}

// late is printed before the next request is answered, or at the end.
var late string

// leave writes a file that shows which process was there.
func leave(dir string) {
	must(os.WriteFile(filepath.Join(dir, strconv.Itoa(os.Getpid())), nil, 0o600))
}

func must(errs ...error) {
	for _, err := range errs {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(9)
		}
	}
}

type object struct {
	Mode string `json:"mode"`
	Size int64  `json:"size"`
}

func answer(request *admissionv1.AdmissionRequest) {
	var asked, old object
	must(json.Unmarshal(request.Object.Raw, &asked))
	if request.Operation == admissionv1.Update {
		must(json.Unmarshal(request.OldObject.Raw, &old))
	}
	uid, size := request.UID, field.NewPath("size")
	more := "" // is printed with the answer
	var errs field.ErrorList
	if asked.Size < 0 {
		errs = append(errs, field.Invalid(size, asked.Size, "must be greater than or equal to 0, [as] \"always\""))
	}
	if request.Operation == admissionv1.Update && asked.Size < old.Size {
		errs = append(errs, field.Forbidden(size, "may not shrink"))
	}
	switch asked.Mode {
	case "pid":
		errs = field.ErrorList{field.Invalid(size, int64(os.Getpid()), "")}
	case "noise":
		fmt.Fprintln(os.Stderr, "a message for people")
	case "blank lines":
		fmt.Print("\n\r\n")
		more = "\r\n \n"
	case "slow":
		time.Sleep(100 * time.Millisecond)
	case "large":
		errs = field.ErrorList{field.Invalid(size, strings.Repeat("x", 1<<20), "large")}
	case "wrong uid":
		uid = "other"
	case "twice":
		more = response(uid, errs)
	case "answer and noise":
		more = "\n\nnoise\n"
	case "answer and half a line":
		more = "{"
	case "again with the next question":
		late = response(uid, errs)
	case "recovered panic":
		serveRecovered(request)
		return
	case "noise at the end":
		lateAtEnd("so long\n")
	case "half a line at the end":
		late = "so"
	default:
		misbehave(asked.Mode)
		uid = cmp.Or(lent(asked.Mode, uid), uid)
	}
	fmt.Print(response(uid, errs) + more) // at once
}

// lateAtEnd prints something when the process is asked to end, by a signal or by the end
// of its stdin.
func lateAtEnd(text string) {
	late = text
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	go func() {
		<-asked
		fmt.Print(late)
		os.Exit(0)
	}()
}

// lent is the uid of a different request, for the modes that store and use it.
func lent(mode string, own types.UID) types.UID {
	if file, ok := strings.CutPrefix(mode, "leave the uid in "); ok {
		must(os.WriteFile(file+".new", []byte(own), 0o600), os.Rename(file+".new", file))
		time.Sleep(time.Hour)
	}
	if file, ok := strings.CutPrefix(mode, "answer with the uid in "); ok {
		other, err := os.ReadFile(file)
		must(err)
		return types.UID(other)
	}
	return ""
}

func response(uid types.UID, errs field.ErrorList) string {
	response := &admissionv1.AdmissionResponse{UID: uid, Allowed: len(errs) == 0}
	if len(errs) > 0 {
		status := apierrors.NewInvalid(widget.GroupKind(), "w", errs).ErrStatus
		response.Result = &status
	}
	data, err := json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Response: response,
	})
	must(err)
	return string(data) + "\n"
}

func misbehave(mode string) {
	switch mode {
	case "die":
		fmt.Fprint(os.Stderr, "cannot go on\npanic\n")
		os.Exit(3)
	case "leave":
		os.Exit(0)
	case "kill itself":
		must(syscall.Kill(os.Getpid(), syscall.SIGKILL))
	case "hang":
		fmt.Fprintln(os.Stderr, "deep in thought")
		time.Sleep(time.Hour)
	case "deaf":
		time.Sleep(time.Hour)
	case "garbage":
		fmt.Println("this is no JSON")
	case "half":
		fmt.Print(`{"apiVersion":`)
		os.Exit(0)
	case "close":
		must(os.Stdout.Close())
		time.Sleep(time.Hour)
	case "endless":
		for {
			fmt.Print(strings.Repeat("x", 1<<16))
		}
	case "long panic":
		deep(100)
	case "much noise":
		for i := range 100000 {
			fmt.Fprintf(os.Stderr, "noise %d\n", i)
		}
		os.Exit(3)
	}
	if file, ok := strings.CutPrefix(mode, "wait for its end: "); ok {
		must(os.WriteFile(file, []byte(strconv.Itoa(os.Getpid())), 0o600))
		time.Sleep(time.Hour)
	}
	if file, ok := strings.CutPrefix(mode, "orphan"); ok {
		orphan(strings.TrimSpace(file))
	}
}

// deep panics a few calls further down.
func deep(calls int) {
	if calls == 0 {
		panic("at the beginning")
	}
	deep(calls - 1)
}

// orphan starts a process that keeps stdout and stderr open, and the pipe with that name if there is one, and
// exits.
func orphan(fifo string) {
	grandchild := osexec.Command("sleep", "3600")
	grandchild.Stdout, grandchild.Stderr = os.Stdout, os.Stderr
	if fifo != "" {
		pipe, err := os.OpenFile(fifo, os.O_WRONLY, 0)
		must(err)
		_, err = pipe.WriteString("child")
		must(err)
		grandchild.ExtraFiles = []*os.File{pipe}
	}
	must(grandchild.Start())
	os.Exit(4)
}
