package e2e_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/fieldpath"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
)

// kubelet runs the pods of a namespace as processes of the diffrun binary built for the tests. Like a real
// kubelet it resolves the environment and the arguments, and reports in the status how a container ended. The
// only volumes that it knows are ConfigMaps, whose paths it replaces in the arguments.
type kubelet struct {
	client    kubernetes.Interface
	namespace string
	volumes   string // the directory with a directory for each ConfigMap

	mu      sync.Mutex
	running map[string]*exec.Cmd // by the index of a Job
	ended   []ended
	pods    sync.WaitGroup
}

// ended is a pod that ended.
type ended struct {
	job, index string
	exitCode   int32
	log        string
}

// startKubelet runs the pods of a namespace until the test ends.
func startKubelet(t *testing.T, client kubernetes.Interface, namespace string) *kubelet {
	t.Helper()
	k := &kubelet{client: client, namespace: namespace, volumes: t.TempDir(), running: map[string]*exec.Cmd{}}
	ctx, cancel := context.WithCancel(context.Background())
	pods, err := client.CoreV1().Pods(namespace).Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	k.pods.Go(func() {
		for event := range pods.ResultChan() {
			if pod, is := event.Object.(*corev1.Pod); is && event.Type == watch.Added {
				k.pods.Go(func() { k.run(ctx, t, pod) })
			}
		}
	})
	t.Cleanup(func() {
		cancel()
		k.pods.Wait()
	})
	return k
}

// run runs a pod to its end.
func (k *kubelet) run(ctx context.Context, t *testing.T, pod *corev1.Pod) {
	container := pod.Spec.Containers[0]
	cmd, err := k.command(ctx, pod, &container)
	if err != nil {
		t.Errorf("pod %s: %v", pod.Name, err)
		return
	}
	var log strings.Builder
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Errorf("pod %s: %v", pod.Name, err)
		return
	}
	index := pod.Annotations["batch.kubernetes.io/job-completion-index"]
	k.note(func() { k.running[index] = cmd })
	k.status(ctx, t, pod, corev1.PodRunning, corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}})
	_ = cmd.Wait() // the code says how
	code := int32(cmd.ProcessState.ExitCode())
	if signal := cmd.ProcessState.Sys().(syscall.WaitStatus); signal.Signaled() {
		code = 128 + int32(signal.Signal())
	}
	k.note(func() {
		delete(k.running, index)
		k.ended = append(k.ended, ended{pod.Labels["batch.kubernetes.io/job-name"], index, code, log.String()})
	})
	phase := corev1.PodSucceeded
	if code != 0 {
		phase = corev1.PodFailed
	}
	k.status(ctx, t, pod, phase,
		corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, FinishedAt: metav1.Now()}})
}

func (k *kubelet) note(what func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	what()
}

// process returns the running process of an index, or nil.
func (k *kubelet) process(index string) *exec.Cmd {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.running[index]
}

// last returns the pod that ended last.
func (k *kubelet) last() ended {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.ended[len(k.ended)-1]
}

// command makes the process of a container.
func (k *kubelet) command(ctx context.Context, pod *corev1.Pod, container *corev1.Container) (*exec.Cmd, error) {
	env := map[string]string{}
	cmd := exec.CommandContext(ctx, filepath.Join(*binaries, "diffrun"))
	cmd.Env = []string{} // not the environment of this process
	for _, variable := range container.Env {
		value := expansion.Expand(variable.Value, expansion.MappingFuncFor(env))
		if variable.ValueFrom != nil {
			var err error
			if value, err = fieldpath.ExtractFieldPathAsString(pod, variable.ValueFrom.FieldRef.FieldPath); err != nil {
				return nil, err
			}
		}
		env[variable.Name] = value
		cmd.Env = append(cmd.Env, variable.Name+"="+value)
	}
	mounts, err := k.mount(ctx, pod, container)
	if err != nil {
		return nil, err
	}
	for _, arg := range container.Args {
		cmd.Args = append(cmd.Args, mounts.Replace(expansion.Expand(arg, expansion.MappingFuncFor(env))))
	}
	return cmd, nil
}

// mount writes the files of ConfigMaps, and replaces the paths where they would be mounted.
func (k *kubelet) mount(ctx context.Context, pod *corev1.Pod, container *corev1.Container) (*strings.Replacer, error) {
	var paths []string
	for _, mount := range container.VolumeMounts {
		for _, volume := range pod.Spec.Volumes {
			if volume.Name != mount.Name {
				continue
			}
			configMap, err := k.client.CoreV1().ConfigMaps(k.namespace).Get(ctx, volume.ConfigMap.Name, metav1.GetOptions{})
			if err != nil {
				return nil, err
			}
			dir := filepath.Join(k.volumes, configMap.Name)
			if err := k.files(dir, configMap.Data); err != nil {
				return nil, err
			}
			paths = append(paths, mount.MountPath, dir)
		}
	}
	return strings.NewReplacer(paths...), nil
}

// files writes the files of a volume once: pods share it.
func (k *kubelet) files(dir string, data map[string]string) (err error) {
	k.note(func() {
		if _, err = os.Stat(dir); err == nil {
			return
		}
		err = os.MkdirAll(dir, 0o755)
		for name, text := range data {
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
			}
		}
	})
	return err
}

// status reports the status of a pod.
func (k *kubelet) status(ctx context.Context, t *testing.T, pod *corev1.Pod, phase corev1.PodPhase, state corev1.ContainerState) {
	patch, err := json.Marshal(map[string]any{"status": corev1.PodStatus{
		Phase: phase, ContainerStatuses: []corev1.ContainerStatus{{Name: pod.Spec.Containers[0].Name, State: state}},
	}})
	if err == nil {
		_, err = k.client.CoreV1().Pods(k.namespace).Patch(ctx, pod.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	}
	if err != nil && ctx.Err() == nil {
		t.Errorf("the status of pod %s: %v", pod.Name, err)
	}
}
