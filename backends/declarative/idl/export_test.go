package idl

import "github.com/diffrun/diffrun/backends/declarative/idl/internal/target"

// CustomDialect returns a dialect that only tests have.
func CustomDialect(parser target.Dialect) Dialect { return Dialect{parser: parser} }
