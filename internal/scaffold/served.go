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
			p.open("%s lists what is not there: %s; if a tool makes it, run the tool first (make manifests)", k.name, strings.Join(k.missing, ", "))
		}
	}
	return found
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
