package infile

import (
	"fmt"
	"io"
	"io/fs"
)

// Stdin is the name by which users mean the input of the command in place of a file.
const Stdin = "-"

// MaxSize is how much is read of one file, in bytes.
const MaxSize = 256 << 20

var errTooLarge = fmt.Errorf("is larger than %d MiB, the most that is read of one file; split it", MaxSize>>20)

// Read gives the content of a file.
func Read(files fs.FS, name string) ([]byte, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() && info.Size() > MaxSize {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errTooLarge}
	}
	return ReadAll(file)
}

// ReadAll gives what a stream holds.
func ReadAll(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxSize+1))
	if err == nil && len(data) > MaxSize {
		return nil, errTooLarge
	}
	return data, err
}

// Directory is the kind of a directory.
const Directory = "directory"

// Kind names what a file is that is not a regular one, for messages.
func Kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return Directory
	case mode&fs.ModeNamedPipe != 0:
		return "named pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}
