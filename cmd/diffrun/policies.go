//go:build !slim

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	natives "github.com/diffrun/diffrun/backends/native/kubernetes/registry"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cases/admissionpolicies"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/schema/lintreport"
	"github.com/diffrun/diffrun/internal/schema/policylint"
	schemasource "github.com/diffrun/diffrun/internal/schema/source"
)

// policyLoader evaluates policies with the API server's library.
func policyLoader() cases.PolicyLoader { return admissionpolicies.Load }

// policyLinter lints policies for the built-in kinds, and for definitions.
func policyLinter() lintreport.PolicyLinter {
	return func(found schemasource.Found) ([]lintreport.PolicyFinding, error) {
		var builtin []serving.Description
		for _, kind := range natives.Kinds() {
			if resource, err := natives.Served(kind); err == nil {
				builtin = append(builtin, resource.Describe())
			}
		}
		return policylint.Check(found, builtin)
	}
}

// policyStarts writes objects of the kinds that the rules of policies name, which the bundled cases have, and returns the
// pattern of the files. Rules for all resources stand for those of workloads.
func policyStarts(directory string, files ...schemasource.PolicyFile) (string, error) {
	wanted := policyResources(files)
	kinds := map[string]bool{}
	for _, kind := range natives.Kinds() {
		resource, err := natives.Served(kind)
		if err != nil {
			continue
		}
		for _, version := range resource.Describe().Versions {
			if slices.Contains(wanted, version.Plural) {
				kinds[apiname.Target(version.GroupVersionKind)] = true
			}
		}
	}
	written := 0
	err := fs.WalkDir(bundle(), "cases/kubernetes", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".yaml" {
			return err
		}
		object, err := firstObject(name)
		if err != nil || object == nil || !kinds[object.target] {
			return err
		}
		kinds[object.target] = false // one object of each kind: each more makes all changes again
		written++
		return outfile.Write(filepath.Join(directory, fmt.Sprintf("start-%03d.yaml", written)), object.text)
	})
	if err == nil && written == 0 {
		err = fmt.Errorf("the policies of %s and %s are for the resources %s, and diffrun has objects to start from of built-in "+
			"kinds alone; write a suite with the definition of the kind and some objects, and use diffrun explore", files[0].Name,
			files[1].Name, strings.Join(wanted, ", "))
	}
	return filepath.ToSlash(filepath.Join(directory, "start-*.yaml")), err
}

// policyResources returns the resources in the rules of policies, sorted.
func policyResources(files []schemasource.PolicyFile) []string {
	var all []string
	for _, file := range files {
		for document := range documents.Manifest(filepath.ToSlash(file.Name), file.Data) {
			var policy struct {
				Spec struct {
					MatchConstraints struct {
						ResourceRules []struct{ Resources []string }
					}
				}
			}
			text, err := yaml.Marshal(document.Object)
			if err != nil || yaml.Unmarshal(text, &policy) != nil {
				continue // loading the policies reports it
			}
			for _, rule := range policy.Spec.MatchConstraints.ResourceRules {
				for _, name := range rule.Resources {
					name, _, _ = strings.Cut(name, "/")
					if name == "*" {
						all = append(all, "pods", "deployments", "services")
						continue
					}
					all = append(all, name)
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// startObject is an object of a file of bundled cases, as a manifest.
type startObject struct {
	target string
	text   []byte
}

// firstObject returns the first named object of a file of bundled cases; nil if it has none.
func firstObject(name string) (*startObject, error) {
	data, err := fs.ReadFile(bundle(), name)
	if err != nil {
		return nil, err
	}
	var file struct {
		Target  string
		Objects map[string]map[string]any
	}
	if err := yaml.Unmarshal(data, &file); err != nil || file.Target == "" {
		return nil, nil // it is no file of cases
	}
	first, at := "", len(data)
	for object := range file.Objects {
		if found := bytes.Index(data, []byte("\n  "+object+":")); found >= 0 && found < at {
			first, at = object, found
		}
	}
	if first == "" || file.Objects[first]["kind"] == nil {
		return nil, nil
	}
	text, err := yaml.Marshal(file.Objects[first])
	return &startObject{file.Target, text}, err
}
