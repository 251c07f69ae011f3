// Package structural says whether a schema is structural (KEP-2335) and whether the
// API server would store it in a CustomResourceDefinition.
//
// What comes in is a spec.Schema (Check, Strip, Unfold) or a whole
// CustomResourceDefinition (CheckCRD, CheckCRDUpdate, Condition). What comes out is a
// field.ErrorList that names everything that is wrong, each at its place in the
// schema ("properties[foo].items.type"); Message writes one as the proposal does.
//
// Check asks what the proposal asks; the types and fields of its errors are those of
// apiextensions-apiserver, which knows no x-kubernetes-unions and asks for
// completeness only below the junctors of the root (see Completeness). CheckCRD adds
// what the API server asks beside that: it is its validation of a
// CustomResourceDefinition that is created. CheckCRDUpdate lets what an old one has
// wrong already pass, as the API server does.
//
// Left to others: compiling rules (package declarative), and pruning and defaulting
// objects (packages pruning and defaulting).
package structural
