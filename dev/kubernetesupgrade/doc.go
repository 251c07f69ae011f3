// Kubernetesupgrade moves the bundled kinds to a release of Kubernetes, and lists what a person has to decide.
//
// It lists the functions that comments in overlays name and whose source is not the one recorded in functions.txt:
// their rules may say less than the functions do. It also lists comments that place a function in a file without it.
//
// With -version v1.38.0 it first sets the requirements of every go.mod to those of that release, without replace, and
// generates the schemas. Then it also lists the staging modules that backends/native/kubernetes/modules.go does not
// import, and the new fields that no keyword or rule constrains.
//
// -record writes functions.txt: the sources that somebody compared the overlays with. A test fails if the file is
// about another release than the one that go.mod requires.
package main
