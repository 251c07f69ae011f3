package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/diffrun/diffrun/internal/staging"
)

const (
	kubernetes = "k8s.io/kubernetes"
	// stagingImports has an import of each staging module.
	stagingImports = "backends/native/kubernetes/modules.go"
)

// followers are modules that have a release for each minor version of Kubernetes.
var followers = []string{"sigs.k8s.io/controller-runtime", "sigs.k8s.io/controller-tools"}

// upgrade moves all modules of the repository to a release, and generates the schemas. It returns what is to be
// decided: staging modules that are not imported yet, and why the schemas cannot be generated.
func upgrade(w io.Writer, root, version string) ([]string, error) {
	if !semver.IsValid(version) || semver.Major(version) != "v1" || semver.Canonical(version) != version {
		return nil, fmt.Errorf("%q is no release of Kubernetes; write it as v1.38.0", version)
	}
	required, modules, err := requirementsOf(version)
	if err != nil {
		return nil, err
	}
	if err := follow(w, required); err != nil {
		return nil, err
	}
	files, err := modFiles(root)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		fmt.Fprintf(w, "%s\n", file)
		if err := move(filepath.Join(root, file), required); err != nil {
			return nil, err
		}
	}
	fmt.Fprintln(w, "generating the schemas")
	decisions, err := unimported(root, modules)
	if err != nil {
		return nil, err
	}
	if _, err := command(root, "go", "generate", "./backends/declarative/kubernetes/..."); err != nil {
		decisions = append(decisions, "the schemas are still those of the release before; correct this and run the same again, to see the new fields:\n  "+
			strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "\n  "))
	}
	return decisions, nil
}

// requirementsOf returns the versions that a release requires, by module, and its staging modules.
func requirementsOf(version string) (required map[string]string, modules []string, err error) {
	name, err := download(kubernetes, version)
	if err != nil {
		return nil, nil, err
	}
	file, modules, err := staging.Requirements(name, version)
	if err != nil {
		return nil, nil, err
	}
	required = map[string]string{kubernetes: version}
	for _, r := range file.Require {
		required[r.Mod.Path] = r.Mod.Version
	}
	return required, modules, nil
}

// download returns the file go.mod of a released module.
func download(module, version string) (string, error) {
	out, err := command("", "go", "mod", "download", "-json", module+"@"+version)
	var downloaded struct{ GoMod, Error string }
	if read := json.Unmarshal(out, &downloaded); read == nil && downloaded.Error != "" {
		return "", fmt.Errorf("%s: %s", module, downloaded.Error)
	} else if err != nil || read != nil {
		return "", errors.Join(err, read)
	}
	return downloaded.GoMod, nil
}

// requires reports whether a version of a module requires the minor version of another one.
func requires(module, version, other, minor string) (bool, error) {
	name, err := download(module, version)
	if err != nil {
		return false, err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	file, err := modfile.ParseLax(name, data, nil)
	return err == nil && semver.MajorMinor(versionIn(file, other)) == minor, err
}

// follow adds the newest releases of the followers that require the same minor version.
func follow(w io.Writer, required map[string]string) error {
	const common = "k8s.io/apimachinery"
	for _, module := range followers {
		out, err := command("", "go", "list", "-m", "-versions", "-f", "{{range .Versions}}{{println .}}{{end}}", module)
		if err != nil {
			return err
		}
		versions := strings.Fields(string(out))
		slices.Reverse(versions)
		at := slices.IndexFunc(versions, func(version string) bool {
			if semver.Prerelease(version) != "" {
				return false
			}
			follows, err := requires(module, version, common, semver.MajorMinor(required[common]))
			return err == nil && follows
		})
		if at < 0 {
			fmt.Fprintf(w, "no release of %s requires %s %s: its version stays\n", module, common, semver.MajorMinor(required[common]))
			continue
		}
		required[module] = versions[at]
	}
	return nil
}

func versionIn(file *modfile.File, module string) string {
	for _, r := range file.Require {
		if r.Mod.Path == module {
			return r.Mod.Version
		}
	}
	return ""
}

// modFiles returns the go.mod files of the repository, the main one first.
func modFiles(root string) (files []string, err error) {
	err = fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && path != ".") {
			return fs.SkipDir
		}
		if err == nil && entry.Name() == "go.mod" {
			files = append(files, path)
		}
		return err
	})
	slices.SortFunc(files, func(a, b string) int { return len(a) - len(b) })
	return files, err
}

// move sets the versions of the modules that a go.mod file requires, and tidies it.
func move(file string, required map[string]string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	parsed, err := modfile.Parse(file, data, nil)
	if err != nil {
		return err
	}
	edit := []string{"mod", "edit"}
	for _, r := range parsed.Require {
		to, ours := required[r.Mod.Path]
		if ours && (semver.Compare(to, r.Mod.Version) > 0 || isPinned(r.Mod.Path)) {
			edit = append(edit, "-require="+r.Mod.Path+"@"+to)
		}
	}
	if len(edit) == 2 {
		return nil
	}
	if _, err := command(filepath.Dir(file), "go", edit...); err != nil {
		return err
	}
	_, err = command(filepath.Dir(file), "go", "mod", "tidy")
	return err
}

// isPinned reports whether a module has to be at the version of the release, even if a newer one is required.
func isPinned(module string) bool {
	return strings.HasPrefix(module, "k8s.io/") || module == "github.com/google/cel-go" || module == "cel.dev/cel-go"
}

// unimported returns the staging modules that no file imports.
func unimported(root string, modules []string) (decisions []string, err error) {
	data, err := os.ReadFile(filepath.Join(root, stagingImports))
	if err != nil {
		return nil, err
	}
	for _, module := range modules {
		if !strings.Contains(string(data), `"`+module+`"`) && !strings.Contains(string(data), `"`+module+`/`) {
			decisions = append(decisions, "new staging module "+module+": import it in "+stagingImports)
		}
	}
	return decisions, nil
}

// command runs a command in a directory and returns its output.
func command(dir, name string, args ...string) ([]byte, error) {
	run := exec.Command(name, args...)
	run.Dir = dir
	out, err := run.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, exit.Stderr)
	}
	return out, err
}
