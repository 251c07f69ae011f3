package registry

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/core"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/objectmeta"
	"github.com/diffrun/diffrun/internal/stages"
)

// prepared is an object of the hub type as validation sees it, and as it was
// sent.
type prepared struct{ hub, sent runtime.Object }

// omitted returns the fields of a version that the request's strategy reset; none for a typed object.
func (s *kindScheme) omitted(object any, version schema.GroupVersionKind) []contract.Omission {
	p, ok := object.(prepared)
	if !ok {
		return nil
	}
	return stages.Omissions(nil, p.reset(version))
}

// reset returns the fields of a version that the request's strategy reset, such as status outside
// its subresource and fields of disabled features.
func (p prepared) reset(version schema.GroupVersionKind) []string {
	if sameBesideMetadata(p.sent, p.hub) {
		return nil
	}
	sent, err := documentOf(p.sent, version)
	if err != nil {
		return nil // the version cannot express the case; the result says so
	}
	seen, err := documentOf(p.hub, version)
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

func documentOf(hub runtime.Object, version schema.GroupVersionKind) (map[string]any, error) {
	versioned, err := legacyscheme.Scheme.New(version)
	if err != nil {
		return nil, err
	}
	if err := legacyscheme.Scheme.Convert(hub.DeepCopyObject(), versioned, nil); err != nil {
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

// prepareCreate prepares a new object as rest.BeforeCreate of k8s.io/apiserver does, and the storage before it.
func (k kind) prepareCreate(ctx context.Context, s strategy, object runtime.Object) {
	if k.stored() {
		objectmeta.PrepareCreate(accessor(object), s.NamespaceScoped())
		objectmeta.GenerateName(accessor(object))
		allocate(object, nil)
	}
	s.PrepareForCreate(ctx, object)
}

// prepareUpdate prepares the object of an update as rest.BeforeUpdate of k8s.io/apiserver does, and the storage
// before it.
func prepareUpdate(ctx context.Context, s strategy, subresource string, object, old runtime.Object) {
	objectmeta.PrepareUpdate(accessor(object), accessor(old), s.NamespaceScoped(), s.AllowUnconditionalUpdate(ctx))
	if subresource == "" {
		allocate(object, old)
	}
	s.PrepareForUpdate(ctx, object, old)
}

// fillStored fills in what an old object got when it was created.
func fillStored(old runtime.Object, namespaced bool) {
	objectmeta.Store(accessor(old), namespaced)
	if pod, isPod := old.(*core.Pod); isPod {
		podutil.DefaultPodLevelResources(pod)
	}
}
