// Package exploring explores the targets of suites: it connects their cases, schemas and validators
// with the explorer.
package exploring
