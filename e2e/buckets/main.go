// Command buckets serves a bucket from memory over the protocol of a vendor. It is a module of
// its own, so that the API server is not built with the versions that these servers require.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"

	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: buckets s3|gs HOST:PORT BUCKET")
	}
	serve := map[string]func(address, bucket string) error{"s3": s3, "gs": gs}[os.Args[1]]
	if serve == nil {
		log.Fatalf("no protocol is called %q", os.Args[1])
	}
	if err := serve(os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

func s3(address, bucket string) error {
	backend := s3mem.New()
	if err := backend.CreateBucket(bucket); err != nil {
		return err
	}
	return http.ListenAndServe(address, gofakes3.New(backend).Server())
}

func gs(address, bucket string) error {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return fmt.Errorf("port %q: %w", text, err)
	}
	server, err := fakestorage.NewServerWithOptions(fakestorage.Options{Scheme: "http", Host: host, Port: uint16(port),
		PublicHost: address})
	if err != nil {
		return err
	}
	server.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: bucket})
	select {} // until it is killed
}
