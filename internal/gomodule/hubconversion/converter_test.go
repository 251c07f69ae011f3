package hubconversion_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/gomodule/hubconversion"
)

// project writes a module with the requirements of this one, like that of an operator: its types are internal
// to it, and no file may be added to it later.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name, text string) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		put(name, regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(data), "module example.com/operator"))
	}
	const types = `// Package VERSION is of an API.
// +groupName=example.com
package VERSION

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Widget struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	FIELD int64 ` + "`json:\"JSON\"`" + `
}

func (w *Widget) DeepCopyObject() runtime.Object { c := *w; return &c }
`
	for _, each := range []struct{ version, field string }{{"v1", "Size"}, {"v2", "Width"}, {"v3", "Extent"}} {
		put("internal/api/"+each.version+"/types.go",
			strings.NewReplacer("VERSION", each.version, "FIELD", each.field, "JSON", strings.ToLower(each.field)).Replace(types))
		if each.version == "v2" {
			put("internal/api/v2/hub.go", "package v2\n\nfunc (*Widget) Hub() {}\n")
			continue
		}
		put("internal/api/"+each.version+"/conversion.go",
			strings.NewReplacer("VERSION", each.version, "FIELD", each.field).Replace(`package VERSION

import (
	"os"
	"time"

	"example.com/operator/internal/api/v2"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

func (w *Widget) ConvertTo(hub conversion.Hub) error {
	switch w.FIELD {
	case 13:
		os.Stderr.WriteString("thirteen")
		os.Exit(3)
	case 14:
		time.Sleep(time.Hour)
	}
	hub.(*v2.Widget).ObjectMeta, hub.(*v2.Widget).Width = w.ObjectMeta, w.FIELD*10
	return nil
}

func (w *Widget) ConvertFrom(hub conversion.Hub) error {
	w.ObjectMeta, w.FIELD = hub.(*v2.Widget).ObjectMeta, hub.(*v2.Widget).Width/10
	return nil
}
`))
	}
	return dir
}

func TestConverter(t *testing.T) {
	dir := project(t)
	before := files(t, dir)
	found, err := hubconversion.Find(dir, []string{"./internal/api/v1", "./internal/api/v2", "./internal/api/v3"}, "Widget")
	if err != nil || found == nil {
		t.Fatal(found, err)
	}
	converter, err := found.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	converter.SetTimeout(5 * time.Second)
	widget := func(version, field string, size int64) map[string]any {
		return map[string]any{"apiVersion": "example.com/" + version, "kind": "Widget", "metadata": map[string]any{"name": "a"},
			field: size}
	}
	for _, row := range []struct {
		why     string
		object  map[string]any
		version string
		want    map[string]any
		failed  string
	}{
		{why: "to the hub", object: widget("v1", "size", 1), version: "v2", want: widget("v2", "width", 10)},
		{why: "from the hub", object: widget("v2", "width", 20), version: "v3", want: widget("v3", "extent", 2)},
		{why: "through the hub", object: widget("v1", "size", 3), version: "v3", want: widget("v3", "extent", 3)},
		{why: "to itself", object: widget("v1", "size", 13), version: "v1", want: widget("v1", "size", 13)},
		{why: "a number that a float cannot hold", object: widget("v2", "width", 1<<53+1), version: "v2",
			want: widget("v2", "width", 1<<53+1)},
		{why: "a different version", object: widget("v1", "size", 1), version: "v4",
			failed: `there is no version "v4"; there are v1, v2, v3`},
		{why: "a field of a different type", object: map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "size": "a"},
			version: "v2", failed: "the object is not a *v1.Widget"},
		{why: "the program dies", object: widget("v1", "size", 13), version: "v2",
			failed: "the program with the conversion methods ended: thirteen"},
		{why: "a method hangs", object: widget("v1", "size", 14), version: "v2", failed: "the conversion methods took longer than 5s"},
		{why: "and is started again", object: widget("v1", "size", 1), version: "v2", want: widget("v2", "width", 10)},
	} {
		got, err := converter.Convert(row.object, row.version)
		switch {
		case row.failed != "" && (err == nil || !strings.HasPrefix(err.Error(), row.failed)):
			t.Errorf("%s: got %v, want %s", row.why, err, row.failed)
		case row.failed == "" && err != nil:
			t.Errorf("%s: %v", row.why, err)
		case row.failed == "":
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("%s: -want +got:\n%s", row.why, diff)
			}
		}
	}
	meanwhile(t, converter, widget)
	if diff := cmp.Diff(before, files(t, dir)); diff != "" {
		t.Errorf("the module of the user changed: %s", diff)
	}
}

// meanwhile checks that a conversion that hangs delays no other, ends after its timeout, and ends with the
// converter.
func meanwhile(t *testing.T, converter *hubconversion.Converter, widget func(string, string, int64) map[string]any) {
	t.Helper()
	converter.SetTimeout(time.Hour)
	hung := make(chan error, 2)
	for range cap(hung) {
		go func() {
			_, err := converter.Convert(widget("v1", "size", 14), "v2")
			hung <- err
		}()
	}
	for i := range int64(12) {
		got, err := converter.Convert(widget("v1", "size", i), "v2")
		if diff := cmp.Diff(widget("v2", "width", i*10), got); diff != "" || err != nil {
			t.Errorf("beside a conversion that hangs: %v, -want +got:\n%s", err, diff)
		}
	}
	if len(hung) > 0 {
		t.Errorf("a conversion that may take an hour ended: %v", <-hung)
	}
	if err := converter.Close(); err != nil {
		t.Error(err)
	}
	for range cap(hung) {
		if err := <-hung; err == nil {
			t.Error("a conversion that hangs gave an object")
		}
	}
	if _, err := converter.Convert(widget("v1", "size", 1), "v2"); err == nil || err.Error() != "the converter is closed" {
		t.Errorf("after Close: %v", err)
	}
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
		names = append(names, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
