// Package objecttext finds the texts of objects in messages about them.
//
// Messages that differ only in such texts have one cause (package causes), and a redacted message has
// none of them (package redaction).
package objecttext
