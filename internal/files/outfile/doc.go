// Package outfile writes files for users, and is the only package that does.
//
// In goes the name that a user gave, and what to write. A regular file, or a name that
// is free, gets its content as a whole when the File is closed: until then, and when
// something fails, what was there stays. The file keeps its mode, its owner and its
// other names, and a symbolic link keeps leading to it. A pipe or a device is written
// to directly, and so is what /dev/stdout or /dev/fd/3 lead to: it belongs to whoever
// opened it. A file that nothing can replace (it has a second name, or is a mount) is
// written over when all content is there; an error then can leave a part of it.
//
// What goes into a file, and whether several may share one ([Same]), is left to the
// caller. Access control lists and extended attributes of a file that is replaced are
// lost.
package outfile
