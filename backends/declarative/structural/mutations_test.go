package structural_test

// keyword is a changeable part: a path, in which "[*]" is any item of a list, and its possible values as
// YAML.
type keyword struct {
	at, path string
	values   []string
}

// prefixed are keywords of a schema at a place.
func prefixed(at string, keywords []keyword) []keyword {
	for i := range keywords {
		keywords[i].at = at + " "
	}
	return keywords
}

// schemaKeywords are all keywords of a schema, with meaningful, empty and wrong values.
func schemaKeywords() []keyword {
	defaults := []string{
		`null`, `5`, `-1`, `1.5`, `30000000000`, `x`, `""`, `true`, `[]`, `{}`, `[a, a]`, `[null]`, `[{}]`, `{unknown: 1}`,
		`{spec: {}}`, `{a: null}`,
		`{metadata: {name: x}}`, `{metadata: {name: "-?"}}`, `{metadata: 5}`, `{metadata: {labels: 5}}`,
		`{apiVersion: v1, kind: A}`, `{apiVersion: "a/b/c", kind: A}`,
		`{apiVersion: v1, kind: "A B", metadata: {finalizers: [1]}}`, `{apiVersion: v1}`, `{kind: 5}`,
		`{apiVersion: "", kind: ""}`, `{size: 3}`, `{size: wrong}`,
	}
	schemas := []string{
		`{}`, `{type: string}`, `{type: object}`, `{type: integer, minimum: 1}`, `{required: [a]}`,
		`{properties: {a: {minimum: 1}}}`, `{nullable: true, type: string}`,
		`{type: object, properties: {a: {type: string, default: x}}}`, `{description: x}`, `{enum: [a]}`,
		`{x-kubernetes-preserve-unknown-fields: true}`,
		`{type: array}`, `{type: array, items: {type: string}}`, `{items: {minimum: 1}}`, `{not: {required: [a]}}`,
		`{additionalProperties: false}`, `{pattern: "("}`,
		`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`,
		`{x-kubernetes-int-or-string: true}`, `{default: 5}`,
		`{type: object, additionalProperties: {type: string, default: x}}`, `{properties: {metadata: {type: object}}}`,
		`{$ref: "#/x"}`, `{type: object, required: [a], properties: {a: {type: string}}}`,
	}
	junctors := []string{
		`[]`, `[{}]`, `[{type: integer}, {type: string}]`, `[{type: string}, {type: integer}]`,
		`[{anyOf: [{type: integer}, {type: string}]}]`, `[{anyOf: [{type: integer}, {type: string}]}, {minimum: 1}]`,
		`[{type: integer, x-kubernetes-list-map-keys: []}, {type: string}]`, `[{type: integer, enum: []}, {type: string, required: []}]`,
		`[{type: integer, properties: {}}, {type: string}]`,
		`[{required: [a]}, {required: [b]}]`, `[{properties: {a: {minimum: 1}}}, {items: {}}]`, `[{not: {}}]`,
		`[{x-kubernetes-validations: [{rule: "true"}]}]`, `[{x-kubernetes-validations: []}]`,
		`[{additionalProperties: {minimum: 1}}]`, `[{default: 1}]`, `[{$ref: ""}]`, `[{properties: {metadata: {}}}]`,
		`[{type: integer, title: ""}, {type: string, nullable: false}]`,
	}
	named := []string{
		`{}`, `{a: {type: string}}`, `{a: {}}`, `{a: {type: string, default: 5}, b: {type: integer, default: 5}}`,
		`{metadata: {type: object}}`, `{metadata: {type: object, properties: {name: {type: string}}}}`,
		`{metadata: {type: object, properties: {name: {type: string, default: x}}}}`,
		`{metadata: {type: object, properties: {labels: {type: object}}}}`, `{metadata: {type: string}}`,
		`{metadata: {type: object, default: {}}}`,
		`{metadata: {type: object, x-kubernetes-list-map-keys: []}}`, `{metadata: {type: object, required: [], enum: []}}`,
		`{kind: {type: integer}, apiVersion: {}}`, `{kind: {type: string, default: A}}`,
		`{apiVersion: {type: string, default: v1}, kind: {type: string, default: A}}`,
		`{a: {type: array, x-kubernetes-list-type: set, items: {type: object}}}`, `{metadata: {type: object, properties: {}}}`,
		`{metadata: {type: object, allOf: []}}`, `{metadata: {type: object, description: x}}`,
		`{metadata: {type: object, properties: {generateName: {type: integer}, name: {minimum: 1}}}}`,
	}
	return append([]keyword{
		{path: "id", values: []string{`""`, `x`}},
		{path: "$schema", values: []string{`""`, `"http://x"`}},
		{path: "$ref", values: []string{`""`, `"#/definitions/x"`, `":%"`}},
		{path: "description", values: []string{`""`, `x`}},
		{path: "title", values: []string{`""`, `x`}},
		{path: "type", values: []string{`""`, `string`, `integer`, `number`, `boolean`, `array`, `object`, `"null"`, `text`}},
		{path: "format", values: []string{`""`, `date-time`, `int32`, `bogus`, `ipv4`}},
		{path: "nullable", values: []string{`true`, `false`}},
		{path: "default", values: defaults},
		{path: "default", values: defaults},
		{path: "example", values: []string{`null`, `5`, `{a: 1}`}},
		{path: "externalDocs", values: []string{`{}`, `{url: x}`, `null`}},
		{path: "enum", values: []string{`[]`, `[null]`, `[a]`, `[1, 1]`, `[{a: 1}]`}},
		{path: "maximum", values: []string{`0`, `5`, `-1.5`, `null`}},
		{path: "minimum", values: []string{`0`, `5`, `-1.5`}},
		{path: "exclusiveMaximum", values: []string{`true`, `false`}},
		{path: "exclusiveMinimum", values: []string{`true`, `false`}},
		{path: "multipleOf", values: []string{`0`, `2`, `-3`}},
		{path: "maxLength", values: []string{`0`, `-1`, `10`}},
		{path: "minLength", values: []string{`0`, `-1`, `10`}},
		{path: "pattern", values: []string{`""`, `"("`, `"^a$"`, `"(?!a)"`}},
		{path: "maxItems", values: []string{`0`, `-1`, `10`}},
		{path: "minItems", values: []string{`0`, `-1`, `10`}},
		{path: "uniqueItems", values: []string{`true`, `false`}},
		{path: "maxProperties", values: []string{`0`, `-1`, `10`}},
		{path: "minProperties", values: []string{`0`, `-1`, `10`}},
		{path: "required", values: []string{`[]`, `[a]`, `[a, a]`, `[name]`, `[""]`}},
		{path: "items", values: append([]string{`[]`, `[{type: string}]`, `[{}, {type: object}]`, `null`}, schemas...)},
		{path: "allOf", values: junctors},
		{path: "anyOf", values: junctors},
		{path: "oneOf", values: junctors},
		{path: "not", values: append([]string{`null`}, schemas...)},
		{path: "properties", values: named},
		{path: "properties.metadata", values: schemas},
		{path: "properties.kind", values: schemas},
		{path: "properties.added", values: schemas},
		{path: "additionalProperties", values: append([]string{`true`, `false`, `null`}, schemas...)},
		{path: "patternProperties", values: []string{`{}`, `{x: {}}`, `{"(": {type: string}}`}},
		{path: "dependencies", values: []string{`{}`, `{a: [b]}`, `{a: []}`, `{a: {type: string}}`, `{a: {type: text, default: 5}}`}},
		{path: "additionalItems", values: []string{`true`, `false`, `{}`, `{type: "null"}`}},
		{path: "definitions", values: []string{`{}`, `{x: {}}`, `{x: {type: text, uniqueItems: true}}`}},
	}, extensionKeywords()...)
}

// extensionKeywords are Kubernetes' extensions.
func extensionKeywords() []keyword {
	flags := []string{`true`, `false`, `null`}
	return []keyword{
		{path: "x-kubernetes-preserve-unknown-fields", values: flags},
		{path: "x-kubernetes-embedded-resource", values: flags},
		{path: "x-kubernetes-int-or-string", values: flags},
		{path: "x-kubernetes-list-type", values: []string{`""`, `atomic`, `set`, `map`, `list`, `null`}},
		{path: "x-kubernetes-list-map-keys", values: []string{`[]`, `[name]`, `[name, name]`, `[nowhere]`, `[""]`, `null`}},
		{path: "x-kubernetes-map-type", values: []string{`""`, `atomic`, `granular`, `loose`, `null`}},
		{path: "x-kubernetes-validations", values: []string{
			`[]`, `[{}]`, `[{rule: ""}]`, `[{rule: "true"}]`, `[{rule: "true", message: " "}]`,
			"[{rule: \"true\", message: \"a\\nb\"}]", "[{rule: \"true &&\\ntrue\"}]", `[{rule: "self =="}]`, `[{rule: "5"}]`,
			`[{rule: "self == oldSelf"}]`, `[{rule: "oldSelf.hasValue()", optionalOldSelf: true}]`,
			`[{rule: "true", optionalOldSelf: true}]`, `[{rule: "true", optionalOldSelf: false}]`, `[{rule: "false"}]`,
			`[{rule: "self.nowhere == 1"}]`, `[{rule: "has(self.spec)"}]`, `[{rule: "self.size > 1"}]`,
			`[{rule: "self.all(x, self.exists(y, x == y))"}]`, `[{rule: "self.all(x, x == x)", message: m}]`,
			`[{rule: "true", messageExpression: ""}]`, `[{rule: "true", messageExpression: " "}]`,
			`[{rule: "true", messageExpression: "5"}]`, `[{rule: "true", messageExpression: "'a'"}]`,
			`[{rule: "true", messageExpression: "self =="}]`,
			`[{rule: "true", reason: FieldValueRequired}]`, `[{rule: "true", reason: ""}]`, `[{rule: "true", reason: Odd}]`,
			`[{rule: "true", fieldPath: ".spec"}]`, `[{rule: "true", fieldPath: ".a"}]`, `[{rule: "true", fieldPath: "a"}]`,
			`[{rule: "true", fieldPath: " "}]`, "[{rule: \"true\", fieldPath: \".a\\n\"}]", `[{rule: "true", fieldPath: ".list[0]"}]`,
			`[{rule: "true", fieldPath: ".labels['a']"}]`, `[{rule: "true"}, {rule: "true"}]`,
			`[{rule: "self.startsWith('a')"}]`, `[{rule: "size(self) > 0"}]`, `[{rule: "self > 0"}]`, `[{rule: "type(self) == int"}]`,
			`[{rule: "self.metadata.name == 'x'"}]`, `[{rule: "self.metadata.labels == {}"}]`, `[{rule: "self.kind == 'A'"}]`,
		}},
	}
}

// definitionKeywords are the keys of a definition besides its schemas.
func definitionKeywords() []keyword {
	columns := []string{
		`[]`, `[{name: A, type: string, jsonPath: .a}]`, `[{name: "", type: string, jsonPath: .a}]`,
		`[{name: A, type: "", jsonPath: .a}]`, `[{name: A, type: text, jsonPath: .a}]`, `[{name: A, type: string, jsonPath: ""}]`,
		`[{name: A, type: string, jsonPath: "{.a"}]`, `[{name: A, type: integer, format: int99, jsonPath: .a}]`,
		`[{name: A, type: date, jsonPath: ".a[?(@.x==1)]"}, {}]`, `[{name: A, type: string, jsonPath: .a, priority: -1}]`,
	}
	names := []string{`""`, `widgets`, `Widget`, `-x`, `a.b`, `x`}
	scale := []string{
		`{}`, `null`, `{specReplicasPath: .spec.size, statusReplicasPath: .status.size}`,
		`{specReplicasPath: .size, statusReplicasPath: .size}`, `{specReplicasPath: "", statusReplicasPath: ""}`,
		`{specReplicasPath: spec.size, statusReplicasPath: .status.size}`,
		`{specReplicasPath: ".spec.list[0]", statusReplicasPath: ".status['a']"}`,
		`{specReplicasPath: .spec.size, statusReplicasPath: .status.size, labelSelectorPath: ""}`,
		`{specReplicasPath: .spec.size, statusReplicasPath: .status.size, labelSelectorPath: .other.x}`,
		`{specReplicasPath: .spec.size, statusReplicasPath: .status.size, labelSelectorPath: .spec.x}`,
		`{specReplicasPath: .spec., statusReplicasPath: .status.}`,
	}
	return []keyword{
		{path: "metadata.name", values: []string{`""`, `widgets.example.dev`, `Widgets.example.dev`, `other`}},
		{path: "metadata.annotations", values: []string{
			`{}`,
			`{api-approved.kubernetes.io: "https://github.com/kubernetes/kubernetes/pull/1"}`,
			`{api-approved.kubernetes.io: no}`,
			`{api-approved.kubernetes.io: "unapproved, x"}`,
			`{"a b": c}`,
		}},
		{path: "metadata.labels", values: []string{`{a: b}`, `{a: "b c"}`, `{"": x}`}},
		{path: "metadata.finalizers", values: []string{`[]`, `[x]`, `[a/b]`, `["a b"]`}},
		{path: "metadata.namespace", values: []string{`x`, `""`}},
		{path: "metadata.generateName", values: []string{`x-`, `X`}},
		{path: "metadata.ownerReferences", values: []string{`[]`, `[{}]`, `[{apiVersion: v1, kind: A, name: a, uid: u}]`}},
		{path: "spec.group", values: []string{`""`, `example.dev`, `Example.dev`, `dev`, `x.k8s.io`, `x.kubernetes.io`, `a..b`}},
		{path: "spec.scope", values: []string{`""`, `Cluster`, `Namespaced`, `Both`}},
		{path: "spec.names.plural", values: names},
		{path: "spec.names.singular", values: names},
		{path: "spec.names.kind", values: names},
		{path: "spec.names.listKind", values: append([]string{`Widget`}, names...)},
		{path: "spec.names.shortNames", values: []string{`[]`, `[w]`, `[""]`, `[W, w]`, `[a b]`, `[w, w]`}},
		{path: "spec.names.categories", values: []string{`[]`, `[all]`, `["A l"]`, `[""]`}},
		{path: "spec.preserveUnknownFields", values: []string{`true`, `false`, `null`}},
		{path: "spec.conversion",
			values: []string{`{}`, `null`, `{strategy: None}`, `{strategy: Webhook}`, `{strategy: Odd}`, `{strategy: ""}`}},
		{path: "spec.conversion.strategy", values: []string{`None`, `Webhook`, `Odd`, `""`}},
		{path: "spec.conversion.webhook", values: []string{
			`{}`, `null`, `{conversionReviewVersions: [v1]}`, `{clientConfig: {}, conversionReviewVersions: [v2, v1]}`,
			`{clientConfig: {url: "https://x/y"}, conversionReviewVersions: [v1, v1]}`,
			`{clientConfig: {url: "http://x"}, conversionReviewVersions: []}`,
			`{clientConfig: {url: "https://x", service: {name: a, namespace: b}}, conversionReviewVersions: [v1]}`,
			`{clientConfig: {service: {name: a, namespace: b}}, conversionReviewVersions: [v1beta1]}`,
			`{clientConfig: {service: {name: "", namespace: "", path: "x//y", port: 0}}, conversionReviewVersions: [V]}`,
			`{clientConfig: {service: {name: a, namespace: b, port: 70000, path: /a}, caBundle: eA==}, conversionReviewVersions: [v3]}`,
		}},
		{path: "spec.conversion.webhook.clientConfig", values: []string{
			`{}`,
			`null`,
			`{caBundle: eA==, url: "https://x"}`,
			`{service: {name: a, namespace: b, path: ""}}`,
		}},
		{path: "spec.conversion.webhook.conversionReviewVersions", values: []string{`[]`, `[v1]`, `[v1, v1]`, `[x]`, `["-"]`}},
		{path: "spec.versions", values: []string{
			`[]`, `null`, `[{name: v1, served: true, storage: true}]`, `[{name: v1, served: false, storage: true, schema: {}}]`,
			`[{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {}}}]`,
			`[{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}, {name: v1, served: true, storage: ` +
				`false, schema: {openAPIV3Schema: {type: object}}}]`,
			`[{name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}, {name: v3, served: true, storage: true}]`,
			`[{name: v1, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}, {name: v2, ` +
				`storage: true}]`,
			`[{name: v1, storage: true, schema: {openAPIV3Schema: {type: object}}, subresources: {status: {}}}, {name: v2, schema: ` +
				`{openAPIV3Schema: {type: object, nullable: true}}}]`,
			`[{name: v1, storage: true, subresources: {}, additionalPrinterColumns: [{name: A, type: string, jsonPath: .a}]}, ` +
				`{name: v2, subresources: {}, additionalPrinterColumns: [{name: A, type: string, jsonPath: .a}]}]`,
		}},
		{path: "spec.versions[*].name", values: []string{`""`, `v1`, `v2`, `V1`, `1`}},
		{path: "spec.versions[*].served", values: []string{`true`, `false`}},
		{path: "spec.versions[*].storage", values: []string{`true`, `false`}},
		{path: "spec.versions[*].deprecated", values: []string{`true`, `false`}},
		{path: "spec.versions[*].deprecationWarning", values: []string{`""`, `old`, `"a\nb"`, `"é"`, `null`}},
		{path: "spec.versions[*].schema", values: []string{
			`null`,
			`{}`,
			`{openAPIV3Schema: null}`,
			`{openAPIV3Schema: {}}`,
			`{openAPIV3Schema: {type: object}}`,
		}},
		{path: "spec.versions[*].subresources", values: []string{`null`, `{}`, `{status: {}}`, `{status: null}`, `{scale: {}}`}},
		{path: "spec.versions[*].subresources.status", values: []string{`{}`, `null`}},
		{path: "spec.versions[*].subresources.scale", values: scale},
		{path: "spec.versions[*].additionalPrinterColumns", values: columns},
		{path: "spec.versions[*].selectableFields", values: []string{
			`[]`, `null`, `[{jsonPath: .spec.color}]`, `[{jsonPath: ""}]`, `[{jsonPath: spec.color}]`,
			`[{jsonPath: .spec.color}, {jsonPath: .spec.color}]`, `[{jsonPath: .spec.size}]`, `[{jsonPath: .spec.list}]`,
			`[{jsonPath: ".spec.list[0]"}]`,
			`[{jsonPath: .metadata.name}]`, `[{jsonPath: .kind}]`, `[{jsonPath: .spec.nowhere}]`, `[{jsonPath: ".spec['color']"}]`,
			`[{jsonPath: .spec.labels.a}]`, `[{}]`, `[{jsonPath: .}]`, `[{jsonPath: .spec}]`, `[{jsonPath: .metadata.labels}]`,
			`[{jsonPath: .a}, {jsonPath: .b}, {jsonPath: .c}, {jsonPath: .d}, {jsonPath: .e}, {jsonPath: .f}, {jsonPath: .g}, ` +
				`{jsonPath: .h}, {jsonPath: .i}]`,
		}},
		{path: "status", values: []string{
			`{}`,
			`{storedVersions: []}`,
			`{storedVersions: [v0]}`,
			`{acceptedNames: {plural: X}, conditions: [{}]}`,
		}},
	}
}

// mutated are the definitions that are changed. Together they have every feature.
func mutated() map[string]string {
	const spec = `{type: object, required: [size], properties: {
	    size: {type: integer, format: int32, minimum: 0, default: 1}, color: {type: string, enum: [red, blue]}, ratio: ` +
		`{type: number}, on: {type: boolean},
	    port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}, other: {x-kubernetes-int-or-string: ` +
		`true, allOf: [{anyOf: [{type: integer}, {type: string}]}, {maxLength: 5}]},
	    list: {type: array, maxItems: 5, items: {type: string, maxLength: 10}}, set: {type: array, x-kubernetes-list-type: ` +
		`set, items: {type: string}},
	    map: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: ` +
		`[name], properties: {name: {type: string}, value: {type: string, default: x}}}},
	    labels: {type: object, additionalProperties: {type: string}}, whole: {type: object, x-kubernetes-map-type: atomic, ` +
		`properties: {a: {type: string}}},
	    template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, ` +
		`properties: {metadata: {type: object, properties: {name: {type: string, default: x}}}, spec: {type: object, default: ` +
		`{a: 1}, x-kubernetes-preserve-unknown-fields: true}}},
	    either: {type: object, properties: {a: {type: string}, b: {type: integer}}, oneOf: [{required: [a]}, {required: ` +
		`[b]}], not: {properties: {a: {enum: [x]}}}, x-kubernetes-validations: [{rule: "!has(self.a) || self.a != 'y'"}]}},
	    x-kubernetes-validations: [{rule: "self.size <= 10", message: small, fieldPath: .size}, {rule: "self.size >= oldSelf.size"}]}`
	const schema = `{type: object, properties: {apiVersion: {type: string}, kind: {type: string}, metadata: {type: object}, spec: ` + spec +
		`, status: {type: object, properties: {size: {type: integer}, x: {type: string}}}}}`
	const head = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.example.dev}, ` +
		`spec: {group: example.dev, scope: Namespaced, names: {plural: widgets, kind: Widget}, `
	return map[string]string{
		"one version": head + `versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: ` + schema + `}}]}}`,
		"all there is": head + `conversion: {strategy: Webhook, webhook: {clientConfig: {url: "https://x/y"}, ` +
			`conversionReviewVersions: [v1]}}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: ` + schema +
			`}, subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}, ` +
			`selectableFields: [{jsonPath: .spec.color}], additionalPrinterColumns: [{name: A, type: integer, jsonPath: ` +
			`.spec.size}]}, {name: v2, served: true, storage: false, deprecated: true, schema: {openAPIV3Schema: ` + spec + `}}]}}`,
		"nearly nothing": head + `versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, ` +
			`x-kubernetes-preserve-unknown-fields: true}}}]}}`,
	}
}
