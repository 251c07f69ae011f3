//go:build unix

package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"
	"testing/fstest"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	kinded "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	natives "github.com/diffrun/diffrun/backends/native/kubernetes/registry"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/reports"
)

// deploymentSuite compares Kubernetes' hand-written code with the schema, as the suite of `make scale` does.
const deploymentSuite = `
name: deployments
native: {builtin: kubernetes}
declarative: {builtin: kubernetes}
cases: [deployments.jsonl]
matrix: [{name: v1, versions: [apps/v1]}]
`

// BenchmarkRun compares lines of JSON with a Deployment each, as `diffrun run -o jsonl` does. Its contenders
// only decode the lines, so their ratios are the part of decode speed that is reached. Every tenth
// Deployment is refused.
//
// Each accepted Deployment is also asked about as a stored object. harness/askstored.go changes it as a Go type:
// if it read and defaulted a document for each request instead, a run would take twice as long.
func BenchmarkRun(b *testing.B) {
	const many = 100
	var lines [][]byte
	for i := range many {
		obj := deployment(1 << 10)
		obj.Name = fmt.Sprintf("web-%d", i)
		obj.Spec.Template.Spec.ServiceAccountName = "" // Kubernetes copies it to a deprecated field, which no schema declares
		if i%10 == 0 {
			*obj.Spec.Replicas = -1
		}
		lines = append(lines, deploymentLine(b, i, obj))
	}
	suite := loadSuite(b, fstest.MapFS{
		"suite.yaml":        {Data: []byte(deploymentSuite)},
		"deployments.jsonl": {Data: bytes.Join(lines, []byte("\n"))},
	})
	compare(b, func() {
		report, err := reports.New("jsonl", io.Discard, reports.Options{})
		if err != nil {
			panic(err)
		}
		results := 0
		jobs := suite.Jobs(cases.JobOptions{Harness: harness.Options{Rules: suite.Rules, Exceptions: suite.Exceptions, Stored: true}})
		err = harness.Run(context.Background(), jobs, harness.RunOptions{Parallel: 1}, func(r harness.Result) error {
			if results++; r.Fault != nil || r.Verdict == words.Different {
				return fmt.Errorf("case %s: %s: %v %v", r.Case.ID, r.Verdict, r.Fault, r.Pairs)
			}
			return report.Result(r)
		})
		if err != nil || results != many {
			panic(fmt.Sprint(results, " results: ", err))
		}
	}, decoders(lines)...)
	b.ReportMetric(float64(len(bytes.Join(lines, nil)))/many, "B/line")
}

func deploymentLine(b *testing.B, id int, obj *appsv1.Deployment) []byte {
	document, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		b.Fatal(err)
	}
	delete(document, "status")
	return line(b, fmt.Sprint(id), document)
}

// loadSuite loads a suite of Kubernetes' kinds.
func loadSuite(b *testing.B, files fstest.MapFS) *cases.Suite {
	plan, err := cases.Load([]cases.Location{{Files: &cases.Files{FS: files}, Name: "suite.yaml"}}, cases.Options{
		Builtins: map[string]cases.Builtin{"kubernetes": {Natives: kubernetesNatives{}, Declaratives: kinded.NewBackends().Backend,
			Typed: true}},
		Now:      time.Now(),
		Parallel: 1,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := plan.Close(); err != nil {
			b.Error(err)
		}
	})
	return plan.Suites[0]
}

// kubernetesNatives are the hand-written validators of Kubernetes.
type kubernetesNatives struct{}

func (kubernetesNatives) Kinds() []schema.GroupKind { return natives.Kinds() }

func (kubernetesNatives) Target(kind schema.GroupKind) (*harness.Target, error) {
	return natives.NewTarget(kind, func(schema.GroupVersionKind) (harness.Backend, error) { return nil, nil })
}
