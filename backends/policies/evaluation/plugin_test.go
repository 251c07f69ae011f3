package evaluation_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/warning"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"

	"github.com/diffrun/diffrun/backends/policies/evaluation"
	"github.com/diffrun/diffrun/internal/files/documents"
)

// TestAgainstPlugin compares Validate with the API server's admission plugin, with informers over a fake
// cluster that has the same objects, as the API server stores them.
func TestAgainstPlugin(t *testing.T) {
	plugins := map[string]*validating.Plugin{}
	for _, tt := range rows() {
		t.Run(tt.why, func(t *testing.T) {
			if tt.fault != "" {
				t.Skip("the cluster has every namespace")
			}
			if plugins[tt.file] == nil {
				plugins[tt.file] = newPlugin(t, tt.file)
			}
			said := &recorder{}
			attributes := evaluation.Attributes(tt.request)
			refused := plugins[tt.file].Validate(warning.WithWarningRecorder(t.Context(), said), attributes,
				evaluation.ObjectInterfaces(t.Context(), gateways()))
			outcome, err := load(t, tt.file).Validate(t.Context(), tt.request)
			if err != nil {
				t.Fatal(err)
			}
			if (refused == nil) != (outcome.Refusal == nil) || refused != nil && refused.Error() != outcome.Refusal.Error() {
				t.Errorf("refusal: the plugin says %v, and here is %v", refused, outcome.Refusal)
			}
			if refused != nil {
				if diff := cmp.Diff(refused, error(outcome.Refusal)); diff != "" {
					t.Errorf("status: -plugin +ours:\n%s", diff)
				}
			}
			if diff := cmp.Diff(said.texts, outcome.Warnings); diff != "" {
				t.Errorf("warnings: -plugin +ours:\n%s", diff)
			}
			if diff := cmp.Diff(evaluation.Annotations(attributes), outcome.AuditAnnotations, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("audit annotations: -plugin +ours:\n%s", diff)
			}
		})
	}
}

type recorder struct{ texts []string }

func (r *recorder) AddWarning(_, text string) { r.texts = append(r.texts, text) }

// newPlugin starts upstream's plugin with the objects of a file.
func newPlugin(t *testing.T, file string) *validating.Plugin {
	t.Helper()
	typed, documents := stored(t, file)
	plugin, err := validating.NewPlugin(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := fake.NewClientset(append(typed, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "a"}})...)
	factory := informers.NewSharedInformerFactory(client, 0)
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, meta.RESTScopeNamespace)
	limits := schema.GroupVersionKind{Group: "rules.example.com", Version: "v1", Kind: "ReplicaLimit"}
	mapper.Add(limits, meta.RESTScopeNamespace)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	plugin.SetExternalKubeInformerFactory(factory)
	plugin.SetExternalKubeClientSet(client)
	plugin.SetRESTMapper(mapper)
	plugin.SetDynamicClient(dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(),
		map[schema.GroupVersionResource]string{limits.GroupVersion().WithResource("replicalimits"): "ReplicaLimitList"}, documents...))
	plugin.SetDrainedNotification(ctx.Done())
	plugin.SetUnconditionalAuthorizer(authorizerfactory.NewAlwaysAllowAuthorizer())
	if err := plugin.ValidateInitialization(); err != nil {
		t.Fatal(err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	if !plugin.WaitForReady() {
		t.Fatal("the plugin did not become ready")
	}
	return plugin
}

// stored returns the objects of a file as the API server stores them: defaulted, and in version v1.
func stored(t *testing.T, file string) (typed, others []runtime.Object) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	for document := range documents.YAML(file, data) {
		object := &unstructured.Unstructured{Object: document.Object}
		text, err := object.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		switch group := object.GroupVersionKind().Group; {
		case group == admissionregistration.GroupName:
			typed = append(typed, asV1(t, text))
		case scheme.Scheme.IsVersionRegistered(object.GroupVersionKind().GroupVersion()):
			read, _, err := scheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			typed = append(typed, read)
		default:
			others = append(others, object)
		}
	}
	if !slices.ContainsFunc(typed, func(o runtime.Object) bool {
		_, ok := o.(*admissionregistrationv1.ValidatingAdmissionPolicy)
		return ok
	}) {
		t.Fatalf("%s has no policy", file)
	}
	return typed, others
}

// asV1 decodes, defaults and converts as the API server does.
func asV1(t *testing.T, text []byte) runtime.Object {
	t.Helper()
	internal, _, err := legacyscheme.Codecs.UniversalDecoder().Decode(text, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	object, err := legacyscheme.Scheme.ConvertToVersion(internal, admissionregistrationv1.SchemeGroupVersion)
	if err != nil {
		t.Fatal(err)
	}
	object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	object.(metav1.Object).SetResourceVersion("1")
	return object
}
