package casecluster

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Cluster answers requests for objects, and SubjectAccessReviews, in place of an API server. It has the old object of a
// review and the objects in the key "cluster" beside it. It serves one review at a time.
type Cluster struct {
	Mapper meta.RESTMapper

	mu      sync.Mutex
	objects []map[string]any
	refused error // the first request of the current review that cannot be answered
	asked   []AccessReview
}

// clusterScoped are the kinds of Kubernetes without a namespace that webhooks read.
var clusterScoped = " Namespace Node PersistentVolume StorageClass PriorityClass ClusterRole ClusterRoleBinding " +
	"IngressClass RuntimeClass CustomResourceDefinition CSIDriver CSINode VolumeAttachment APIService DeviceClass " +
	"ResourceSlice SubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SelfSubjectReview TokenReview "

// NewMapper returns the resources of the kinds in a scheme. cluster are further kinds without a
// namespace.
func NewMapper(scheme *runtime.Scheme, cluster ...string) meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper(scheme.PrioritizedVersionsAllGroups())
	for kind := range scheme.AllKnownTypes() {
		scope := meta.RESTScope(meta.RESTScopeNamespace)
		if strings.Contains(clusterScoped+strings.Join(cluster, " ")+" ", " "+kind.Kind+" ") {
			scope = meta.RESTScopeRoot
		}
		mapper.Add(kind, scope)
	}
	return mapper
}

// Review takes the objects of the next AdmissionReview.
func (c *Cluster) Review(review []byte) error {
	var sent struct {
		Request struct{ OldObject json.RawMessage }
		Cluster []map[string]any
	}
	if err := json.Unmarshal(review, &sent); err != nil {
		return err
	}
	return c.Set(sent.Request.OldObject, sent.Cluster)
}

// Set takes the objects for the next review. old is JSON, and may be empty or null.
func (c *Cluster) Set(old []byte, others []map[string]any) error {
	var object map[string]any
	if len(old) > 0 {
		if err := json.Unmarshal(old, &object); err != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.objects, c.refused, c.asked = append([]map[string]any(nil), others...), nil, nil
	if object != nil {
		c.objects = append(c.objects, object)
	}
	return nil
}

// Refused returns the first request of the current review that cannot be answered; nil: there is none.
func (c *Cluster) Refused() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refused
}

// RoundTrip answers a request for an object or a list, or a question about the rights of a user. It refuses all others.
func (c *Cluster) RoundTrip(request *http.Request) (*http.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	code, answer := c.answer(request)
	if code == http.StatusNotImplemented && c.refused == nil {
		c.refused = fmt.Errorf("the webhook asks the cluster for %s %s: %s", request.Method, request.URL.RequestURI(), answer["message"])
	}
	body, err := json.Marshal(answer)
	return answered(request, code, body), err
}

func (c *Cluster) answer(request *http.Request) (int, map[string]any) {
	wanted, ok := parsePath(request.URL.Path)
	if ok && request.Method == http.MethodPost && wanted.resource.Group == "authorization.k8s.io" {
		return c.review(request, wanted)
	}
	if !ok || request.Method != http.MethodGet || request.URL.Query().Get("watch") != "" {
		return failure(http.StatusNotImplemented, "only objects can be read")
	}
	kind, err := c.Mapper.KindFor(wanted.resource)
	if err != nil {
		return failure(http.StatusNotImplemented, err.Error())
	}
	selected, err := selector(request)
	if err != nil {
		return failure(http.StatusNotImplemented, err.Error())
	}
	found := []map[string]any{}
	for _, object := range c.objects {
		version, _ := schema.ParseGroupVersion(text(object, "apiVersion"))
		metadata, _ := object["metadata"].(map[string]any)
		if version.Group != kind.Group || text(object, "kind") != kind.Kind || wanted.namespace != "" &&
			wanted.namespace != text(metadata, "namespace") || wanted.name != "" && wanted.name != text(metadata, "name") ||
			!selected(metadata) {
			continue
		}
		if version.Version != kind.Version {
			return failure(http.StatusNotImplemented, fmt.Sprintf("the case has this object as %s, and it is not converted to %s",
				version, kind.GroupVersion()))
		}
		found = append(found, object)
	}
	switch {
	case wanted.name == "":
		return http.StatusOK, map[string]any{
			"apiVersion": kind.GroupVersion().String(),
			"kind":       kind.Kind + "List",
			"metadata":   map[string]any{"resourceVersion": "1"},
			"items":      found,
		}
	case len(found) == 0:
		code, answer := failure(http.StatusNotFound, fmt.Sprintf("%s %q not found", wanted.resource.GroupResource(), wanted.name))
		answer["reason"], answer["details"] = "NotFound", map[string]any{
			"name":  wanted.name,
			"group": kind.Group,
			"kind":  wanted.resource.Resource,
		}
		return code, answer
	}
	return http.StatusOK, found[0]
}

func answered(request *http.Request, code int, body []byte) *http.Response {
	return &http.Response{
		StatusCode: code, Status: http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: request,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
	}
}

type wanted struct {
	resource        schema.GroupVersionResource
	namespace, name string
}

// parsePath reads /api/VERSION/… or /apis/GROUP/VERSION/….
func parsePath(path string) (w wanted, ok bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if parts[0] == "api" {
		parts = append([]string{"apis", ""}, parts[1:]...)
	}
	if len(parts) < 4 || parts[0] != "apis" {
		return w, false
	}
	version := schema.GroupVersion{Group: parts[1], Version: parts[2]}
	parts = parts[3:]
	if len(parts) > 2 && parts[0] == "namespaces" {
		w.namespace, parts = parts[1], parts[2:]
	}
	if len(parts) > 1 {
		w.name = parts[1]
	}
	w.resource = version.WithResource(parts[0])
	return w, len(parts) < 3
}

// selector returns the selectors of a request for a list, as a function of the metadata.
func selector(request *http.Request) (func(metadata map[string]any) bool, error) {
	query := request.URL.Query()
	byLabel, err := labels.Parse(query.Get("labelSelector"))
	if err != nil {
		return nil, err
	}
	byField, err := fields.ParseSelector(query.Get("fieldSelector"))
	if err != nil {
		return nil, err
	}
	for _, requirement := range byField.Requirements() {
		if requirement.Field != "metadata.name" && requirement.Field != "metadata.namespace" {
			return nil, fmt.Errorf("objects cannot be selected by the field %s", requirement.Field)
		}
	}
	return func(metadata map[string]any) bool {
		set := labels.Set{}
		all, _ := metadata["labels"].(map[string]any)
		for key, value := range all {
			set[key], _ = value.(string)
		}
		return byLabel.Matches(set) &&
			byField.Matches(fields.Set{"metadata.name": text(metadata, "name"), "metadata.namespace": text(metadata, "namespace")})
	}, nil
}

func text(object map[string]any, key string) string {
	value, _ := object[key].(string)
	return value
}

func failure(code int, message string) (int, map[string]any) {
	return code, map[string]any{
		"kind":       "Status",
		"apiVersion": "v1",
		"metadata":   map[string]any{},
		"status":     "Failure",
		"code":       code,
		"message":    message,
	}
}
