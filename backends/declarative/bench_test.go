package declarative_test

import (
	"context"
	"fmt"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/served"
)

// podLike is the schema of a custom resource that looks like a Pod, without rules.
const podLike = `
type: object
required: [spec]
properties:
  apiVersion: {type: string}
  kind: {type: string}
  metadata: {type: object}
  spec:
    type: object
    required: [containers]
    properties:
      nodeName: {type: string, pattern: '^[a-z]+$'}
      containers:
        type: array
        minItems: 1
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name]
        items:
          type: object
          required: [name, image]
          properties:
            name: {type: string, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'}
            image: {type: string, minLength: 1}
            imagePullPolicy: {type: string, enum: [Always, IfNotPresent, Never]}
            args: {type: array, items: {type: string}}
            env:
              type: array
              items: {type: object, required: [name], properties: {name: {type: string}, value: {type: string}}}
            ports:
              type: array
              items:
                type: object
                required: [containerPort]
                properties:
                  containerPort: {type: integer, format: int32, minimum: 1, maximum: 65535}
                  protocol: {type: string, enum: [TCP, UDP]}
            resources:
              type: object
              properties:
                limits:
                  type: object
                  additionalProperties: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], pattern: '^[0-9]+(m|Mi|Gi)?$'}
`

func podLikeObject() map[string]any {
	var containers []any
	for i := range 20 {
		var env []any
		for j := range 10 {
			env = append(env, map[string]any{"name": fmt.Sprint("NAME_", j), "value": "some value"})
		}
		containers = append(containers, map[string]any{
			"name": fmt.Sprint("container-", i), "image": "registry.example.com/image:tag", "imagePullPolicy": "Always",
			"args":      []any{"--verbose", "--port=80"},
			"env":       env,
			"ports":     []any{map[string]any{"containerPort": int64(80), "protocol": "TCP"}},
			"resources": map[string]any{"limits": map[string]any{"cpu": "100m", "memory": "1Gi"}},
		})
	}
	return map[string]any{
		"apiVersion": "example.com/v1", "kind": "PodLike", "metadata": map[string]any{"name": "x"},
		"spec": map[string]any{"nodeName": "node", "containers": containers},
	}
}

// BenchmarkValid validates a valid object without rules, and the same with
// kube-openapi's validator.
func BenchmarkValid(b *testing.B) {
	schema, obj := served.Schema(b, podLike), podLikeObject()
	b.Run("declarative", func(b *testing.B) {
		v, err := declarative.Compile(schema, declarative.Options{})
		if err != nil {
			b.Fatal(err)
		}
		ctx, view := context.Background(), value.NewValueInterface(obj)
		b.ReportAllocs()
		for b.Loop() {
			if errs := v.Validate(ctx, view, nil); len(errs) > 0 {
				b.Fatal(errs)
			}
		}
	})
	b.Run("update", func(b *testing.B) {
		v, err := declarative.Compile(schema, declarative.Options{})
		if err != nil {
			b.Fatal(err)
		}
		ctx, view, old := context.Background(), value.NewValueInterface(obj), value.NewValueInterface(podLikeObject())
		b.ReportAllocs()
		for b.Loop() {
			if errs := v.Validate(ctx, view, old); len(errs) > 0 {
				b.Fatal(errs)
			}
		}
	})
	b.Run("reference", func(b *testing.B) {
		v := validation.NewSchemaValidatorFromOpenAPI(served.Schema(b, podLike+"\n"))
		b.ReportAllocs()
		for b.Loop() {
			if errs := validation.ValidateCustomResource(nil, obj, v); len(errs) > 0 {
				b.Fatal(errs)
			}
		}
	})
}

// BenchmarkTyped validates a valid typed Pod, with rules.
func BenchmarkTyped(b *testing.B) {
	v := native(b, "Pod")
	obj, err := value.NewValueReflect(pod(nothing))
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if errs := v.Validate(ctx, obj, nil); len(errs) > 0 {
			b.Fatal(errs)
		}
	}
}
