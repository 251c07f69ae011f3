// Command webhook is a validating webhook that diffrun can start: it reads one
// AdmissionReview request from each line of stdin and writes one response to stdout.
//
// A webhook that serves HTTPS needs no such program: a suite names its URL. A webhook
// that is written in Go can also be compared in `go test`, see validation_test.go.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// serve answers requests until the end of in.
func serve(in io.Reader, out io.Writer) error {
	requests := bufio.NewReader(in)
	responses := json.NewEncoder(out) // writes one line for each value
	for {
		line, err := requests.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var review admissionv1.AdmissionReview
		if err := json.Unmarshal(line, &review); err != nil {
			return err
		}
		if review.Response, err = answer(review.Request); err != nil {
			return err
		}
		review.Request = nil
		if err := responses.Encode(review); err != nil {
			return err
		}
	}
}

// answer validates the object of a request.
func answer(request *admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) {
	var backup, old *Backup
	if err := json.Unmarshal(request.Object.Raw, &backup); err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	if len(request.OldObject.Raw) > 0 {
		if err := json.Unmarshal(request.OldObject.Raw, &old); err != nil {
			return nil, fmt.Errorf("oldObject: %w", err)
		}
	}
	response := &admissionv1.AdmissionResponse{UID: request.UID, Allowed: true}
	if errs := validateBackup(context.Background(), backup, old); len(errs) > 0 {
		kind := schema.GroupKind{Group: request.Kind.Group, Kind: request.Kind.Kind}
		status := apierrors.NewInvalid(kind, request.Name, errs).Status()
		response.Allowed, response.Result = false, &status
	}
	return response, nil
}
