package registry

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/core"

	"github.com/diffrun/diffrun/backends/native/release/program"
	"github.com/diffrun/diffrun/internal/objectmeta"
)

// prepare prepares the object as rest.BeforeCreate and rest.BeforeUpdate of k8s.io/apiserver do, and the storage
// before them: it resets the status and fields of disabled features, and fills in generation and selectors.
func (r *servedRequest) prepare(ctx context.Context) {
	r.sent = r.object.DeepCopyObject()
	if r.of.ofSubresource != nil {
		r.of.ofSubresource.prepare(r.object)
	}
	s := r.strategy
	if r.old != nil {
		objectmeta.PrepareUpdate(accessor(r.object), accessor(r.old), s.NamespaceScoped(), s.AllowUnconditionalUpdate(ctx))
		if r.request.Subresource == "" {
			program.Allocate(r.object, r.old)
		}
		s.PrepareForUpdate(ctx, r.object, r.old)
		return
	}
	if r.of.stored() {
		objectmeta.PrepareCreate(accessor(r.object), s.NamespaceScoped())
		objectmeta.GenerateName(accessor(r.object))
		program.Allocate(r.object, nil)
	}
	s.PrepareForCreate(ctx, r.object)
}

// resetIn returns the fields of a version that the request's strategy reset, such as status outside
// its subresource and fields of disabled features.
func (r *servedRequest) resetIn(version schema.GroupVersionKind) []string {
	if sameBesideMetadata(r.sent, r.object) {
		return nil
	}
	sent, err := documentOf(r.sent, version)
	if err != nil {
		return nil // the version cannot express the case; the result says so
	}
	seen, err := documentOf(r.object, version)
	if err != nil {
		return nil
	}
	delete(sent, "metadata") // the server's own metadata is not a loss of the case
	return changed(sent, seen, "")
}

// sameBesideMetadata reports whether two objects differ at most in their metadata.
func sameBesideMetadata(a, b runtime.Object) bool {
	x, y := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	if x.Type() != y.Type() {
		return false
	}
	for i := range x.NumField() {
		if x.Type().Field(i).Name != "ObjectMeta" && !reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			return false
		}
	}
	return true
}

// documentOf returns an object of the hub type as a document of a version; nil for nil.
func documentOf(hub runtime.Object, version schema.GroupVersionKind) (map[string]any, error) {
	if hub == nil {
		return nil, nil
	}
	versioned, err := toVersion(hub, version)
	if err != nil {
		return nil, err
	}
	return runtime.DefaultUnstructuredConverter.ToUnstructured(versioned)
}

// changed returns the paths that were sent and that validation sees changed, sorted.
func changed(sent, seen map[string]any, at string) []string {
	var paths []string
	for _, key := range slices.Sorted(maps.Keys(sent)) {
		path := key
		if at != "" {
			path = at + "." + key
		}
		before, wasObject := sent[key].(map[string]any)
		after, isObject := seen[key].(map[string]any)
		switch {
		case reflect.DeepEqual(sent[key], seen[key]):
		case wasObject && isObject:
			paths = append(paths, changed(before, after, path)...)
		default:
			paths = append(paths, path)
		}
	}
	return paths
}

// fillStored fills in what an old object got when it was created.
func fillStored(old runtime.Object, namespaced bool) {
	objectmeta.Store(accessor(old), namespaced)
	if pod, isPod := old.(*core.Pod); isPod {
		podutil.DefaultPodLevelResources(pod)
	}
}
