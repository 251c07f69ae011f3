package strictyaml_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// later keeps its value to decode it later.
type later struct{ node *yaml.Node }

func (l *later) UnmarshalYAML(node *yaml.Node) error {
	l.node = node
	return nil
}

// A value that is kept for later is not checked when the file is read, and has its lines when it is decoded.
func TestDecodeNode(t *testing.T) {
	var file struct {
		Good   later `yaml:"good"`
		Broken later `yaml:"broken"`
	}
	const text = "good: {a: &a 1, b: *a}\nbroken:\n  a: 1\n  a: 2\n"
	if err := strictyaml.Decode("f.yaml", []byte(text), &file); err != nil {
		t.Fatal(err)
	}
	var good map[string]any
	if err := strictyaml.DecodeNode("f.yaml", file.Good.node, &good); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"a": int64(1), "b": int64(1)}, good); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	err := strictyaml.DecodeNode("f.yaml", file.Broken.node, new(any))
	if err == nil || err.Error() != `f.yaml:4: key "a" is set twice; first in line 3` {
		t.Errorf("got %v", err)
	}
}
