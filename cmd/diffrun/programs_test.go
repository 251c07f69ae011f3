package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"syscall"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// answerReviews is a validator of widgets as a separate program, which answers AdmissionReviews on stdin
// and stdout. It calls the hand-written validator; in some modes it exits.
func answerReviews() {
	lines := bufio.NewScanner(os.Stdin)
	again := "" // an answer that is repeated later
	for lines.Scan() {
		fmt.Print(again)
		again = ""
		var review admissionv1.AdmissionReview
		var object struct {
			Mode  string
			Size  int64
			Color *string
		}
		if err := json.Unmarshal(lines.Bytes(), &review); err != nil {
			panic(err)
		}
		raw := review.Request.Object.Raw
		if review.Request.Operation == admissionv1.Delete {
			raw = review.Request.OldObject.Raw
		}
		if err := json.Unmarshal(raw, &object); err != nil {
			panic(err)
		}
		switch object.Mode {
		case "panic":
			panic("as real ones do")
		case "killed":
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		case "hang":
			fmt.Fprintln(os.Stderr, "waiting for a lock")
			select {}
		}
		review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
		switch {
		case object.Mode == "gates":
			deny(review.Response, os.Args[1])
		case object.Size > 10:
			deny(review.Response, fmt.Sprintf("size: Invalid value: %d: must be less than or equal to 10", object.Size))
		case object.Size < 0:
			deny(review.Response, fmt.Sprintf("size: Invalid value: %d: must be greater than or equal to 0", object.Size))
		case object.Color != nil && *object.Color == "":
			deny(review.Response, "size and color do not fit")
		}
		review.Request = nil
		answer, err := json.Marshal(review)
		if err != nil {
			panic(err)
		}
		switch text := string(answer) + "\n"; object.Mode {
		case "twice":
			fmt.Print(text + text)
		case "again":
			fmt.Print(text)
			again = text
		default:
			fmt.Print(text)
		}
	}
	fmt.Print(again)
}

func deny(response *admissionv1.AdmissionResponse, message string) {
	response.Allowed, response.Result = false, &metav1.Status{Message: message}
}

// answerMutations is a mutating webhook of widgets as a separate program: it reduces a size above a
// hundred to a hundred, and in one mode returns a patch that does not apply.
func answerMutations() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var review admissionv1.AdmissionReview
		if err := json.Unmarshal(lines.Bytes(), &review); err != nil {
			panic(err)
		}
		var object struct {
			Mode string
			Size any // it comes before validation
		}
		if err := json.Unmarshal(review.Request.Object.Raw, &object); err != nil {
			panic(err)
		}
		review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true,
			Warnings: []string{"the mutator looked at it"}}
		patchType := admissionv1.PatchTypeJSONPatch
		size, _ := object.Size.(float64)
		switch {
		case object.Mode == "badpatch":
			review.Response.PatchType, review.Response.Patch = &patchType, []byte(`[{"op": "replace", "path": "/no/such", "value": 1}]`)
		case object.Mode == "nopatch":
			review.Response.PatchType, review.Response.Patch = &patchType, []byte(`{"op": "replace", "path": "/size", "value": 1}`)
		case object.Mode == "nothing":
			review.Response.PatchType, review.Response.Patch = &patchType, []byte(`[{"op": "replace", "path": ""}]`)
		case size > 100:
			review.Response.PatchType, review.Response.Patch = &patchType, []byte(`[{"op": "replace", "path": "/size", "value": 100}]`)
		}
		review.Request = nil
		answer, err := json.Marshal(review)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(answer))
	}
}
