// Kubernetesupgrade moves the bundled kinds to a release of Kubernetes, and lists what a person has to decide.
//
// With -version v1.38.0 it sets the requirements of every go.mod to those of that release, without replace, and
// generates the schemas. Then it lists, with and without -version:
//
//   - staging modules of the release that backends/native/kubernetes/modules.go does not import;
//   - functions that a comment in an overlay names, and whose source is not the one in functions.txt: their rules
//     may say less than the functions do;
//   - fields that the schemas have since -version, and that no keyword or rule constrains.
//
// -record writes functions.txt. It says which source the overlays were last compared with, so record after reading
// what changed. A test fails while the file is about another release than the one that go.mod requires.
package main
