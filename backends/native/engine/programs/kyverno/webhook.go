//go:build ignore

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	kyvernov1 "github.com/kyverno/kyverno/api/kyverno/v1"
	kyvernov2 "github.com/kyverno/kyverno/api/kyverno/v2"
	"github.com/kyverno/kyverno/pkg/config"
	"github.com/kyverno/kyverno/pkg/engine"
	engineapi "github.com/kyverno/kyverno/pkg/engine/api"
	"github.com/kyverno/kyverno/pkg/engine/factories"
	"github.com/kyverno/kyverno/pkg/engine/jmespath"
	"github.com/kyverno/kyverno/pkg/engine/policycontext"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// webhook answers as the validating webhook of Kyverno.
type webhook struct {
	content
	engine        engineapi.Engine
	jmespath      jmespath.Interface
	configuration config.Configuration
}

func newWebhook(_ context.Context, read content) (*webhook, error) {
	if len(read.validating) > 0 {
		return nil, errors.New("a ValidatingPolicy is not served by this program; with \"generated: true\" beside kyverno, " +
			"the ValidatingAdmissionPolicy that Kyverno generates of it is compared")
	}
	for _, policy := range read.patterns {
		if readsParameters(policy) {
			return nil, fmt.Errorf("%s %q: its rules in CEL have parameters (paramKind), which this program cannot look up; with "+
				"\"generated: true\" and the parameters in a file, the generated policy is compared", policy.GetKind(), policy.GetName())
		}
	}
	configuration := config.NewDefaultConfiguration(true)
	of := &webhook{content: read, jmespath: jmespath.New(configuration), configuration: configuration}
	// Without a client, a rule that asks the cluster is an error.
	hasCluster := false
	of.engine = engine.NewEngine(configuration, of.jmespath, nil, nil, nil,
		factories.DefaultContextLoaderFactory(read.configMaps), nil, &hasCluster)
	return of, nil
}

// answer validates a request with each policy. The error is one of the engine.
func (w *webhook) answer(ctx context.Context, request *admissionv1.AdmissionRequest, cluster []json.RawMessage) (
	*admissionv1.AdmissionResponse, error) {
	var labels map[string]string
	switch namespace, err := w.namespaces.named(request.Namespace, cluster); {
	case err != nil:
		return nil, err
	case namespace != nil:
		labels = namespace.Labels
	}
	var denials, warnings []string
	for _, policy := range w.patterns {
		if !policy.GetSpec().HasValidate() {
			continue
		}
		asked, err := w.context(policy, request, labels)
		if err != nil {
			return nil, err
		}
		for _, rule := range w.engine.Validate(ctx, asked).PolicyResponse.Rules {
			text := fmt.Sprintf("[%s/%s] %s", policy.GetName(), rule.Name(), rule.Message())
			switch rule.Status() {
			case engineapi.RuleStatusFail:
				denials = append(denials, text)
			case engineapi.RuleStatusWarn:
				warnings = append(warnings, text)
			case engineapi.RuleStatusError:
				if !hasCEL(policy, rule.Name()) {
					return nil, fmt.Errorf("the rule %s of the policy %s failed: %s", rule.Name(), policy.GetName(), rule.Message())
				}
				// As for the API server, an expression that fails denies the request.
				if ignored := policy.GetSpec().FailurePolicy; ignored != nil && *ignored == kyvernov1.Ignore {
					warnings = append(warnings, text)
				} else {
					denials = append(denials, text)
				}
			}
		}
	}
	response := &admissionv1.AdmissionResponse{Allowed: len(denials) == 0, Warnings: warnings}
	if len(denials) > 0 {
		slices.Sort(denials)
		response.Result = &metav1.Status{Reason: metav1.StatusReasonForbidden, Code: http.StatusForbidden,
			Message: strings.Join(denials, "\n")}
	}
	return response, nil
}

// context returns what the engine knows about a request in a Namespace with labels.
func (w *webhook) context(policy kyvernov1.PolicyInterface, request *admissionv1.AdmissionRequest, labels map[string]string) (
	*policycontext.PolicyContext, error) {
	user := kyvernov2.RequestInfo{AdmissionUserInfo: request.UserInfo, DryRun: request.DryRun != nil && *request.DryRun}
	asked, err := policycontext.NewPolicyContextFromAdmissionRequest(w.jmespath, *request, user,
		schema.GroupVersionKind(request.Kind), w.configuration)
	if err != nil {
		return nil, err
	}
	return asked.WithPolicy(policy).WithNamespaceLabels(labels), nil
}

// readsParameters reports whether rules of a policy in CEL have parameters.
func readsParameters(policy kyvernov1.PolicyInterface) bool {
	return slices.ContainsFunc(policy.GetSpec().Rules, func(rule kyvernov1.Rule) bool {
		return rule.HasValidateCEL() && rule.Validation.CEL.HasParam()
	})
}

// hasCEL reports whether the rule of a policy is in CEL. The rules that Kyverno makes for controllers of Pods
// have a prefix.
func hasCEL(policy kyvernov1.PolicyInterface, name string) bool {
	return slices.ContainsFunc(policy.GetSpec().Rules, func(rule kyvernov1.Rule) bool {
		return rule.HasValidateCEL() && (rule.Name == name || strings.HasSuffix(name, rule.Name))
	})
}

// configMaps resolves the ConfigMaps that the context of a rule names, by namespace/name.
type configMaps map[string]*corev1.ConfigMap

// Get returns a ConfigMap of the files.
func (c configMaps) Get(_ context.Context, namespace, name string) (*corev1.ConfigMap, error) {
	if found := c[namespace+"/"+name]; found != nil {
		return found, nil
	}
	return nil, fmt.Errorf("no file has the ConfigMap %s/%s; name its file, too", namespace, name)
}
