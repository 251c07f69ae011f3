// Package summary counts the results of a run by target and judges them by its gate, and says in
// sentences what the run found and what to do next. The formats for people and for CI systems draw
// these counts and sentences.
package summary
