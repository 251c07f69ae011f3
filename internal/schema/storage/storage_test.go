package storage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/schema/storage"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// definition returns a definition with two served versions. v1 is stored.
func definition(t *testing.T, more, v1beta1, v1 string) *definitions.Definition {
	t.Helper()
	text := fmt.Sprintf(`{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: barns.example.com},
spec: {group: example.com, scope: Namespaced, names: {kind: Barn, plural: barns}, %s versions: [
{name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: %s}},
{name: v1, served: true, storage: true, schema: {openAPIV3Schema: %s}}]}}`, more, v1beta1, v1)
	all, err := definitions.Read("barns.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

func of(spec string) string {
	return "{type: object, properties: {spec: {type: object, " + spec + "}}}"
}

func TestLost(t *testing.T) {
	for _, tc := range []struct {
		why, more, v1beta1, v1 string
		want                   []string
	}{
		{why: "equal schemas", v1beta1: of("properties: {a: {type: string}}"), v1: of("properties: {a: {type: string}}")},
		{why: "a field of v1 alone", v1beta1: of(""), v1: of("properties: {a: {type: string}}")},
		{
			why: "plain", v1beta1: of("properties: {a: {type: string}, b: {type: string}}"), v1: of("properties: {a: {type: string}}"),
			want: []string{"spec.b at properties[spec].properties[b]"},
		},
		{
			why: "renamed", v1beta1: of("properties: {color: {type: string}}"), v1: of("properties: {colour: {type: string}}"),
			want: []string{"spec.color at properties[spec].properties[color]"},
		},
		{
			why: "nested, and an object as a whole", v1beta1: of("properties: {a: {type: object, properties: {b: {type: string}}}, " +
				"c: {type: object, properties: {d: {type: string}}}}"),
			v1:   of("properties: {a: {type: object, properties: {x: {type: string}}}}"),
			want: []string{"spec.a.b at properties[spec].properties[a].properties[b]", "spec.c at properties[spec].properties[c]"},
		},
		{
			why: "list items, and values of a map",
			v1beta1: of(`properties: {l: {type: array, items: {type: object, properties: {b: {type: string}}}},
				m: {type: object, additionalProperties: {type: object, properties: {b: {type: string}}}}}`),
			v1: of(`properties: {l: {type: array, items: {type: object, properties: {}}},
				m: {type: object, additionalProperties: {type: object, properties: {c: {type: string}}}}}`),
			want: []string{
				"spec.l[*].b at properties[spec].properties[l].items.properties[b]",
				"spec.m.*.b at properties[spec].properties[m].additionalProperties.properties[b]",
			},
		},
		{why: "v1 preserves unknown fields", v1beta1: of("properties: {a: {type: object, properties: {b: {type: string}}}}"),
			v1: of("x-kubernetes-preserve-unknown-fields: true")},
		{why: "both preserve them", v1beta1: of("x-kubernetes-preserve-unknown-fields: true"),
			v1: of("x-kubernetes-preserve-unknown-fields: true")},
		{
			why: "v1beta1 preserves them", v1beta1: of("x-kubernetes-preserve-unknown-fields: true"),
			v1:   of("properties: {a: {type: string}}"),
			want: []string{"spec.* at properties[spec]"},
		},
		{
			why: "v1beta1 preserves them at the root, and in a field, too",
			v1beta1: "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: object, " +
				"x-kubernetes-preserve-unknown-fields: true}}}",
			v1:   "{type: object, properties: {a: {type: object, properties: {b: {type: object}}}, b: {type: object}}}",
			want: []string{"* at ", "b.* at properties[b]"},
		},
		{
			why: "v1 preserves them, and prunes below a field that it declares", v1beta1: of("x-kubernetes-preserve-unknown-fields: true"),
			v1: of("x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, properties: {b: {type: string}}}, " +
				"c: {type: string}}"),
			want: []string{"spec.a.* at properties[spec]"},
		},
		{
			why: "a map became an object", v1beta1: of("properties: {m: {type: object, additionalProperties: {type: string}}}"),
			v1:   of("properties: {m: {type: object, properties: {a: {type: string}}}}"),
			want: []string{"spec.m.* at properties[spec].properties[m].additionalProperties"},
		},
		{
			why: "an object became text", v1beta1: of("properties: {a: {type: object, properties: {b: {type: string}}}}"),
			v1:   of("properties: {a: {type: string}}"),
			want: []string{"spec.a.b at properties[spec].properties[a].properties[b]"},
		},
		{why: "metadata is never pruned by a schema", v1beta1: `{type: object, properties: {metadata: {type: object, properties: ` +
			`{name: {type: string}}}}}`, v1: "{type: object}"},
		{
			why: "embedded resources have metadata", v1beta1: of("properties: {t: {type: object, x-kubernetes-embedded-resource: " +
				"true, properties: {metadata: {type: object}, kind: {type: string}, spec: {type: object}}}}"),
			v1: of("properties: {t: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}}}"),
		},
		{
			why: "a webhook may keep fields under other names", more: "conversion: {strategy: Webhook, webhook: " +
				"{conversionReviewVersions: [v1]}},",
			v1beta1: of("properties: {a: {type: string}}"), v1: of("properties: {b: {type: string}}"),
		},
		{why: "nothing is pruned at all", more: "preserveUnknownFields: true,", v1beta1: of("properties: {a: {type: string}}"), v1: of("")},
	} {
		t.Run(tc.why, func(t *testing.T) {
			lost, err := storage.Lost(definition(t, tc.more, tc.v1beta1, tc.v1))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, loss := range lost {
				got = append(got, loss.Path+" at "+loss.At)
				if loss.Version.Version != "v1beta1" || loss.Storage.Version != "v1" {
					t.Errorf("%s is lost from %s to %s", loss.Path, loss.Version.Version, loss.Storage.Version)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A version with the schema of the storage version loses nothing, in real definitions too.
func TestServedVersionsWithTheSameSchema(t *testing.T) {
	for _, file := range served.Definitions(t) {
		crd := served.Definition(t, file)
		schema := served.Text(crd.Spec.Versions[0].Schema.OpenAPIV3Schema)
		lost, err := storage.Lost(definition(t, "", schema, strings.Clone(schema)))
		if err != nil {
			t.Fatal(err)
		}
		if len(lost) > 0 {
			t.Errorf("%s: %v", crd.Name, lost[0].Path)
		}
	}
}
