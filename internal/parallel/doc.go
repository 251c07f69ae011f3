// Package parallel processes items in parallel and returns the results in the order of the items. A Queue
// holds only a few items for each worker. WithWorkers keeps goroutines for later calls.
package parallel
