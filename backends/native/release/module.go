package release

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/staging"
)

//go:embed program/*
var programFiles embed.FS

// LastPatch returns a release with its patch: for v1.33, the last one that is published.
func LastPatch(ctx context.Context, version string) (string, error) {
	if err := Check(version); err != nil || releaseForm.FindStringSubmatch(version)[2] != "" {
		return version, err
	}
	last, err := staging.Last(ctx, staging.Kubernetes, version)
	return last, unavailable(version, err)
}

// writeModule writes a module that requires a release into a folder, with the copy of a module that it uses.
func writeModule(ctx context.Context, dir string, kubernetes staging.Module) error {
	if err := writeGoMod(dir, kubernetes); err != nil {
		return err
	}
	return reportErrors(ctx, dir, kubernetes.Version)
}

func writeGoMod(dir string, kubernetes staging.Module) error {
	requires, err := staging.GoMod("diffrun.invalid/kubernetes", kubernetes)
	if err != nil {
		return err
	}
	return outfile.Write(filepath.Join(dir, "go.mod"), requires)
}

// write writes the sources of the program into a folder.
func write(dir string, kubernetes staging.Module) error {
	defaults, err := servedByDefault(kubernetes.Dir)
	if err != nil {
		return err
	}
	files := map[string][]byte{"defaults.go": defaults}
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
	embedded, err := fs.Glob(programFiles, "program/*")
	if err != nil {
		return err
	}
	for _, name := range embedded {
		text, err := programFiles.ReadFile(name)
		if err != nil {
			return err
		}
		files[strings.TrimSuffix(filepath.Base(name), ".tmpl")] = bytes.Replace(text, []byte("package program\n"), []byte("package main\n"),
			1)
	}
	for name, text := range files {
		if err := outfile.Write(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
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
			found = append(found, provider{Name: group + "rest", Path: staging.Kubernetes + "/pkg/registry/" + group + "/rest", Type: name})
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
			found = append(found, staging.Kubernetes+"/pkg/apis/"+group+"/install")
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

// emulationTemplate is the file of the program with the version that an API server serves as. In releases before 1.33,
// this version does not change what CEL expressions may use, so feature gates and API versions are all that is emulated.
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
	found, err := staging.Go(ctx, dir, "list", "-e", "-f", "{{if not .Error}}{{.ImportPath}}{{end}}", compatibilityPackage)
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
		return fmt.Errorf("%q is not a release of Kubernetes; accepted: v1.MINOR.PATCH, as in v1.33.13, or v1.MINOR for its last patch",
			version)
	}
	if minor, err := strconv.Atoi(parts[1]); err != nil || minor < oldest {
		return fmt.Errorf("%q is not supported; accepted: v1.%d and newer releases of Kubernetes, as in v1.33.13", version, oldest)
	}
	return nil
}

// emulationForm is a version that an API server can emulate.
var emulationForm = regexp.MustCompile(`^1\.([0-9]+)$`)

// firstEmulating is the first minor release whose API server emulates versions. It is also the first one that is
// emulated, so it emulates itself only.
const firstEmulating = 31

// CheckEmulation returns why a release cannot emulate a version. Its API server accepts its own version and the three
// before it (kubeEffectiveVersionFloors of k8s.io/apiserver/pkg/util/compatibility; 1.32: EffectiveVersion.Validate of
// k8s.io/component-base/version).
func CheckEmulation(version, emulates string) error {
	parts := emulationForm.FindStringSubmatch(emulates)
	if parts == nil {
		return fmt.Errorf("%q is not a version that an API server can emulate; accepted: 1.MINOR, as in 1.33", emulates)
	}
	minor, err := strconv.Atoi(parts[1])
	own, _ := strconv.Atoi(releaseForm.FindStringSubmatch(version)[1])
	switch first := max(firstEmulating, own-3); {
	case own < firstEmulating:
		return fmt.Errorf("%s cannot emulate %s: API servers emulate versions since 1.%d", version, emulates, firstEmulating)
	case err != nil || minor < first || minor > own:
		return fmt.Errorf("%s cannot emulate %s; accepted: 1.%d to 1.%d", version, emulates, first, own)
	}
	return nil
}
