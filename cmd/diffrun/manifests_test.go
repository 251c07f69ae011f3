package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// readManifests reads all manifests of a folder strictly into objects by their kinds, and refuses
// unknown ones. If a kind has several objects, the key has the name: "Job/merge".
func readManifests(t *testing.T, folder string, into map[string]any) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if filepath.Base(file) == "kustomization.yaml" {
			continue // .ci/release builds it
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
		for {
			document, err := reader.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			var object metav1.PartialObjectMetadata
			if err := errors.Join(err, yaml.Unmarshal(document, &object)); err != nil {
				t.Fatal(err)
			}
			key := object.Kind
			if into[key] == nil {
				key += "/" + object.Name
			}
			if into[key] == nil {
				t.Fatalf("%s: a %s is not expected, or there are two", file, object.Kind)
			}
			if err := yaml.UnmarshalStrict(document, into[key]); err != nil {
				t.Errorf("%s: %s: %v", file, key, err)
			}
			delete(into, key)
		}
	}
	if len(into) > 0 {
		t.Fatalf("%s lacks %v", folder, into)
	}
}
