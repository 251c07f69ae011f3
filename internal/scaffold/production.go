package scaffold

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
)

// Production is a command of the project that makes a manager and registers webhooks with it. The program that serves
// webhooks runs a copy of it up to the start of the manager: flags, feature gates, package variables and registrations are
// then those of the command.
type Production struct {
	// Command is the folder of its package main.
	Command string
	// Listens reports whether it has no manager: a server of net/http answers the reviews.
	Listens bool
	// Arguments and Environment are those with which a cluster starts it, as far as they name no file.
	Arguments   []string
	Environment map[string]string
	// folders are those of the packages to copy: each that calls a hook, and those through which the command imports it.
	folders []string
	// all are those and the packages that reach a cluster otherwise, with those through which the command imports them. They are
	// copied if they can be.
	all     []string
	reached []string                      // folders of all packages of the module that it imports
	sources map[string]*productionPackage // of all packages of the module
}

// productionPackage is a package of the module.
type productionPackage struct {
	name    string
	files   map[string][]byte
	imports map[string]bool // paths
	hooked  bool            // it makes a manager, or waits for what a manager makes
	listens bool            // it starts a server of HTTP
	reaches bool            // it reaches a cluster otherwise, or reads what a container has
	// sets reports whether it sets variables of other packages, and registers is how many webhooks it registers.
	sets      bool
	registers int
	// passes are the packages to whose functions it passes more than one argument, or of whose types it sets fields.
	passes map[string]bool
}

// controllerRuntime is the path of the library.
const controllerRuntime = "sigs.k8s.io/controller-runtime"

// rotation is the library that makes the certificates of webhooks. Commands register webhooks when it is ready, which it
// never is without a cluster.
const rotation = "github.com/open-policy-agent/cert-controller/pkg/rotator"

// hooks are the functions that connect a command to a cluster, by import path and name, with what a copy calls in their
// place. $ is the name under which the file imports the package.
var hooks = map[string]map[string]string{
	controllerRuntime: {
		"NewManager":     "hooks.NewManager",
		"GetConfig":      "hooks.Config",
		"GetConfigOrDie": "hooks.ConfigOrDie",
	},
	controllerRuntime + "/pkg/manager": {"New": "hooks.NewManager"},
	controllerRuntime + "/pkg/client/config": {
		"GetConfig":      "hooks.Config",
		"GetConfigOrDie": "hooks.ConfigOrDie",
	},
	"k8s.io/client-go/rest":            {"InClusterConfig": "hooks.Config"},
	"k8s.io/client-go/tools/clientcmd": {"BuildConfigFromFlags": "hooks.ConfigFromFlags"},
	"os":                               {"Exit": "hooks.Exit", "ReadFile": "hooks.ReadFile"},
	rotation:                           {"AddRotator": "(func(_ any, of *$.CertRotator) error { close(of.IsReady); return nil })"},
	"log":                              fatal,
	"k8s.io/klog":                      fatal,
	"k8s.io/klog/v2":                   fatal,
	"github.com/golang/glog":           fatal,
	"github.com/sirupsen/logrus":       fatal,
}

// fatal are functions that log a message and end the process.
var fatal = map[string]string{
	"Fatal":   "hooks.Fatal",
	"Fatalln": "hooks.Fatal",
	"Fatalf":  "hooks.Fatalf",
	"Exit":    "hooks.Fatal", // of klog and glog
}

// listenHooks are further hooks of commands without a manager.
var listenHooks = map[string]map[string]string{
	"net/http": {
		"ListenAndServe":    "hooks.Serve",
		"ListenAndServeTLS": "hooks.Serve",
		"Serve":             "hooks.Serve",
		"ServeTLS":          "hooks.Serve",
	},
	"net":        {"Listen": "hooks.Listen"},
	"crypto/tls": {"Listen": "hooks.Listen", "LoadX509KeyPair": "hooks.LoadX509KeyPair"},
}

// listenMethods are methods with which servers of net/http and of routers wait for requests.
var listenMethods = []string{"ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS", "RunTLS", "StartTLS"}

// isRoot reports whether a package that calls a function has to be copied even if it is no command.
func isRoot(at, name string) bool {
	return hooks[at][name] == "hooks.NewManager" || hooks[at][name] != "" && at == rotation
}

// reaches reports whether a package that calls a function reaches a cluster, which a copy must not. It is copied where it can be.
func reaches(at, name string) bool {
	return isRoot(at, name) || strings.HasPrefix(hooks[at][name], "hooks.Config")
}

// serviceAccount is the folder of a container with what it may tell a cluster.
var serviceAccount = []byte("/var/run/secrets/kubernetes.io/serviceaccount")

// serves reports whether the copy registers the webhooks of a package.
func (p *Production) serves(folder string) bool {
	return p != nil && slices.Contains(p.reached, folder)
}

// commands reads the packages of a module, to find the one that makes a manager.
type commands map[string]*productionPackage // by folder

// commandWords are texts; every file that calls a root, sets what a manager needs, or registers webhooks has one of them.
var commandWords = []string{controllerRuntime, "cert-controller", "package main", "ListenAndServe", "ServeTLS", "RunTLS", "StartTLS",
	"net/http", "InClusterConfig", "BuildConfigFromFlags"}

// registrations are the functions and methods with which webhooks are registered.
var registrations = []string{"NewWebhookManagedBy", "WebhookManagedBy", "GetWebhookServer"}

// read reads a file that is not a test.
func (c commands) read(module, name string, data []byte) {
	mode := parser.SkipObjectResolution
	if !slices.ContainsFunc(commandWords, func(word string) bool { return bytes.Contains(data, []byte(word)) }) {
		mode |= parser.ImportsOnly
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, data, mode)
	if err != nil || isTest(path.Dir(name)) {
		return // the first one was reported
	}
	of := c[path.Dir(name)]
	if of == nil {
		of = &productionPackage{files: map[string][]byte{}, imports: map[string]bool{}, passes: map[string]bool{}}
		c[path.Dir(name)] = of
	}
	of.name = file.Name.Name
	of.reaches = of.reaches || bytes.Contains(data, serviceAccount)
	of.files[path.Base(name)] = data
	imports := importsOf(file)
	for _, at := range imports {
		of.imports[at] = true
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			at := importOf(node, imports)
			of.hooked = of.hooked || isRoot(at, node.Sel.Name)
			of.reaches = of.reaches || reaches(at, node.Sel.Name)
			of.listens = of.listens || slices.Contains(listenMethods, node.Sel.Name)
			if slices.Contains(registrations, node.Sel.Name) {
				of.registers++
			}
		case *ast.CallExpr:
			if function, is := node.Fun.(*ast.SelectorExpr); is && len(node.Args) > 1 {
				of.passes[importOf(function, imports)] = true
			}
		case *ast.CompositeLit:
			if typed, is := node.Type.(*ast.SelectorExpr); is && len(node.Elts) > 0 {
				of.passes[importOf(typed, imports)] = true
			}
		case *ast.AssignStmt:
			for _, left := range node.Lhs {
				selector, is := left.(*ast.SelectorExpr)
				of.sets = of.sets || is && strings.HasPrefix(importOf(selector, imports), module+"/")
			}
		}
		return true
	})
}

// importOf returns the path of the package that a selector names, or "".
func importOf(selector *ast.SelectorExpr, imports map[string]string) string {
	if pkg, is := selector.X.(*ast.Ident); is {
		return imports[pkg.Name]
	}
	return ""
}

// production returns the command whose packages register webhooks, if it sets what exported functions do not: it registers
// them itself, passes more than a manager to what does, or sets variables of other packages. uncallable are folders of packages
// that register webhooks by functions that a program cannot call with a manager alone. Of several commands it is the one that
// reaches most registrations of webhooks.
func (c commands) production(module string, uncallable map[string]bool) *Production {
	var best *Production
	most := 0
	for _, folder := range sortedKeys(c) {
		if c[folder].name != "main" {
			continue
		}
		reached := c.reach(module, folder)
		of := c.copyOf(module, folder, reached, func(p *productionPackage) bool { return p.hooked })
		registering, needed := 0, false
		for _, other := range reached {
			registering += c[other].registers
			needed = needed || uncallable[other] || c.passesToRegistration(module, other) ||
				slices.Contains(of.folders, other) && (c[other].registers > 0 || c[other].sets)
		}
		if registering > most && len(of.folders) > 0 && needed {
			best, most = of, registering
		}
	}
	return best
}

// reviewPackages begins the paths of the packages that have the type AdmissionReview.
const reviewPackages = "k8s.io/api/admission/"

// listener returns the command that answers AdmissionReviews with a server of net/http; of several, the one of which most packages
// know that type.
func (c commands) listener(module string) *Production {
	var best *Production
	most := 0
	for _, folder := range sortedKeys(c) {
		if c[folder].name != "main" {
			continue
		}
		reached, know := c.reach(module, folder), 0
		for _, other := range reached {
			if slices.ContainsFunc(sortedKeys(c[other].imports), func(at string) bool { return strings.HasPrefix(at, reviewPackages) }) {
				know++
			}
		}
		of := c.copyOf(module, folder, reached, func(p *productionPackage) bool { return p.listens })
		if know > most && len(of.folders) > 0 {
			best, most = of, know
			of.Listens = true
		}
	}
	return best
}

// copyOf returns a command with the packages to copy: those that lead to a root.
func (c commands) copyOf(module, folder string, reached []string, isRoot func(*productionPackage) bool) *Production {
	of := &Production{Command: folder, reached: reached, sources: c}
	for _, other := range reached {
		if c.leadsTo(module, other, isRoot) {
			of.folders = append(of.folders, other)
		}
		if c.leadsTo(module, other, func(p *productionPackage) bool { return isRoot(p) || p.reaches }) {
			of.all = append(of.all, other)
		}
	}
	return of
}

// passesToRegistration reports whether a package passes more than one argument to a function of a package that registers webhooks,
// or sets fields of its types.
func (c commands) passesToRegistration(module, folder string) bool {
	return slices.ContainsFunc(sortedKeys(c[folder].passes), func(at string) bool {
		called, is := c.inModule(module, at)
		return is && c[called].registers > 0
	})
}

// inModule returns the folder of a package of the module.
func (c commands) inModule(module, at string) (folder string, is bool) {
	if at == module {
		folder = "."
	} else if folder, is = strings.CutPrefix(at, module+"/"); !is {
		return "", false
	}
	return folder, c[folder] != nil
}

// reach returns the folders of a package and of those of the module that it imports, directly or not.
func (c commands) reach(module, folder string) []string {
	seen := map[string]bool{}
	var visit func(folder string)
	visit = func(folder string) {
		if seen[folder] {
			return
		}
		seen[folder] = true
		for at := range c[folder].imports {
			if next, is := c.inModule(module, at); is {
				visit(next)
			}
		}
	}
	visit(folder)
	return sortedKeys(seen)
}

// leadsTo reports whether a package or one that it imports is wanted.
func (c commands) leadsTo(module, folder string, wanted func(*productionPackage) bool) bool {
	return slices.ContainsFunc(c.reach(module, folder), func(other string) bool { return wanted(c[other]) })
}
