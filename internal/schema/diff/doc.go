// Package diff says what one schema accepts that another rejects.
//
// What comes in are two Sides, A and B. What comes out are Changes, found in two
// ways: Walk compares the schemas keyword by keyword and names what it finds; Run has
// both validate generated objects and gives the smallest one for each disagreement.
// A change that Walk cannot judge, or a disagreement that no change explains, is
// Unknown, and never left out.
//
// A field that a schema does not declare counts as rejected, as the API server does
// when a request asks for strict field validation, which those of kubectl do.
//
// Left to others: reading schemas from files, and drawing the changes.
package diff
