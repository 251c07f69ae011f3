// Package definitions reads the CustomResourceDefinitions and schemas that people
// keep in files, and gives what is wrong with them its line.
//
// What comes in is the text of a file, YAML or JSON by its name, or the names of files and
// directories ([FindFiles], [ReadFile]). What comes out are Definitions, with the schema of
// each version as it is written: the Go type of a CustomResourceDefinition would drop
// keywords that it does not know, and a misspelt one would validate nothing without a word. Every mistake is a userfile.Mistakes
// with file, line and the place in the schema.
//
// Left to others: whether a schema compiles (Version.Placed gives those mistakes
// their lines), and whether the API server would store the definition.
package definitions
