package diffrun_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// alertRules has the fields of a file of Prometheus rules, which are also those of the spec of a PrometheusRule.
type alertRules struct {
	Groups []struct {
		Name  string `json:"name"`
		Rules []struct {
			Record      string            `json:"record,omitempty"`
			Alert       string            `json:"alert,omitempty"`
			Expr        string            `json:"expr"`
			For         string            `json:"for,omitempty"`
			Labels      map[string]string `json:"labels,omitempty"`
			Annotations map[string]string `json:"annotations,omitempty"`
		} `json:"rules"`
	} `json:"groups"`
}

// prometheusRule is the kind of the Prometheus operator.
type prometheusRule struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec alertRules `json:"spec"`
}

func readRules(t *testing.T) alertRules {
	t.Helper()
	var rules alertRules
	if err := yaml.UnmarshalStrict(readFile(t, "deploy/prometheus/rules.yaml"), &rules); err != nil {
		t.Fatal(err)
	}
	return rules
}

// TestPrometheusRule checks that the object for the Prometheus operator has the rules of the file.
func TestPrometheusRule(t *testing.T) {
	const path, comment = "deploy/prometheus/prometheusrule.yaml", `# The rules of rules.yaml for the Prometheus operator: ` +
		`kubectl apply -n NAMESPACE -f prometheusrule.yaml
# Add the labels that the ruleSelector of your Prometheus asks for.
# Generated from rules.yaml: go test . -run TestPrometheusRule -update
`
	want := prometheusRule{TypeMeta: metav1.TypeMeta{APIVersion: "monitoring.coreos.com/v1", Kind: "PrometheusRule"}, Spec: readRules(t)}
	want.Metadata.Name, want.Metadata.Labels = "diffrun", map[string]string{"app.kubernetes.io/name": "diffrun"}
	text, err := yaml.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	text = append([]byte(comment), text...)
	if *updateAPI {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := readFile(t, path); !bytes.Equal(text, got) {
		t.Errorf("%s differs from rules.yaml; `go test . -run TestPrometheusRule -update` rewrites it (-want +got):\n%s",
			path, cmp.Diff(string(text), string(got)))
	}
}

// TestRunbook checks that docs/sre.md has a row with the severity of each alert and of no other, and that each alert waits, names
// the runbook and has a summary.
func TestRunbook(t *testing.T) {
	const runbook = "https://github.com/diffrun/diffrun/blob/main/docs/sre.md#runbook"
	alerts, rows := map[string]string{}, map[string]string{}
	for _, group := range readRules(t).Groups {
		for _, rule := range group.Rules {
			if rule.Alert == "" {
				continue
			}
			alerts[rule.Alert] = rule.Labels["severity"]
			if rule.Annotations["summary"] == "" || rule.Annotations["runbook_url"] != runbook || rule.For == "" {
				t.Errorf("%s has no summary, no runbook_url %s, or no time to wait (for)", rule.Alert, runbook)
			}
		}
	}
	page := string(readFile(t, "docs/sre.md"))
	for line := range strings.Lines(page) {
		if cell, isRow := strings.CutPrefix(line, "| `Diffrun"); isRow {
			cells := strings.Split("Diffrun"+cell, " | ")
			for _, name := range regexp.MustCompile(`Diffrun\w+`).FindAllString(cells[0], -1) {
				rows[name] = strings.Trim(cells[1], "`")
			}
		}
	}
	if diff := cmp.Diff(alerts, rows); diff != "" {
		t.Errorf("deploy/prometheus/rules.yaml and the runbook of docs/sre.md (-alerts +rows):\n%s", diff)
	}
	if !strings.Contains(page, "\n## Runbook\n") {
		t.Error("docs/sre.md has no section Runbook, to which the alerts link")
	}
}

// dashboardPanel is the part of a panel that the test reads.
type dashboardPanel struct {
	ID                       int
	Type, Title, Description string
	GridPos                  struct{ X, Y, W, H int }
	FieldConfig              struct {
		Defaults struct {
			Thresholds *struct{ Steps []json.RawMessage }
		}
	}
	Targets []struct{ Expr string }
}

// TestDashboard checks what a reader of the dashboard needs: a description of each panel, a query that the
// variables narrow, and no panel over another.
func TestDashboard(t *testing.T) {
	var dashboard struct {
		Templating struct{ List []struct{ Name string } }
		Panels     []dashboardPanel
	}
	if err := json.Unmarshal(readFile(t, "deploy/grafana/dashboard.json"), &dashboard); err != nil {
		t.Fatal(err)
	}
	var variables []string
	for _, variable := range dashboard.Templating.List {
		variables = append(variables, variable.Name)
	}
	if diff := cmp.Diff([]string{"datasource", "cluster", "group", "kind"}, variables); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
	ids, cells := map[int]bool{}, map[[2]int]string{}
	for _, panel := range dashboard.Panels {
		if ids[panel.ID] {
			t.Errorf("%s: the id %d is there twice", panel.Title, panel.ID)
		}
		ids[panel.ID] = true
		for x := panel.GridPos.X; x < panel.GridPos.X+panel.GridPos.W; x++ {
			for y := panel.GridPos.Y; y < panel.GridPos.Y+panel.GridPos.H; y++ {
				if other, taken := cells[[2]int{x, y}]; taken {
					t.Fatalf("%s covers %s", panel.Title, other)
				}
				cells[[2]int{x, y}] = panel.Title
			}
		}
		if panel.Type != "row" {
			checkPanel(t, panel)
		}
	}
}

func checkPanel(t *testing.T, panel dashboardPanel) {
	t.Helper()
	if panel.Description == "" || len(panel.Targets) == 0 {
		t.Errorf("%s has no description or no query", panel.Title)
	}
	if thresholds := panel.FieldConfig.Defaults.Thresholds; panel.Type == "stat" && (thresholds == nil || len(thresholds.Steps) < 2) {
		t.Errorf("%s has no threshold, so a bad number looks like a good one", panel.Title)
	}
	for _, target := range panel.Targets {
		for _, selector := range regexp.MustCompile(`apiserver_\w+(\{[^}]*)?`).FindAllString(target.Expr, -1) {
			if !strings.Contains(selector, `cluster=~"$cluster"`) {
				t.Errorf("%s: %s ignores the variable cluster", panel.Title, selector)
			}
		}
	}
}

// TestMonitoredMetrics checks that rules and dashboard query only metrics that docs/reference/metrics.md has:
// a query for any other is empty without an error.
func TestMonitoredMetrics(t *testing.T) {
	known := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(apiserver_\\w+)` \\| (\\w+)").FindAllStringSubmatch(
		string(readFile(t, "docs/reference/metrics.md")), -1) {
		known[row[1]] = true
		if row[2] == "histogram" {
			known[row[1]+"_bucket"], known[row[1]+"_count"], known[row[1]+"_sum"] = true, true, true
		}
	}
	for _, path := range []string{"deploy/prometheus/rules.yaml", "deploy/prometheus/tests.yaml", "deploy/grafana/dashboard.json"} {
		names := regexp.MustCompile(`apiserver_\w+`).FindAllString(string(readFile(t, path)), -1)
		if len(names) == 0 {
			t.Errorf("%s names no metric", path)
		}
		for _, name := range names {
			if !known[name] {
				t.Errorf("%s: no program has the metric %s; these exist: %q", path, name, slices.Sorted(maps.Keys(known)))
			}
		}
	}
}
