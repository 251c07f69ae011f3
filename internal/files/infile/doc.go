// Package infile reads the files that users name, and finds files in directories. A named file may be
// a pipe or a device, such as /dev/stdin. A file found in a directory must be regular or a link to a
// regular file, because opening a pipe waits for a writer that may never come.
//
// At most [MaxSize] is read of a file, because a device may have no end.
package infile
