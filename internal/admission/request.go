package admission

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// DefaultUser returns a cluster administrator, whom no validator should treat specially.
func DefaultUser() authenticationv1.UserInfo {
	return authenticationv1.UserInfo{Username: "diffrun", Groups: []string{"system:masters", "system:authenticated"}}
}

// UserOf returns the user of a request: that of its case, or DefaultUser.
func UserOf(request harness.Request) authenticationv1.UserInfo {
	if request.User == nil {
		return DefaultUser()
	}
	return authenticationv1.UserInfo{Username: request.User.Name, Groups: request.User.Groups}
}

// Request is an AdmissionReview for a validator.
type Request struct {
	// UID comes back in the response. It depends only on the content of the request.
	UID types.UID
	// Body is the AdmissionReview as JSON on one line, without a newline.
	Body []byte
}

// NewRequest returns the request that the API server would send for an input (k8s.io/apiserver,
// pkg/admission/plugin/webhook/request), as a dry run. It fails if the objects cannot be written as
// JSON.
func NewRequest(in *harness.Input) (Request, error) {
	asked, err := newAdmissionRequest(in)
	if err != nil {
		return Request{}, err
	}
	unnamed, err := json.Marshal(asked)
	if err != nil {
		return Request{}, fmt.Errorf("writing an AdmissionReview: %w", err)
	}
	sent := review{AdmissionReview: admissionv1.AdmissionReview{TypeMeta: reviewType(), Request: asked}, Cluster: in.Cluster}
	if len(in.Cluster) > 0 {
		cluster, err := json.Marshal(in.Cluster)
		if err != nil {
			return Request{}, fmt.Errorf("writing the objects in the cluster: %w", err)
		}
		unnamed = append(unnamed, cluster...)
	}
	asked.UID = uidOf(unnamed)
	body, err := json.Marshal(sent)
	if err != nil {
		return Request{}, fmt.Errorf("writing an AdmissionReview: %w", err)
	}
	return Request{UID: asked.UID, Body: body}, nil
}

// review is an AdmissionReview with a key that the API server does not send: the objects that the case
// says are in the cluster. Decoders of Kubernetes ignore unknown keys.
type review struct {
	admissionv1.AdmissionReview
	Cluster []map[string]any `json:"cluster,omitempty"`
}

func reviewType() metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "AdmissionReview"}
}

// uidOf derives a UUID from the content of a request, so that the same input yields the same bytes
// on every run.
func uidOf(content []byte) types.UID {
	sum := sha256.Sum256(content)
	return types.UID(fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16]))
}

func newAdmissionRequest(in *harness.Input) (*admissionv1.AdmissionRequest, error) {
	object, old, err := contract.Read(in, func(view *contract.View) (map[string]any, error) { return Document(view, in.Version) })
	if err != nil {
		return nil, err
	}
	about := object
	if object == nil { // a delete
		about = old
	}
	kind := metav1.GroupVersionKind(in.Version)
	resource := metav1.GroupVersionResource(resourceOf(in.Request))
	requestKind, requestResource := kind, resource
	if in.Requested != nil {
		requestKind = metav1.GroupVersionKind(in.Requested.Version)
		requestResource = metav1.GroupVersionResource(resourceOf(*in.Requested))
	}
	dryRun := in.Operation != admissionv1.Connect // that has none
	asked := &admissionv1.AdmissionRequest{
		Kind:               kind,
		Resource:           resource,
		SubResource:        in.Subresource,
		RequestKind:        &requestKind,
		RequestResource:    &requestResource,
		RequestSubResource: in.Subresource,
		Name:               cmp.Or(text(about, "metadata", "name"), in.Name),
		Namespace:          cmp.Or(text(about, "metadata", "namespace"), in.Namespace),
		Operation:          admissionv1.Operation(in.Operation),
		UserInfo:           UserOf(in.Request),
		DryRun:             &dryRun,
	}
	if in.Version.GroupKind() == (schema.GroupKind{Kind: "Namespace"}) {
		asked.Namespace = asked.Name // as in the API server's handlers
	}
	order := newKeyOrder(in.Order)
	if object != nil {
		if asked.Object.Raw, err = order.marshal(object); err != nil {
			return nil, fmt.Errorf("writing the object: %w", err)
		}
	}
	if old != nil {
		if asked.OldObject.Raw, err = order.marshal(old); err != nil {
			return nil, fmt.Errorf("writing the old object: %w", err)
		}
	}
	asked.Options, err = operationOptions(in.Operation)
	return asked, err
}

// resourceOf returns the resource of a request. If the request names none, it is the lower-case
// plural of the kind.
func resourceOf(request harness.Request) schema.GroupVersionResource {
	if !request.Resource.Empty() {
		return request.Resource
	}
	plural, _ := meta.UnsafeGuessKindToResource(request.Version)
	return plural
}

// operationOptions returns the options of a client that asks for a dry run. A CONNECT has none: its
// options are the object.
func operationOptions(operation admissionv1.Operation) (runtime.RawExtension, error) {
	if operation == admissionv1.Connect {
		return runtime.RawExtension{}, nil
	}
	kind := map[admissionv1.Operation]string{
		admissionv1.Create: "CreateOptions",
		admissionv1.Update: "UpdateOptions",
		admissionv1.Delete: "DeleteOptions",
	}[operation]
	data, err := json.Marshal(map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": kind, "dryRun": []string{metav1.DryRunAll}})
	return runtime.RawExtension{Raw: data}, err
}

// Document returns an object with its apiVersion and kind, which typed objects often lack. The view
// is not changed.
func Document(view *contract.View, version schema.GroupVersionKind) (map[string]any, error) {
	shared, err := view.Unstructured()
	if err != nil {
		return nil, err
	}
	object := maps.Clone(shared)
	if object == nil {
		object = map[string]any{}
	}
	if text(object, "apiVersion") == "" {
		object["apiVersion"] = version.GroupVersion().String()
	}
	if text(object, "kind") == "" {
		object["kind"] = version.Kind
	}
	return object, nil
}

// text returns the string at a path, or "".
func text(object map[string]any, path ...string) string {
	for _, name := range path[:len(path)-1] {
		object, _ = object[name].(map[string]any)
	}
	s, _ := object[path[len(path)-1]].(string)
	return s
}
