package main

// The schemes of URLs that name objects in buckets.
import (
	_ "gocloud.dev/blob/azureblob" // azblob://container/key
	_ "gocloud.dev/blob/fileblob"  // file:///folder/key
	_ "gocloud.dev/blob/gcsblob"   // gs://bucket/key
	_ "gocloud.dev/blob/memblob"   // mem://bucket/key, for tests
	_ "gocloud.dev/blob/s3blob"    // s3://bucket/key
)
