// Package document has the JSON form of results and summaries in reports, and converts it back.
package document
