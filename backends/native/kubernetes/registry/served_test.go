package registry_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/apps"
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/apis/storage"
	storagevalidation "k8s.io/kubernetes/pkg/apis/storage/validation"

	schemas "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/backends/native/kubernetes/registry"
	"github.com/diffrun/diffrun/harness"
)

// silent is a declarative backend that accepts everything.
type silent struct{}

func (silent) Name() string { return "declarative" }
func (silent) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	return nil, nil
}

// logged records the messages to a test, and whether the test failed.
type logged struct {
	failures
	log []string
}

func (l *logged) Logf(format string, args ...any) {
	l.log = append(l.log, fmt.Sprintf(format, args...))
}

// A function of validation.go is a part of what the API server runs, and its arguments were not defaulted. A
// difference that only such a call shows is not a difference of the schema.
func TestCompareWithARequest(t *testing.T) {
	set := func(change func(*core.PodSpec)) *apps.ReplicaSet {
		template := podTemplate(func(p *core.PodTemplateSpec) {
			p.Spec.RestartPolicy, p.Spec.DNSPolicy = core.RestartPolicyAlways, core.DNSClusterFirst
			p.Spec.TerminationGracePeriodSeconds = new(int64(30))
			p.Spec.Containers[0].ImagePullPolicy, p.Spec.Containers[0].TerminationMessagePolicy = core.PullAlways,
				core.TerminationMessageReadFile
			change(&p.Spec)
		})
		return &apps.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "b"}, Spec: apps.ReplicaSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}, Template: template,
		}}
	}
	validate := func(r *apps.ReplicaSet) field.ErrorList {
		return appsvalidation.ValidateReplicaSet(r, corevalidation.PodValidationOptions{})
	}
	undefaulted := set(func(p *core.PodSpec) { p.DNSPolicy = "" })
	negative := set(func(*core.PodSpec) {})
	negative.Spec.Replicas = -1
	revision := &apps.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "b"},
		Data:       runtime.RawExtension{Raw: []byte("{")},
	}
	node := &storage.CSINode{
		ObjectMeta: metav1.ObjectMeta{Name: "a"},
		Spec:       storage.CSINodeSpec{Drivers: []storage.CSINodeDriver{{Name: "d", NodeID: "n"}}},
	}
	weak := func(schema.GroupVersionKind) (harness.Backend, error) { return silent{}, nil }
	strong := schemas.NewBackends().Backend
	for _, tc := range []struct {
		why    string
		schema func(schema.GroupVersionKind) (harness.Backend, error)
		of     schema.GroupKind
		own    []registry.TargetOption
		c      harness.Case
		errs   field.ErrorList
		// field is where something differs; fails reports whether the schema is to blame.
		field string
		fails bool
	}{
		{"defaults fill the field in before the API server validates", strong, apps.Kind("ReplicaSet"), nil,
			harness.Case{Object: undefaulted}, validate(undefaulted), "spec.template.spec.dnsPolicy", false},
		{"the metadata of an update is validated separately", strong, storage.Kind("CSINode"), nil,
			harness.Case{Object: node, Old: node}, storagevalidation.ValidateCSINodeUpdate(node, node), "metadata.resourceVersion", false},
		{"no client can send text that ends too early", strong, apps.Kind("ControllerRevision"), nil,
			harness.Case{Object: revision}, appsvalidation.ValidateControllerRevisionCreate(revision), "data", false},
		{"the schema misses an error of the API server", weak, apps.Kind("ReplicaSet"), nil,
			harness.Case{Object: negative}, validate(negative), "spec.replicas", true},
		{"the caller's function is not the API server's, and may be weaker than the call", weak, apps.Kind("ReplicaSet"),
			[]registry.TargetOption{
				registry.WithNative(func(context.Context, *apps.ReplicaSet, *apps.ReplicaSet) field.ErrorList { return nil }),
			},
			harness.Case{Object: negative}, validate(negative), "spec.replicas", true},
		{"a part of a kind is not a request", strong, apps.Kind("ReplicaSet"), nil,
			harness.Case{Object: &negative.Spec}, nil, "replicas", true},
	} {
		t.Run(tc.why, func(t *testing.T) {
			told := &logged{failures: failures{TB: t}}
			harness.For(t, target(t, tc.of, tc.schema, tc.own...)).Compare(told, tc.c, tc.errs)
			if failed := len(told.lines) > 0; failed != tc.fails {
				t.Errorf("failed: %v, want %v; told %q", failed, tc.fails, told.lines)
			}
			if all := strings.Join(append(told.lines, told.log...), "\n"); !strings.Contains(all, tc.field) {
				t.Errorf("said nothing about %s:\n%s", tc.field, all)
			}
		})
	}
}
