// Package ciformats writes results in the formats that other tools read: SARIF 2.1.0, which
// code hosts show beside the lines of a change, and JUnit XML, which CI systems show as
// tests.
//
// What comes in are results in the words of this package. What comes out is a document.
// Texts come from users' files, so characters that are not printable are escaped.
//
// Left to others: what is a result, and where the document goes.
package ciformats
