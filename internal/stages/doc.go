// Package stages has what the stages of a request do in the same way for all resources (package serving): for
// those of a CustomResourceDefinition, for the built-in kinds, and for two worlds that are compared.
package stages
