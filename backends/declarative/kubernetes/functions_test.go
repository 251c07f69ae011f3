package kubernetes

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFunctionsAboveRulesExist: readers of validation.go look for the functions named above the rules of the
// overlays, so each of them exists in this version of Kubernetes.
func TestFunctionsAboveRulesExist(t *testing.T) {
	const fewest = 400
	named := regexp.MustCompile(`\b(?:[vV]alidate|SetDefaults_|IsValid|IsDNS)[A-Z]\w+`)
	declared := functionsOfKubernetes(t)
	files, err := filepath.Glob("overlays/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if !strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			for _, name := range named.FindAllString(line, -1) {
				if found++; !declared[name] {
					t.Errorf("%s:%d: Kubernetes has no function %s", file, i+1, name)
				}
			}
		}
	}
	if found < fewest {
		t.Fatalf("%d functions; the test reads less than it did", found)
	}
}

// functionsOfKubernetes returns the functions, and variables of function types, that packages of validation
// declare, by name.
func functionsOfKubernetes(t *testing.T) map[string]bool {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes",
		"k8s.io/apimachinery", "k8s.io/apiserver").Output()
	if err != nil {
		t.Fatal(err)
	}
	declaration := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|var |\t)([A-Za-z]\w+)(?:\[[^\]]*\])?(?:\(| += )`)
	declared := map[string]bool{}
	for _, dir := range strings.Fields(string(out)) {
		err := fs.WalkDir(os.DirFS(dir), "pkg", func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				strings.HasPrefix(filepath.Base(path), "zz_") {
				return err
			}
			source, err := os.ReadFile(filepath.Join(dir, path))
			for _, match := range declaration.FindAllSubmatch(source, -1) {
				declared[string(match[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return declared
}
