//go:build ignore

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// answerer answers a request, beside which the cluster has objects. Its error means that it came to no decision.
type answerer func(ctx context.Context, request *admissionv1.AdmissionRequest, cluster []json.RawMessage) (
	*admissionv1.AdmissionResponse, error)

// serve answers the AdmissionReview in each line of in with a line of out, as "native: {exec: …}" of a suite
// expects it. It does what exec.ServeRequests of diffrun does, without its packages: the engine of the policies
// does not compile with the release of Kubernetes that they require.
func serve(ctx context.Context, in io.Reader, out io.Writer, answer answerer) error {
	lines, written := bufio.NewReader(in), json.NewEncoder(out)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			response, err := respond(ctx, line, answer)
			if err != nil {
				return fmt.Errorf("request %d: %w", number, err)
			}
			if err := written.Encode(response); err != nil {
				return fmt.Errorf("writing the answer to request %d: %w", number, err)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("reading request %d: %w", number, err)
		}
	}
}

// respond returns the AdmissionReview that answers another, or a Status if there is no decision.
func respond(ctx context.Context, line []byte, answer answerer) (any, error) {
	var review struct {
		admissionv1.AdmissionReview
		// Cluster has the objects of the case beside the request, which no API server sends.
		Cluster []json.RawMessage
	}
	if err := json.Unmarshal(line, &review); err != nil {
		return nil, fmt.Errorf("the request is not an AdmissionReview: %w", err)
	}
	if review.Request == nil {
		return nil, errors.New("the AdmissionReview has no request")
	}
	response, err := answer(ctx, review.Request, review.Cluster)
	if err != nil {
		return metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
			Reason: metav1.StatusReasonInternalError, Code: http.StatusInternalServerError, Message: err.Error(),
		}, nil
	}
	response.UID = review.Request.UID
	return admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: response}, nil
}
