//go:build !slim

package main

import (
	"context"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/diffrun/diffrun/internal/scaffold"
)

// clusterProject reads the definitions of a cluster, what guards them, and some objects of those that are
// guarded. It only reads.
func clusterProject(ctx context.Context, access scaffold.Access) (*scaffold.Project, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = access.Kubeconfig
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules,
		&clientcmd.ConfigOverrides{CurrentContext: access.Context}).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("--from-cluster: kubeconfig: %w", err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("--from-cluster: kubeconfig: %w", err)
	}
	var all []map[string]any
	list := func(resource schema.GroupVersionResource, kind string, limit int64) error {
		found, err := client.Resource(resource).List(ctx, metav1.ListOptions{Limit: limit})
		if apierrors.IsNotFound(err) {
			return nil // an older cluster has no policies
		}
		if err != nil {
			return fmt.Errorf("--from-cluster: reading %s from %s: %w", resource.GroupResource(), config.Host, err)
		}
		for _, item := range found.Items {
			item.SetAPIVersion(resource.GroupVersion().String())
			item.SetKind(kind)
			all = append(all, item.Object)
		}
		return nil
	}
	admission := schema.GroupVersion{Group: "admissionregistration.k8s.io", Version: "v1"}
	for _, of := range []struct {
		resource schema.GroupVersionResource
		kind     string
	}{
		{apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions"), "CustomResourceDefinition"},
		{admission.WithResource("validatingwebhookconfigurations"), "ValidatingWebhookConfiguration"},
		{admission.WithResource("mutatingwebhookconfigurations"), "MutatingWebhookConfiguration"},
		{admission.WithResource("validatingadmissionpolicies"), "ValidatingAdmissionPolicy"},
		{admission.WithResource("validatingadmissionpolicybindings"), "ValidatingAdmissionPolicyBinding"},
	} {
		if err := list(of.resource, of.kind, 0); err != nil {
			return nil, err
		}
	}
	for _, crd := range scaffold.FromObjects(all, access).GuardedDefinitions() {
		for _, version := range crd.Spec.Versions {
			if !version.Storage || !version.Served {
				continue
			}
			resource := schema.GroupVersionResource{Group: crd.Spec.Group, Version: version.Name, Resource: crd.Spec.Names.Plural}
			if err := list(resource, crd.Spec.Names.Kind, scaffold.MaxSamples); err != nil {
				return nil, err
			}
		}
	}
	return scaffold.FromObjects(all, access), nil
}
