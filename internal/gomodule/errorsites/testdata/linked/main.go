// Command linked prints how many blocks of a validator in this program each input executes that no
// input before it did, and which error sites none reached.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites/testdata/linked/limits"
)

func main() {
	linked, err := errorsites.ThisProgram()
	if err != nil {
		log.Fatal(err)
	}
	known := map[int]bool{}
	for _, text := range os.Args[1:] {
		n, err := strconv.Atoi(text)
		if err != nil {
			log.Fatal(err)
		}
		executed, err := linked.Count(func() { limits.Validate(n) })
		if err != nil {
			log.Fatal(err)
		}
		fresh := 0
		for _, place := range executed {
			if !known[place] {
				known[place] = true
				fresh++
			}
		}
		fmt.Printf("%d: %d executed, %d of them for the first time\n", n, len(executed), fresh)
	}
	reached, err := linked.Reached(context.Background(), ".")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Join(reached.Lines(), "\n"))
}
