// Package infile reads the files that users name or keep in directories.
//
// In goes a file system, [Disk] or another, and a name. Out come the content of a file,
// or the files in and below a directory. What a user names may also be a pipe or a
// device, such as /dev/stdin. What is only found in a directory must be a regular file
// or a link to one: opening a pipe waits for a writer that may never come.
//
// No more is read of anything than [MaxSize], as a device may have no end. What a file
// holds is left to others.
package infile
