// Package definitions reads CustomResourceDefinitions and schemas from users' files, YAML or JSON by
// the name of the file. A Definition keeps the schema of each version as written. The Go type of a
// CustomResourceDefinition would silently drop unknown keywords, so a misspelled keyword would
// validate nothing.
//
// All mistakes are a userfile.Mistakes with file, line and the place in the schema. The compiler of
// schemas reports its own mistakes; Version.Placed adds their lines.
package definitions
