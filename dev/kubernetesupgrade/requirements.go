package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/diffrun/diffrun/internal/staging"
)

// stagingImports has an import of each staging module.
const stagingImports = "backends/native/kubernetes/modules.go"

// diffrun is the main module of the repository.
const diffrun = "github.com/diffrun/diffrun"

// followers are modules that have a release for each minor version of Kubernetes.
var followers = []string{"sigs.k8s.io/controller-runtime", "sigs.k8s.io/controller-tools"}

// upgrade moves all modules of the repository to a release, and generates the schemas. It returns what is to be
// decided: staging modules that are not imported yet, and why the schemas cannot be generated.
func upgrade(ctx context.Context, w io.Writer, root, version string) ([]string, error) {
	if !semver.IsValid(version) || semver.Major(version) != "v1" || semver.Canonical(version) != version {
		return nil, fmt.Errorf("%q is no release of Kubernetes; write it as v1.38.0", version)
	}
	required, modules, err := requirementsOf(ctx, version)
	if err != nil {
		return nil, err
	}
	if err := follow(ctx, w, required); err != nil {
		return nil, err
	}
	files, err := modFiles(root)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		fmt.Fprintf(w, "%s\n", file)
		if err := move(ctx, filepath.Join(root, file), required); err != nil {
			return nil, err
		}
	}
	decisions, err := unimported(root, modules)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(w, "generating the schemas")
	if _, err := staging.Go(ctx, root, "generate", "./backends/declarative/kubernetes/..."); err != nil {
		decisions = append(decisions, "the schemas are still those of the release before; correct this and run the same again, "+
			"to see the new fields:\n  "+
			strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "\n  "))
	}
	return decisions, nil
}

// requirementsOf returns the versions that a release requires, by module, and its staging modules.
func requirementsOf(ctx context.Context, version string) (required map[string]string, modules []string, err error) {
	release, err := staging.Download(ctx, staging.Kubernetes, version)
	if err != nil {
		return nil, nil, err
	}
	file, modules, err := staging.Requirements(release)
	if err != nil {
		return nil, nil, err
	}
	required = map[string]string{staging.Kubernetes: version}
	for _, r := range file.Require {
		required[r.Mod.Path] = r.Mod.Version
	}
	return required, modules, nil
}

// follow adds the newest releases of the followers that require the same minor version.
func follow(ctx context.Context, w io.Writer, required map[string]string) error {
	const common = "k8s.io/apimachinery"
	minor := semver.MajorMinor(required[common])
	for _, module := range followers {
		out, err := staging.Go(ctx, "", "list", "-m", "-versions", "-f", "{{range .Versions}}{{println .}}{{end}}", module)
		if err != nil {
			return err
		}
		versions := slices.DeleteFunc(strings.Fields(string(out)), func(version string) bool { return semver.Prerelease(version) != "" })
		slices.Reverse(versions)
		for _, version := range versions {
			needs, err := needed(ctx, module, version, common)
			if err != nil {
				return err
			}
			if semver.MajorMinor(needs) == minor {
				required[module] = version
			}
			if semver.Compare(semver.MajorMinor(needs), minor) <= 0 {
				break
			}
		}
		if required[module] == "" {
			fmt.Fprintf(w, "no release of %s requires %s %s: its version stays\n", module, common, minor)
		}
	}
	return nil
}

// needed returns the version at which a version of a module requires another one.
func needed(ctx context.Context, module, version, other string) (string, error) {
	downloaded, err := staging.Download(ctx, module, version)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(downloaded.GoMod)
	if err != nil {
		return "", err
	}
	file, err := modfile.ParseLax(downloaded.GoMod, data, nil)
	if err != nil {
		return "", err
	}
	for _, r := range file.Require {
		if r.Mod.Path == other {
			return r.Mod.Version, nil
		}
	}
	return "", nil
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
	slices.SortStableFunc(files, func(a, b string) int { return len(a) - len(b) })
	return files, err
}

// move sets the versions of the modules that a go.mod file requires, and tidies it.
func move(ctx context.Context, file string, required map[string]string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	parsed, err := modfile.Parse(file, data, nil)
	if err != nil {
		return err
	}
	if isIndependent(parsed) {
		return nil
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
	if _, err := staging.Go(ctx, filepath.Dir(file), edit...); err != nil {
		return err
	}
	_, err = staging.Go(ctx, filepath.Dir(file), "mod", "tidy")
	return err
}

// isIndependent reports whether a module is an example that does without diffrun's packages, because it imports a
// project that requires another release of Kubernetes.
func isIndependent(file *modfile.File) bool {
	return strings.HasPrefix(file.Module.Mod.Path, diffrun+"/examples/") &&
		!slices.ContainsFunc(file.Require, func(r *modfile.Require) bool { return r.Mod.Path == diffrun })
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
