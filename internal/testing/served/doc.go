// Package served reads real CustomResourceDefinitions for tests, and converts their schemas as the
// API server does. Only tests import it.
package served
