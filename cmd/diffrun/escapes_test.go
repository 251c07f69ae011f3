package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/reports"
)

// The command that README.md shows finds each of the eleven escapes, in its class. Both sides agree on
// everything else in the suite.
func TestEscapes(t *testing.T) {
	report := filepath.Join(t.TempDir(), "report.json")
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	command := program{Environment: run.Environment{
		Console:  &terminal.Console{Stdin: strings.NewReader(""), Stdout: terminal.New(null), Stderr: terminal.New(null)},
		Builtins: builtins(), Now: time.Now,
	}}
	if status := command.execute(t.Context(), []string{
		"run",
		"-o",
		"json=" + report,
		"../../cases/escapes",
	}); status != int(terminal.Different) {
		t.Errorf("exit status %d, want %d: the escapes are differences, and nothing else is wrong", status, terminal.Different)
	}
	file, err := os.Open(report)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	got, agreed := escapesIn(t, file)
	want := map[string][]difference.Class{
		"gateway.networking.k8s.io/v1 Gateway":                    {difference.TooStrict},
		"gateway.networking.k8s.io/v1 HTTPRoute":                  {difference.TooLoose},
		"karpenter.sh/v1 BudgetPool":                              {difference.TooLoose},
		"karpenter.sh/v1 SchedulePool":                            {difference.TooLoose},
		"karpenter.sh/v1beta1 NodePool":                           {difference.Path},
		"networking.istio.io/v1 WorkloadGroup":                    {difference.TooStrict},
		"readiness.node.x-k8s.io/v1alpha1 NodeReadinessRule":      {difference.TooLoose},
		"stas.statnett.no/v1beta2 Application":                    {difference.TooLoose},
		"certmanager.k8s.io/v1alpha1 Order":                       {difference.TooStrict},
		"infrastructure.cluster.x-k8s.io/v1alpha2 ProxmoxMachine": {difference.TooStrict},
		"infrastructure.cluster.x-k8s.io/v1beta1 VSphereMachine":  {difference.TooStrict},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("escapes by target (-want +got):\n%s", diff)
	}
	if agreed < 20 {
		t.Errorf("%d other inputs; each suite has one that both accept and most have one that both refuse", agreed)
	}
}

// escapesIn returns the classes of the unexplained differences of the cases named escape, and the number
// of the other inputs, which have none.
func escapesIn(t *testing.T, report io.Reader) (found map[string][]difference.Class, agreed int) {
	t.Helper()
	recorded, err := reports.Read(report)
	if err != nil {
		t.Fatal(err)
	}
	found = map[string][]difference.Class{}
	for _, result := range recorded.Results {
		target := apiname.Target(result.Version)
		var classes []difference.Class
		for _, pair := range result.Pairs {
			if !pair.Explained() {
				classes = append(classes, pair.Class)
			}
		}
		switch isEscape := strings.HasSuffix(result.Case.ID, "#escape"); {
		case isEscape && len(classes) > 0:
			found[target] = classes
		case len(classes) > 0:
			t.Errorf("%s, %s: %v; only escapes may differ", target, result.Case.ID, classes)
		default:
			agreed++
		}
	}
	return found, agreed
}
