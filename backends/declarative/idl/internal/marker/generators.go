package marker

import "strings"

// otherMarker is a marker of another generator.
type otherMarker struct {
	// name is the name of the marker without "+". A name that ends in ":" or "." is a prefix.
	name   string
	reason string // why it is not part of a schema
}

// otherMarkers lists the markers that other tools read in the same comments. They do not
// validate values, so they are not reported, even if their names resemble known markers.
func otherMarkers() []otherMarker {
	return []otherMarker{
		{"build", "build constraint of Go before 1.17"},
		{"genclient", "client-gen: typed clients"},
		{"genclient:", "client-gen: verbs and methods of clients"},
		{"groupName", "client-gen, controller-gen: the group of the package, which FindPackage reads"},
		{"groupGoName", "client-gen: the name of the group in Go"},
		{"versionName", "controller-gen: the version of the package, which FindPackage reads"},
		{"resource:", "apiserver-builder: the resource of a kind"},
		{"resourceName", "client-gen: the resource of a kind"},
		{"deprecated", "documentation: a field that should not be used"},
		{"featureGate", "documentation: the feature gate that guards a field; hand-written code drops it"},
		{"patchStrategy", "strategic merge patch: how clients merge"},
		{"patchMergeKey", "strategic merge patch: the key of a merged list"},
		{"listKey", "strategic merge patch: older name of a key"},
		{"protobuf", "go-to-protobuf: the wire format"},
		{"protobuf.", "go-to-protobuf: the wire format"},
		{"oneOf", "documentation in k8s.io/api: the fields exclude each other; +k8s:unionMember declares it"},
		{"zeroOrOneOf", "documentation in k8s.io/api: at most one field; +k8s:zeroOrOneOfMember declares it"},
		{"k8s:deepcopy-gen", "deepcopy-gen: methods to copy a type"},
		{"k8s:deepcopy-gen:", "deepcopy-gen: methods to copy a type"},
		{"k8s:deepcopy:", "deepcopy-gen: methods to copy a type"},
		{"k8s:conversion-gen", "conversion-gen: conversions between versions"},
		{"k8s:conversion-gen:", "conversion-gen: conversions between versions"},
		{"k8s:conversion-gen-external-types", "conversion-gen: conversions between versions"},
		{"k8s:conversion-fn", "conversion-gen: a hand-written conversion"},
		{"k8s:defaulter-gen", "defaulter-gen: functions that set defaults"},
		{"k8s:defaulter-gen-input", "defaulter-gen: functions that set defaults"},
		{"k8s:openapi-gen", "openapi-gen: which packages and types are published"},
		{"k8s:openapi-model-package", "openapi-gen: the name of published definitions"},
		{"k8s:protobuf-gen", "go-to-protobuf: which packages have messages"},
		{"k8s:prerelease-lifecycle-gen", "prerelease-lifecycle-gen: releases of an API"},
		{"k8s:prerelease-lifecycle-gen:", "prerelease-lifecycle-gen: releases of an API"},
		{"k8s:register-gen", "register-gen: registration in schemes"},
		{"k8s:register-gen:", "register-gen: registration in schemes"},
		{"k8s:validation-gen", "validation-gen: which types get functions"},
		{"k8s:validation-gen-input", "validation-gen: the package that has the tags"},
		{"k8s:validation-gen-nolint", "validation-gen: its own lints"},
		{"k8s:validation-gen-scheme-registry", "validation-gen: where functions are registered"},
		{"k8s:validation-gen-test-fixture", "validation-gen: its own tests"},
		{"k8s:deprecated", "documentation: a field that should not be used"},
		{"kubebuilder:object:", "controller-gen object: deep copies, and which types are root objects"},
		{"kubebuilder:rbac", "controller-gen rbac: roles of a controller"},
		{"kubebuilder:rbac:", "controller-gen rbac: roles of a controller"},
		{"kubebuilder:webhook", "controller-gen webhook: webhook configurations"},
		{"kubebuilder:webhook:", "controller-gen webhook: webhook configurations"},
		{"kubebuilder:webhookconfiguration", "controller-gen webhook: webhook configurations"},
		{"kubebuilder:webhookconfiguration:", "controller-gen webhook: webhook configurations"},
		{"kubebuilder:scaffold", "kubebuilder: where it inserts code"},
		{"kubebuilder:scaffold:", "kubebuilder: where it inserts code"},
		{"kubebuilder:ac:", "controller-gen applyconfiguration: types for server-side apply"},
		{"kubebuilder:docs-gen:", "generators of documentation"},
		{"kubebuilder:doc:", "generators of documentation"},
		{"controllertools:", "controller-tools: help of its own markers"},
	}
}

// OfOtherTool reports whether another tool reads the marker of this name.
func OfOtherTool(name string) bool {
	for _, each := range otherMarkers() {
		prefix := strings.HasSuffix(each.name, ":") || strings.HasSuffix(each.name, ".")
		if name == each.name || prefix && strings.HasPrefix(name, each.name) {
			return true
		}
	}
	return false
}
