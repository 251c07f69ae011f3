package release

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"golang.org/x/mod/modfile"

	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/staging"
)

// kubernetesModule is the module that has the registries.
const kubernetesModule = "k8s.io/kubernetes"

//go:embed program/*.tmpl
var programFiles embed.FS

// source is the module of a release, as the go command downloads it.
type source struct {
	Version, Dir, GoMod string
	Error               string
}

// download downloads the module of a release with the go command.
func download(ctx context.Context, version string) (source, error) {
	dir, err := os.MkdirTemp("", "diffrun-kubernetes-*")
	if err != nil {
		return source{}, err
	}
	defer os.RemoveAll(dir)
	// Outside of any module: the go.mod and go.work of the user do not count.
	output, err := goCommand(ctx, dir, "mod", "download", "-json", kubernetesModule+"@"+version)
	var found source
	if decoding := json.Unmarshal(output, &found); decoding == nil && found.Error != "" {
		return source{}, fmt.Errorf("the module of Kubernetes %s cannot be downloaded: %s", version, found.Error)
	}
	return found, err
}

// goCommand runs the go command and returns its output. The error has what it wrote to stderr.
func goCommand(ctx context.Context, dir string, arguments ...string) ([]byte, error) {
	var out, said bytes.Buffer
	command := osexec.CommandContext(ctx, "go", arguments...)
	command.Dir, command.Stdout, command.Stderr = dir, &out, &said
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	switch err := command.Run(); {
	case errors.Is(err, osexec.ErrNotFound):
		return nil, errors.New("a release of Kubernetes is built with the go command, which is not in PATH: install Go, see https://go.dev/dl")
	case err != nil:
		return out.Bytes(), fmt.Errorf("go %s: %w\n%s", strings.Join(arguments, " "), err, bytes.TrimSpace(said.Bytes()))
	}
	return out.Bytes(), nil
}

// LastPatch returns a release with its patch: for v1.33, the last one that is published.
func LastPatch(ctx context.Context, version string) (string, error) {
	if err := Check(version); err != nil || releaseForm.FindStringSubmatch(version)[2] != "" {
		return version, err
	}
	dir, err := os.MkdirTemp("", "diffrun-kubernetes-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	output, err := goCommand(ctx, dir, "list", "-m", "-f", "{{.Version}}", kubernetesModule+"@"+version)
	if err != nil {
		return "", fmt.Errorf("the last patch of Kubernetes %s: %w", version, err)
	}
	return strings.TrimSpace(string(output)), nil
}

// write writes the module of the program into a folder.
func write(dir string, kubernetes source) error {
	requires, err := goMod(kubernetes)
	if err != nil {
		return err
	}
	defaults, err := servedByDefault(kubernetes.Dir)
	if err != nil {
		return err
	}
	files := map[string][]byte{"go.mod": requires, "defaults.go": defaults}
	providers, err := findProviders(kubernetes.Dir)
	if err != nil {
		return err
	}
	installs, err := findInstalls(kubernetes.Dir)
	if err != nil {
		return err
	}
	var list bytes.Buffer
	values := map[string]any{"Release": strings.TrimPrefix(kubernetes.Version, "v"), "Providers": providers, "Installs": installs}
	if err := providersTemplate.Execute(&list, values); err != nil {
		return err
	}
	if files["providers.go"], err = format.Source(list.Bytes()); err != nil {
		return err
	}
	embedded, err := fs.Glob(programFiles, "program/*.tmpl")
	if err != nil {
		return err
	}
	for _, name := range embedded {
		text, err := programFiles.ReadFile(name)
		if err != nil {
			return err
		}
		files[strings.TrimSuffix(filepath.Base(name), ".tmpl")] = text
	}
	for name, text := range files {
		if err := outfile.Write(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}

// goMod returns the requirements of the program: those of the release.
func goMod(kubernetes source) ([]byte, error) {
	theirs, _, err := staging.Requirements(kubernetes.GoMod, kubernetes.Version)
	if err != nil {
		return nil, err
	}
	ours := &modfile.File{}
	errs := []error{ours.AddModuleStmt("diffrun.invalid/kubernetes"), ours.AddRequire(kubernetesModule, kubernetes.Version)}
	if theirs.Go != nil {
		errs = append(errs, ours.AddGoStmt(theirs.Go.Version))
	}
	for _, require := range theirs.Require {
		ours.AddNewRequire(require.Mod.Path, require.Mod.Version, require.Indirect)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	ours.Cleanup()
	return modfile.Format(ours.Syntax), nil
}

// provider is the type that registers a group of the API.
type provider struct {
	Name, Path, Type string
}

// findProviders returns the providers of the groups of a release: types of its packages
// pkg/registry/GROUP/rest that have the method NewRESTStorage. The core group is made by newCore.
func findProviders(dir string) ([]provider, error) {
	folders, err := filepath.Glob(filepath.Join(dir, "pkg", "registry", "*", "rest"))
	if err != nil {
		return nil, err
	}
	var found []provider
	for _, folder := range folders {
		group := filepath.Base(filepath.Dir(folder))
		if group == "core" || group == "testapigroup" {
			continue
		}
		of, err := providerTypes(folder)
		if err != nil {
			return nil, err
		}
		for _, name := range of {
			found = append(found, provider{Name: group + "rest", Path: kubernetesModule + "/pkg/registry/" + group + "/rest", Type: name})
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s has no groups of the API below pkg/registry", dir)
	}
	return found, nil
}

// findInstalls returns the packages that register the versions of the groups in legacyscheme.
func findInstalls(dir string) ([]string, error) {
	folders, err := filepath.Glob(filepath.Join(dir, "pkg", "apis", "*", "install"))
	if err != nil {
		return nil, err
	}
	var found []string
	for _, folder := range folders {
		if group := filepath.Base(filepath.Dir(folder)); group != "testapigroup" {
			found = append(found, kubernetesModule+"/pkg/apis/"+group+"/install")
		}
	}
	return found, nil
}

// providerTypes returns the exported types of a package with the method NewRESTStorage.
func providerTypes(folder string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var types []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok || function.Recv == nil || function.Name.Name != "NewRESTStorage" {
				continue
			}
			if of, ok := function.Recv.List[0].Type.(*ast.Ident); ok && of.IsExported() {
				types = append(types, of.Name)
			}
		}
	}
	slices.Sort(types)
	return types, nil
}

var providersTemplate = template.Must(template.New("providers.go").Parse(providersText))

// emulationTemplate is the file of the program with the version that an API server serves as. Releases before 1.33
// keep it elsewhere; their feature gates alone are emulated.
var emulationTemplate = template.Must(template.New("emulation.go").Parse(emulationText))

const emulationText = `package main
{{if .}}
import "{{.}}"

func effectiveVersion() any {
	return compatibility.DefaultComponentGlobalsRegistry.EffectiveVersionFor("kube")
}
{{else}}
func effectiveVersion() any { return nil }
{{end}}`

// compatibilityPackage has the version that an API server serves as.
const compatibilityPackage = "k8s.io/apiserver/pkg/util/compatibility"

// writeEmulation writes the file of the program that depends on a library of the release.
func writeEmulation(ctx context.Context, dir string) error {
	found, err := goCommand(ctx, dir, "list", "-e", "-f", "{{if not .Error}}{{.ImportPath}}{{end}}", compatibilityPackage)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := emulationTemplate.Execute(&text, strings.TrimSpace(string(found))); err != nil {
		return err
	}
	formatted, err := format.Source(text.Bytes())
	if err != nil {
		return err
	}
	return outfile.Write(filepath.Join(dir, "emulation.go"), formatted)
}

const providersText = `package main

import (
{{range .Providers}}	{{.Name}} "{{.Path}}"
{{end}}
	// These register the versions of each group.
{{range .Installs}}	_ "{{.}}"
{{end}})

// release is the release of Kubernetes that this program is from.
const release = {{printf "%q" .Release}}

// providers returns the groups of the API, which are asked for their resources.
func providers(with []any) []provider {
	return []provider{
		newCore(with),
{{range .Providers}}		filledProvider({{.Name}}.{{.Type}}{}, with),
{{end}}	}
}
`

// releaseForm is a release: two numbers are its last patch.
var releaseForm = regexp.MustCompile(`^v1\.([0-9]+)(\.[0-9]+(-[0-9A-Za-z.]+)?)?$`)

// oldest is the oldest minor release that is supported.
const oldest = 30

// Check returns why a text is not a release.
func Check(version string) error {
	parts := releaseForm.FindStringSubmatch(version)
	if parts == nil {
		return fmt.Errorf("%q is not a release of Kubernetes; accepted: v1.MINOR.PATCH, as in v1.33.13, or v1.MINOR for its last patch", version)
	}
	if minor, err := strconv.Atoi(parts[1]); err != nil || minor < oldest {
		return fmt.Errorf("%q is not supported; accepted: v1.%d and newer releases of Kubernetes, as in v1.33.13", version, oldest)
	}
	return nil
}

// emulationForm is a version that an API server can emulate.
var emulationForm = regexp.MustCompile(`^1\.([0-9]+)$`)

// CheckEmulation returns why a release cannot emulate a version. Releases emulate versions since 1.31.
func CheckEmulation(version, emulates string) error {
	parts := emulationForm.FindStringSubmatch(emulates)
	if parts == nil {
		return fmt.Errorf("%q is not a version that an API server can emulate; accepted: 1.MINOR, as in 1.33", emulates)
	}
	minor, err := strconv.Atoi(parts[1])
	own, _ := strconv.Atoi(releaseForm.FindStringSubmatch(version)[1])
	if err != nil || minor > own || minor < 31 {
		return fmt.Errorf("%s cannot emulate %s; accepted: from 1.31 to its own version", version, emulates)
	}
	return nil
}
