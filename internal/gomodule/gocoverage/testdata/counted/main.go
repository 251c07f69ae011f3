// Program counted grades the numbers of its arguments.
package main

import (
	"fmt"
	"os"
	"strconv"

	"example.com/counted/rules"
)

func main() {
	for _, argument := range os.Args[1:] {
		points, err := strconv.Atoi(argument)
		if err != nil {
			panic(err)
		}
		fmt.Println(rules.Grade(points))
	}
}
