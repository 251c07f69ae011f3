// Package soak compares cases for a long time and keeps what it finds: the runs behind "diffrun soak"
// and "diffrun shadow". Cases come from suites, stdin, generated objects, or the requests of an API
// server. internal/live/soak keeps the findings.
package soak
