package scaffold

import (
	"bytes"
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// ProductionFolder is the folder of the copy in that of the program.
const ProductionFolder = "production"

//go:embed hooks
var hookSources embed.FS

//go:embed command.go.tmpl manager.go.tmpl listen.go.tmpl
var commandTexts embed.FS

var commandTemplates = template.Must(template.ParseFS(commandTexts, "*.go.tmpl"))

// files returns the copies of the packages and the package of the hooks, by their names in the folder of the program, and
// why there are none.
func (p *Production) files(module, program string) (files map[string][]byte, why string) {
	if files, why = p.copies(module, program, p.all); why != "" {
		return p.copies(module, program, p.folders)
	}
	return files, ""
}

// copies does so for some packages.
func (p *Production) copies(module, program string, folders []string) (files map[string][]byte, why string) {
	files = map[string][]byte{}
	moved := map[string]string{}
	at := func(folder string) string { return path.Join(program, ProductionFolder, folder) }
	for _, folder := range folders {
		moved[path.Join(module, folder)] = path.Join(module, at(folder))
	}
	reaches := !p.Listens
	for _, folder := range folders {
		of := p.sources[folder]
		if of.imports["C"] || of.imports["embed"] {
			return nil, fmt.Sprintf("%s uses cgo or embeds files", folder)
		}
		for _, from := range sortedKeys(of.imports) {
			if parent, _, internal := strings.Cut(from+"/", "/internal/"); internal && moved[from] == "" &&
				!strings.HasPrefix(path.Join(module, at(folder))+"/", parent+"/") && strings.HasPrefix(parent+"/", module+"/") {
				return nil, fmt.Sprintf("%s imports %s, which a copy cannot", folder, from)
			}
		}
		for _, name := range sortedKeys(of.files) {
			c := &productionFile{text: of.files[name], hooks: path.Join(module, program, ProductionFolder, "hooks"), listens: p.Listens}
			made, err := c.copied(moved)
			if err != nil {
				return nil, err.Error()
			}
			files[path.Join(ProductionFolder, folder, name)] = made
			reaches = reaches || bytes.Contains(made, []byte("hooks.Config"))
		}
	}
	data := map[string]any{
		"Command": p.Command, "Hooks": path.Join(module, at("hooks")), "Import": path.Join(module, at(p.Command)),
		"Arguments": p.Arguments, "Environment": withWebhooks(p.Environment), "Folder": program, "Cluster": reaches,
	}
	for _, name := range p.ownFiles() {
		made, err := goFile(commandTemplates.Lookup(name+".go.tmpl"), data)
		if err != nil {
			return nil, err.Error()
		}
		if name == "listen" {
			name = "main"
		}
		files[name+".go"] = made
	}
	for _, name := range p.hookFiles(reaches) {
		text, err := hookSources.ReadFile("hooks/" + name + ".go.txt")
		if err != nil {
			return nil, err.Error()
		}
		files[path.Join(ProductionFolder, "hooks", name+".go")] = text
	}
	return files, ""
}

// ownFiles returns the names of the templates of the program that starts a copy.
func (p *Production) ownFiles() []string {
	if p.Listens {
		return []string{"command", "listen"}
	}
	return []string{"command", "manager"}
}

// hookFiles returns the names of the files of the hooks. reaches says that the copy asks for the configuration of a cluster.
func (p *Production) hookFiles(reaches bool) []string {
	names := []string{"hooks"}
	if reaches {
		names = append(names, "config")
	}
	if p.Listens {
		return append(names, "listen")
	}
	return append(names, "manager")
}

// withWebhooks returns an environment with the variables that switch webhooks on in many projects, unless it has them.
func withWebhooks(environment map[string]string) map[string]string {
	all := map[string]string{"ENABLE_WEBHOOKS": "true", "ENABLE_WEBHOOK": "true"}
	maps.Copy(all, environment)
	return all
}

// productionFile is a file that is copied with changes.
type productionFile struct {
	text   []byte
	hooks  string // the path of their package
	hooked bool   // it uses that package
	// listens says that the command has no manager, so its servers are hooked.
	listens bool
	edits   []edit
	kept    []string // selectors that keep an import in use
}

// edit replaces a part of the text.
type edit struct {
	from, to token.Pos
	with     string
}

// copied returns the file with the hooks in place of functions. moved are the paths of packages that are copied.
func (f *productionFile) copied(moved map[string]string) ([]byte, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", f.text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, spec := range file.Imports {
		if from, _ := strconv.Unquote(spec.Path.Value); moved[from] != "" {
			with := strconv.Quote(moved[from])
			if spec.Name == nil {
				with = importName(from) + " " + with
			}
			f.edits = append(f.edits, edit{spec.Path.Pos(), spec.Path.End(), with})
		}
	}
	imports := importsOf(file)
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			if file.Name.Name == "main" && node.Recv == nil && node.Name.Name == "main" {
				f.edits = append(f.edits, edit{node.Name.Pos(), node.Name.End(), "Main"})
			}
		case *ast.CallExpr:
			f.hookServer(node, imports)
		case *ast.SelectorExpr:
			f.hook(node, importOf(node, imports))
		}
		return true
	})
	name := file.Name.Name
	if name == "main" {
		name = ProductionFolder
	}
	if f.hooked {
		name += fmt.Sprintf("\n\nimport hooks %q", f.hooks)
	}
	f.edits = append(f.edits, edit{file.Name.Pos(), file.Name.End(), name})
	return f.edited(), nil
}

// hook replaces a function that has a hook.
func (f *productionFile) hook(function *ast.SelectorExpr, at string) {
	with := hooks[at][function.Sel.Name]
	if with == "" && f.listens {
		with = listenHooks[at][function.Sel.Name]
	}
	if with == "" {
		return
	}
	pkg := function.X.(*ast.Ident).Name
	f.hooked = f.hooked || strings.HasPrefix(with, "hooks.")
	f.edits = append(f.edits, edit{function.Pos(), function.End(), strings.ReplaceAll(with, "$", pkg)})
	kept := pkg + "." + function.Sel.Name
	if !slices.Contains(f.kept, kept) {
		f.kept = append(f.kept, kept)
	}
}

// hookServer passes the server of a call that waits for requests to the hook.
func (f *productionFile) hookServer(call *ast.CallExpr, imports map[string]string) {
	method, is := call.Fun.(*ast.SelectorExpr)
	if !f.listens || !is || importOf(method, imports) != "" || !slices.Contains(listenMethods, method.Sel.Name) {
		return
	}
	f.hooked = true
	f.edits = append(f.edits, edit{method.Pos(), method.Pos(), "hooks.Serve("}, edit{method.X.End(), call.Lparen + 1, ", "})
}

// edited returns the text with all edits, and uses of the imports that may have lost theirs.
func (f *productionFile) edited() []byte {
	slices.SortStableFunc(f.edits, func(a, b edit) int { return int(a.from - b.from) })
	var out bytes.Buffer
	done := token.Pos(1)
	for _, e := range f.edits {
		out.Write(f.text[done-1 : e.from-1])
		out.WriteString(e.with)
		done = e.to
	}
	out.Write(f.text[done-1:])
	for _, kept := range f.kept {
		fmt.Fprintf(&out, "\nvar _ = %s\n", kept)
	}
	return out.Bytes()
}
