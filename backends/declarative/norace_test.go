//go:build !race

package declarative_test

// raced says that the race detector is on.
const raced = false
