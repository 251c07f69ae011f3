package main

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/soak"
	"github.com/diffrun/diffrun/harness"
)

// shadowManifests are the objects of deploy/shadow.
type shadowManifests struct {
	namespace  corev1.Namespace
	account    corev1.ServiceAccount
	deployment appsv1.Deployment
	service    corev1.Service
	budget     policyv1.PodDisruptionBudget
	suite      corev1.ConfigMap
	webhook    admissionregistrationv1.ValidatingWebhookConfiguration
	network    networkingv1.NetworkPolicy
	// Kinds of other projects, whose types are not available here.
	issuer, certificate, monitor unstructured.Unstructured
}

// readShadowManifests reads all manifests strictly, and refuses unknown ones.
func readShadowManifests(t *testing.T) *shadowManifests {
	t.Helper()
	m := &shadowManifests{}
	into := map[string]any{
		"Namespace": &m.namespace, "ServiceAccount": &m.account, "Deployment": &m.deployment, "Service": &m.service,
		"PodDisruptionBudget": &m.budget,
		"NetworkPolicy":       &m.network, "ConfigMap": &m.suite, "ValidatingWebhookConfiguration": &m.webhook,
		"Issuer": &m.issuer.Object, "Certificate": &m.certificate.Object, "ServiceMonitor": &m.monitor.Object,
	}
	readManifests(t, "deploy/shadow", into)
	return m
}

// TestShadowManifests compares the manifests with each other and with the command: names, ports, paths,
// labels, flags and times.
func TestShadowManifests(t *testing.T) {
	m := readShadowManifests(t)
	pod := m.deployment.Spec.Template.Spec
	container := pod.Containers[0]
	flags := flagsOf(help(t, []string{"shadow"}))
	given, suites := map[string]string{}, []string(nil)
	for _, arg := range container.Args[1:] {
		name, value, _ := strings.Cut(arg, "=")
		if !strings.HasPrefix(name, "--") {
			suites = append(suites, arg)
		} else if _, known := flags[name]; !known {
			t.Errorf("the command has no flag %s", name)
		}
		given[name] = value
	}
	ports := map[string]int32{}
	for _, port := range container.Ports {
		ports[port.Name] = port.ContainerPort
	}
	same := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v and %v are not the same", what, got, want)
		}
	}
	same("the command", container.Args[0], "shadow")
	same("--addr and the port webhook", portOf(t, given["--addr"]), ports["webhook"])
	same("--metrics-addr and the port metrics", portOf(t, given["--metrics-addr"]), ports["metrics"])
	for _, port := range m.service.Spec.Ports {
		same("the target of port "+port.Name, port.TargetPort.StrVal, port.Name)
	}
	same("the readiness probe", container.ReadinessProbe.HTTPGet.Path+" "+container.ReadinessProbe.HTTPGet.Port.StrVal, "/readyz metrics")
	same("the liveness probe", container.LivenessProbe.HTTPGet.Path+" "+container.LivenessProbe.HTTPGet.Port.StrVal, "/healthz metrics")

	client := m.webhook.Webhooks[0].ClientConfig.Service
	same("the service of the webhook", client.Namespace+"/"+client.Name, m.service.Namespace+"/"+m.service.Name)
	same("its port", *client.Port, m.service.Spec.Ports[0].Port)
	for _, object := range []metav1.Object{
		&m.account,
		&m.deployment,
		&m.service,
		&m.budget,
		&m.suite,
		&m.network,
		&m.issuer,
		&m.certificate,
		&m.monitor,
	} {
		same("the namespace of "+object.GetName(), object.GetNamespace(), m.namespace.Name)
	}
	same("the service account", pod.ServiceAccountName, m.account.Name)
	for name, selected := range map[string]map[string]string{
		"deployment":     m.deployment.Spec.Selector.MatchLabels,
		"service":        m.service.Spec.Selector,
		"budget":         m.budget.Spec.Selector.MatchLabels,
		"network policy": m.network.Spec.PodSelector.MatchLabels,
		"spread":         pod.TopologySpreadConstraints[0].LabelSelector.MatchLabels,
	} {
		same("the selector of the "+name+" finds the pods",
			labels.SelectorFromSet(selected).Matches(labels.Set(m.deployment.Spec.Template.Labels)), true)
	}
	ends := *pod.TerminationGracePeriodSeconds
	if needs := container.Lifecycle.PreStop.Sleep.Seconds + int64((soak.EndTimeout + duration(t,
		given["--grace"])).Seconds()); ends < needs {
		t.Errorf("a pod is killed after %d s, and may need %d s to end", ends, needs)
	}
	mounted(t, m, given, suites)
}

// mounted checks that the paths of flags are mounted.
func mounted(t *testing.T, m *shadowManifests, given map[string]string, suites []string) {
	t.Helper()
	pod := m.deployment.Spec.Template.Spec
	at := func(file string) (volume corev1.Volume, name string) {
		for _, mount := range pod.Containers[0].VolumeMounts {
			if name, below := strings.CutPrefix(file, mount.MountPath); below {
				index := slices.IndexFunc(pod.Volumes, func(v corev1.Volume) bool { return v.Name == mount.Name })
				return pod.Volumes[index], strings.TrimPrefix(name, "/")
			}
		}
		t.Fatalf("nothing is mounted at %s", file)
		return volume, ""
	}
	for flag, name := range map[string]string{"--tls-cert-file": corev1.TLSCertKey, "--tls-private-key-file": corev1.TLSPrivateKeyKey} {
		volume, file := at(given[flag])
		secret, _, _ := unstructured.NestedString(m.certificate.Object, "spec", "secretName")
		if volume.Secret == nil || volume.Secret.SecretName != secret || file != name {
			t.Errorf("%s is %s of %s, want %s of the Secret %s", flag, file, volume.Name, name, secret)
		}
	}
	if volume, _ := at(given["--folder"]); volume.EmptyDir == nil {
		t.Errorf("--folder is in %s, which cannot be written", volume.Name)
	}
	names, _, _ := unstructured.NestedStringSlice(m.certificate.Object, "spec", "dnsNames")
	if want := m.service.Name + "." + m.service.Namespace + ".svc"; !slices.Contains(names, want) {
		t.Errorf("the certificate is for %q; the API server asks for %s", names, want)
	}
	if from, want := m.webhook.Annotations["cert-manager.io/inject-ca-from"], m.certificate.GetNamespace()+"/"+
		m.certificate.GetName(); from != want {
		t.Errorf("the authority is that of %s, want %s", from, want)
	}
	if len(suites) != 1 {
		t.Fatalf("the suites are %q", suites)
	}
	volume, file := at(suites[0])
	if volume.ConfigMap == nil || volume.ConfigMap.Name != m.suite.Name || m.suite.Data[file] == "" {
		t.Errorf("%s is not in the ConfigMap %s", suites[0], m.suite.Name)
	}
	endpoints, _, _ := unstructured.NestedSlice(m.monitor.Object, "spec", "endpoints")
	if endpoint := endpoints[0].(map[string]any); endpoint["port"] != "metrics" || endpoint["path"] != "/metrics" {
		t.Errorf("the ServiceMonitor scrapes %v", endpoint)
	}
	selected, _, _ := unstructured.NestedStringMap(m.monitor.Object, "spec", "selector", "matchLabels")
	if !labels.SelectorFromSet(selected).Matches(labels.Set(m.service.Labels)) {
		t.Errorf("the ServiceMonitor selects %v; the Service has %v", selected, m.service.Labels)
	}
}

// TestShadowWebhook checks the configuration for the API server: it does not depend on the shadow, skips
// the namespace of the shadow, and sends kinds that the suite compares.
func TestShadowWebhook(t *testing.T) {
	m := readShadowManifests(t)
	hook := m.webhook.Webhooks[0]
	if *hook.FailurePolicy != admissionregistrationv1.Ignore || *hook.SideEffects != admissionregistrationv1.SideEffectClassNone ||
		*hook.MatchPolicy != admissionregistrationv1.Equivalent || *hook.TimeoutSeconds > 2 {
		t.Errorf("failurePolicy %s, sideEffects %s, matchPolicy %s, timeoutSeconds %d", *hook.FailurePolicy, *hook.SideEffects,
			*hook.MatchPolicy, *hook.TimeoutSeconds)
	}
	selector, err := metav1.LabelSelectorAsSelector(hook.NamespaceSelector)
	if err != nil {
		t.Fatal(err)
	}
	for namespace, want := range map[string]bool{m.namespace.Name: false, "default": true} {
		if got := selector.Matches(labels.Set{corev1.LabelMetadataName: namespace}); got != want {
			t.Errorf("requests in the namespace %s are sent: %t, want %t", namespace, got, want)
		}
	}
	dir := t.TempDir()
	for name, text := range m.suite.Data {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := cases.Load([]cases.Location{{Files: &cases.Files{FS: os.DirFS(dir), OnDisk: true}, Name: "suite.yaml"}},
		cases.Options{Builtins: builtins(), Now: time.Now(), CasesElsewhere: true, NoCluster: true})
	if err != nil {
		t.Fatal(err)
	}
	bind := plan.Suites[0].Binder(cases.JobOptions{})
	for _, rule := range hook.Rules {
		if !slices.Equal(rule.Operations, []admissionregistrationv1.OperationType{
			admissionregistrationv1.Create,
			admissionregistrationv1.Update,
		}) {
			t.Errorf("operations %v", rule.Operations)
		}
		for _, resource := range rule.Resources {
			kind := kindOfResource(t, rule.APIGroups[0], rule.APIVersions[0], resource)
			events, err := bind(harness.Case{ID: "a", Version: kind, Object: map[string]any{}})
			if err != nil || len(events) == 0 {
				t.Fatalf("%s: %v, %d events", resource, err, len(events))
			}
			if job, bound := events[len(events)-1].(cases.Job); !bound || job.Case.Fault != nil {
				t.Errorf("%s: %v", resource, job.Case.Fault)
			}
		}
	}
}

// kindOfResource returns the built-in kind of a resource.
func kindOfResource(t *testing.T, group, version, resource string) schema.GroupVersionKind {
	t.Helper()
	for _, kind := range (kubernetesNatives{}).Kinds() {
		if plural, _ := meta.UnsafeGuessKindToResource(kind.WithVersion(version)); kind.Group == group && plural.Resource == resource {
			return kind.WithVersion(version)
		}
	}
	t.Fatalf("no kind of %s/%s has the resource %s", group, version, resource)
	return schema.GroupVersionKind{}
}

func portOf(t *testing.T, address string) int32 {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	return int32(atoi(t, port))
}

func duration(t *testing.T, text string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
