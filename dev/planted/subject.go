package main

import (
	"bytes"
	_ "embed" // policies.yaml
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// subject is a kind with a validator that gets mistakes. Each call of fresh returns a new copy of it.
type subject struct {
	name string
	// least is how many fields an accepted object needs.
	least int
	// fresh returns what mistakes change, and a function that writes a suite with it to a folder.
	fresh func() (content, func(folder string) error, error)
}

// content is what mistakes change: schemas by name, and policies.
type content struct {
	schemas  map[string]any
	policies []any
}

// builtins are the built-in kinds, each with its cases.
var builtins = map[string]string{
	"v1 Service": "core/service*.yaml", "v1 Pod": "core/pod-*.yaml", "v1 PersistentVolumeClaim": "core/persistentvolumeclaim.yaml",
	"v1 ResourceQuota": "core/resourcequota.yaml", "apps/v1 Deployment": "apps/deployment*.yaml",
	"apps/v1 StatefulSet": "apps/statefulset*.yaml",
	"batch/v1 Job":        "batch/job*.yaml", "batch/v1 CronJob": "batch/cronjob*.yaml",
	"networking.k8s.io/v1 Ingress":             "networking/ingress*.yaml",
	"networking.k8s.io/v1 NetworkPolicy":       "networking/networkpolicy*.yaml",
	"autoscaling/v2 HorizontalPodAutoscaler":   "autoscaling/horizontal*.yaml",
	"policy/v1 PodDisruptionBudget":            "policy/poddisruptionbudget*.yaml",
	"rbac.authorization.k8s.io/v1 RoleBinding": "rbac/rolebinding*.yaml",
}

// builtin returns the subject of a built-in kind.
func builtin(diffrun, cases, kind string) (subject, error) {
	cases, err := filepath.Abs(cases)
	if err != nil {
		return subject{}, err
	}
	printed, err := output(diffrun, "schema", "print", "--defaulted", kind)
	if err != nil {
		return subject{}, err
	}
	files, err := filepath.Glob(filepath.Join(cases, builtins[kind]))
	if err != nil || len(files) == 0 {
		return subject{}, fmt.Errorf("%s: no cases in %s: %v", kind, cases, err)
	}
	var root map[string]any
	if err := yaml.Unmarshal(printed, &root); err != nil {
		return subject{}, err
	}
	return subject{kind, required(root, objectOf(root["definitions"]), 0), func() (content, func(string) error, error) {
		var root map[string]any
		if err := yaml.Unmarshal(printed, &root); err != nil {
			return content{}, nil, err
		}
		schemas := objectOf(root["definitions"])
		delete(root, "definitions")
		schemas["planted"] = root
		return content{schemas: schemas}, func(folder string) error {
			suite := fmt.Sprintf("name: planted\nnative: {builtin: kubernetes}\ndeclarative: {openapi: {file: schema.json, "+
				"definition: planted, kind: %s}}\ncases: [%s]\nexceptions: %s\n", kind, strings.Join(files, ", "),
				filepath.Join(cases, "../../exceptions.yaml"))
			document := map[string]any{
				"swagger":     "2.0",
				"info":        map[string]any{"title": "planted", "version": "1"},
				"paths":       map[string]any{},
				"definitions": schemas,
			}
			return write(folder, map[string]any{"schema.json": document, "suite.yaml": suite})
		}, nil
	}}, nil
}

// definition returns the subject of a CustomResourceDefinition. Both sides are the definition; one of
// them has the mistake.
func definition(file string) (subject, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return subject{}, err
	}
	var crd map[string]any
	if err := yaml.Unmarshal(text, &crd); err != nil {
		return subject{}, err
	}
	root := objectOf(objectOf(stored(crd)["schema"])["openAPIV3Schema"])
	return subject{filepath.Base(file), required(root, nil, 0), func() (content, func(string) error, error) {
		var crd map[string]any
		if err := yaml.Unmarshal(text, &crd); err != nil {
			return content{}, nil, err
		}
		spec, stored := objectOf(crd["spec"]), stored(crd)
		root := objectOf(objectOf(stored["schema"])["openAPIV3Schema"])
		return content{schemas: map[string]any{"": root}}, func(folder string) error {
			kind := objectOf(spec["names"])["kind"]
			object := map[string]any{
				"apiVersion": fmt.Sprint(spec["group"], "/", stored["name"]),
				"kind":       kind,
				"metadata":   map[string]any{"name": "a", "namespace": "a"},
			}
			suite := fmt.Sprintf("name: planted\nnative: {crd: today.yaml, version: %v}\ndeclarative: {crd: planted.json, version: "+
				"%v}\ncases: [case.yaml]\n", stored["name"], stored["name"])
			return write(folder, map[string]any{
				"today.yaml":   string(text),
				"planted.json": crd,
				"suite.yaml":   suite,
				"case.yaml":    map[string]any{"cases": []any{map[string]any{"name": "empty", "object": object}}},
			})
		}, nil
	}}, nil
}

// stored returns the stored version of a definition.
func stored(crd map[string]any) map[string]any {
	versions, _ := objectOf(crd["spec"])["versions"].([]any)
	for _, version := range versions {
		if objectOf(version)["storage"] == true {
			return objectOf(version)
		}
	}
	return nil
}

//go:embed policies.yaml
var policies string

// guarded returns the subject of Deployments with policies. Both sides have the built-in validator; the
// policies of one of them have the mistake.
func guarded(cases string) (subject, error) {
	files, err := filepath.Abs(filepath.Join(cases, builtins["apps/v1 Deployment"]))
	if err != nil {
		return subject{}, err
	}
	const leastOfDeployments = 5 // a label of the selector and of the template; name and image of a container; team
	return subject{"policies", leastOfDeployments, func() (content, func(string) error, error) {
		var all []any
		for document := range strings.SplitSeq(policies, "\n---\n") {
			var one map[string]any
			if err := yaml.Unmarshal([]byte(document), &one); err != nil {
				return content{}, nil, err
			}
			all = append(all, one)
		}
		return content{policies: all}, func(folder string) error {
			planted := &strings.Builder{}
			for _, one := range all {
				text, err := yaml.Marshal(one)
				if err != nil {
					return err
				}
				fmt.Fprintf(planted, "---\n%s", text)
			}
			suite := fmt.Sprintf("name: planted\nnative: {builtin: kubernetes, policies: [today.yaml]}\ndeclarative: {builtin: "+
				"kubernetes, policies: [planted.yaml]}\ncases: [case.yaml, %s]\n", files)
			return write(folder, map[string]any{
				"today.yaml":   policies,
				"planted.yaml": planted.String(),
				"suite.yaml":   suite,
				"case.yaml":    deployment,
			})
		}, nil
	}}, nil
}

// deployment is a Deployment that the policies accept.
const deployment = `cases:
- name: accepted
  object:
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: a, namespace: a, labels: {team: web}}
    spec:
      selector: {matchLabels: {a: b}}
      template:
        metadata: {labels: {a: b}}
        spec: {containers: [{name: a, image: registry.example.com/a}]}
`

// required returns how many fields the least object of a schema has.
func required(s, definitions map[string]any, depth int) (n int) {
	const deepest = 12
	if ref, is := s["$ref"].(string); is {
		s = objectOf(definitions[ref[strings.LastIndex(ref, "/")+1:]])
	}
	names, _ := s["required"].([]any)
	for _, name := range names {
		if depth < deepest && name != "metadata" {
			n += required(objectOf(objectOf(s["properties"])[fmt.Sprint(name)]), definitions, depth+1)
		}
	}
	if items := objectOf(s["items"]); s["type"] == "array" && items != nil && depth < deepest {
		n = required(items, definitions, depth+1)
	}
	return max(n, 1)
}

// write writes files of texts and of documents.
func write(folder string, files map[string]any) error {
	for name, content := range files {
		text, isText := content.(string)
		if !isText {
			encoded, err := yaml.Marshal(content)
			if err != nil {
				return err
			}
			text = string(encoded)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func output(name string, args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	command := exec.Command(name, args...)
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return out, nil
}
