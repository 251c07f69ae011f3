package diffrun_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// releaseConfig has the keys of .goreleaser.yaml that it uses.
type releaseConfig struct {
	Version     int
	ProjectName string `yaml:"project_name"`
	Before      struct {
		Hooks []string
	}
	Builds []struct {
		Main                         string
		Env, Flags, Ldflags, Targets []string
		ModTimestamp                 string `yaml:"mod_timestamp"`
	}
	Archives []struct {
		NameTemplate    string `yaml:"name_template"`
		Formats         []string
		Files           []any // names, or mappings of a pattern
		FormatOverrides []struct {
			Goos    string
			Formats []string
		} `yaml:"format_overrides"`
	}
	Checksum struct {
		NameTemplate string `yaml:"name_template"`
		Algorithm    string
	}
	Snapshot struct {
		VersionTemplate string `yaml:"version_template"`
	}
	Changelog struct{ Use, Sort string }
	SBOMs     []struct{ ID, Artifacts string } `yaml:"sboms"`
	Signs     []struct {
		Cmd, Signature, Artifacts string
		Args                      []string
	}
	HomebrewCasks []struct {
		Name, Homepage, Description, License string
		Repository                           map[string]string
		Hooks                                struct{ Post struct{ Install string } }
	} `yaml:"homebrew_casks"`
	Krews []struct {
		Name, Homepage, Description string
		ShortDescription            string `yaml:"short_description"`
		Repository                  map[string]string
	}
	Release struct{ GitHub struct{ Owner, Name string } }
}

// TestReleaseArchives: the action downloads the archives that a release has.
func TestReleaseArchives(t *testing.T) {
	var config releaseConfig
	decoder := yaml.NewDecoder(bytes.NewReader(readFile(t, ".goreleaser.yaml")))
	decoder.KnownFields(true)
	if err := decoder.Decode(&config); err != nil {
		t.Fatal(err)
	}
	action := string(readFile(t, ".ci/action"))
	if of := config.Release.GitHub; of.Owner+"/"+of.Name != "diffrun/diffrun" {
		t.Errorf(".goreleaser.yaml releases %s/%s", of.Owner, of.Name)
	}
	if got := len(config.Builds[0].Targets); got != 5 {
		t.Errorf(".goreleaser.yaml has %d targets, wanted 5", got)
	}
	if !slices.Contains(config.Builds[0].Env, "CGO_ENABLED=0") {
		t.Error(".goreleaser.yaml builds no static command")
	}
	archives := config.Archives[0]
	for _, target := range config.Builds[0].Targets {
		system, machine, _ := strings.Cut(target, "_")
		format := archives.Formats[0]
		for _, other := range archives.FormatOverrides {
			if other.Goos == system {
				format = other.Formats[0]
			}
		}
		archive := strings.NewReplacer("{{ .ProjectName }}", config.ProjectName, "{{ .Os }}", system, "{{ .Arch }}",
			machine).Replace(archives.NameTemplate) + "." + format
		if !strings.Contains(action, "archive="+archive+" ;;") {
			t.Errorf(".ci/action does not download %s", archive)
		}
	}
	if !strings.Contains(action, config.Checksum.NameTemplate) {
		t.Errorf(".ci/action does not download %s", config.Checksum.NameTemplate)
	}
	for _, file := range archives.Files {
		if name, isName := file.(string); isName {
			readFile(t, name)
			continue
		}
		// Man pages are made before the archives.
		made := regexp.MustCompile(`(?m)^MAN \?= (\w+)$`).FindSubmatch(readFile(t, "Makefile"))
		if pattern, _ := file.(map[string]any)["src"].(string); made == nil || path.Dir(pattern) != string(made[1]) ||
			!slices.Contains(config.Before.Hooks, "make man") {
			t.Errorf("no hook of .goreleaser.yaml makes %v", file)
		}
	}
	if len(config.SBOMs) == 0 || len(config.Signs) == 0 || len(config.HomebrewCasks) != 1 || len(config.Krews) != 1 {
		t.Error(".goreleaser.yaml lacks SBOMs, signatures, Homebrew or krew")
	}
}

// TestUnreleased: as long as no version is released, workflows use the main branch, because no tag of a version exists.
func TestUnreleased(t *testing.T) {
	if regexp.MustCompile(`(?m)^## v?[0-9]`).Match(readFile(t, "CHANGELOG.md")) {
		t.Fatal("a version is released: name its major version in the workflows, and correct docs/install.md and this test")
	}
	for _, name := range []string{
		"docs/ci.md", "docs/tutorial/4-ci.md", "examples/github/compare.yaml", "examples/github/pull-request.yaml",
	} {
		used := regexp.MustCompile(`diffrun/diffrun@(\S+)`).FindAllSubmatch(readFile(t, name), -1)
		if len(used) == 0 {
			t.Errorf("%s does not use the action", name)
		}
		for _, one := range used {
			if string(one[1]) != "main" {
				t.Errorf("%s uses the version %s, which is not released", name, one[1])
			}
		}
	}
}

// TestActionPassesInputs checks that each input of the action is read by one of its steps, and that each
// variable that .ci/action reads is set by action.yml or by the runner.
func TestActionPassesInputs(t *testing.T) {
	var action struct {
		Inputs map[string]any
		Runs   struct {
			Steps []struct{ Env map[string]string }
		}
	}
	written := readFile(t, "action.yml")
	if err := yaml.Unmarshal(written, &action); err != nil {
		t.Fatal(err)
	}
	for name := range action.Inputs {
		if !bytes.Contains(written, []byte("${{ inputs."+name+" }}")) {
			t.Errorf("no step of action.yml reads the input %s", name)
		}
	}
	used := regexp.MustCompile(`(?m)^          (\w+): `).FindAllStringSubmatch(string(readFile(t, "examples/github/compare.yaml")), -1)
	for _, one := range used {
		if _, declared := action.Inputs[one[1]]; !declared &&
			!slices.Contains([]string{"name", "path", "pattern", "merge-multiple"}, one[1]) {
			t.Errorf("examples/github/compare.yaml sets the input %s, which action.yml does not have", one[1])
		}
	}
	set := map[string]bool{"RANDOM": true}
	for _, step := range action.Runs.Steps {
		for name := range step.Env {
			set[name] = true
		}
	}
	read := regexp.MustCompile(`\$([A-Z_]+)`).FindAllStringSubmatch(string(readFile(t, ".ci/action")), -1)
	for _, one := range read {
		if name := one[1]; !set[name] && !strings.HasPrefix(name, "RUNNER_") && !strings.HasPrefix(name, "GITHUB_") {
			t.Errorf(".ci/action reads $%s, which action.yml does not set", name)
		}
	}
	if len(action.Inputs) < 5 || len(read) < 10 || len(used) < 5 {
		t.Errorf("%d inputs, %d uses and %d variables found; does this test see anything?", len(action.Inputs), len(used), len(read))
	}
}

var stamp = regexp.MustCompile(`-X main\.(\w+)=`)

// TestReleaseStamps: the linker sets variables that the command has. It does not report others.
func TestReleaseStamps(t *testing.T) {
	parsed, err := parser.ParseFile(token.NewFileSet(), "cmd/diffrun/version.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	for _, d := range parsed.Decls {
		if general, is := d.(*ast.GenDecl); is && general.Tok == token.VAR {
			for _, name := range general.Specs[0].(*ast.ValueSpec).Names {
				declared = append(declared, name.Name)
			}
		}
	}
	for file, want := range map[string]int{"Makefile": 2, ".goreleaser.yaml": 2, ".ci/action": 1} {
		found := stamp.FindAllStringSubmatch(string(readFile(t, file)), -1)
		if len(found) != want {
			t.Errorf("%s sets %d variables, wanted %d", file, len(found), want)
		}
		for _, one := range found {
			if !slices.Contains(declared, one[1]) {
				t.Errorf("%s sets %s, which is no variable of cmd/diffrun/version.go; these are: %q", file, one[1], declared)
			}
		}
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
