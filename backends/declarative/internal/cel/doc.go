// Package cel compiles and evaluates the CEL rules of a schema
// (x-kubernetes-validations) on Views of an object.
//
// What comes in is a Shape, which is what a rule may see of a schema, and a Rule.
// An Env compiles them to a Program; an Evaluator runs Programs on values within a
// budget and says how each ended. Values are adapted lazily: nothing of an object
// is converted that a rule does not look at, and typed and JSON objects are read
// by the same code.
//
// The language is Kubernetes' (k8s.io/apiserver/pkg/cel/environment) and what
// KEP-4153 adds to it:
//
//	<string>.isFormat(<string>), <string>.validateFormat(<string>)    libraries.go
//	labelSelector(<object>).matches(<map<string, string>>)            selector.go
//	<IP>.is4(), <IP>.is6(), <CIDR>.overlaps(<CIDR or string>)         network.go
//	<string or bytes>.isValid(), <string>.isPrint(), .isControl()     utf8.go
//
// An API server knows none of these: a schema with one of them is for this engine
// alone.
//
// Left to the caller: where rules are in a schema, which values they apply to,
// what their old values are, and how a failure becomes an error.
package cel
