package e2e_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/testing/served"
	"github.com/diffrun/diffrun/internal/text/oneline"
)

// typeChecking is the directory with the definition and the policies of TestTypeChecking.
const typeChecking = "testdata/typechecking"

// TestTypeChecking compares the warnings of a suite with policies with those that the API server writes into
// status.typeChecking of the same policies.
func TestTypeChecking(t *testing.T) {
	define(t, served.Definition(t, filepath.Join(typeChecking, "crd.yaml")))
	client, err := kubernetes.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	untilPublished(t, client, "types.example.com/v1", "types.example.com/v1beta1")
	controllers, err := plane.StartControllers(t.TempDir(), "validatingadmissionpolicy-status-controller")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(controllers.Stop)
	var server []string
	for _, document := range documents(t, filepath.Join(typeChecking, "policies.yaml")) {
		policy := &admissionregistrationv1.ValidatingAdmissionPolicy{}
		if err := yaml.Unmarshal(document, policy); err != nil {
			t.Fatal(err)
		}
		if policy.Kind == "ValidatingAdmissionPolicy" {
			server = append(server, typeWarnings(t, client, policy)...)
		}
	}
	slices.Sort(server)
	golden := filepath.Join(typeChecking, "warnings.golden")
	if *update {
		write(t, golden, strings.Join(server, "\n")+"\n")
	}
	recorded, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(recorded), strings.Join(server, "\n")+"\n"); diff != "" {
		t.Errorf("-golden +API server:\n%s", diff)
	}
	if diff := cmp.Diff(server, suiteWarnings(t)); diff != "" {
		t.Errorf("-API server +diffrun:\n%s", diff)
	}
}

// untilPublished waits until the API server publishes the schemas of group versions: a policy is checked only
// once.
func untilPublished(t *testing.T, client kubernetes.Interface, versions ...string) {
	t.Helper()
	for _, version := range versions {
		err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
			text, err := client.Discovery().RESTClient().Get().AbsPath("/openapi/v3/apis/" + version).DoRaw(ctx)
			return err == nil && strings.Contains(string(text), "Parcel"), nil
		})
		if err != nil {
			t.Fatalf("the schemas of %s are not published: %v", version, err)
		}
	}
}

// typeWarnings stores a policy and returns the warnings about its types: the place and the first line of
// each.
func typeWarnings(t *testing.T, client kubernetes.Interface,
	policy *admissionregistrationv1.ValidatingAdmissionPolicy) (warnings []string) {
	t.Helper()
	policies := client.AdmissionregistrationV1().ValidatingAdmissionPolicies()
	if _, err := policies.Create(t.Context(), policy, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = policies.Delete(context.Background(), policy.Name, metav1.DeleteOptions{}) })
	var checked *admissionregistrationv1.ValidatingAdmissionPolicy
	err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true,
		func(ctx context.Context) (done bool, err error) {
			checked, err = policies.Get(ctx, policy.Name, metav1.GetOptions{})
			return err == nil && checked.Status.ObservedGeneration == checked.Generation, err
		})
	if err != nil {
		t.Fatalf("the types of %s are not checked: %v", policy.Name, err)
	}
	if checked.Status.TypeChecking == nil {
		return nil
	}
	for _, warning := range checked.Status.TypeChecking.ExpressionWarnings {
		first, _, _ := strings.Cut(strings.TrimSpace(warning.Warning), "\n\n")
		if _, said, found := strings.Cut(first, ": ERROR: "); found {
			first = "ERROR: " + said
		}
		warnings = append(warnings, warning.FieldRef+": "+oneline.Text(first))
	}
	return warnings
}

// typeWarning matches a line of diffrun's stderr.
var typeWarning = regexp.MustCompile(`(?m)^diffrun: warning: \S+policies\.yaml:\d+: (.*); the API server only reports ` +
	`this in status\.typeChecking`)

// suiteWarnings returns the warnings of the suite in the form of typeWarnings.
func suiteWarnings(t *testing.T) (warnings []string) {
	t.Helper()
	suite, err := filepath.Abs(typeChecking)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range typeWarning.FindAllStringSubmatch(diffrun(t, t.TempDir(), suite).stderr, -1) {
		warnings = append(warnings, found[1])
	}
	slices.Sort(warnings)
	return warnings
}
