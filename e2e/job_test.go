package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"
)

// jobParts is the number of pods of the test's Job.
const jobParts = 4

// TestJob runs the manifests of deploy/job with the API server and the Job controller. The pods are
// processes, and one is killed while it reads cases. The merged report equals that of a single run.
func TestJob(t *testing.T) {
	store := startS3(t, "jobs")
	for name, value := range store {
		t.Setenv(name, value) // for the test itself
	}
	const root = "s3://jobs/nightly"
	ticketCases(t, root+"/corpus", 2000)
	gate := newGate(t, store["AWS_ENDPOINT_URL"], "1")
	environment := []corev1.EnvVar{
		{Name: "AWS_SDK_UA_APP_ID", ValueFrom: &corev1.EnvVarSource{
			FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']"},
		}},
	}
	for name, value := range store {
		if name == "AWS_ENDPOINT_URL" {
			value = gate.url
		}
		environment = append(environment, corev1.EnvVar{Name: name, Value: value})
	}
	client, err := kubernetes.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	controllers, err := plane.StartControllers(t.TempDir(), "job-controller")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		controllers.Stop()
		if t.Failed() {
			t.Logf("the controllers say:\n%s", controllers.Log())
		}
	})
	m := readJobs(t, client, root)
	node := startKubelet(t, client, m.namespace)

	parts := m.job(t, "job.yaml", environment)
	parts.Spec.Completions, parts.Spec.Parallelism = new(int32(jobParts)), new(int32(jobParts))
	m.create(t, parts)
	gate.wait(t)
	if err := node.process("1").Process.Kill(); err != nil {
		t.Fatal(err)
	}
	m.until(t, parts, batchv1.JobComplete)
	node.check(t, parts)

	merge := m.job(t, "merge.yaml", environment)
	m.create(t, merge)
	m.until(t, merge, batchv1.JobFailed) // there are differences
	last := node.last()
	if last.job != merge.Name || last.exitCode != 1 || !strings.Contains(last.log, "200 refuses; 1,800 equal, 200 different") {
		t.Errorf("the Job %s ended with status %d:\n%s", last.job, last.exitCode, last.log)
	}
	status, stdout, stderr := command(t, t.TempDir(), "run", "--ignore-missing-targets", "-o", "jsonl="+root+"/whole.jsonl",
		filepath.Join(node.volumes, "diffrun-suite", "suite.yaml"))
	if status != 1 {
		t.Fatalf("one run: exit status %d\n%s%s", status, stdout, stderr)
	}
	whole, merged := timeless(t, root+"/whole.jsonl"), timeless(t, root+"/merged.jsonl")
	if whole != merged || strings.Count(whole, "\n") < 2000 {
		t.Errorf("one run has a report of %d lines, the merged one has %d; they should be equal", strings.Count(whole, "\n"),
			strings.Count(merged, "\n"))
	}
}

// check compares how the pods of the Job ended: the killed one ran again, and no other did.
func (k *kubelet) check(t *testing.T, parts *batchv1.Job) {
	t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	codes := map[string][]int32{}
	for _, pod := range k.ended {
		codes[pod.index] = append(codes[pod.index], pod.exitCode)
		if pod.exitCode == 0 && !strings.Contains(pod.log, "diffrun merge judges") {
			t.Errorf("index %s succeeded, which has differences, and says\n%s", pod.index, pod.log)
		}
	}
	for index := range jobParts {
		want := []int32{0}
		if index == 1 {
			want = []int32{137, 0} // SIGKILL
		}
		if got := codes[strconv.Itoa(index)]; !slices.Equal(got, want) {
			t.Errorf("the pods of index %d ended with %v, want %v", index, got, want)
		}
	}
	if status := parts.Status; status.Succeeded != jobParts || status.Failed != 1 ||
		status.CompletedIndexes != fmt.Sprintf("0-%d", jobParts-1) {
		t.Errorf("the Job says: %d succeeded (%s), %d failed", status.Succeeded, status.CompletedIndexes, status.Failed)
	}
}

// jobs are the manifests of deploy/job with the test's bucket.
type jobs struct {
	client    kubernetes.Interface
	bucket    string
	namespace string
}

// readJobs creates the namespace, the service account and the suite of tickets.
func readJobs(t *testing.T, client kubernetes.Interface, bucket string) *jobs {
	t.Helper()
	m := &jobs{client: client, bucket: bucket}
	var namespace corev1.Namespace
	m.read(t, "job.yaml", "Namespace", &namespace)
	m.namespace = namespace.Name
	_, err := client.CoreV1().Namespaces().Create(t.Context(), &namespace, strictly)
	var account corev1.ServiceAccount
	m.read(t, "job.yaml", "ServiceAccount", &account)
	if err == nil {
		_, err = client.CoreV1().ServiceAccounts(m.namespace).Create(t.Context(), &account, strictly)
	}
	var suite corev1.ConfigMap
	m.read(t, "suite.yaml", "ConfigMap", &suite)
	text := strings.ReplaceAll(suite.Data["suite.yaml"], "native: {builtin: kubernetes}", "native: {crd: today.yaml}")
	suite.Data["suite.yaml"] = strings.ReplaceAll(text, "declarative: {builtin: kubernetes}", "declarative: {crd: next.yaml}")
	for _, name := range []string{"today.yaml", "next.yaml"} {
		definition, reading := os.ReadFile(filepath.Join("testdata/shadow", name))
		if reading != nil {
			t.Fatal(reading)
		}
		suite.Data[name] = string(definition)
	}
	if err == nil {
		_, err = client.CoreV1().ConfigMaps(m.namespace).Create(t.Context(), &suite, strictly)
	}
	if err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
	return m
}

var strictly = metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict}

// read reads the object of a kind from a manifest.
func (m *jobs) read(t *testing.T, file, kind string, into any) {
	t.Helper()
	for _, document := range documents(t, filepath.Join("../deploy/job", file)) {
		var is metav1.TypeMeta
		text := strings.ReplaceAll(string(document), "s3://BUCKET", m.bucket)
		if err := yaml.Unmarshal([]byte(text), &is); err != nil {
			t.Fatal(err)
		}
		if is.Kind != kind {
			continue
		}
		if err := yaml.UnmarshalStrict([]byte(text), into); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatalf("%s has no %s", file, kind)
}

// job reads a Job, and sets the location of the bucket in its pods.
func (m *jobs) job(t *testing.T, file string, environment []corev1.EnvVar) *batchv1.Job {
	t.Helper()
	var job batchv1.Job
	m.read(t, file, "Job", &job)
	container := &job.Spec.Template.Spec.Containers[0]
	for i := range container.Env {
		if container.Env[i].Name == "JOB_COMPLETIONS" {
			container.Env[i].Value = strconv.Itoa(jobParts)
		}
	}
	container.Env = append(container.Env, environment...)
	return &job
}

func (m *jobs) create(t *testing.T, job *batchv1.Job) {
	t.Helper()
	if _, err := m.client.BatchV1().Jobs(m.namespace).Create(t.Context(), job, strictly); err != nil {
		t.Fatal(err)
	}
}

// until waits until a Job has ended with this condition, and reads it.
func (m *jobs) until(t *testing.T, job *batchv1.Job, want batchv1.JobConditionType) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 200*time.Millisecond, 5*time.Minute, true, func(ctx context.Context) (bool, error) {
		now, err := m.client.BatchV1().Jobs(m.namespace).Get(ctx, job.Name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		*job = *now
		for _, condition := range job.Status.Conditions {
			switch {
			case condition.Status != corev1.ConditionTrue:
			case condition.Type == want:
				return true, nil
			case condition.Type == batchv1.JobComplete || condition.Type == batchv1.JobFailed:
				return false, fmt.Errorf("it is %s: %s", condition.Type, condition.Message)
			}
		}
		return false, nil
	})
	if err != nil {
		t.Fatalf("the Job %s is not %s: %v\n%+v", job.Name, want, err, job.Status)
	}
}

// gate is a proxy in front of a server of buckets. The second case file that one index requests is not
// answered, so that its process can be killed while it waits.
type gate struct {
	url     string
	reached chan struct{}
	mu      sync.Mutex
	asked   int
}

// holds reports whether a request is left without an answer.
func (g *gate) holds(r *http.Request, index string) bool {
	if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/corpus/") || !strings.HasSuffix(r.URL.Path, ".jsonl") ||
		!strings.Contains(r.UserAgent(), "app/"+index) {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked++
	return g.asked == 2
}

func newGate(t *testing.T, server, index string) *gate {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{reached: make(chan struct{})}
	proxy := httputil.NewSingleHostReverseProxy(to)
	address := freeAddress(t)
	g.url = "http://" + address
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.holds(r, index) {
			close(g.reached)
			<-r.Context().Done() // its process was killed
			return
		}
		proxy.ServeHTTP(w, r)
	})
	listening := &http.Server{Addr: address, Handler: handler}
	go func() { _ = listening.ListenAndServe() }() // until it is closed
	t.Cleanup(func() { _ = listening.Close() })
	return g
}

// wait waits for the request.
func (g *gate) wait(t *testing.T) {
	t.Helper()
	select {
	case <-g.reached:
	case <-time.After(3 * time.Minute):
		t.Fatal("the process that is to be killed does not read cases")
	}
}
