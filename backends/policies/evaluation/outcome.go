package evaluation

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// Outcome is the result of the policies for a request.
type Outcome struct {
	// Errors has one error for each denial, in the order of policies, bindings and validations. A
	// denial that several parameters repeat is listed once. See the package documentation for the
	// parts of an error.
	Errors field.ErrorList
	// Denials are what Errors report, in the same order.
	Denials []Denial
	// Warnings are the texts of the validation action Warn, as the API server words them.
	Warnings []string
	// AuditAnnotations are those of auditAnnotations and of the validation action Audit. If several
	// bindings set a key, the last value counts.
	AuditAnnotations map[string]string
	// Asked lists the policies that matched the request, or whose match conditions excluded it, with
	// their bindings, and whether the request violates them. The names are those of Set.Guards.
	Asked []contract.Asked
	// Refusal is the answer of the API server to the request; nil if nothing is denied.
	Refusal *apierrors.StatusError
}

// warnings makes an Outcome a recorder of warnings (k8s.io/apiserver/pkg/warning).
type warnings struct{ *Outcome }

// AddWarning keeps a warning.
func (w warnings) AddWarning(_, text string) { w.Warnings = append(w.Warnings, text) }

func (o *Outcome) annotate(key, value string) {
	if o.AuditAnnotations == nil {
		o.AuditAnnotations = map[string]string{}
	}
	o.AuditAnnotations[key] = value
}

// add adds the dispatcher's answer for one binding, with all denials in the results.
func (o *Outcome) add(hook *hook, matches []match, results []validating.ValidateResult, answer error) error {
	if answer == nil {
		return nil
	}
	refusal := (*apierrors.StatusError)(nil)
	if !errors.As(answer, &refusal) || len(refusal.ErrStatus.Details.Causes) == 0 {
		return fmt.Errorf("%s: %w", hook, answer)
	}
	if o.Refusal == nil {
		o.Refusal = refusal
	}
	denials := hook.denials(matches, results)
	if len(denials) == 0 { // the policy or the binding cannot be used at all
		denial, ok := ParseDenial(refusal.ErrStatus.Details.Causes[0].Message)
		if !ok {
			return fmt.Errorf("%s: %w", hook, answer)
		}
		denials = []Denial{denial}
	}
	for _, denial := range denials {
		o.Denials, o.Errors = append(o.Denials, denial), append(o.Errors, denial.Error())
	}
	return nil
}

// denials returns the denials in results, each once.
func (h *hook) denials(matches []match, results []validating.ValidateResult) []Denial {
	var all []Denial
	add := func(part, text string, reason metav1.StatusReason, failed bool) {
		denial := Denial{
			Kind:    validatingKind,
			Policy:  h.policy.Name,
			Binding: h.binding.Name,
			Part:    part,
			Text:    text,
			Reason:  reason,
			Failed:  failed,
		}
		if !slices.Contains(all, denial) {
			all = append(all, denial)
		}
	}
	for at, result := range results {
		for i, decision := range result.Decisions {
			part := ""
			switch {
			case at < len(matches) && matches[at].Error != nil:
				part = matches[at].failed
			case len(result.Decisions) == len(h.policy.Spec.Validations):
				part = partName(validationPart, i)
			}
			if decision.Action == validating.ActionDeny && slices.Contains(h.binding.Spec.ValidationActions, admissionregistrationv1.Deny) {
				add(part, decision.Message, decision.Reason, decision.Evaluation == validating.EvalError)
			}
		}
		for i, annotation := range result.AuditAnnotations {
			if annotation.Action == validating.AuditAnnotationActionError { // denies regardless of the validationActions
				add(fmt.Sprintf("auditAnnotations[%d]", i), annotation.Error, "", true)
			}
		}
	}
	return all
}

// Denial is a policy's refusal of a request.
type Denial struct {
	// Kind is ValidatingAdmissionPolicy or MutatingAdmissionPolicy; empty: the former.
	Kind string
	// Policy and Binding are names. Binding is empty if the policy itself cannot be used.
	Policy, Binding string
	// Part is the part of the policy that denied, such as "validations[1]"; empty: unknown, or the policy as
	// a whole.
	Part string
	// Failed reports whether an expression failed, rather than evaluated to false.
	Failed bool
	// Text is the policy's message, without the prefix that the API server adds.
	Text string
	// Reason is that of the validation; empty means Invalid.
	Reason metav1.StatusReason
}

// refusals match a denial as the API server words it (policy/validating, dispatcher.go, and
// policy/generic, policy_dispatcher.go).
var refusals = map[string]*regexp.Regexp{
	validatingKind: regexp.MustCompile(`(?s)^ValidatingAdmissionPolicy '([^']*)' (?:with binding '([^']*)' )?denied request: (.*)$`),
	mutatingKind:   regexp.MustCompile(`(?s)^policy ['"]([^'"]*)['"] (?:with binding '([^']*)' )?denied request: (.*)$`),
}

// ParseDenial reads a denial from the message of a cause in an answer of the API server, or from
// the status message, which names the object first. The text does not contain the reason.
func ParseDenial(text string) (Denial, bool) {
	if at := strings.Index(text, " is forbidden: ValidatingAdmissionPolicy '"); at >= 0 {
		text = text[at+len(" is forbidden: "):]
	}
	for kind, refusal := range refusals {
		if parts := refusal.FindStringSubmatch(text); parts != nil {
			return Denial{Kind: kind, Policy: parts[1], Binding: parts[2], Text: parts[3], Failed: failure.MatchString(parts[3])}, true
		}
	}
	return Denial{}, false
}

// failure matches the text of an expression that cannot be evaluated (plugin/cel, condition.go).
var failure = regexp.MustCompile(`(?s)^expression '.*' resulted in error: `)

// Error returns the denial as an error without a field.
func (d Denial) Error() *field.Error {
	origin, text := cmp.Or(d.Kind, validatingKind)+"/"+d.Policy+"/"+d.Binding, d.Text
	if d.Part != "" {
		origin += "/" + d.Part
	}
	if d.Failed {
		text = fielderror.ExpressionFailed + text
	}
	return &field.Error{Type: errorType(d.Reason), BadValue: field.OmitValueType{}, Detail: text, Origin: origin}
}

// errorType returns the error type for the reason of a validation, which may be Unauthorized,
// Forbidden, Invalid or RequestEntityTooLarge.
func errorType(reason metav1.StatusReason) field.ErrorType {
	switch reason {
	case metav1.StatusReasonForbidden, metav1.StatusReasonUnauthorized:
		return field.ErrorTypeForbidden
	case metav1.StatusReasonRequestEntityTooLarge:
		return field.ErrorTypeTooLong
	}
	return field.ErrorTypeInvalid
}
