package pruning

import (
	"errors"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/object"
)

// resource coerces type and metadata of a resource, as
// k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta does for embedded
// ones and pkg/apiserver/customresource_handler.go for the object itself.
func (w *walk) resource(root bool, c *copying) {
	x := c.fields
	for _, name := range [...]string{"apiVersion", "kind"} {
		v, found := x[name]
		if _, ok := v.(string); ok || !found {
			continue
		}
		if w.opts.Metadata == DropMalformedMetadata && !root {
			delete(c.own(), name)
			continue
		}
		w.fail(name, v, "must be a string")
	}
	meta, found := x["metadata"]
	if !found || canonical(meta) {
		return
	}
	read, unknown, err := readMetadata(meta, w.opts.Metadata)
	for _, path := range unknown {
		w.dropped = append(w.dropped, finding{steps: object.Of("metadata"), within: path})
	}
	if err == nil {
		var written map[string]any
		if written, err = writeMetadata(read); err == nil {
			if !reflect.DeepEqual(any(written), meta) {
				c.own()["metadata"] = written
			}
			return
		}
	}
	if w.opts.Metadata == CoerceMetadata || root {
		w.fail("metadata", meta, err.Error())
	}
}

func (w *walk) fail(name string, value any, detail string) {
	w.failed = append(w.failed, finding{
		steps: object.Of(name),
		err:   &field.Error{Type: field.ErrorTypeInvalid, BadValue: value, Detail: detail},
	})
}

// readMetadata reads metadata and names what is unknown in it.
func readMetadata(meta any, how Metadata) (*metav1.ObjectMeta, []string, error) {
	data, err := utiljson.Marshal(meta)
	if err != nil {
		return nil, nil, err
	}
	read := &metav1.ObjectMeta{}
	strict, err := kjson.UnmarshalStrict(data, read)
	if err == nil || how != DropMalformedMetadata {
		return read, fieldPaths(strict), err
	}
	fields, ok := meta.(map[string]any)
	if !ok {
		return nil, nil, fmt.Errorf("invalid metadata: expected object, got %T", meta)
	}
	read, unknown := readFields(fields)
	return read, unknown, nil
}

// readFields reads metadata field by field and leaves out what cannot be read.
func readFields(fields map[string]any) (*metav1.ObjectMeta, []string) {
	var unknown []string
	read := &metav1.ObjectMeta{}
	for name, value := range fields {
		data, err := utiljson.Marshal(map[string]any{name: value})
		if err != nil || utiljson.Unmarshal(data, &metav1.ObjectMeta{}) != nil {
			continue
		}
		strict, err := kjson.UnmarshalStrict(data, read)
		if err == nil {
			unknown = append(unknown, fieldPaths(strict)...)
		}
	}
	return read, unknown
}

func fieldPaths(strict []error) []string {
	var paths []string
	for _, err := range strict {
		var at kjson.FieldError
		if errors.As(err, &at) {
			paths = append(paths, at.FieldPath())
		}
	}
	return paths
}

func writeMetadata(meta *metav1.ObjectMeta) (map[string]any, error) {
	written, err := runtime.DefaultUnstructuredConverter.ToUnstructured(meta)
	if err != nil {
		return nil, err
	}
	if meta.CreationTimestamp.IsZero() {
		delete(written, "creationTimestamp")
	}
	return written, nil
}
