//go:build ignore

package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/kyverno/kyverno/pkg/admissionpolicy"
	engineapi "github.com/kyverno/kyverno/pkg/engine/api"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// writePolicies writes the policies that Kyverno generates, with bindings that deny. The error names the
// policies that Kyverno does not translate.
func writePolicies(out io.Writer, read content) error {
	var mistakes []error
	var objects []runtime.Object
	for _, policy := range read.patterns {
		if can, why := admissionpolicy.CanGenerateVAP(policy.GetSpec(), nil, true); !can {
			mistakes = append(mistakes, fmt.Errorf("%s %q: %s", policy.GetKind(), policy.GetName(), why))
			continue
		}
		made, err := generated("cpol-"+policy.GetName(), engineapi.NewKyvernoPolicy(policy), read)
		objects, mistakes = append(objects, made...), append(mistakes, err)
	}
	for _, policy := range read.validating {
		made, err := generated("vpol-"+policy.GetName(), engineapi.NewValidatingPolicy(policy), read)
		objects, mistakes = append(objects, made...), append(mistakes, err)
	}
	if err := errors.Join(mistakes...); err != nil {
		return err
	}
	for _, object := range objects {
		document, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
		if err != nil {
			return err
		}
		delete(document, "status")
		for _, key := range []string{"creationTimestamp", "ownerReferences"} {
			unstructured.RemoveNestedField(document, "metadata", key)
		}
		text, err := yaml.Marshal(document)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "---\n%s", text); err != nil {
			return err
		}
	}
	return nil
}

// generated returns the policy that Kyverno generates, and its binding.
func generated(name string, policy engineapi.GenericPolicy, read content) ([]runtime.Object, error) {
	kind := func(kind string) metav1.TypeMeta {
		return metav1.TypeMeta{APIVersion: admissionregistrationv1.SchemeGroupVersion.String(), Kind: kind}
	}
	made := &admissionregistrationv1.ValidatingAdmissionPolicy{
		TypeMeta:   kind("ValidatingAdmissionPolicy"),
		ObjectMeta: metav1.ObjectMeta{Name: name},
	}
	if err := admissionpolicy.BuildValidatingAdmissionPolicy(newDiscovery(read.definitions), made, policy, nil); err != nil {
		return nil, fmt.Errorf("%s %q: %w", policy.GetKind(), policy.GetName(), err)
	}
	binding := &admissionregistrationv1.ValidatingAdmissionPolicyBinding{
		TypeMeta:   kind("ValidatingAdmissionPolicyBinding"),
		ObjectMeta: metav1.ObjectMeta{Name: name + "-binding"},
	}
	if err := admissionpolicy.BuildValidatingAdmissionPolicyBinding(binding, policy); err != nil {
		return nil, fmt.Errorf("%s %q: %w", policy.GetKind(), policy.GetName(), err)
	}
	binding.Spec.ValidationActions = []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny}
	return []runtime.Object{made, binding}, nil
}
