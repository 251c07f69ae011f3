package infile

import (
	"fmt"
	"io"
	"io/fs"
)

// Stdin is the name for standard input in place of a file.
const Stdin = "-"

// MaxSize is the number of bytes that are read of a file.
const MaxSize = 256 << 20

var errTooLarge = fmt.Errorf("is larger than %d MiB, the most that is read of one file; split it", MaxSize>>20)

// Read returns the content of a file.
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

// ReadAll returns the content of a stream.
func ReadAll(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxSize+1))
	if err == nil && len(data) > MaxSize {
		return nil, errTooLarge
	}
	return data, err
}

// Directory is the kind of a directory.
const Directory = "directory"

// Kind returns the kind of a file that is not regular, for messages.
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
