package evaluation_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/policies/evaluation"
	"github.com/diffrun/diffrun/backends/serving"
)

// row is a request and the expected results of the policies of a file.
type row struct {
	why     string
	file    string // in testdata
	request evaluation.Request
	// want are the errors, one per line: type and detail.
	want     []string
	warnings []string
	// answer is the status message of the API server.
	answer string
	// fault is the prefix of the error.
	fault string
}

func rows() []row {
	return []row{
		{why: "below the limit", file: "replicas.yaml", request: create("apps/v1", "Deployment", "staging", "{spec: {replicas: 3}}")},
		{why: "above the limit: the message is made by an expression", file: "replicas.yaml",
			request: create("apps/v1", "Deployment", "staging", "{spec: {replicas: 4}}"),
			want:    []string{"FieldValueForbidden: replicas must be no more than 3"},
			answer: `deployments.apps "thing" is forbidden: ValidatingAdmissionPolicy 'replica-limit' with binding ` +
				`'replica-limit-test' denied request: replicas must be no more than 3`},
		{why: "a different validation of the policy, with the usual reason", file: "replicas.yaml",
			request: create("apps/v1", "Deployment", "staging", "{spec: {replicas: -1}}"),
			want:    []string{"FieldValueInvalid: replicas must not be negative"},
			answer: `deployments.apps "thing" is forbidden: ValidatingAdmissionPolicy 'replica-limit' with binding ` +
				`'replica-limit-test' denied request: replicas must not be negative`},
		{why: "a match condition exempts the object", file: "replicas.yaml", request: create("apps/v1", "Deployment",
			"staging", "{metadata: {labels: {exempt: 'true'}}, spec: {replicas: 4}}")},
		{why: "the namespace has no parameter with the name, so the request is denied", file: "replicas.yaml",
			request: create("apps/v1", "Deployment", "empty", "{spec: {replicas: 1}}"),
			want: []string{"FieldValueInvalid: failed to configure binding: no params found for policy binding with `Deny` " +
				"parameterNotFoundAction"},
			answer: "deployments.apps \"thing\" is forbidden: ValidatingAdmissionPolicy 'replica-limit' with binding " +
				"'replica-limit-test' denied request: failed to configure binding: no params found for policy binding with `Deny` " +
				"parameterNotFoundAction"},
		{why: "two parameters are selected, and one of them causes a warning", file: "replicas.yaml",
			request: create("apps/v1", "Deployment", "shop", "{spec: {replicas: 60}}"),
			warnings: []string{
				"Validation failed for ValidatingAdmissionPolicy 'replica-limit' with binding 'replica-limit-production': " +
					"replicas must be no more than 50",
			}},
		{why: "no binding selects the namespace", file: "replicas.yaml", request: create("apps/v1", "Deployment", "dev",
			"{spec: {replicas: 60}}")},
		{why: "a namespace that the bindings look at is not in the file", file: "replicas.yaml",
			request: create("apps/v1", "Deployment", "lost", "{spec: {replicas: 60}}"),
			fault: `ValidatingAdmissionPolicy "replica-limit" with binding "replica-limit-production" looks at the namespace ` +
				`"lost", which is neither among the files`},
		{why: "a different resource in that namespace matches nothing", file: "replicas.yaml",
			request: create("apps/v1", "StatefulSet", "lost", "{spec: {replicas: 60}}")},

		{why: "all images are trusted", file: "images.yaml",
			request: create("v1", "Pod", "a", "{spec: {containers: [{image: registry.k8s.io/a:1}]}}")},
		{why: "two denials of one policy", file: "images.yaml",
			request: create("v1", "Pod", "a", "{spec: {containers: [{image: registry.k8s.io/a:1}], initContainers: [{image: "+
				"'b:latest'}]}}"),
			want: []string{"FieldValueInvalid: untrusted images: b:latest", "FieldValueForbidden: the tag latest is not allowed"},
			answer: `pods "thing" is forbidden: ValidatingAdmissionPolicy 'trusted-images' with binding 'trusted-images' denied ` +
				`request: untrusted images: b:latest`},
		{why: "the name is excluded", file: "images.yaml",
			request: named("break-glass", create("v1", "Pod", "a", "{spec: {containers: [{image: b}]}}"))},
		{why: "the label excludes it", file: "images.yaml",
			request: create("v1", "Pod", "a", "{metadata: {labels: {images: unchecked}}, spec: {containers: [{image: b}]}}")},
		{why: "an expression that cannot be evaluated denies, as the failure policy is Fail", file: "images.yaml",
			request: create("v1", "Pod", "a", "{spec: {}}"),
			want: []string{`FieldValueInvalid: the expression failed: expression 'variables.containers.all(c, ` +
				`variables.registries.exists(r, c.image.startsWith(r + '/')))' resulted in error: composited variable "containers" ` +
				`fails to evaluate: no such key: containers`,
				`FieldValueInvalid: the expression failed: expression 'variables.containers.all(c, !c.image.endsWith(':latest'))' ` +
					`resulted in error: composited variable "containers" fails to evaluate: no such key: containers`,
				`FieldValueInvalid: the expression failed: expression 'variables.containers.map(c, c.image).join(' ')' resulted in ` +
					`error: composited variable "containers" fails to evaluate: no such key: containers`},
			answer: `pods "thing" is forbidden: ValidatingAdmissionPolicy 'trusted-images' with binding 'trusted-images' denied ` +
				`request: expression 'variables.containers.all(c, variables.registries.exists(r, c.image.startsWith(r + '/')))' ` +
				`resulted in error: composited variable "containers" fails to evaluate: no such key: containers`},

		{why: "the version that the rules name", file: "gateways.yaml", request: create("example.com/v1", "Gateway", "a",
			"{spec: {class: c, listeners: [a]}}")},
		{why: "an expression without a message; the text of a message is trimmed", file: "gateways.yaml",
			request: update("example.com/v1", "Gateway", "a", "{spec: {class: d, listeners: []}}", "{spec: {class: c, listeners: [a]}}"),
			want: []string{
				"FieldValueInvalid: at least one listener is required",
				"FieldValueInvalid: failed expression: request.operation != 'UPDATE' || object.spec.class == oldObject.spec.class",
			},
			answer: `gateways.example.com "thing" is forbidden: ValidatingAdmissionPolicy 'gateways.example.com' with binding ` +
				`'gateways' denied request: at least one listener is required`},
		{why: "a different version is converted first", file: "gateways.yaml", request: create("example.com/v1beta1",
			"Gateway", "a", "{spec: {class: c, listeners: []}}"),
			want: []string{"FieldValueInvalid: at least one listener is required"},
			answer: `gateways.example.com "thing" is forbidden: ValidatingAdmissionPolicy 'gateways.example.com' with binding ` +
				`'gateways' denied request: at least one listener is required`},
		{why: "an error is ignored, as the failure policy is Ignore", file: "gateways.yaml",
			request: create("example.com/v1", "Gateway", "a", "{spec: {class: c}}")},
		{why: "the subresource status is named", file: "gateways.yaml",
			request: on("status", update("example.com/v1", "Gateway", "a", "{spec: {class: c, listeners: []}}", "{spec: {class: c}}")),
			want:    []string{"FieldValueInvalid: at least one listener is required"},
			answer: `gateways.example.com "thing" is forbidden: ValidatingAdmissionPolicy 'gateways.example.com' with binding ` +
				`'gateways' denied request: at least one listener is required`},
		{why: "the subresource scale is not", file: "gateways.yaml",
			request: on("scale", update("example.com/v1", "Gateway", "a", "{spec: {class: c, listeners: []}}", "{spec: {class: c}}"))},
		{why: "the scope is Namespaced", file: "gateways.yaml", request: create("example.com/v1", "Gateway", "",
			"{spec: {class: c, listeners: []}}")},
		{why: "a DELETE has only an old object", file: "gateways.yaml", request: remove("example.com/v1", "Gateway", "a",
			"{metadata: {finalizers: [a]}}"),
			want: []string{"FieldValueForbidden: a gateway in use cannot be deleted"},
			answer: `gateways.example.com "thing" is forbidden: ValidatingAdmissionPolicy 'gateways.example.com' with binding ` +
				`'gateways' denied request: a gateway in use cannot be deleted`},
		{why: "a DELETE of an object that is not in use", file: "gateways.yaml", request: remove("example.com/v1", "Gateway",
			"a", "{metadata: {}}")},

		noOwner("a new Namespace has the labels of the object",
			aNamespace(create("v1", "Namespace", "", "{metadata: {labels: {stored: 'yes'}}}"))),
		{why: "the selector leaves it out", file: "namespaces.yaml",
			request: aNamespace(create("v1", "Namespace", "", "{metadata: {labels: {skip: 'yes'}}}"))},
		{why: "a Namespace with an owner", file: "namespaces.yaml",
			request: aNamespace(create("v1", "Namespace", "", "{metadata: {labels: {owner: me}}}"))},
		noOwner("the API server creates a Namespace in no namespace",
			create("v1", "Namespace", "", "{metadata: {labels: {stored: 'yes'}}}")),
		{why: "an update reads the new labels", file: "namespaces.yaml",
			request: aNamespace(update("v1", "Namespace", "", "{metadata: {labels: {skip: 'yes'}}}",
				"{metadata: {labels: {stored: 'yes'}}}"))},
		noOwner("a subresource reads the labels of the stored object",
			on("status", aNamespace(update("v1", "Namespace", "", "{metadata: {labels: {skip: 'yes'}}}",
				"{metadata: {labels: {stored: 'yes'}}}")))),
		noOwner("so does another one",
			on("finalize", aNamespace(update("v1", "Namespace", "", "{metadata: {labels: {skip: 'yes'}}}",
				"{metadata: {labels: {stored: 'yes'}}}")))),
		noOwner("and a DELETE", aNamespace(remove("v1", "Namespace", "", "{metadata: {labels: {stored: 'yes'}}}"))),
	}
}

// noOwner is a row of a Namespace that namespaces.yaml refuses.
func noOwner(why string, request evaluation.Request) row {
	return row{why: why, file: "namespaces.yaml", request: request, want: []string{"FieldValueInvalid: no owner"},
		answer: `namespaces "thing" is forbidden: ValidatingAdmissionPolicy 'owners' with binding 'owners' denied request: no owner`}
}

// aNamespace returns a request about a Namespace as the API server sends it: it is in its own namespace.
func aNamespace(request evaluation.Request) evaluation.Request {
	request.Namespace = request.Name
	return request
}

// TestOldNamespace: the selector reads the labels of a stored Namespace that no file has.
func TestOldNamespace(t *testing.T) {
	for _, tt := range []struct {
		why, labels string
		want        int
	}{
		{"the selector leaves it out", "{skip: 'yes'}", 0},
		{"the selector selects it", "{}", 1},
	} {
		request := aNamespace(remove("v1", "Namespace", "", "{metadata: {labels: "+tt.labels+"}}"))
		request.Name, request.Namespace = "other", "other"
		request.OldObject.SetName("other")
		outcome, err := load(t, "namespaces.yaml").Validate(t.Context(), request)
		if err != nil || len(outcome.Errors) != tt.want {
			t.Errorf("%s: errors %v, fault %v, want %d errors", tt.why, outcome.Errors, err, tt.want)
		}
	}
}

// gateways is the resource of gateways.yaml in all its versions.
func gateways() evaluation.Resource {
	of := serving.Description{Kind: schema.GroupKind{Group: "example.com", Kind: "Gateway"}}
	for _, version := range []string{"v1", "v1beta1"} {
		of.Versions = append(of.Versions, serving.Version{
			GroupVersionKind: of.Kind.WithVersion(version),
			Plural:           "gateways",
			Subresources:     []string{"status", "scale"},
		})
	}
	return evaluation.Resource{Description: of}
}

// TestValidate compares the outcome with the API server's answers.
func TestValidate(t *testing.T) {
	for _, tt := range rows() {
		t.Run(tt.why, func(t *testing.T) {
			outcome, err := load(t, tt.file).Validate(t.Context(), tt.request)
			if tt.fault != "" || err != nil {
				if err == nil || tt.fault == "" || !strings.HasPrefix(err.Error(), tt.fault) {
					t.Fatalf("got the error %v, want %s…", err, tt.fault)
				}
				return
			}
			var got []string
			for _, err := range outcome.Errors {
				got = append(got, string(err.Type)+": "+err.Detail)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("errors: -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(tt.warnings, outcome.Warnings); diff != "" {
				t.Errorf("warnings: -want +got:\n%s", diff)
			}
			answer := ""
			if outcome.Refusal != nil {
				answer = outcome.Refusal.ErrStatus.Message
			}
			if diff := cmp.Diff(tt.answer, answer); diff != "" {
				t.Errorf("answer: -want +got:\n%s", diff)
			}
		})
	}
}

func load(t testing.TB, names ...string) *evaluation.Set {
	t.Helper()
	var files []evaluation.File
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, evaluation.File{Name: name, Data: data})
	}
	set, err := evaluation.Load(files, evaluation.Options{Resources: []evaluation.Resource{gateways()}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestEnded: a context that is done is a fault, not a denial by an interrupted expression.
func TestEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	request := create("v1", "Pod", "a", "{spec: {containers: [{image: registry.k8s.io/a:1}]}}")
	if outcome, err := load(t, "images.yaml").Validate(ctx, request); err == nil {
		t.Errorf("got %v", outcome.Errors)
	}
}

func create(apiVersion, kind, namespace, object string) evaluation.Request {
	group, _ := schema.ParseGroupVersion(apiVersion)
	resource := group.WithResource(strings.ToLower(kind) + "s")
	return evaluation.Request{Kind: group.WithKind(kind), Resource: resource, Name: "thing", Namespace: namespace,
		Operation: admission.Create,
		Object:    document(apiVersion, kind, namespace, object),
		User:      authenticationv1.UserInfo{Username: "alice", Groups: []string{"developers"}}}
}

func update(apiVersion, kind, namespace, object, old string) evaluation.Request {
	request := create(apiVersion, kind, namespace, object)
	request.Operation, request.OldObject = admission.Update, document(apiVersion, kind, namespace, old)
	return request
}

func remove(apiVersion, kind, namespace, old string) evaluation.Request {
	request := update(apiVersion, kind, namespace, "{}", old)
	request.Operation, request.Object = admission.Delete, nil
	return request
}

func named(name string, request evaluation.Request) evaluation.Request {
	request.Name = name
	request.Object.SetName(name)
	return request
}

func on(subresource string, request evaluation.Request) evaluation.Request {
	request.Subresource = subresource
	return request
}

func document(apiVersion, kind, namespace, text string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{}}
	if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil {
		panic(err)
	}
	object.SetAPIVersion(apiVersion)
	object.SetKind(kind)
	object.SetName("thing")
	object.SetNamespace(namespace)
	return object
}

// A Namespace in the cluster of a request takes the place of one in the files.
func TestNamespacesOfRequest(t *testing.T) {
	namespace := func(name, environment string) map[string]any {
		return map[string]any{
			"apiVersion": "v1",
			"kind":       "Namespace",
			"metadata":   map[string]any{"name": name, "labels": map[string]any{"environment": environment}},
		}
	}
	set := load(t, "replicas.yaml")
	for _, tt := range []struct {
		why, namespace string
		cluster        []map[string]any
		denials        int
		fault          string
	}{
		{"one that no file has", "lost", []map[string]any{{"kind": "Pod"}, namespace("lost", "other")}, 0, ""},
		{"instead of one in the files", "staging", []map[string]any{namespace("staging", "other")}, 0, ""},
		{"a different request has the one in the files", "staging", nil, 1, ""},
		{"one that is no Namespace", "lost", []map[string]any{{"apiVersion": "v1", "kind": "Namespace", "metadata": "x"}},
			0, "a Namespace of the case: "},
		{"one without a name", "lost", []map[string]any{namespace("", "")}, 0, "a Namespace of the case has no name"},
	} {
		request := create("apps/v1", "Deployment", tt.namespace, "{spec: {replicas: 4}}")
		request.Cluster = tt.cluster
		outcome, err := set.Validate(t.Context(), request)
		if len(outcome.Errors) != tt.denials || (err == nil) != (tt.fault == "") || err != nil &&
			!strings.HasPrefix(err.Error(), tt.fault) {
			t.Errorf("%s: %v, %v", tt.why, outcome.Errors, err)
		}
	}
}
