// Package ineffective finds the keywords of a schema that do nothing for values of its type,
// such as maxLength of an array or pattern of an integer.
//
// What comes in is a schema. What comes out are the names of such keywords, or the schema
// without them. The API server validates strings with the keywords of strings only, and so
// on (k8s.io/kube-openapi/pkg/validation/validate, the Applies of each validator), and the
// type of the schema rejects all other values.
//
// Left to others: keywords that do nothing for another reason, such as a format that
// nobody knows.
package ineffective
