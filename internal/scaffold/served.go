package scaffold

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/kustomization"
)

// service says how far a repository deploys a file.
type service int

const (
	_ service = iota // nothing has it
	// listed: a kustomization has it that deploys no workload, such as one of definitions alone.
	listed
	// deployed: config/default, a kustomization with a workload, or a chart has it.
	deployed
	// rendered: it is what kustomize makes of the files that a kustomization deploys.
	rendered
)

// served says what deploys a file.
type served struct {
	service
	by string // the kustomization or chart
}

// deployments are the kustomizations and charts of a repository.
type deployments struct {
	kustomizations map[string]*deployment // by folder
	charts         []string               // their Chart.yaml
}

// deployment has the files and folders that a file of kustomize lists, relative to the root.
type deployment struct {
	name    string
	lists   []string
	missing []string // files that are not there, as they are written
}

// read reads a file if it is a kustomization or the head of a chart.
func (d *deployments) read(p *Project, name string, data []byte) {
	switch base := path.Base(name); {
	case base == "Chart.yaml":
		d.charts = append(d.charts, name)
	case kustomization.IsName(base):
		written, err := kustomization.Read(data)
		if err != nil {
			p.open("%s: what it deploys is not known: %v", name, err)
			return
		}
		k := &deployment{name: name}
		for _, entry := range written.Entries {
			at := path.Join(path.Dir(name), entry)
			switch {
			case exists(filepath.Join(p.Root, filepath.FromSlash(at))):
				k.lists = append(k.lists, at)
			case slices.Contains(manifestEndings, path.Ext(entry)) && !strings.Contains(entry, "://"): // others are remote
				k.missing = append(k.missing, entry)
			}
		}
		d.kustomizations[path.Dir(name)] = k
	}
}

// workload matches the kinds that run the program of a project.
var workload = regexp.MustCompile(`(?m)^\s*["']?kind["']?\s*:\s*["']?(Deployment|StatefulSet|DaemonSet)\b`)

// files returns what deploys each file. Kustomizations and charts for tests or of former releases do not count.
func (d *deployments) files(p *Project, all []manifest) map[string]served {
	texts := map[string][]byte{}
	for _, m := range all {
		texts[m.name] = m.text
	}
	found := map[string]served{}
	add := func(name string, s served) {
		if s.service > found[name].service {
			found[name] = s
		}
	}
	for _, root := range d.roots() {
		reached := d.reach(root, map[string]bool{})
		s := served{listed, d.kustomizations[root].name}
		if isDefault(root) || slices.ContainsFunc(reached, func(name string) bool { return workload.Match(texts[name]) }) {
			s.service = deployed
		}
		for _, name := range reached {
			add(name, s)
		}
	}
	for _, chart := range d.charts {
		if asideOf(chart).level >= formerRelease {
			continue
		}
		for _, m := range all {
			inside, within := strings.CutPrefix(m.name, strings.TrimPrefix(path.Dir(chart)+"/", "./"))
			if within && (strings.HasPrefix(inside, "crds/") || strings.HasPrefix(inside, "templates/")) && !isTest(path.Dir(inside)) {
				add(m.name, served{deployed, chart})
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(d.kustomizations)) {
		k := d.kustomizations[folder]
		if len(k.missing) > 0 && asideOf(k.name).level < formerRelease {
			p.open("%s lists what is not there: %s; if a tool makes it, run the tool first (make manifests)", k.name,
				strings.Join(k.missing, ", "))
		}
	}
	return found
}

// render returns what kustomize makes of the kustomizations that a project deploys, one manifest each, and the files that
// they were made of: those called config/default, or else the one with a workload that has most files.
func (d *deployments) render(p *Project, of map[string]served) (made []manifest, sources map[string]bool) {
	sources = map[string]bool{}
	for _, root := range d.rendering(of) {
		name := d.kustomizations[root].name
		text, err := p.render(filepath.Join(p.Root, filepath.FromSlash(root)))
		if err != nil {
			p.open("%s cannot be rendered, so its files are used as they are: %s", name, strings.ReplaceAll(err.Error(), p.Root+"/", ""))
			continue
		}
		made = append(made, manifest{name: root, line: 1, text: text, rendered: true})
		for _, file := range d.reach(root, map[string]bool{}) {
			sources[file] = true
		}
	}
	return made, sources
}

// rendering returns the folders of the kustomizations to render.
func (d *deployments) rendering(of map[string]served) (folders []string) {
	most := 0
	for _, root := range d.roots() {
		if isDefault(root) {
			folders = append(folders, root)
		}
	}
	for _, root := range d.roots() {
		files := d.reach(root, map[string]bool{})
		deploys := slices.ContainsFunc(files, func(file string) bool {
			return of[file].service == deployed && of[file].by == d.kustomizations[root].name
		})
		if len(files) > most && deploys && (len(folders) == 0 || !isDefault(folders[0])) {
			folders, most = []string{root}, len(files)
		}
	}
	return folders
}

// isDefault reports whether a folder has the kustomization that kubebuilder deploys.
func isDefault(folder string) bool {
	return folder == "config/default" || strings.HasSuffix(folder, "/config/default")
}

// roots returns the folders of kustomizations that no other one lists, and those called config/default.
func (d *deployments) roots() (folders []string) {
	inner := map[string]bool{}
	for folder, k := range d.kustomizations {
		for _, name := range k.lists {
			inner[name] = inner[name] || name != folder
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(d.kustomizations)) {
		if (!inner[folder] || isDefault(folder)) && asideOf(d.kustomizations[folder].name).level < formerRelease {
			folders = append(folders, folder)
		}
	}
	return folders
}

// reach returns the files that the kustomization of a folder lists, directly or not.
func (d *deployments) reach(folder string, visited map[string]bool) (files []string) {
	if visited[folder] || d.kustomizations[folder] == nil {
		return nil
	}
	visited[folder] = true
	for _, name := range d.kustomizations[folder].lists {
		if d.kustomizations[name] != nil {
			files = append(files, d.reach(name, visited)...)
		} else {
			files = append(files, name)
		}
	}
	return files
}

// exists reports whether there is a file.
func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
