// Package bucket reads and writes objects in buckets. Users name them by URLs in place of file names:
// s3://bucket/key, gs://bucket/key, azblob://container/key, and, for tests and shared volumes,
// file:///folder/key. The query of a URL has options of its driver (gocloud.dev/blob). Credentials
// come from the environment, as for the tools of each vendor.
//
// FS reads objects and files, a Writer replaces an object as a whole, and PutNew never replaces one.
// The program imports the drivers: the command always has that of file URLs, and those of clouds if it is
// built with -tags buckets, as releases are.
package bucket
