package scaffold

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"text/template"

	"github.com/diffrun/diffrun/internal/casecluster"
)

//go:embed program.go.tmpl
var programText string

// panicsSource is the part of the programs that says where something panicked.
//
//go:embed panics.go.txt
var panicsSource []byte

// reviewsSource is the part of the program that answers reviews.
//
//go:embed reviews.go.txt
var reviewsSource []byte

var programTemplate = template.Must(template.New("program").Parse(programText))

// ProgramFolder is the folder of the program in that of the plan.
const ProgramFolder = "serve"

// Program returns the files of a program that serves the webhooks of a project, by their names. It uses
// the standard library and the libraries of the project, in its versions.
func (p *Project) Program(folder string) (map[string][]byte, error) {
	files := map[string][]byte{}
	addCluster(files)
	files["reviews.go"], files["panics.go"] = reviewsSource, panicsSource
	at := path.Join(folder, ProgramFolder)
	if p.Production != nil {
		addSource(files, "starting.go", casecluster.StartingSource)
		copied, why := p.Production.files(p.Module, at)
		if why != "" {
			return nil, fmt.Errorf("the copy of ./%s: %s", p.Production.Command, why)
		}
		maps.Copy(files, copied)
		if p.Production.Listens {
			return files, nil
		}
	}
	main, err := goFile(programTemplate, programData{})
	if err != nil {
		return nil, err
	}
	names, err := reserved(files, main)
	if err != nil {
		return nil, err
	}
	data := programData{Folder: at, Production: p.Production != nil}
	data.Schemes, data.ClusterScoped = p.schemes(names), p.clusterScoped()
	for _, setup := range p.Setups {
		expr := names.of(setup.Import) + "."
		if setup.Receiver != "" {
			expr = "(&" + expr + setup.Receiver + "{})."
		}
		data.Setups = append(data.Setups, programSetup{setup.Source, expr + setup.Name})
	}
	data.Imports = names.sorted()
	if files["main.go"], err = goFile(programTemplate, data); err != nil {
		return nil, fmt.Errorf("the program that serves the webhooks: %w", err)
	}
	return files, nil
}

// addCluster adds the files of the cluster of a case.
func addCluster(files map[string][]byte) {
	addSource(files, "cluster.go", casecluster.Source)
	addSource(files, "rights.go", casecluster.RightsSource)
}

func addSource(files map[string][]byte, name, source string) {
	files[name] = []byte(strings.Replace(source, "package casecluster", "package main", 1))
}

// schemes returns the functions that add the types of the project to a scheme.
func (p *Project) schemes(names *importNames) (all []string) {
	for _, scheme := range p.Schemes {
		all = append(all, names.of(scheme.Import)+"."+scheme.Name)
	}
	return all
}

// clusterScoped returns the kinds without a namespace.
func (p *Project) clusterScoped() (kinds []string) {
	for _, d := range p.Definitions {
		if d.CRD.Spec.Scope == "Cluster" {
			kinds = append(kinds, d.CRD.Spec.Names.Kind)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// programData is what the template of the program reads.
type programData struct {
	Folder        string
	Imports       []string
	Schemes       []string
	Setups        []programSetup
	ClusterScoped []string
	Production    bool // a copy of a command makes the manager
}

// programSetup is a function that registers webhooks, and the file that has it.
type programSetup struct{ Source, Expr string }

// goFile returns a Go file that a template writes.
func goFile(from *template.Template, data any) ([]byte, error) {
	var file bytes.Buffer
	if err := from.Execute(&file, data); err != nil {
		return nil, err
	}
	return format.Source(file.Bytes())
}

// importNames chooses the names under which packages are imported.
type importNames struct {
	taken map[string]string // paths by name
	lines []string
}

// sorted returns the lines of the import declaration.
func (n *importNames) sorted() []string { return slices.Sorted(slices.Values(n.lines)) }

// reserved returns the names that the packages of the project cannot have in a file: those that the files of the program import or
// declare, and those of Go.
func reserved(others map[string][]byte, main []byte) (*importNames, error) {
	names := &importNames{taken: map[string]string{}}
	take := func(name string) { names.taken[name] = "-" }
	for _, name := range types.Universe.Names() {
		take(name)
	}
	sources := [][]byte{main}
	for name, source := range others {
		if !strings.Contains(name, "/") { // those of the copied packages are in other packages
			sources = append(sources, source)
		}
	}
	for _, source := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for name := range importsOf(file) {
			take(name)
		}
		for _, one := range file.Decls {
			switch one := one.(type) {
			case *ast.FuncDecl:
				take(one.Name.Name)
			case *ast.GenDecl:
				for _, spec := range one.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						take(spec.Name.Name)
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							take(name.Name)
						}
					}
				}
			}
		}
	}
	return names, nil
}

// of returns the name of a package: the last two folders of its path, as kubebuilder writes them.
func (n *importNames) of(at string) string {
	base := path.Base(at)
	if majorVersion.MatchString(base) || strings.HasPrefix(base, "v1") || strings.HasPrefix(base, "v2") || len(base) < 3 {
		parent := path.Base(path.Dir(at))
		if parent == "api" || parent == "apis" || parent == "pkg" {
			parent = path.Base(path.Dir(path.Dir(at)))
		}
		base = parent + base
	}
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(base))
	clean = strings.TrimLeft(clean, "0123456789")
	name := clean
	for i := 2; token.IsKeyword(name) || n.taken[name] != "" && n.taken[name] != at; i++ {
		name = fmt.Sprintf("%s%d", clean, i)
	}
	if n.taken[name] == "" {
		n.taken[name] = at
		if name == path.Base(at) {
			n.lines = append(n.lines, fmt.Sprintf("%q", at))
		} else {
			n.lines = append(n.lines, fmt.Sprintf("%s %q", name, at))
		}
	}
	return name
}
