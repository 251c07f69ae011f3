package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"
)

// TestBuiltinKinds sends the cases of the built-in kinds to the API server as dry runs, and compares its
// answers with the schemas. The golden files list the differences and the objects that could not be sent;
// testdata/builtin/README.md explains them.
func TestBuiltinKinds(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range []struct{ name, versions string }{
		{"admissionregistration", "admissionregistration.k8s.io/v1"},
		{"apps", "apps/v1"},
		{"autoscaling", "autoscaling/v2, autoscaling/v1"},
		{"batch", "batch/v1"},
		{"certificates", "certificates.k8s.io/v1, certificates.k8s.io/v1beta1"},
		{"coordination", "coordination.k8s.io/v1"},
		{"core", "v1"},
		{"discovery", "discovery.k8s.io/v1"},
		{"flowcontrol", "flowcontrol.apiserver.k8s.io/v1"},
		{"networking", "networking.k8s.io/v1"},
		{"node", "node.k8s.io/v1"},
		{"policy", "policy/v1"},
		{"rbac", "rbac.authorization.k8s.io/v1"},
		{"resource", "resource.k8s.io/v1, resource.k8s.io/v1beta2, resource.k8s.io/v1beta1"},
		{"scheduling", "scheduling.k8s.io/v1"},
		{"storage", "storage.k8s.io/v1"},
		{"storagemigration", "storagemigration.k8s.io/v1, storagemigration.k8s.io/v1beta1"},
	} {
		t.Run(group.name, func(t *testing.T) {
			cases := bundledCases(t, filepath.Join(root, "cases/kubernetes", group.name))
			var rules string
			if file := filepath.Join(root, "cases/kubernetes", group.name, "rules.yaml"); exists(file) {
				rules = fmt.Sprintf("rules: [%q]\n", file)
			}
			dir, scratch := t.TempDir(), namespace(t)
			observe(t, scratch)
			write(t, filepath.Join(dir, "suite.yaml"), fmt.Sprintf(`name: %s
native: {cluster: {kubeconfig: %q, namespace: %q}}
declarative: {builtin: kubernetes}
cases: [%s]
exceptions: %q
%smatrix: [{name: served, versions: [%s]}]
`, group.name, plane.Kubeconfig, scratch, strings.Join(cases, ", "), filepath.Join(root, "exceptions.yaml"), rules, group.versions))
			// One at a time: a stored old object blocks its node port for others.
			out := diffrun(t, dir, "--parallel", "1", "suite.yaml")
			s := out.report.Summary
			t.Logf("%d inputs: %d equal, %d equivalent, %d excepted, %d different, %d not sent", s.Inputs, s.Equal, s.Equivalent,
				s.Excepted, s.Different, s.Fault)
			golden(t, filepath.Join("testdata/builtin", group.name+".txt"), remarkable(out.report))
		})
	}
}

// observe writes an event, as the API server sometimes does about a service that a case stored.
func observe(t *testing.T, namespace string) {
	t.Helper()
	client, err := kubernetes.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	event := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{GenerateName: "web."},
		InvolvedObject: corev1.ObjectReference{Kind: "Service", Namespace: namespace, Name: "web"},
		Reason:         "ClusterIPNotAllocated",
	}
	if _, err := client.CoreV1().Events(namespace).Create(t.Context(), event, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// bundledCases are the patterns of the cases of a bundled suite.
func bundledCases(t *testing.T, folder string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, "suite.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var suite struct{ Cases []string }
	if err := yaml.Unmarshal(data, &suite); err != nil {
		t.Fatal(err)
	}
	for i, pattern := range suite.Cases {
		suite.Cases[i] = fmt.Sprintf("%q", filepath.Join(folder, pattern))
	}
	return suite.Cases
}

// remarkable lists results that deviate from the bundled run, one per line. Versions that cannot be sent have a line
// for each file of cases.
func remarkable(r report) string {
	var lines []string
	for _, result := range r.Results {
		at := filepath.Base(result.Case)
		switch kind := unsent(result.Fault + result.Native.Fault); {
		case kind != "":
			file, _, _ := strings.Cut(result.Case, "#")
			lines = append(lines, fmt.Sprintf("%s: %s: not compared: the API server does not serve it", kind, filepath.Base(file)))
		case result.Fault != "":
			lines = append(lines, fmt.Sprintf("%s: %s: not compared: %s", result.Target, at, result.Fault))
		case result.Native.Fault != "":
			lines = append(lines, fmt.Sprintf("%s: %s: not sent: %s", result.Target, at, reason(result.Native.Fault)))
		case result.Declarative.Fault != "":
			lines = append(lines, fmt.Sprintf("%s: %s: the schema side cannot decide: %s", result.Target, at, result.Declarative.Fault))
		}
		if result.Verdict != "different" {
			continue
		}
		for _, d := range result.Differences {
			if d.Rule == "" && d.Exception == "" {
				lines = append(lines, fmt.Sprintf("%s: %s: %s at %q", result.Target, at, d.Class, d.Field))
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n") + "\n"
}

// unsentKind matches the faults of cases in a version that the matrix of the suite leaves out, because the API server
// does not serve it.
var unsentKind = regexp.MustCompile(`^(?:the suite has no target|the case has a want in|the cluster serves) ([^ ,;]+)(?: ` +
	`|, but no )([^ ,;]+)[,; ]`)

// unsent returns the version and kind that a fault says cannot be sent, or "".
func unsent(fault string) string {
	if kind := unsentKind.FindStringSubmatch(fault); kind != nil {
		return kind[1] + " " + kind[2]
	}
	return ""
}

// reason is the part of a fault that is the same in each run.
func reason(fault string) string {
	for _, known := range []string{
		"the cluster does not accept the old object",
		"an update keeps the name",
		"resource name may not be empty",
		"is not namespaced, so its old object cannot be stored in the scratch namespace",
	} {
		if strings.Contains(fault, known) {
			return known
		}
	}
	return fault
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// golden compares a text with a file, or writes it with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s, -want +got:\n%s", file, diff)
	}
}
