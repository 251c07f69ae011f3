package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// subject is a kind whose schema gets mistakes. Each call of fresh returns a new copy of its schema.
type subject struct {
	name string
	// fresh returns its schemas by name, and write, which writes a suite with them to a folder.
	fresh func() (schemas map[string]any, write func(folder string) error, err error)
}

// builtins are the built-in kinds, each with its cases.
var builtins = map[string]string{
	"v1 Service": "core/service*.yaml", "v1 Pod": "core/pod-*.yaml", "v1 PersistentVolumeClaim": "core/persistentvolumeclaim.yaml",
	"v1 ResourceQuota": "core/resourcequota.yaml", "apps/v1 Deployment": "apps/deployment*.yaml", "apps/v1 StatefulSet": "apps/statefulset*.yaml",
	"batch/v1 Job": "batch/job*.yaml", "batch/v1 CronJob": "batch/cronjob*.yaml", "networking.k8s.io/v1 Ingress": "networking/ingress*.yaml",
	"networking.k8s.io/v1 NetworkPolicy": "networking/networkpolicy*.yaml", "autoscaling/v2 HorizontalPodAutoscaler": "autoscaling/horizontal*.yaml",
	"policy/v1 PodDisruptionBudget": "policy/poddisruptionbudget*.yaml", "rbac.authorization.k8s.io/v1 RoleBinding": "rbac/rolebinding*.yaml",
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
	return subject{kind, func() (map[string]any, func(string) error, error) {
		var root map[string]any
		if err := yaml.Unmarshal(printed, &root); err != nil {
			return nil, nil, err
		}
		schemas := objectOf(root["definitions"])
		delete(root, "definitions")
		schemas["planted"] = root
		return schemas, func(folder string) error {
			suite := fmt.Sprintf("name: planted\nnative: {builtin: kubernetes}\ndeclarative: {openapi: {file: schema.json, definition: planted, kind: %s}}\ncases: [%s]\nexceptions: %s\n", kind, strings.Join(files, ", "), filepath.Join(cases, "../../exceptions.yaml"))
			document := map[string]any{"swagger": "2.0", "info": map[string]any{"title": "planted", "version": "1"}, "paths": map[string]any{}, "definitions": schemas}
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
	return subject{filepath.Base(file), func() (map[string]any, func(string) error, error) {
		var crd map[string]any
		if err := yaml.Unmarshal(text, &crd); err != nil {
			return nil, nil, err
		}
		spec := objectOf(crd["spec"])
		versions, _ := spec["versions"].([]any)
		stored := objectOf(versions[0])
		for _, version := range versions {
			if objectOf(version)["storage"] == true {
				stored = objectOf(version)
			}
		}
		root := objectOf(objectOf(stored["schema"])["openAPIV3Schema"])
		return map[string]any{"": root}, func(folder string) error {
			kind := objectOf(spec["names"])["kind"]
			object := map[string]any{"apiVersion": fmt.Sprint(spec["group"], "/", stored["name"]), "kind": kind, "metadata": map[string]any{"name": "a", "namespace": "a"}}
			suite := fmt.Sprintf("name: planted\nnative: {crd: today.yaml, version: %v}\ndeclarative: {crd: planted.json, version: %v}\ncases: [case.json]\n", stored["name"], stored["name"])
			return write(folder, map[string]any{"today.yaml": string(text), "planted.json": crd, "suite.yaml": suite, "case.json": map[string]any{"cases": []any{map[string]any{"name": "empty", "object": object}}}})
		}, nil
	}}, nil
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
