// Package bucket reads and writes objects of buckets, which users name by URLs where they may
// name files: s3://bucket/key, gs://bucket/key, azblob://container/key, and, for tests and for
// volumes that machines share, file:///folder/key. The query of a URL has options of its
// driver (gocloud.dev/blob); credentials come from the environment, as the tools of each
// vendor read them.
//
// What comes in is a URL. What comes out is a file system (FS) whose other names are those of
// another one, a Writer that puts an object into its place as a whole, and PutNew, which leaves
// an object that is there.
//
// Which drivers there are is decided by whoever imports them: the command does.
package bucket
