package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
)

// clients is the number of concurrent requests.
const clients = 8

// requests are dry-run creates and updates of ConfigMaps and tickets. Each is sent twice: in a
// namespace that the webhook configuration includes, and in one that it excludes.
type requests struct {
	configMaps, tickets dynamic.NamespaceableResourceInterface
	included, excluded  string
	stored              map[string]*unstructured.Unstructured // by namespace and kind, for updates
}

func newRequests(t *testing.T, configuration *admissionregistrationv1.ValidatingWebhookConfiguration) *requests {
	t.Helper()
	client, err := dynamic.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	r := &requests{
		configMaps: client.Resource(corev1.SchemeGroupVersion.WithResource("configmaps")),
		tickets:    client.Resource(schema.GroupVersionResource{Group: "shadow.example.com", Version: "v1", Resource: "tickets"}),
		included:   namespace(t), excluded: configuration.Webhooks[0].NamespaceSelector.MatchExpressions[0].Values[0],
		stored: map[string]*unstructured.Unstructured{},
	}
	typed, err := kubernetes.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	_, err = typed.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: r.excluded}},
		metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
	for _, namespace := range []string{r.included, r.excluded} {
		for _, object := range []*unstructured.Unstructured{configMap("stored", ""), ticket("stored", 1, "")} {
			stored, err := r.of(object).Namespace(namespace).Create(t.Context(), object, metav1.CreateOptions{})
			if apierrors.IsAlreadyExists(err) {
				stored, err = r.of(object).Namespace(namespace).Get(t.Context(), "stored", metav1.GetOptions{})
			}
			if err != nil {
				t.Fatal(err)
			}
			r.stored[namespace+"/"+object.GetKind()] = stored
		}
	}
	return r
}

func (r *requests) of(object *unstructured.Unstructured) dynamic.NamespaceableResourceInterface {
	if object.GetKind() == "Ticket" {
		return r.tickets
	}
	return r.configMaps
}

func configMap(name, text string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": name}, "data": map[string]any{"text": text},
	}}
}

// one sends the i-th request in a namespace.
func (r *requests) one(ctx context.Context, i int, namespace string) error {
	object := configMap(fmt.Sprint("a", i), strings.Repeat("x", 1000))
	if i%2 == 0 {
		object = ticket(fmt.Sprint("a", i), int64(1+i/4%8), strings.Repeat("x", 1000))
	}
	client := r.of(object).Namespace(namespace)
	if i/2%2 == 0 {
		_, err := client.Create(ctx, object, dryRun)
		return err
	}
	stored := r.stored[namespace+"/"+object.GetKind()]
	object.SetName(stored.GetName())
	object.SetResourceVersion(stored.GetResourceVersion())
	_, err := client.Update(ctx, object, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

// send sends n requests with and without the shadow, alternating, and calls a function before some of them.
// Each must succeed.
func (r *requests) send(t *testing.T, n int, before func(at int)) latencies {
	t.Helper()
	var next atomic.Int64
	var failed atomic.Pointer[error]
	times := latencies{with: make([]time.Duration, n), without: make([]time.Duration, n)}
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				before(i)
				timed := func(namespace string) (time.Duration, error) {
					began := time.Now()
					err := r.one(t.Context(), i, namespace)
					return time.Since(began), err
				}
				var errs [2]error
				if i/4%2 == 0 {
					times.with[i], errs[0] = timed(r.included)
					times.without[i], errs[1] = timed(r.excluded)
				} else {
					times.without[i], errs[1] = timed(r.excluded)
					times.with[i], errs[0] = timed(r.included)
				}
				if err := errors.Join(errs[:]...); err != nil {
					failed.CompareAndSwap(nil, &err)
				}
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		t.Errorf("a request failed: %v", *err)
	}
	return times
}

// latencies are those of the same requests with and without a shadow.
type latencies struct{ with, without []time.Duration }

// String formats quantiles, and the median of the latency that the shadow added.
func (l latencies) String() string {
	added := make([]time.Duration, len(l.with))
	for i := range added {
		added[i] = l.with[i] - l.without[i]
	}
	return fmt.Sprintf("%v in the median (p90 %v, p99 %v) with the shadow and %v (%v, %v) without; it adds %v in the median of the pairs",
		quantile(l.with, 50), quantile(l.with, 90), quantile(l.with, 99), quantile(l.without, 50), quantile(l.without, 90),
		quantile(l.without, 99), quantile(added, 50))
}

func quantile(of []time.Duration, percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[(len(sorted)-1)*percent/100].Round(10 * time.Microsecond)
}
