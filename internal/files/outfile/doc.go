// Package outfile writes files that users name. No other package does.
//
// A regular or new file gets its content as a whole when the File is closed. Until then, and after an
// error, the old content stays. The file keeps its mode, its owner and its other names, and symbolic
// links keep working. Pipes, devices and open files such as /dev/stdout or /dev/fd/3 are written
// directly. A file that cannot be replaced (it has a second name, or is a mount) is overwritten when
// the content is complete; an error may then leave a part of it.
//
// Access control lists and extended attributes of a replaced file are lost.
package outfile
