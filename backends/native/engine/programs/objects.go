//go:build ignore

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// taker takes an object of a kind.
type taker func(kind schema.GroupKind, object json.RawMessage) error

// readObjects reads the objects of files. Those of lists are objects, too. The error has the mistakes of all files.
func readObjects(names []string, take taker) error {
	var mistakes []error
	for _, name := range names {
		mistakes = append(mistakes, readFile(name, take))
	}
	return errors.Join(mistakes...)
}

func readFile(name string, take taker) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	documents := yaml.NewYAMLOrJSONDecoder(file, 4096)
	for number := 1; ; number++ {
		var document json.RawMessage
		if err := documents.Decode(&document); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: document %d: %w", name, number, err)
		}
		if err := takeObject(document, take); err != nil {
			return fmt.Errorf("%s: document %d: %w", name, number, err)
		}
	}
}

// takeObject gives an object, or the items of a list.
func takeObject(document json.RawMessage, take taker) error {
	var of struct {
		metav1.TypeMeta
		Items []json.RawMessage
	}
	if len(document) == 0 || string(document) == "null" {
		return nil
	}
	if err := json.Unmarshal(document, &of); err != nil {
		return err
	}
	if strings.HasSuffix(of.Kind, "List") && of.Items != nil {
		for _, item := range of.Items {
			if err := takeObject(item, take); err != nil {
				return err
			}
		}
		return nil
	}
	if err := take(of.GroupVersionKind().GroupKind(), document); err != nil {
		return fmt.Errorf("%s: %w", of.Kind, err)
	}
	return nil
}
