//go:build ignore

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/open-policy-agent/frameworks/constraint/pkg/client"
	"github.com/open-policy-agent/frameworks/constraint/pkg/client/drivers/rego"
	"github.com/open-policy-agent/frameworks/constraint/pkg/client/reviews"
	"github.com/open-policy-agent/frameworks/constraint/pkg/types"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/target"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/util"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// webhook answers as the validating webhook of Gatekeeper.
type webhook struct {
	client     *client.Client
	namespaces namespaces
}

func newWebhook(ctx context.Context, read content) (*webhook, error) {
	driver, err := rego.New()
	if err != nil {
		return nil, err
	}
	made, err := client.NewClient(client.Targets(&target.K8sValidationTarget{}), client.Driver(driver),
		client.EnforcementPoints(util.WebhookEnforcementPoint))
	if err != nil {
		return nil, err
	}
	webhook := &webhook{client: made, namespaces: read.namespaces}
	for _, template := range read.templates {
		if _, err := made.AddTemplate(ctx, template); err != nil {
			return nil, fmt.Errorf("ConstraintTemplate %q: %w", template.Name, err)
		}
	}
	for _, constraint := range read.constraints {
		if _, err := made.AddConstraint(ctx, constraint); err != nil {
			return nil, fmt.Errorf("%s %q: %w", constraint.GetKind(), constraint.GetName(), err)
		}
	}
	for _, object := range read.inventory {
		if _, err := made.AddData(ctx, object); err != nil {
			return nil, fmt.Errorf("%s %q: %w", object.GetKind(), object.GetName(), err)
		}
	}
	return webhook, nil
}

// engineError matches the message of a violation that is an error of OPA
// (github.com/open-policy-agent/opa/v1/topdown, errors.go).
var engineError = regexp.MustCompile(`\beval_[a-z_]+_error: `)

// answer reviews a request. The error is one of the engine, such as a conflict in Rego.
func (w *webhook) answer(ctx context.Context, request *admissionv1.AdmissionRequest, cluster []json.RawMessage) (
	*admissionv1.AdmissionResponse, error) {
	namespace, err := w.namespaces.named(request.Namespace, cluster)
	if err != nil {
		return nil, err
	}
	review := &target.AugmentedReview{AdmissionRequest: request, Namespace: namespace, IsAdmission: true}
	found, err := w.client.Review(ctx, review, reviews.EnforcementPoint(util.WebhookEnforcementPoint))
	if err != nil {
		return nil, err
	}
	var denials, warnings []string
	for _, result := range found.Results() {
		if engineError.MatchString(result.Msg) {
			return nil, fmt.Errorf("Gatekeeper denies the request, because the Rego of %s %q failed: %s",
				result.Constraint.GetKind(), result.Constraint.GetName(), result.Msg)
		}
		text := fmt.Sprintf("[%s] %s", result.Constraint.GetName(), result.Msg)
		for _, action := range actions(result) {
			switch util.EnforcementAction(action) {
			case util.Deny:
				denials = append(denials, text)
			case util.Warn:
				warnings = append(warnings, text)
			}
		}
	}
	slices.Sort(denials) // Gatekeeper's order changes from call to call
	slices.Sort(warnings)
	response := &admissionv1.AdmissionResponse{Allowed: len(denials) == 0, Warnings: warnings}
	if len(denials) > 0 {
		response.Result = &metav1.Status{Reason: metav1.StatusReasonForbidden, Code: http.StatusForbidden,
			Message: strings.Join(denials, "\n")}
	}
	return response, nil
}

// actions returns what a violation leads to.
func actions(result *types.Result) []string {
	if result.EnforcementAction == string(util.Scoped) {
		return result.ScopedEnforcementActions
	}
	return []string{result.EnforcementAction}
}
