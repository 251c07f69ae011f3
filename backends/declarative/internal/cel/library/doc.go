// Package library has the CEL functions of KEP-4153 ("CEL Validation") that the libraries of
// Kubernetes lack:
//
//	<string>.isFormat(<string>), <string>.validateFormat(<string>)    format.go
//	labelSelector(<object>).matches(<map<string, string>>)            selector.go
//	<IP>.is4(), <IP>.is6(), <CIDR>.overlaps(<CIDR or string>)         network.go
//	<string or bytes>.isValid(), <string>.isPrint(), .isControl()     utf8.go
//
// API servers know none of these functions, so a schema that uses one works only with this engine.
package library
