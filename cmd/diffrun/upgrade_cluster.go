//go:build !slim

package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/pager"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/upgrading"
)

// readCluster reads the objects of all kinds of Kubernetes that a cluster serves, each kind in the version that the
// cluster prefers. It only reads.
func readCluster(ctx context.Context, access upgrading.Access,
	take func(upgrading.Resource, map[string]any) error) (upgrading.Read, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = access.Kubeconfig
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules,
		&clientcmd.ConfigOverrides{CurrentContext: access.Context}).ClientConfig()
	if err != nil {
		return upgrading.Read{}, fmt.Errorf("%s: kubeconfig: %w", access.Flags(), err)
	}
	config.QPS, config.Burst, config.WarningHandler = 50, 100, rest.NoWarnings{} // deprecated versions are in the report
	found, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return upgrading.Read{}, fmt.Errorf("%s: kubeconfig: %w", access.Flags(), err)
	}
	version, err := found.ServerVersion()
	if err != nil {
		return upgrading.Read{}, fmt.Errorf("--cluster: the version of %s: %w", config.Host, err)
	}
	read := upgrading.Read{Release: version.GitVersion}
	lists, err := found.ServerPreferredResources()
	if lists == nil && err != nil {
		return upgrading.Read{}, fmt.Errorf("--cluster: the kinds of %s: %w", config.Host, err)
	} else if err != nil { // a group of an aggregated API server that is down
		read.NotRead = append(read.NotRead, fmt.Sprintf("some kinds: %v", err))
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return upgrading.Read{}, err
	}
	resources, others := readable(lists)
	if len(others) > 0 {
		read.NotRead = append(read.NotRead,
			"definitions, custom resources and the resources of other API servers, which are not compared: "+strings.Join(others, ", "))
	}
	for _, resource := range resources {
		if resource.Resource == "events" {
			read.NotRead = append(read.NotRead, resource.String()+": they live for an hour")
			continue
		}
		err := eachObject(ctx, client, resource, take)
		switch {
		case apierrors.IsForbidden(err), apierrors.IsNotFound(err), apierrors.IsMethodNotSupported(err),
			apierrors.IsServiceUnavailable(err):
			read.NotRead = append(read.NotRead, fmt.Sprintf("%s: %v", resource, err))
		case err != nil:
			return upgrading.Read{}, fmt.Errorf("--cluster: reading %s from %s: %w", resource, config.Host, err)
		}
	}
	return read, nil
}

// readable returns the kinds of Kubernetes whose objects can be listed and written, and the groups of other kinds.
func readable(lists []*metav1.APIResourceList) (resources []upgrading.Resource, others []string) {
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue
		}
		if !scheme.Scheme.IsGroupRegistered(version.Group) {
			others = append(others, version.Group)
			continue
		}
		for _, one := range list.APIResources {
			verbs := sets.New(one.Verbs...)
			if !strings.Contains(one.Name, "/") && verbs.Has("list") && verbs.HasAny("create", "update") {
				resources = append(resources, upgrading.Resource{GroupVersionResource: version.WithResource(one.Name), Kind: one.Kind})
			}
		}
	}
	slices.SortFunc(resources, func(a, b upgrading.Resource) int {
		return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Resource, b.Resource))
	})
	slices.Sort(others)
	return resources, slices.Compact(others)
}

// eachObject lists the objects of a kind, page by page.
func eachObject(ctx context.Context, client dynamic.Interface, resource upgrading.Resource,
	take func(upgrading.Resource, map[string]any) error) error {
	pages := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return client.Resource(resource.GroupVersionResource).List(ctx, options)
	})
	return pages.EachListItem(ctx, metav1.ListOptions{}, func(object runtime.Object) error {
		item := object.(*unstructured.Unstructured) // the dynamic client returns no other
		item.SetAPIVersion(resource.GroupVersion().String())
		item.SetKind(resource.Kind)
		item.SetManagedFields(nil)
		return take(resource, item.Object)
	})
}
