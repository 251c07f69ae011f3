// Package k8s is the dialect of validation-gen: upstream's tags of validation, "+k8s:…". A tag that
// KEP-4153 has too is applied by package kep4153; the others become CEL rules with the messages of
// the generated code.
package k8s
