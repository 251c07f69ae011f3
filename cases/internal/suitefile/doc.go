// Package suitefile has the keys of a suite.yaml as Go types. Decoding reports unknown keys and wrong
// types, and methods report mistakes inside one value. Package cases reads what the file names.
// docs/reference/suites.md documents the keys.
package suitefile
