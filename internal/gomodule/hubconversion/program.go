package hubconversion

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/hub"
)

// folder is where the program seems to be in the user's module.
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

// mainModule is where the program is built.
type mainModule struct{ Path, Dir string }

// build writes the program into a directory and builds it. It returns the executable.
func (p *Project) build(ctx context.Context, to string) (string, error) {
	in, err := p.mainModule(ctx)
	if err != nil {
		return "", err
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	put := func(name string, data []byte) error {
		file := filepath.Join(to, strings.ReplaceAll(name, "/", "_"))
		overlay.Replace[filepath.Join(in.Dir, folder, filepath.FromSlash(name))] = file
		return outfile.Write(file, data)
	}
	source, err := p.source(in)
	if err != nil {
		return "", err
	}
	errs := []error{put("main.go", source)}
	sources, err := hub.Sources.ReadDir(".")
	errs = append(errs, err)
	for _, entry := range sources {
		data, err := hub.Sources.ReadFile(entry.Name())
		errs = append(errs, err, put("hub/"+entry.Name(), data))
	}
	replaced, err := json.Marshal(overlay)
	overlayFile, program := filepath.Join(to, "overlay.json"), filepath.Join(to, "convert.exe")
	if err := errors.Join(append(errs, err, outfile.Write(overlayFile, replaced))...); err != nil {
		return "", err
	}
	_, err = p.run(ctx, "build", "-overlay="+overlayFile, "-o", program, path.Join(in.Path, folder))
	return program, err
}

func (p *Project) source(in mainModule) ([]byte, error) {
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

// mainModule finds the module that has the packages, or else the first main module.
func (p *Project) mainModule(ctx context.Context) (mainModule, error) {
	listed, err := p.run(ctx, "list", "-m", "-json=Path,Dir,Main")
	if err != nil {
		return mainModule{}, err
	}
	var first *mainModule
	for decoder := json.NewDecoder(bytes.NewReader(listed)); decoder.More(); {
		var module mainModule
		if err := decoder.Decode(&module); err != nil {
			return mainModule{}, fmt.Errorf("what go list -m says cannot be read: %w", err)
		}
		for _, of := range p.Versions {
			if of == module.Path || strings.HasPrefix(of, module.Path+"/") {
				return module, nil
			}
		}
		if first == nil {
			first = &module
		}
	}
	if first == nil || first.Dir == "" {
		return mainModule{}, errors.New("there is no Go module here in which a program with the conversion methods can be built")
	}
	return *first, nil
}

// run runs the go command.
func (p *Project) run(ctx context.Context, arguments ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = p.Dir
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", arguments[0], err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}
