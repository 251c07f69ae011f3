package apiresource_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/testing/served"
)

const servedCRD = `
metadata: {name: things.example.dev}
spec:
  group: example.dev
  names: {plural: things, kind: Thing}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    schema: {openAPIV3Schema: {}}
  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {}}
`

const schemaV1 = `
type: object
properties:
  spec:
    type: object
    properties:
      size: {type: integer, default: 1}
      replicas: {type: integer}
      old: {type: string}
  status: {type: object, properties: {phase: {type: string}, replicas: {type: integer}}}
`

const schemaV2 = `
type: object
properties:
  spec:
    type: object
    properties:
      size: {type: integer}
      replicas: {type: integer}
      color: {type: string, default: red}
  status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`

var (
	v1 = schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Thing"}
	v2 = schema.GroupVersionKind{Group: "example.dev", Version: "v2", Kind: "Thing"}
)

func schemeOf(t testing.TB, conversion apiextensionsv1.ConversionStrategyType) serving.Scheme {
	t.Helper()
	crd := parse[apiextensionsv1.CustomResourceDefinition](t, servedCRD)
	crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: conversion}
	definition, err := apiresource.NewDefinition(resourceOf(crd, served.Schema(t, schemaV1), served.Schema(t, schemaV2)))
	if err != nil {
		t.Fatal(err)
	}
	return serving.Scheme{Resource: definition}
}

// spec and status are the only parts of an object that the tables compare.
func specAndStatus(object any) map[string]any {
	fields, _ := object.(map[string]any)
	kept := map[string]any{}
	for _, name := range []string{"apiVersion", "spec", "status"} {
		if value, has := fields[name]; has {
			kept[name] = value
		}
	}
	return kept
}

func TestScheme(t *testing.T) {
	const meta = `kind: Thing, metadata: {name: a, namespace: b}`
	for _, tt := range []struct {
		name, why, sub, object, old string
		in                          schema.GroupVersionKind
		want, wantOld               string
		omitted                     []contract.Omission
		inexpressible, refused      string
	}{
		{
			name: "create", why: "pruned, defaulted, and without a status", in: v1,
			object:  `{apiVersion: example.dev/v1, ` + meta + `, spec: {x: 1}, status: {phase: On}}`,
			want:    `{apiVersion: example.dev/v1, spec: {size: 1}}`,
			omitted: []contract.Omission{{Field: "spec.x", Why: words.Pruned}, {Field: "status", Why: words.Ignored}},
		},
		{
			name: "update", why: "the old object comes from the storage, and is pruned and defaulted too", in: v1,
			object:  `{apiVersion: example.dev/v1, ` + meta + `, spec: {size: 2}, status: {phase: "Off"}}`,
			old:     `{apiVersion: example.dev/v1, ` + meta + `, spec: {x: 1}, status: {phase: "On"}}`,
			want:    `{apiVersion: example.dev/v1, spec: {size: 2}, status: {phase: "On"}}`,
			wantOld: `{apiVersion: example.dev/v1, spec: {size: 1}, status: {phase: "On"}}`,
			omitted: []contract.Omission{{Field: "status.phase", Why: words.Ignored}},
		},
		{
			name: "status", why: "the rest is the old object's", sub: "status", in: v1,
			object:  `{apiVersion: example.dev/v1, ` + meta + `, spec: {size: 2}, status: {phase: "Off"}}`,
			old:     `{apiVersion: example.dev/v1, ` + meta + `, spec: {size: 3}}`,
			want:    `{apiVersion: example.dev/v1, spec: {size: 3}, status: {phase: "Off"}}`,
			wantOld: `{apiVersion: example.dev/v1, spec: {size: 3}}`,
			omitted: []contract.Omission{{Field: "spec.size", Why: words.Ignored}},
		},
		{
			name: "scale", why: "the resource with the replicas is validated", sub: "scale", in: v1,
			object:  `{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: a, namespace: b}, spec: {replicas: 4}}`,
			old:     `{apiVersion: example.dev/v1, ` + meta + `, spec: {size: 3}}`,
			want:    `{apiVersion: example.dev/v1, spec: {size: 3, replicas: 4}}`,
			wantOld: `{apiVersion: example.dev/v1, spec: {size: 3}}`,
		},
		{
			name: "a different version", why: "apiVersion is rewritten, and its defaults come in", in: v2,
			object: `{apiVersion: example.dev/v1, ` + meta + `, spec: {replicas: 1}}`,
			want:   `{apiVersion: example.dev/v2, spec: {replicas: 1, size: 1, color: red}}`,
		},
		{
			name: "a field that the other version lacks", why: "it cannot express the case", in: v2,
			object: `{apiVersion: example.dev/v1, ` + meta + `, spec: {old: x}}`, inexpressible: "it has no spec.old",
		},
		{
			name: "a subresource that the other version lacks", why: "there is no such request", sub: "status", in: v2,
			object: `{apiVersion: example.dev/v1, ` + meta + `}`, old: `{apiVersion: example.dev/v1, ` + meta + `}`,
			inexpressible: `has no subresource "status"`,
		},
		{
			name: "metadata that cannot be read", why: "the API server refuses it before validation", in: v1,
			object: `{apiVersion: example.dev/v1, kind: Thing, metadata: {name: 3}}`, refused: "metadata.name: Invalid value: " +
				"must be text, not a number",
		},
		{
			name: "a Scale to the resource", why: "only its scale takes one", in: v1,
			object: `{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: a}}`, refused: "only the subresource scale takes",
		},
		{
			name: "an unknown field of a Scale", why: "a case with a misspelt field tests nothing", sub: "scale", in: v1,
			object: `{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: a}, spec: {replica: 1}}`,
			old:    `{apiVersion: example.dev/v1, ` + meta + `}`, refused: "replica",
		},
		{
			name: "no replicas to read", why: "an object without a scale cannot be scaled", sub: "scale", in: v1,
			object: `{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: a}, spec: {replicas: 1}}`,
			old:    `{apiVersion: example.dev/v1, ` + meta + `, spec: {replicas: x}}`, refused: "no scale that could be written",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			scheme := schemeOf(t, apiextensionsv1.NoneConverter)
			object, old := document(t, tt.object), document(t, tt.old)
			before := []any{runtime.DeepCopyJSON(object), runtime.DeepCopyJSON(old)}
			handed, handedOld, err := prepare(t, scheme, tt.sub, object, old)
			var got any
			if err == nil {
				got, err = scheme.Convert(handed, tt.in)
			}
			if tt.refused+tt.inexpressible != "" {
				refusal := (*contract.InexpressibleError)(nil)
				if err == nil || !strings.Contains(err.Error(), tt.refused+tt.inexpressible) ||
					errors.As(err, &refusal) != (tt.inexpressible != "") {
					t.Errorf("%s: got %v", tt.why, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(document(t, tt.want), specAndStatus(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.why, diff)
			}
			if diff := cmp.Diff(tt.omitted, scheme.Capabilities().Omitted(handed, tt.in)); diff != "" {
				t.Errorf("%s: omitted (-want +got):\n%s", tt.why, diff)
			}
			if tt.wantOld != "" {
				gotOld, err := scheme.Convert(handedOld, tt.in)
				if diff := cmp.Diff(document(t, tt.wantOld), specAndStatus(gotOld)); diff != "" || err != nil {
					t.Errorf("%s: old object (-want +got):\n%s%v", tt.why, diff, err)
				}
			}
			if diff := cmp.Diff(before, []any{object, old}); diff != "" {
				t.Errorf("the objects of the case were changed:\n%s", diff)
			}
		})
	}
}

// prepare runs the stages before Convert.
func prepare(t *testing.T, scheme serving.Scheme, sub string, object, old map[string]any) (handed, handedOld any, err error) {
	t.Helper()
	request := harness.Request{Version: v1, Operation: admissionv1.Create, Subresource: sub}
	decoded, err := scheme.Decode(object, v1)
	if err != nil {
		return nil, nil, err
	}
	if old == nil {
		return scheme.Default(t.Context(), request, decoded, nil)
	}
	request.Operation = admissionv1.Update
	decodedOld, err := scheme.Decode(old, v1)
	if err != nil {
		return nil, nil, err
	}
	return scheme.Default(t.Context(), request, decoded, decodedOld)
}

// TestWebhookConversion: the result of a conversion webhook is not guessed.
func TestWebhookConversion(t *testing.T) {
	scheme := schemeOf(t, apiextensionsv1.WebhookConverter)
	handed, _, err := prepare(t, scheme, "", document(t, `{apiVersion: example.dev/v1, kind: Thing, metadata: {name: a, namespace: b}}`),
		nil)
	if err != nil {
		t.Fatal(err)
	}
	refusal := (*contract.InexpressibleError)(nil)
	if _, err := scheme.Convert(handed, v2); !errors.As(err, &refusal) {
		t.Errorf("got %v", err)
	}
	if _, err := scheme.Convert(handed, v1); err != nil {
		t.Errorf("in its own version: %v", err)
	}
}

// TestUnknownVersion: the message lists the versions that exist.
func TestUnknownVersion(t *testing.T) {
	scheme := schemeOf(t, apiextensionsv1.NoneConverter)
	_, err := scheme.Decode(map[string]any{}, v1.GroupVersion().WithKind("Other"))
	if err == nil || !strings.Contains(err.Error(), "example.dev/v1 Thing, example.dev/v2 Thing") {
		t.Errorf("got %v", err)
	}
}
