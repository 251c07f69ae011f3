// Package ci writes a run in the formats that CI systems and code hosts read: JUnit XML, SARIF, and
// the annotations of GitHub Actions.
package ci
