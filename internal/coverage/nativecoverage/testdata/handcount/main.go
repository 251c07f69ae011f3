// Program handcount counts what the inputs execute of the package that its first argument names,
// and prints it. It is built with -cover. With a second argument it does not look at its
// counters, so that all of them stay for GOCOVERDIR.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/diffrun/diffrun/internal/coverage/nativecoverage/testdata/handcount/inputs"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
	"github.com/diffrun/diffrun/internal/gomodule/gocoverage"
)

func main() {
	ctx := context.Background()
	sites, err := errorsites.Find(ctx, ".", os.Args[1:2])
	if err != nil {
		log.Fatal(err)
	}
	var live *gocoverage.Live
	if len(os.Args) == 2 {
		if live, err = gocoverage.NewLive(); err != nil {
			log.Fatal(err)
		}
	}
	report, err := inputs.Run(ctx, sites, live)
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(report.Sites); err != nil {
		log.Fatal(err)
	}
}
