// Package world compares everything that guards an object today with everything that will
// guard it tomorrow.
//
// A [World] is a CustomResourceDefinition with the admission around it: a mutating webhook,
// ValidatingAdmissionPolicies and a validating webhook. It is a harness.Backend, so it is
// one side of a comparison; each part may be missing. [NewTarget] makes the target of two
// worlds for harness.For:
//
//	today := world.World{Definition: oldCRD, Then: []world.Validating{{Backend: native.Func[*Widget](validate)}}}
//	tomorrow := world.World{Definition: newCRD}
//	target, err := world.NewTarget(today, tomorrow)
//
// Both worlds start from the document that the client sends. Each prunes and defaults it with its
// own definition, so a field that only the other definition has is unknown to it. A webhook is
// asked only about what everything before it accepted. Two worlds with only a definition show what
// an upgrade of the definition changes.
//
// # The order
//
// The stages run in the order of the API server, and the first that refuses the object ends
// the request (create.go and update.go of k8s.io/apiserver/pkg/endpoints/handlers, Store of
// k8s.io/apiserver/pkg/registry/generic/registry, and AllOrderedPlugins of
// k8s.io/kubernetes/pkg/kubeapiserver/options):
//
//  1. The object is decoded: pruned, and defaulted. The old object of an update is read
//     from the storage in the same way.
//  2. The mutating webhook. Its patch is applied and the result is defaulted again. As in
//     the API server, fields that the patch adds and the definition does not have reach
//     validation and the webhooks; they are pruned when the object is stored.
//  3. The definition: the status is reset if it is a subresource; uid, generation and the name
//     that generateName asks for are filled in; then the object is validated.
//  4. The policies.
//  5. The validating webhook.
//
// The webhooks get the object in the version that their rules match; see [Match].
//
// # What is stored
//
// If both worlds accept an object, each stores it as the API server does: converted to the storage version of
// its own definition, and pruned by the schema of that version. Clients of each served version read it
// back with the defaults of the storage version, converted and pruned again (crdConversionRESTOptionsGetter
// of k8s.io/apiextensions-apiserver/pkg/apiserver). What they read is compared field by field
// (equivalence.Result), in the version of the request and in every other version that both worlds serve.
//
// # Guards
//
// Each world reports which of its webhooks and policies were asked about an input, and whether they
// found fault with it or changed it (contract.Capabilities). A guard that never acted is a problem
// of the run.
//
// # Old objects
//
// The old object of an update was stored by the world of today, also for the world of
// tomorrow: it has the defaults of the definition of today, and is in its storage version. Each world then
// prunes and defaults it with its own definition of that version when it reads it, and converts it to the
// version of the request.
package world
