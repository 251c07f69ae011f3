package scaffold

import (
	"bytes"
	_ "embed"
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

//go:embed hooks.go.txt
var hooksSource []byte

//go:embed command.go.tmpl
var commandText string

var commandTemplate = template.Must(template.New("command").Parse(commandText))

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
	files = map[string][]byte{path.Join(ProductionFolder, "hooks", "hooks.go"): hooksSource}
	moved := map[string]string{}
	at := func(folder string) string { return path.Join(program, ProductionFolder, folder) }
	for _, folder := range folders {
		moved[path.Join(module, folder)] = path.Join(module, at(folder))
	}
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
			c := &productionFile{text: of.files[name], hooks: path.Join(module, program, ProductionFolder, "hooks")}
			made, err := c.copied(moved)
			if err != nil {
				return nil, err.Error()
			}
			files[path.Join(ProductionFolder, folder, name)] = made
		}
	}
	command, err := goFile(commandTemplate, map[string]any{
		"Command": p.Command, "Hooks": path.Join(module, at("hooks")), "Import": path.Join(module, at(p.Command)),
		"Arguments": p.Arguments, "Environment": withWebhooks(p.Environment),
	})
	if err != nil {
		return nil, err.Error()
	}
	files["command.go"] = command
	return files, ""
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
	edits  []edit
	kept   []string // selectors that keep an import in use
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

// edited returns the text with all edits, and uses of the imports that may have lost theirs.
func (f *productionFile) edited() []byte {
	slices.SortFunc(f.edits, func(a, b edit) int { return int(a.from - b.from) })
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
