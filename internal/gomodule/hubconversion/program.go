package hubconversion

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/diffrun/diffrun/internal/gomodule/gotool"
	"github.com/diffrun/diffrun/internal/hub"
)

// folder is the folder of the program in the user's module. It exists only in the overlay.
const folder = "zz_diffrun_conversion"

var mainSource = template.Must(template.New("main").Parse(`package main

import (
	"fmt"
	"os"

	hub "{{.Hub}}"
{{- range .Versions}}
	{{.Alias}} "{{.Path}}"
{{- end}}
)

func main() {
	out := os.Stdout
	os.Stdout = os.Stderr // what the methods print is no answer
	versions := hub.Versions{
{{- range .Versions}}
		{{printf "%q" .Name}}: func() any { return &{{.Alias}}.{{$.Type}}{} },
{{- end}}
	}
	if err := versions.Serve(os.Stdin, out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`))

// build writes the program into a directory and builds it. It returns the executable.
func (p *Project) build(ctx context.Context, to string) (string, error) {
	command := gotool.Command{Program: "go", Dir: p.Dir}
	in, err := p.mainModule(ctx, command)
	if err != nil {
		return "", err
	}
	source, err := p.source(in)
	if err != nil {
		return "", err
	}
	overlay, err := gotool.NewOverlay(to, "", "")
	if err != nil {
		return "", err
	}
	at := filepath.Join(in.Dir, folder)
	err = errors.Join(overlay.Put(filepath.Join(at, "main.go"), source), overlay.PutFiles(filepath.Join(at, "hub"), hub.Sources, ".", nil))
	overlayFile, unwritten := overlay.Write()
	if err := errors.Join(err, unwritten); err != nil {
		return "", err
	}
	program := filepath.Join(to, "convert.exe")
	if _, err := command.Output(ctx, "build", "-overlay="+overlayFile, "-o", program, path.Join(in.Path, folder)); err != nil {
		return "", fmt.Errorf("go build: %w", err)
	}
	return program, nil
}

func (p *Project) source(in *gotool.Module) ([]byte, error) {
	type version struct{ Alias, Name, Path string }
	data := struct {
		Hub, Type string
		Versions  []version
	}{Hub: path.Join(in.Path, folder, "hub"), Type: p.Type}
	for i, name := range slices.Sorted(maps.Keys(p.Versions)) {
		data.Versions = append(data.Versions, version{fmt.Sprintf("version%d", i), name, p.Versions[name]})
	}
	var text bytes.Buffer
	if err := mainSource.Execute(&text, data); err != nil {
		return nil, err
	}
	return format.Source(text.Bytes())
}

// mainModule returns the module that has the packages, or else the first main module.
func (p *Project) mainModule(ctx context.Context, command gotool.Command) (*gotool.Module, error) {
	modules, err := command.MainModules(ctx, "list", "-m", "-json=Path,Dir,Main")
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for _, module := range modules {
		for _, of := range p.Versions {
			if of == module.Path || strings.HasPrefix(of, module.Path+"/") {
				return module, nil
			}
		}
	}
	if len(modules) == 0 {
		return nil, errors.New("there is no Go module here in which a program with the conversion methods can be built")
	}
	return modules[0], nil
}
