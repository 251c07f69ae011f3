// Package html writes a run as one page that needs no other file and no network. Its scripts draw the
// cases, which the page has as JSON.
package html
