//go:build !unix

package errorsites

// canCount reports whether programs can share memory with this process.
const canCount = false
