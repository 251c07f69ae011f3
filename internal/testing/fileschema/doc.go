// Package fileschema holds the published JSON Schemas of users' files against the types that decode
// these files and the pages that document their keys.
package fileschema
