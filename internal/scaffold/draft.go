package scaffold

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

// Draft is everything that is written for a project: suites, cases, and the programs that the suites run.
type Draft struct {
	*Plan
	// Validators are the functions that a program of its own serves.
	Validators []*Validator
	// Files are all files, by their names relative to the root.
	Files map[string][]byte
}

// Draft returns everything to write if the program of the project serves the webhooks at some paths.
func (p *Project) Draft(folder string, served []string) (*Draft, error) {
	own := *p
	own.Open = slices.Clip(p.Open) // so that this draft alone has what it leaves open
	d := &Draft{Validators: own.Unserved(served), Files: map[string][]byte{}}
	if own.HasProgram() && !own.keptWhole {
		program, err := own.Program(folder)
		if err != nil {
			return nil, err
		}
		d.add(path.Join(folder, ProgramFolder), program)
	}
	served = slices.Clip(served)
	for _, v := range d.Validators {
		served = append(served, v.Kind)
	}
	if len(d.Validators) > 0 {
		program, err := own.FunctionProgram(folder, d.Validators)
		if err != nil {
			return nil, err
		}
		d.add(path.Join(folder, FunctionsFolder), program)
	}
	d.Plan = NewPlan(&own, folder, served)
	suites, err := d.Plan.Files()
	d.add("", suites)
	return d, err
}

func (d *Draft) add(folder string, files map[string][]byte) {
	for name, text := range files {
		d.Files[path.Join(folder, name)] = text
	}
}

// HasProgram reports whether a program of the project may serve webhooks.
func (p *Project) HasProgram() bool { return len(p.Setups) > 0 || p.Production != nil || p.keptProgram }

// KeepProgram leaves the copy of the command out if the main.go of an earlier run, which is kept, does not start it. It leaves all
// files of the program out if that file has what others have today, which would not build together.
func (p *Project) KeepProgram(folder string) {
	name := path.Join(folder, ProgramFolder, "main.go")
	text, err := os.ReadFile(filepath.Join(p.Root, filepath.FromSlash(name)))
	if p.keptWhole = err == nil && bytes.Contains(text, []byte("\nfunc serve(")); p.keptWhole {
		p.open("%s, which was kept, is that of an earlier diffrun init, so no files are written beside it: to write the program again, "+
			"remove %s", name, path.Dir(name))
	}
	if p.Production == nil || err != nil || bytes.Contains(text, []byte("startCommand(")) {
		return
	}
	p.open("./%s registers webhooks, and %s, which was kept, runs no copy of it, so functions that it calls are called without "+
		"what it sets: to try a copy again, remove %[2]s", p.Production.Command, name)
	p.Production, p.keptProgram = nil, true
}

// Presumed returns the paths that the program of the project serves as far as the sources show: those of the webhook
// configurations, and for definitions without one those of the kinds that are registered.
func (p *Project) Presumed() (paths []string) {
	if !p.HasProgram() {
		return nil
	}
	for _, webhook := range p.Webhooks {
		paths = append(paths, webhook.Path)
	}
	registered := func(kind string) bool {
		return slices.ContainsFunc(p.Setups, func(s Setup) bool {
			return slices.ContainsFunc(s.Kinds, func(name string) bool { return name[strings.LastIndexByte(name, '.')+1:] == kind })
		})
	}
	plan := &Plan{Project: &Project{Webhooks: p.Webhooks}}
	for _, d := range p.Definitions {
		if !registered(d.CRD.Spec.Names.Kind) || plan.webhook(d, paths, false) != nil {
			continue
		}
		stored := slices.IndexFunc(d.CRD.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Storage })
		if stored >= 0 {
			kind := schema.GroupVersionKind{Group: d.CRD.Spec.Group, Version: d.CRD.Spec.Versions[stored].Name, Kind: d.CRD.Spec.Names.Kind}
			paths = append(paths, builderPath("/validate-", kind))
		}
	}
	return paths
}

// WithoutFunctions returns the paths of webhooks without those whose objects a function validates as well.
func (p *Project) WithoutFunctions(paths []string) []string {
	plan := &Plan{Project: &Project{Webhooks: p.Webhooks}}
	return slices.DeleteFunc(slices.Clone(paths), func(at string) bool {
		return slices.ContainsFunc(p.Definitions, func(d *Definition) bool {
			return p.validator(d) != nil && plan.webhook(d, []string{at}, false) != nil
		})
	})
}

// Correct changes written files into others, and returns the names of those that it changed, added or removed. Files
// that do not have the text of before stay.
func (p *Project) Correct(before, after map[string][]byte) (changed []string, err error) {
	for _, name := range sortedKeys(before) {
		target := filepath.Join(p.Root, filepath.FromSlash(name))
		text, stays := after[name]
		there, err := os.ReadFile(target)
		if err != nil || !bytes.Equal(there, before[name]) || stays && bytes.Equal(text, there) {
			continue
		}
		if stays {
			err = outfile.Write(target, text)
		} else if err = os.Remove(target); err == nil {
			for folder := filepath.Dir(target); folder != p.Root && os.Remove(folder) == nil; {
				folder = filepath.Dir(folder) // which may be empty now
			}
			name += " (removed)"
		}
		if err != nil {
			return changed, err
		}
		changed = append(changed, name)
	}
	added := map[string][]byte{}
	for name, text := range after {
		if _, was := before[name]; !was {
			added[name] = text
		}
	}
	written, _, err := p.Write(added)
	return append(changed, written...), err
}
