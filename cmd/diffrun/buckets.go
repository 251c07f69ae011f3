package main

// The schemes of URLs that every build reads and writes; clouds.go has the others.
import (
	_ "gocloud.dev/blob/fileblob" // file:///folder/key
	_ "gocloud.dev/blob/memblob"  // mem://bucket/key, for tests
)
