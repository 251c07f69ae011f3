// Package display turns names, numbers, and the errors of results into plain text of bounded length,
// as all formats of reports show them.
package display
