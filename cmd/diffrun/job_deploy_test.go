package main

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/internal/files/bucket"
)

// jobManifests are the objects of deploy/job.
type jobManifests struct {
	namespace corev1.Namespace
	account   corev1.ServiceAccount
	suite     corev1.ConfigMap
	parts     batchv1.Job
	merge     batchv1.Job
	network   networkingv1.NetworkPolicy
}

// TestJobManifests compares the manifests with each other and with the command: names, flags, paths, the
// number of shards, and the places of reports.
func TestJobManifests(t *testing.T) {
	var m jobManifests
	readManifests(t, "deploy/job", map[string]any{
		"Namespace": &m.namespace, "ServiceAccount": &m.account, "ConfigMap": &m.suite, "NetworkPolicy": &m.network,
		"Job/diffrun": &m.parts, "Job/diffrun-merge": &m.merge,
	})
	same := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v and %v are not the same", what, got, want)
		}
	}
	for _, object := range []metav1.Object{&m.account, &m.suite, &m.network, &m.parts, &m.merge} {
		same("the namespace of "+object.GetName(), object.GetNamespace(), m.namespace.Name)
	}
	for _, job := range []*batchv1.Job{&m.parts, &m.merge} {
		same("the network policy selects "+job.Name, m.network.Spec.PodSelector.MatchLabels["app.kubernetes.io/name"],
			job.Spec.Template.Labels["app.kubernetes.io/name"])
	}
	part, merge := containerOf(t, &m.parts), containerOf(t, &m.merge)
	for _, job := range []*batchv1.Job{&m.parts, &m.merge} {
		same("the service account of "+job.Name, job.Spec.Template.Spec.ServiceAccountName, m.account.Name)
		same("the restart policy of "+job.Name, job.Spec.Template.Spec.RestartPolicy, corev1.RestartPolicyNever)
	}
	same("the completion mode", *m.parts.Spec.CompletionMode, batchv1.IndexedCompletion)
	same("JOB_COMPLETIONS", part.env["JOB_COMPLETIONS"], strconv.Itoa(int(*m.parts.Spec.Completions)))
	same("the images", part.image, merge.image)
	same("the tries of diffrun merge", *m.merge.Spec.BackoffLimit, int32(0))
	same("where the parts are written and read", part.env["RESULTS"], merge.env["RESULTS"])
	same("what merge reads", merge.args[1], "$(RESULTS)/*.jsonl")
	same("the command of the parts", part.args[0], "run")
	same("the command of the end", merge.args[0], "merge")
	same("--shard", part.flags["--shard"], "job")
	same("--shard-by", part.flags["--shard-by"], "file")
	same("the report of a part", part.flags["-o"], "jsonl=$(RESULTS)/$(JOB_COMPLETION_INDEX).jsonl")
	if _, resumes := part.flags["--resume"]; !resumes {
		t.Error("a part that was run before is run again")
	}
	jobSuite(t, &m, part.args[len(part.args)-1])
}

// manifestContainer is the part of a container that the test reads.
type manifestContainer struct {
	image      string
	args       []string
	flags, env map[string]string
}

// containerOf returns the container of a Job. The command must know its flags.
func containerOf(t *testing.T, job *batchv1.Job) manifestContainer {
	t.Helper()
	container := job.Spec.Template.Spec.Containers[0]
	read := manifestContainer{container.Image, container.Args, map[string]string{}, map[string]string{}}
	known := flagsOf(help(t, container.Args[:1]))
	known["-o"] = known["-o, --output"]
	for _, arg := range container.Args[1:] {
		name, value, _ := strings.Cut(arg, "=")
		if !strings.HasPrefix(name, "-") {
			continue
		}
		if _, knows := known[name]; !knows {
			t.Errorf("diffrun %s has no flag %s", container.Args[0], name)
		}
		read.flags[name] = value
	}
	for _, variable := range container.Env {
		read.env[variable.Name] = variable.Value
	}
	for _, arg := range container.Args {
		for _, part := range strings.Split(arg, "$(")[1:] {
			name, _, _ := strings.Cut(part, ")")
			if _, set := read.env[name]; !set && name != "JOB_COMPLETION_INDEX" {
				t.Errorf("nothing sets %s in %s of %s", name, arg, job.Name)
			}
		}
	}
	return read
}

// jobSuite checks that the suite is mounted where the command looks for it, can be loaded, and reads its
// cases from a bucket.
func jobSuite(t *testing.T, m *jobManifests, file string) {
	t.Helper()
	pod := m.parts.Spec.Template.Spec
	mount := pod.Containers[0].VolumeMounts[0]
	if volume := pod.Volumes[0]; mount.Name != volume.Name || volume.ConfigMap.Name != m.suite.Name {
		t.Errorf("the volume %s with %s is not mounted, but %s", volume.Name, volume.ConfigMap.Name, mount.Name)
	}
	text, has := m.suite.Data[path.Base(file)]
	if path.Dir(file) != mount.MountPath || !has {
		t.Fatalf("%s is not what %s has below %s", file, m.suite.Name, mount.MountPath)
	}
	dir := t.TempDir()
	text = strings.ReplaceAll(text, "s3://BUCKET", "file://"+filepath.ToSlash(dir))
	if err := os.MkdirAll(filepath.Join(dir, "corpus"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"suite.yaml":     text,
		"corpus/a.jsonl": `{"id":"a","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"b"}}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files := &cases.Files{FS: bucket.FS{FS: os.DirFS(dir), Context: t.Context()}, OnDisk: true}
	plan, err := cases.Load([]cases.Location{{Files: files, Name: "suite.yaml"}}, cases.Options{Builtins: builtins(), Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for job, err := range plan.Suites[0].Jobs(cases.JobOptions{}) {
		if err != nil || job.Case.ID != "a" || job.Case.Fault != nil {
			t.Errorf("the case %s is read as %v, %v", job.Case.ID, job.Case.Fault, err)
		}
		found++
	}
	if found != 1 {
		t.Errorf("%d cases of the corpus are read, want 1", found)
	}
}
