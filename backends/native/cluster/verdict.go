package cluster

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/policies/evaluation"
	"github.com/diffrun/diffrun/internal/admission"
)

var (
	// noDryRun matches the answer for a webhook whose sideEffects are not None
	// (admission/plugin/webhook/errors, statuserror.go).
	noDryRun = regexp.MustCompile(`admission webhook ("[^"]*") does not support dry run`)
	// deniedBy matches the answer of a validating webhook that refuses (ibid.).
	deniedBy = regexp.MustCompile(`(?s)^admission webhook "[^"]*" denied the request(?:: | without explanation)(.*)$`)
	// noRight matches the answer of RBAC and other authorizers (endpoints/handlers/responsewriters,
	// errors.go).
	noRight = regexp.MustCompile(`User "[^"]*" cannot \S+ (?:resource|path) "`)
	// unanswered matches the answer when a webhook cannot be reached (util/webhook, error.go).
	unanswered = regexp.MustCompile(`failed calling webhook`)
)

// verdict returns the errors in an answer of the API server. The error is a fault.
func verdict(err error) (field.ErrorList, error) {
	if err == nil {
		return nil, nil
	}
	answer, ok := statusOf(err)
	if !ok {
		return nil, err
	}
	if denial, denied := evaluation.ParseDenial(answer.Message); denied {
		denial.Reason = answer.Reason
		return field.ErrorList{denial.Error()}, nil
	}
	if said := deniedBy.FindStringSubmatch(answer.Message); said != nil {
		answer.Message = said[1] // without explanation: empty
		if answer.Message == string(answer.Reason) {
			answer.Message = "" // the API server puts the reason there if the webhook gave no message
		}
		return admission.StatusErrors(&answer), nil
	}
	if !decides(answer) {
		return nil, fault(err)
	}
	answer.Message = withoutObject(answer.Message)
	return admission.StatusErrors(&answer), nil
}

// statusOf returns the Status in an API server's answer; false if there is none.
func statusOf(err error) (metav1.Status, bool) {
	answer := apierrors.APIStatus(nil)
	if !errors.As(err, &answer) {
		return metav1.Status{}, false
	}
	status := answer.Status()
	if status.Details != nil && slices.ContainsFunc(status.Details.Causes, func(c metav1.StatusCause) bool {
		return c.Type == metav1.CauseTypeUnexpectedServerResponse
	}) {
		return metav1.Status{}, false // from a proxy in front of it, for instance
	}
	return status, true
}

// decides reports whether an answer is about the object: it was validated, refused by an admission
// plugin, or could not be decoded.
func decides(answer metav1.Status) bool {
	switch {
	case answer.Details != nil && slices.ContainsFunc(answer.Details.Causes, func(c metav1.StatusCause) bool {
		return c.Type == corev1.NamespaceTerminatingCause
	}):
		return false
	case noDryRun.MatchString(answer.Message), unanswered.MatchString(answer.Message), noRight.MatchString(answer.Message):
		return false
	}
	switch answer.Code {
	case http.StatusUnprocessableEntity, http.StatusForbidden, http.StatusBadRequest, http.StatusRequestEntityTooLarge:
		return true
	}
	return false
}

// withoutObject removes the name of the object from the message of an admission plugin, because it
// differs from case to case.
func withoutObject(message string) string {
	if _, said, found := strings.Cut(message, " is forbidden: "); found {
		return said
	}
	return message
}

// fault wraps an answer that is no verdict.
func fault(err error) error {
	answer, ok := statusOf(err)
	if !ok {
		return err
	}
	if webhook := noDryRun.FindStringSubmatch(answer.Message); webhook != nil {
		return fmt.Errorf("the webhook %s does not support dry runs, so no verdict is possible; its configuration must say "+
			"sideEffects: None or NoneOnDryRun", webhook[1])
	}
	switch {
	case answer.Code == http.StatusUnauthorized:
		return fmt.Errorf("the cluster does not know the user of the kubeconfig: %w", err)
	case noRight.MatchString(answer.Message):
		return fmt.Errorf("the user of the kubeconfig has no right to do this: %w", err)
	case answer.Code == http.StatusNotFound:
		return fmt.Errorf("the cluster does not have what the request needs: %w", err)
	}
	return fmt.Errorf("the cluster returned no verdict: %w", err)
}

func refusedRight(err error) bool {
	answer, ok := statusOf(err)
	return ok && noRight.MatchString(answer.Message)
}

// alreadyExists reports whether a name is taken.
func alreadyExists(err error) bool {
	answer, ok := statusOf(err)
	return ok && answer.Reason == metav1.StatusReasonAlreadyExists && !deniedBy.MatchString(answer.Message)
}

// conflict reports whether an object was changed meanwhile.
func conflict(err error) bool {
	answer, ok := statusOf(err)
	return ok && answer.Reason == metav1.StatusReasonConflict && !deniedBy.MatchString(answer.Message)
}
