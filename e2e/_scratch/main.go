package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/diffrun/diffrun/e2e/controlplane"
)

func main() {
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt)
	os.MkdirAll(os.Args[2], 0o755)
	c, err := controlplane.Start(ctx, os.Args[1], os.Args[2], os.Args[3:]...)
	if err != nil {
		panic(err)
	}
	fmt.Println(c.Kubeconfig)
	<-ctx.Done()
	c.Stop()
}
