// Package validate validates objects with schemas alone, without a hand-written validator.
// It is what "diffrun validate" does.
//
// It has two modes on one engine:
//
//   - [Lines] is for programs. A stream of JSON lines comes in, each with an object and
//     perhaps its schema, and a stream of answers goes out, in the same order. Objects are
//     read as they are, unless the options prune or default them. The files lines*.go
//     have this mode.
//   - [Files] is for people. Manifests come in, and a line for each error goes out, with
//     file and line, and then a summary. Each object is taken as the API server takes it
//     from kubectl apply: its fields are known, its defaults are filled in. The files
//     files*.go have this mode.
//
// The objects of a resource are prepared as those of a request to it
// (customresource.Preparation), in both modes and for both engines.
//
// An [Engine] compiles a schema once for each role in which it is asked for. The schema is
// that of a CustomResourceDefinition, of a file, of a line ([Lines] keeps those that were
// used last), or of a [Builtin] kind ([Files] only). A panic or a hang of the engine costs
// the objects that need it, and not the run.
//
// Left to others: flags and exit statuses (cmd/diffrun), how files are found and read
// (packages documents and definitions), what an error says in JSON (package reports), and
// the built-in kinds, which the caller links in: this package does not depend on
// k8s.io/kubernetes.
package validate
