// Package ciformats writes results in formats of other tools: SARIF 2.1.0, which code hosts show beside
// the lines of a change, and JUnit XML, which CI systems show as tests. It escapes characters that are
// not printable, because texts come from users' files.
package ciformats
