// Package validate implements "diffrun validate": it validates objects with schemas alone, without a
// hand-written validator. It has two modes:
//
//   - [Lines] is for programs. It reads lines of JSON, each with an object and perhaps its schema,
//     and writes an answer for each line in the same order. Objects are read as they are, unless the
//     options prune or default them.
//   - [Files] is for people. It reads manifests and writes a line with file and line for each error,
//     and a summary. Each object is processed as the API server does for kubectl apply: unknown
//     fields are errors, and defaults are set.
//
// In both modes, the objects of a resource are prepared as those of a request to it
// (apiresource.Preparation).
//
// An [Engine] compiles a schema once for each role. A panic or a hang of the engine affects only the
// objects that need the schema. The caller links the built-in kinds: this package does not depend on
// k8s.io/kubernetes.
package validate
