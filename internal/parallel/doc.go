// Package parallel works on items in parallel and hands on the results in the order of the
// items.
//
// What comes in is a Queue and a sequence of items. What comes out are calls of Take, one at
// a time. A Queue holds a few items for each worker, however many there are.
package parallel
