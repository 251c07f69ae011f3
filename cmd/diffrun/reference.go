//go:build !slim

package main

import (
	"github.com/diffrun/diffrun/internal/validate"
	"github.com/diffrun/diffrun/internal/validate/upstream"
)

// referenceCompiler compiles schemas with the API server's own code.
func referenceCompiler() validate.ReferenceCompiler { return upstream.Compiler{} }
