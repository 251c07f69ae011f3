// Package served reads what tests compare the schema side with: real CustomResourceDefinitions,
// and the form that the API server gives their schemas. Only tests import it.
package served
