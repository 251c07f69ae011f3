//go:build buckets

package main

// The schemes of URLs that name objects in the buckets of clouds. Their drivers are a quarter of the code
// of a build, so only builds for users have them: releases, the image and the action.
import (
	_ "gocloud.dev/blob/azureblob" // azblob://container/key
	_ "gocloud.dev/blob/gcsblob"   // gs://bucket/key
	_ "gocloud.dev/blob/s3blob"    // s3://bucket/key
)
