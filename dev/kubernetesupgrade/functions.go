package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/staging"
)

// overlays is the folder of the overlays, below the root.
const overlays = "backends/declarative/kubernetes/overlays"

// named is what may be the name of a function in a comment of an overlay, with its file where the comment says it; it is
// one if a source declares it.
var named = regexp.MustCompile(`\b([A-Za-z]\w*[a-z][A-Z]\w*)(?: (?:of [^()]*)?\((?:\w+/)?(pkg/[\w/]+\.go)\))?`)

// sources are the folders of modules with functions that overlays stand for.
var sources = map[string][]string{
	staging.Kubernetes:    {"pkg/apis", "pkg/api", "pkg/registry", "pkg/volume/validation"},
	"k8s.io/apimachinery": {"pkg/api", "pkg/apis/meta", "pkg/util/validation", "pkg/util/resourceversion"},
	"k8s.io/apiserver":    {"pkg/apis", "pkg/registry/rest"},
}

// functions are the functions that overlays name.
type functions struct {
	// release is the version of k8s.io/kubernetes.
	release string
	// digests are those of the sources, without comments, by package and name, as in
	// "k8s.io/kubernetes/pkg/apis/batch/validation.ValidateJob".
	digests map[string]string
	places  map[string][]place
}

// place is a line of an overlay that names a function.
type place struct {
	line string // as in batch.yaml:12
	// folder is that of the function, below its module; empty: the line does not say it.
	folder string
}

// about reports whether the place may name a function of a folder.
func (p place) about(folder string) bool { return p.folder == "" || p.folder == folder }

// at returns the lines that name a function of a folder.
func (f *functions) at(folder, name string) (lines []string) {
	for _, p := range f.places[name] {
		if p.about(folder) {
			lines = append(lines, p.line)
		}
	}
	return lines
}

// readFunctions reads the overlays, and the functions they name in the modules that go.mod requires.
func readFunctions(ctx context.Context, root string) (*functions, error) {
	f := &functions{digests: map[string]string{}, places: map[string][]place{}}
	if err := f.readNames(filepath.Join(root, overlays)); err != nil {
		return nil, err
	}
	for _, module := range slices.Sorted(maps.Keys(sources)) {
		out, err := staging.Go(ctx, root, "list", "-m", "-f", "{{.Dir}} {{.Version}}", module)
		if err != nil {
			return nil, err
		}
		dir, version, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
		if module == staging.Kubernetes {
			f.release = version
		}
		for _, folder := range sources[module] {
			if err := f.readSources(module, dir, folder); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

func (f *functions) readNames(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(data), "\n") {
			if !strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			for _, found := range named.FindAllStringSubmatch(line, -1) {
				at := place{line: fmt.Sprintf("%s:%d", filepath.Base(file), i+1)}
				if found[2] != "" {
					at.folder = path.Dir(found[2])
				}
				f.places[found[1]] = append(f.places[found[1]], at)
			}
		}
	}
	return nil
}

// readSources adds the digests of the named functions in a folder of a module.
func (f *functions) readSources(module, dir, folder string) error {
	return fs.WalkDir(os.DirFS(dir), folder, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") ||
			strings.HasPrefix(path.Base(file), "zz_") {
			return err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, filepath.Join(dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declaration := range parsed.Decls {
			for _, name := range namesOf(declaration) {
				if len(f.at(path.Dir(file), name)) == 0 {
					continue
				}
				digest, err := digestOf(declaration)
				if err != nil {
					return err
				}
				key := module + "/" + path.Dir(file) + "." + name
				f.digests[key] += digest // methods of several types
			}
		}
		return nil
	})
}

// namesOf returns the functions, and variables of functions, that a declaration has.
func namesOf(declaration ast.Decl) (names []string) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		names = append(names, d.Name.Name)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if value, is := spec.(*ast.ValueSpec); is {
				for _, name := range value.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// digestOf returns a digest of a declaration without its comments and lines.
func digestOf(declaration ast.Decl) (string, error) {
	var source bytes.Buffer
	if err := printer.Fprint(&source, token.NewFileSet(), declaration); err != nil {
		return "", err
	}
	sum := sha256.Sum256(source.Bytes())
	return hex.EncodeToString(sum[:6]), nil
}
