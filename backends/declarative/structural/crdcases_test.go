package structural_test

// Requirements of the API server for the schema in a CustomResourceDefinition besides being structural. Each
// row is compared with its code.
var crdSchemas = []struct {
	name, why, schema string
	fine              bool
}{{
	name: "plain", why: "an ordinary schema is stored", fine: true,
	schema: `{type: object, properties: {spec: {type: object, properties: {a: {type: string, default: x}}}}}`,
}, {
	name: "default of the wrong type", why: "defaults are validated",
	schema: `{type: object, properties: {a: {type: string, default: 5}, b: {type: integer, maximum: 3, default: 4}, c: ` +
		`{type: object, default: {d: x}, properties: {d: {type: integer}}}}}`,
}, {
	name: "default with unknown fields", why: "defaults are pruned, below x-kubernetes-preserve-unknown-fields they may have any",
	schema: `{type: object, properties: {a: {type: object, default: {b: 1}}, c: {type: object, default: {b: 1}, ` +
		`x-kubernetes-preserve-unknown-fields: true}}}`,
}, {
	name: "default beside an unknown type", why: "mistakes elsewhere in the schema do not hide the type of the default",
	schema: `{type: object, properties: {a: {type: object, default: [1], properties: {b: {type: text}}}}}`,
}, {
	name: "default against a rule", why: "rules are run on defaults",
	schema: `{type: object, properties: {a: {type: integer, default: 5, x-kubernetes-validations: [{rule: "self > 7"}]}, ` +
		`b: {type: integer, default: 1, x-kubernetes-validations: [{rule: "oldSelf.hasValue()", optionalOldSelf: true}]}}}`,
}, {
	name: "default of an embedded resource", why: "its type and metadata are checked, unknown metadata is not",
	schema: `{type: object, properties: {a: {type: object, x-kubernetes-embedded-resource: true, ` +
		`x-kubernetes-preserve-unknown-fields: true, default: {apiVersion: v1, metadata: {name: x, color: red}}},
	  b: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, default: ` +
		`{apiVersion: v1, kind: A, metadata: {finalizers: 1}}},
	  c: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, default: ` +
		`{apiVersion: v1, kind: A, metadata: {name: "-?/"}}}}}`,
}, {
	name: "default in embedded metadata", why: "it must be valid metadata",
	schema: `{type: object, properties: {e: {type: object, x-kubernetes-embedded-resource: true, ` +
		`x-kubernetes-preserve-unknown-fields: true, properties: {kind: {type: string, default: "A B"}, metadata: {type: object, ` +
		`properties: {
	  finalizers: {type: array, items: {type: string}, default: [1]}, labels: {type: object, default: {a: "!"}, ` +
		`additionalProperties: {type: string}}, name: {type: string, default: fine}}}}}}}`,
}, {
	name: "default at the top", why: "metadata, kind and apiVersion of the resource have none",
	schema: `{type: object, properties: {kind: {type: string, default: A}, apiVersion: {type: string, default: v1}, metadata: ` +
		`{type: object, default: {name: x}, properties: {name: {type: string, default: "y"}}}}}`,
}, {
	name: "default in additionalProperties of metadata", why: "unknown fields cannot be found there",
	schema: `{type: object, properties: {e: {type: object, x-kubernetes-embedded-resource: true, ` +
		`x-kubernetes-preserve-unknown-fields: true, properties: {metadata: {type: object, properties: {labels: {type: object, ` +
		`additionalProperties: {type: string, default: x}}}}}}}}`,
}, {
	name: "embedded resource in metadata", why: "metadata is no resource",
	schema: `{type: object, properties: {e: {type: object, x-kubernetes-embedded-resource: true, ` +
		`x-kubernetes-preserve-unknown-fields: true, properties: {metadata: {type: object, properties: {x: {type: object, ` +
		`x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}}}}}`,
}, {
	name: "keywords that are refused", why: "each of them is reported",
	schema: `{type: object, properties: {a: {$ref: "#/x"}, b: {id: x, type: object}, c: {type: "null"}, d: {type: object, ` +
		`patternProperties: {x: {type: string}}}, e: {type: object, dependencies: {x: [a]}},
	  f: {type: array, items: [{type: string}]}, g: {type: array, items: {type: string}, additionalItems: true}, h: {type: ` +
		`object, definitions: {x: {type: thing}}}, i: {type: object, x-kubernetes-preserve-unknown-fields: false}}}`,
}, {
	name: "a reference to the whole document", why: "it is one, whatever the library prints",
	schema: `{type: object, properties: {a: {type: object, $ref: "#"}}}`,
}, {
	name: "a reference to nothing", why: "it is rejected, and the rest of the schema is checked",
	schema: `{type: object, properties: {a: {type: object, $ref: ""}}}`,
}, {
	name: "$schema", why: "only the conversion refuses it",
	schema: `{type: object, properties: {a: {type: object, $schema: "http://x"}}}`,
}, {
	name: "properties beside additionalProperties", why: "they exclude each other, except for true",
	schema: `{type: object, properties: {a: {type: object, properties: {x: {type: string}}, additionalProperties: {type: ` +
		`string}}, b: {type: object, properties: {x: {type: string}}, additionalProperties: false},
	  c: {type: object, properties: {x: {type: string}}, additionalProperties: true}}}`,
}, {
	name: "uniqueItems and nullable root", why: "neither is allowed",
	schema: `{type: object, nullable: true, properties: {a: {type: array, items: {type: string}, uniqueItems: true}}}`,
}, {
	name: "list types", why: "sets need atomic items, maps need keys",
	schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: object}}, b: {type: ` +
		`array, x-kubernetes-list-type: set, items: {type: array, x-kubernetes-list-type: set, items: {type: string}}},
	  c: {type: array, x-kubernetes-list-type: map, items: {type: string}}, d: {type: array, x-kubernetes-list-type: map, ` +
		`x-kubernetes-list-map-keys: [a, b, b, c], items: {type: object, nullable: true, required: [a], properties: {a: {type: ` +
		`object}, b: {type: string, nullable: true}}}},
	  e: {type: array, x-kubernetes-list-type: bag, items: {type: string}}, f: {type: object, x-kubernetes-list-type: ` +
		`atomic}, g: {x-kubernetes-preserve-unknown-fields: true, x-kubernetes-list-type: atomic},
	  h: {type: array, items: {type: string}, x-kubernetes-list-map-keys: [a]}, i: {type: array, x-kubernetes-list-type: ` +
		`atomic, items: {type: string}, x-kubernetes-list-map-keys: [a]},
	  j: {type: array, x-kubernetes-list-type: set, items: {type: string, nullable: true}}}}`,
}, {
	name: "map types", why: "they are for objects, and there are two",
	schema: `{type: object, properties: {a: {type: string, x-kubernetes-map-type: atomic}, b: {type: object, ` +
		`x-kubernetes-map-type: loose}, c: {x-kubernetes-preserve-unknown-fields: true, x-kubernetes-map-type: granular}}}`,
}, {
	name: "rules as they are written", why: "empty ones, line breaks, reasons and paths are checked",
	schema: `{type: object, properties: {a: {type: object, properties: {b: {type: string}}, x-kubernetes-validations: ` +
		`[{rule: " "}, {rule: "true", message: " "}, {rule: "true", message: "a\nb"}, {rule: "true\n&& true"}, {rule: "true", ` +
		`messageExpression: " "},
	  {rule: "true", reason: Odd}, {rule: "true", fieldPath: " "}, {rule: "true", fieldPath: ".b\n"}, {rule: "true", ` +
		`fieldPath: ".c"}, {rule: "true", fieldPath: ".b", reason: FieldValueRequired}]}}}`,
}, {
	name: "rules that do not compile", why: "they are named, and other ones too",
	schema: `{type: object, properties: {a: {type: integer, x-kubernetes-validations: [{rule: "self >"}, {rule: "self.x"}, ` +
		`{rule: "self + 1"}, {rule: "self > 0", messageExpression: "self"}, {rule: "self > 0", messageExpression: "self +"}, ` +
		`{rule: "self > 0"}, {rule: "self >", messageExpression: "self +"}]}}}`,
}, {
	name: "oldSelf where nothing is correlated", why: "the items of a set and of an atomic list have no old values",
	schema: `{type: object, properties: {a: {type: array, maxItems: 5, items: {type: integer, x-kubernetes-validations: ` +
		`[{rule: "self == oldSelf"}]}}, b: {type: array, maxItems: 5, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: ` +
		`[k], items: {type: object, required: [k],
	  properties: {k: {type: integer, x-kubernetes-validations: [{rule: "self == oldSelf"}]}}}}}}`,
}, {
	name: "optionalOldSelf without oldSelf", why: "true and false are refused",
	schema: `{type: object, properties: {a: {type: integer, x-kubernetes-validations: [{rule: "self > 0", optionalOldSelf: ` +
		`true}, {rule: "self > 0", optionalOldSelf: false}, {rule: "oldSelf.orValue(self) > 0", optionalOldSelf: true}]}}}`,
}, {
	name: "rules below a schema with mistakes", why: "rules are not judged where the schema at or below them is wrong, elsewhere they are",
	schema: `{type: object, properties: {a: {type: object, x-kubernetes-validations: [{rule: "self >"}], properties: {b: ` +
		`{type: array, items: {type: string}, uniqueItems: true}}}, c: {type: integer, x-kubernetes-validations: [{rule: "self >"}]}}}`,
}, {
	name: "an expensive rule", why: "a rule over the limit is forbidden",
	schema: `{type: object, properties: {a: {type: array, items: {type: array, items: {type: string}}, x-kubernetes-validations: ` +
		`[{rule: "self.all(x, x.all(y, self.all(z, y in z)))", messageExpression: "self.map(x, x.map(y, y + y).join()).join()"}]}}}`,
}, {
	name: "rules that are expensive together", why: "the sum is over the limit, and the dearest ones are named",
	schema: `{type: object, properties: {a: {type: array, items: {type: array, items: {type: string}}, x-kubernetes-validations: ` +
		`[{rule: "self.all(x, x.all(y, self.all(z, y in z)))"}, {rule: "self.all(x, x.all(y, self.all(z, !(y in z))))"}]}}}`,
}, {
	name: "rules bounded by the schema", why: "with bounds the same rule is cheap", fine: true,
	schema: `{type: object, properties: {a: {type: array, maxItems: 3, items: {type: array, maxItems: 3, items: {type: ` +
		`string, maxLength: 3}}, x-kubernetes-validations: [{rule: "self.all(x, x.all(y, self.all(z, y in z)))"}]}}}`,
}, {
	name: "rules in junctors", why: "they are not structural",
	schema: `{type: object, properties: {a: {type: integer, allOf: [{x-kubernetes-validations: [{rule: "self >"}]}]}}}`,
}, {
	name: "rules without a type", why: "a rule on a value of unknown type sees nothing",
	schema: `{type: object, properties: {a: {x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: "true"}]}}}`,
}, {
	name: "rules in a value without a type", why: "rules cannot see the parts of a value that they cannot see, " +
		"from the outermost value with rules on",
	schema: `{type: object, properties: {o: {type: object, x-kubernetes-validations: [{rule: "true"}], properties: {a: ` +
		`{x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: object, properties: {c: {type: string, ` +
		`x-kubernetes-validations: [{rule: "true"}]}}}}}}},
	  a: {x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: object, properties: {c: {type: string, ` +
		`x-kubernetes-validations: [{rule: "true"}]}}}}}, l: {type: array, items: {x-kubernetes-preserve-unknown-fields: true, ` +
		`properties: {b: {type: string, x-kubernetes-validations: [{rule: "true"}]}}}}, t: {type: text, properties: {b: {type: ` +
		`string, x-kubernetes-validations: [{rule: "true"}]}}}}}`,
}, {
	name: "a list below additionalProperties: true", why: "the properties of an object with additionalProperties occur as " +
		"often as its entries",
	schema: `{type: object, properties: {a: {type: object, additionalProperties: true, properties: {n: {type: array, items: ` +
		`{type: string, maxLength: 5}, x-kubernetes-validations: [{rule: "self == oldSelf"}]}}}}}`,
}, {
	name: "a list below additionalProperties: true and maxProperties", why: "as often as that, each", fine: true,
	schema: `{type: object, properties: {a: {type: object, maxProperties: 2, additionalProperties: true, properties: {n: ` +
		`{type: array, items: {type: string, maxLength: 5}, x-kubernetes-validations: [{rule: "self == oldSelf"}]}}}}}`,
}, {
	name: "a list without items, of lists", why: "values that never occur are visited too, and are unbounded again below the next list",
	schema: `{type: object, properties: {a: {type: array, maxItems: 0, items: {type: array, items: {type: integer, ` +
		`x-kubernetes-validations: [{rule: "self in [1, 2, 3]"}]}}}}}`,
}, {
	name: "bounds that are no bounds", why: "their product overflows, and stays a bound",
	schema: `{type: object, properties: {a: {type: array, maxItems: 9000000000, items: {type: array, maxItems: 9000000000, ` +
		`items: {type: integer, x-kubernetes-validations: [{rule: "self > 1"}]}}}}}`,
}, {
	name: "a default of the root", why: "the root counts as an embedded resource: it declares its type",
	schema: `{type: object, default: {spec: {}}, properties: {spec: {type: object}}}`,
}, {
	name: "a default of the root with its type", why: "its apiVersion and kind are checked, and the rest of it", fine: true,
	schema: `{type: object, default: {apiVersion: a/v1, kind: A, spec: {}}, properties: {spec: {type: object}}}`,
}, {
	name: "a default of the root without a version", why: "which is in the metadata of any resource",
	schema: `{type: object, default: {apiVersion: a/b/c, kind: A B, metadata: {name: "?"}}}`,
}, {
	name: "a default of the root that is not an object", why: "it is reported once",
	schema: `{type: object, default: 5}`,
}, {
	name: "a default where additionalProperties: false is lost", why: "below a junctor it does not affect defaults",
	schema: `{type: object, properties: {a: {type: object, default: {a: 1}, x-kubernetes-preserve-unknown-fields: true, not: ` +
		`{additionalProperties: false}},
	  b: {type: object, default: {a: 1}, x-kubernetes-preserve-unknown-fields: true, anyOf: [{properties: {a: ` +
		`{additionalProperties: false}}}]}}}`,
}, {
	name: "int-or-string in both forms", why: "types may be in both", fine: true,
	schema: `{type: object, properties: {a: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], ` +
		`allOf: [{anyOf: [{type: integer}, {type: string}]}, {maxLength: 3}]}}}`,
}, {
	name: "a default that looks like a resource", why: "a value that is not a resource has no kind",
	schema: `{type: object, properties: {spec: {type: object, default: {kind: A}, properties: {a: {type: string}}}}}`,
}, {
	name: "a default with multipleOf 0", why: "such a schema is stored, and its defaults are not",
	schema: `{type: object, properties: {a: {type: integer, multipleOf: 0, default: 5}, b: {type: string, multipleOf: 0, ` +
		`enum: [x], default: {kind: A}}}}`,
}, {
	name: "keywords that are refused although they are empty", why: "a key that is present counts as used, of the two",
	schema: `{type: object, properties: {a: {type: string, $ref: ""}, b: {type: object, dependencies: {}, patternProperties: ` +
		`{}, definitions: {}, id: ""}, c: {type: object, not: {$ref: ""}}}}`,
}, {
	name: "a reference that is no URL", why: "it is refused like any other",
	schema: `{type: object, properties: {a: {type: string, $ref: ":%"}}}`,
}, {
	name: "almost int-or-string", why: "the pattern has these types and nothing else, not even empty keywords",
	schema: `{type: object, properties: {a: {x-kubernetes-int-or-string: true, anyOf: [{type: integer, ` +
		`x-kubernetes-list-map-keys: []}, {type: string}]}, b: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, ` +
		`{type: string, required: []}]},
	  c: {x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: integer, properties: {}}, {type: string}]}]}, d: ` +
		`{x-kubernetes-int-or-string: true, anyOf: [{type: integer, x-kubernetes-validations: []}, {type: string}]}}}`,
}, {
	name: "int-or-string with keywords without effect", why: "keywords that the structural form loses do not count", fine: true,
	schema: `{type: object, properties: {a: {x-kubernetes-int-or-string: true, anyOf: [{type: integer, enum: [], allOf: []}, ` +
		`{type: string, additionalProperties: false, title: ""}]}}}`,
}, {
	name: "metadata with keywords almost without effect", why: "empty keywords count here too",
	schema: `{type: object, properties: {metadata: {type: object, required: []}}}`,
}, {
	name: "metadata with empty keys of a list", why: "empty keywords count here too",
	schema: `{type: object, properties: {metadata: {type: object, x-kubernetes-list-map-keys: []}}}`,
}, {
	name: "metadata with keywords without effect", why: "keywords that the structural form loses do not count", fine: true,
	schema: `{type: object, properties: {metadata: {type: object, enum: [], anyOf: [], properties: {}, x-kubernetes-int-or-string: ` +
		`false}}}`,
}}

// Requirements of the API server for the rest of a CustomResourceDefinition.
var crds = []struct{ name, why, crd string }{{
	name: "empty", why: "all that is missing is named", crd: `{metadata: {name: x}, spec: {group: "", names: {plural: "", ` +
		`kind: ""}, scope: "", versions: []}}`,
}, {
	name: "names", why: "names are DNS labels, and the name consists of two of them",
	crd: `{metadata: {name: x}, spec: {group: example, scope: World, names: {plural: W_, singular: "", kind: "a b", listKind: ` +
		`"a b", shortNames: [A], categories: [B]},
	  versions: [{name: V1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`,
}, {
	name: "versions", why: "one is stored, each has its own name and a schema",
	crd: `{metadata: {name: widgets.example.dev}, spec: {group: example.dev, scope: Namespaced, names: {plural: widgets, ` +
		`kind: Widget}, versions: [{name: v1, served: true, storage: true, deprecationWarning: x, schema: {openAPIV3Schema: {type: ` +
		`object}}},
	  {name: v1, served: true, storage: true}, {name: v2, served: true, storage: false, deprecated: true, deprecationWarning: ` +
		`"", schema: {openAPIV3Schema: {type: array}}}]}}`,
}, {
	name: "status", why: "the root may only have keywords that status keeps",
	crd: `{metadata: {name: widgets.example.dev}, spec: {group: example.dev, scope: Namespaced, names: {plural: widgets, ` +
		`kind: Widget}, versions: [{name: v1, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: ` +
		`{type: object, maxProperties: 3}}},
	  {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, maxProperties: 3}}}, {name: v3, ` +
		`served: true, storage: false, subresources: {status: {}}, schema: {openAPIV3Schema: {type: string}}}]}}`,
}, {
	name: "status and an empty keyword", why: "written counts as used",
	crd: `{metadata: {name: widgets.example.dev}, spec: {group: example.dev, scope: Namespaced, names: {plural: widgets, ` +
		`kind: Widget}, versions: [{name: v1, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: ` +
		`{type: object, x-kubernetes-list-map-keys: []}}},
	  {name: v2, served: true, storage: false, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, enum: ` +
		`[]}}}, {name: v3, served: true, storage: false, subresources: {status: {}}, schema: {openAPIV3Schema: {type: array, $ref: ` +
		`""}}}]}}`,
}, {
	name: "subresources, columns and selectable fields", why: "their paths are checked",
	crd: `{metadata: {name: widgets.example.dev}, spec: {group: example.dev, scope: Namespaced, names: {plural: widgets, ` +
		`kind: Widget}, versions: [{name: v1, served: true, storage: true, subresources: {scale: {specReplicasPath: .x, ` +
		`statusReplicasPath: status, labelSelectorPath: .x}},
	  additionalPrinterColumns: [{name: "", type: thing, format: odd, jsonPath: ""}, {name: a, type: "", jsonPath: x}], ` +
		`selectableFields: [{jsonPath: ""}, {jsonPath: .metadata.name}, {jsonPath: .spec}, {jsonPath: .spec.a}, {jsonPath: ` +
		`.spec.a}, {jsonPath: .spec.nothing}],
	  schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}}}, metadata: ` +
		`{type: object, properties: {name: {type: string}}}}}}}]}}`,
}, {
	name: "selectable fields of a schema that is not structural", why: "invalid paths are reported in any case",
	crd: `{metadata: {name: widgets.example.dev}, spec: {group: example.dev, scope: Namespaced, names: {plural: widgets, ` +
		`kind: Widget}, versions: [{name: v1, served: true, storage: true, selectableFields: [{jsonPath: ""}, {jsonPath: spec.a}],
	  schema: {openAPIV3Schema: {type: object, id: x}}}]}}`,
}, {
	name: "conversion", why: "a webhook has an address and review versions",
	crd: `{metadata: {name: widgets.example.dev}, spec: {group: example.dev, scope: Namespaced, names: {plural: widgets, ` +
		`kind: Widget}, conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v9, v9, "!"], clientConfig: {url: ` +
		`"http://x", service: {name: a, namespace: b}}}},
	  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`,
}, {
	name: "conversion of a different type", why: "only None and Webhook are known",
	crd: `{metadata: {name: widgets.example.dev}, spec: {group: example.dev, scope: Namespaced, names: {plural: widgets, ` +
		`kind: Widget}, conversion: {strategy: Magic, webhook: {conversionReviewVersions: [v1]}},
	  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`,
}, {
	name: "preserveUnknownFields", why: "v1 no longer has such CustomResourceDefinitions, nor defaults in them",
	crd: `{metadata: {name: widgets.example.dev}, spec: {group: example.dev, scope: Namespaced, preserveUnknownFields: true, ` +
		`names: {plural: widgets, kind: Widget},
	  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: ` +
		`string, default: x}}}}}]}}`,
}, {
	name: "a community API", why: "it names its review",
	crd: `{metadata: {name: widgets.x.k8s.io}, spec: {group: x.k8s.io, scope: Namespaced, names: {plural: widgets, kind: ` +
		`Widget}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`,
}, {
	name: "two versions with different schemas", why: "errors are at each version",
	crd: `{metadata: {name: widgets.k8s.io, annotations: {api-approved.kubernetes.io: maybe}}, spec: {group: k8s.io, scope: ` +
		`Namespaced, names: {plural: widgets, kind: Widget}, versions: [{name: v1, served: true, storage: true, schema: ` +
		`{openAPIV3Schema: {type: object, properties: {a: {}}}}},
	  {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {b: {type: integer, default: x}}}}}]}}`,
}}
