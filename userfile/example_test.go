package userfile_test

import (
	"errors"
	"fmt"
	"strings"
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
		fmt.Println(strings.Replace(first.Error(), " (", "\n(", 1))
	}
	// Output:
	// exceptions.yaml line 1
	// exceptions.yaml:1: exception "known": class is missing
	// (one of too-loose, too-strict, path, type, detail, count, default, result, unstable)
}

// A function that reads a file collects all mistakes, each with its place.
func ExampleMistakes_Addf() {
	var mistakes userfile.Mistakes
	mistakes.Addf(userfile.Position{File: "sizes.yaml", Line: 3}, "size is %d; it must not be negative", -1)
	mistakes.Addf(userfile.Position{File: "sizes.yaml", Line: 7}, "name is missing")
	var first userfile.Mistake
	if err := mistakes.Err(); errors.As(err, &mistakes) {
		first = mistakes[0]
	}
	fmt.Println(first.Position, "has a mistake:", first.Message)
	// Output:
	// sizes.yaml:3 has a mistake: size is -1; it must not be negative
}
