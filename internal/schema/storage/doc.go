// Package storage finds the fields of a CustomResourceDefinition that are lost when objects are stored. The API
// server converts an object to the storage version and prunes it by the schema of that version: a field that
// only another served version has is lost without an error. Package pruning decides what is pruned.
package storage
