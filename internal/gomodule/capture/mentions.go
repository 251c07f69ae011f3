package capture

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// mentions are the names that the functions of packages use, by the names of the functions. Functions of one name
// share an entry, so more is called than really is.
type mentions map[string]map[string]bool

// testsName is the entry of all that the files of tests use.
const testsName = ""

// mentionedBy reads the packages of main modules and the tests of the tested packages. It leaves files out that do
// not parse: the go command reports them.
func (w *workspace) mentionedBy(packages []*listed) (mentions, int) {
	found, tests := mentions{testsName: {}}, 0
	for _, p := range packages {
		if p.Standard || p.Module == nil || !p.Module.Main && p.DepOnly {
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
			found.add(w, filepath.Join(p.Dir, name), false)
		}
		if p.DepOnly {
			continue
		}
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			tests++
			found.add(w, filepath.Join(p.Dir, name), true)
		}
	}
	return found, tests
}

func (m mentions) add(w *workspace, name string, isTest bool) {
	data, err := w.overlay.Read(name)
	if err != nil {
		return
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	for _, declaration := range file.Decls {
		by := testsName // also what variables use, which are set before a test runs
		if function, is := declaration.(*ast.FuncDecl); is && !isTest {
			by = function.Name.Name
		}
		if m[by] == nil {
			m[by] = map[string]bool{}
		}
		for node := range ast.Preorder(declaration) {
			if name, is := node.(*ast.Ident); is {
				m[by][name.Name] = true
			}
		}
	}
}

// reached returns the names that tests use, and those that functions of these names use.
func (m mentions) reached() map[string]bool {
	reached, next := map[string]bool{}, []string{testsName, "init"}
	for len(next) > 0 {
		name := next[len(next)-1]
		next = next[:len(next)-1]
		for used := range m[name] {
			if !reached[used] {
				reached[used] = true
				next = append(next, used)
			}
		}
	}
	return reached
}

// callers are packages that call the methods of validators for a test: through an API server, or an HTTP request.
var callers = []string{"sigs.k8s.io/controller-runtime/pkg/envtest", "net/http/httptest", "knative.dev/pkg/webhook/"}

// callable returns an error if no test calls an instrumented function, by the names in the sources. Then the build
// would record nothing. Functions whose whole names the caller wrote are believed to be called.
func (w *workspace) callable(packages []*listed) error {
	found, tests := w.mentionedBy(packages)
	command := strings.Join(w.options.Command, " ")
	if tests == 0 {
		return fmt.Errorf("%q tests packages without tests, so nothing would be recorded; name packages whose tests call "+
			"validators: with ./... as the last argument, all are tested", command)
	}
	reached := found.reached()
	called := slices.ContainsFunc(packages, func(p *listed) bool {
		return slices.ContainsFunc(callers, func(name string) bool { return strings.HasPrefix(p.ImportPath+"/", name) })
	})
	for _, function := range w.recording.Functions {
		parts := strings.Split(function.Name[strings.LastIndex(function.Name, "/")+1:], ".")
		name := parts[len(parts)-1]
		if strings.HasPrefix(name, "handler") && len(parts) > 2 { // a function literal
			name = parts[len(parts)-2]
		}
		if reached[name] || called && len(parts) > 2 && reached[parts[len(parts)-2]] || w.options.exact(function.Name) {
			return nil
		}
	}
	return fmt.Errorf("%q would record nothing, so nothing was built: no test uses one of the %d functions that can be "+
		"recorded, nor a function that does (%s); name packages whose tests do, for instance ./..., or other functions with "+
		"--func; one whose whole name --func has is recorded in any case",
		command, len(w.recording.Functions), abridged(w.recording.names()))
}
