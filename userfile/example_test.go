package userfile_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/userfile"
)

// The error of a function that loads a file has each mistake with its line.
func ExampleMistakes() {
	file := []byte("- id: known\n  target: v1 Pod\n  klass: too-loose\n")
	_, err := equivalence.LoadExceptions("exceptions.yaml", file, time.Now())
	var mistakes userfile.Mistakes
	if errors.As(err, &mistakes) {
		first := mistakes[0]
		fmt.Println(first.File, "line", first.Line)
		fmt.Println(first)
	}
	// Output:
	// exceptions.yaml line 1
	// exceptions.yaml:1: exception "known": class is missing (one of too-loose, too-strict, path, type, detail, count, default, result, unstable)
}
