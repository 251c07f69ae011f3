package cases_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/diffrun/diffrun/cases"
)

const gatewayDefinition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gateways.example.com}
spec:
  group: example.com
  names: {kind: Gateway, plural: gateways, singular: gateway, listKind: GatewayList}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}
`

const gatewayOpenAPI = `{"openapi": "3.0.0", "components": {"schemas": {"Gateway": {"type": "object"}}}}`

// A webhook gets the resource name that the API server would send: the plural of the definition, not a guess
// (the guess for Gateway is "gatewaies").
func TestAskedResource(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			t.Error(err)
			return
		}
		asked := review.Request
		said := "resource: Forbidden: " + asked.Resource.Group + "/" + asked.Resource.Version + "/" + asked.Resource.Resource + " " +
			asked.RequestResource.Resource
		review.Response = &admissionv1.AdmissionResponse{UID: asked.UID, Result: &metav1.Status{Message: said}}
		if err := json.NewEncoder(w).Encode(review); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	for _, tc := range []struct{ why, declarative, want string }{
		{"the plural of the definition", "{crd: crd.yaml}", "example.com/v1/gateways gateways"},
		{"the suite names it", "{openapi: {file: openapi.json, definition: Gateway, kind: example.com/v1 Gateway, resource: " +
			"gateways}}", "example.com/v1/gateways gateways"},
		{"it is not named, so it is guessed", "{openapi: {file: openapi.json, definition: Gateway, kind: example.com/v1 Widget}}",
			"example.com/v1/widgets widgets"},
	} {
		t.Run(tc.why, func(t *testing.T) {
			dir := t.TempDir()
			kind := "Gateway"
			if tc.want == "example.com/v1/widgets widgets" {
				kind = "Widget"
			}
			for name, content := range map[string]string{
				"suite.yaml": "name: w\nnative: {webhook: {url: '" + server.URL + "'}}\ndeclarative: " + tc.declarative +
					"\ncases: [cases.yaml]\n",
				"cases.yaml": "cases: [{name: a, object: {apiVersion: example.com/v1, kind: " + kind +
					", metadata: {name: a, namespace: b}}}]\n",
				"crd.yaml":     gatewayDefinition,
				"openapi.json": gatewayOpenAPI,
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			plan, err := cases.Load([]cases.Location{{Files: &cases.Files{FS: disk{}, OnDisk: true}, Name: dir + "/suite.yaml"}}, options())
			if err != nil {
				t.Fatal(err)
			}
			defer plan.Close()
			said := checked(t, plan.Suites[0], nativeText)
			if diff := cmp.Diff([]string{"resource: Forbidden: " + tc.want}, said); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
