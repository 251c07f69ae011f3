// Package engine provides engines of policies as native backends: Kyverno, and Gatekeeper.
//
// [New] takes an engine, such as "kyverno", its version, and files with policies. The module of the engine is downloaded, and
// a program that answers AdmissionReviews as the engine's webhook does is built once into the cache of the user. The program is
// a Go module of its own, which requires what the engine requires, so diffrun depends on neither engine, nor on the release of
// Kubernetes that they are made for. Its sources are in the folder programs.
//
// [Generate] asks the same program for the ValidatingAdmissionPolicies that the engine makes of the policies.
package engine
