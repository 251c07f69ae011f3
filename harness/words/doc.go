// Package words has the closed sets of words of a comparison: each is a type of strings with all its
// constants, and most have a function that lists them. Files, reports and metrics use the same words, and the
// glossary explains them.
package words
