package scaffold

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/kustomization"
)

// Project is the content of a repository. Names of files are relative to its root, with slashes.
type Project struct {
	// Root is the directory that was searched.
	Root string
	// Module is the path of the Go module of the root; empty without one.
	Module string
	// Access is set if the project is a cluster.
	Access *Access

	Definitions []*Definition
	Webhooks    []Webhook
	Policies    []Policy
	Samples     []Sample
	Setups      []Setup
	Schemes     []Scheme
	Functions   []Function
	// Production is the command that registers the webhooks; nil: exported functions do.
	Production *Production
	// PassedOver lists objects of which another file has a different one that is used.
	PassedOver []PassedOver
	// Open lists findings that cannot be used, with their places.
	Open []string

	keptProgram bool // a program of an earlier run serves the webhooks without the copy of the command
	keptWhole   bool // the program of an earlier run is one file, so none is written
	goTypes     goPackages
	render      Renderer
}

// Renderer returns the objects that the kustomization of a folder deploys, as documents of YAML.
type Renderer func(folder string) ([]byte, error)

// Definition is a CustomResourceDefinition.
type Definition struct {
	*definitions.Definition
	// Source is its file, or the folder of a kustomization. Alone reports whether a suite can name it: the file is in the
	// repository, has nothing else, and is no template.
	Source string
	Alone  bool
	// Rendered reports whether the source is the folder of a kustomization, which may have several definitions.
	Rendered bool
}

// Policy is a ValidatingAdmissionPolicy, a binding, or a parameter object.
type Policy struct {
	Source string
	Line   int
	Object map[string]any
}

// Sample is an object of a kind with a definition.
type Sample struct {
	Source string
	Line   int
	Kind   schema.GroupVersionKind
	Object map[string]any
}

// ignoredFolders are not searched: they belong to others, or are made by tools.
var ignoredFolders = []string{"vendor", "node_modules", "third_party", "testdata", "_output", "bin"}

// maxFile is the size of the largest file that is read.
const maxFile = 8 << 20

// Find searches a directory. skip is a folder in it to leave out, such as the one that is written.
func Find(root, skip string, render Renderer) (*Project, error) {
	p := &Project{Root: root, goTypes: goPackages{}, render: render}
	if err := p.readModule(); err != nil {
		return nil, err
	}
	source := newGoSource(p)
	files := &foundFiles{deployments: deployments{kustomizations: map[string]*deployment{}}}
	nested := 0
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		relative, _ := filepath.Rel(root, name)
		relative = filepath.ToSlash(relative)
		switch {
		case err != nil:
			p.open("%s cannot be read: %v", relative, err)
			return nil
		case !entry.IsDir():
			return p.readFile(relative, entry, source, files)
		case relative == ".":
			return nil
		case relative == skip || strings.HasPrefix(entry.Name(), ".") || slices.Contains(ignoredFolders, entry.Name()):
			return fs.SkipDir
		case exists(filepath.Join(name, "go.mod")):
			nested++
			source.foreign = append(source.foreign, relative+"/")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	source.finish()
	p.finishManifests(files.manifests, &files.deployments)
	if nested > 0 && len(p.Setups) == 0 {
		p.open("%d folders are Go modules of their own, whose sources were not read: run diffrun init there", nested)
	}
	return p, nil
}

// readModule reads the path of the module.
func (p *Project) readModule() error {
	data, err := os.ReadFile(filepath.Join(p.Root, "go.mod"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if p.Module = modfile.ModulePath(data); err == nil && p.Module == "" {
		err = fmt.Errorf("%s names no module", filepath.Join(p.Root, "go.mod"))
	}
	return err
}

// foundFiles are the files of a repository that are read after all others were found.
type foundFiles struct {
	manifests   []manifest
	deployments deployments
}

// manifestEndings are those of the names of files that may have objects.
var manifestEndings = []string{".yaml", ".yml", ".json", ".tpl"}

// readFile reads a file if it may have something of use.
func (p *Project) readFile(name string, entry fs.DirEntry, source *goSource, files *foundFiles) error {
	isGo := path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go")
	isManifest := slices.Contains(manifestEndings, path.Ext(name)) || kustomization.IsName(path.Base(name))
	info, err := entry.Info()
	if !isGo && !isManifest || err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if info.Size() > maxFile {
		p.open("%s is not read: it is larger than %d MiB", name, maxFile>>20)
		return nil
	}
	data, err := os.ReadFile(filepath.Join(p.Root, filepath.FromSlash(name)))
	if err != nil {
		p.open("%s cannot be read: %v", name, err)
		return nil
	}
	if isGo {
		source.read(name, data)
		p.goTypes.read(name, data)
		files.manifests = append(files.manifests, source.literals(name, data)...)
		return nil
	}
	files.deployments.read(p, name, data)
	if bytes.Contains(data, []byte("kind")) && bytes.Contains(data, []byte("apiVersion")) {
		files.manifests = append(files.manifests, manifest{name: name, line: 1, text: data, template: bytes.Contains(data, []byte("{{"))})
	}
	return nil
}

func (p *Project) open(format string, args ...any) {
	p.Open = append(p.Open, fmt.Sprintf(format, args...))
}
