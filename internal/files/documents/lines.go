package documents

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the length limit of a line: two objects of the largest size, and some space.
const MaxLine = 4 * MaxSize

// ErrLongLine is the error for a line that is too long.
var ErrLongLine = fmt.Errorf("the line is longer than %d MiB", MaxLine>>20)

// LineReader reads lines of bounded length.
type LineReader struct {
	in     *bufio.Reader
	number int
	buffer []byte
}

// NewLineReader reads the lines of in.
func NewLineReader(in io.Reader) *LineReader { return &LineReader{in: bufio.NewReader(in)} }

// Number returns the number of the last line that Next returned, from 1.
func (r *LineReader) Number() int { return r.number }

// Next returns a line without surrounding space. It is valid until the next call. A line beyond MaxLine
// is skipped with ErrLongLine. The end of the file is io.EOF.
func (r *LineReader) Next() ([]byte, error) {
	r.number++
	r.buffer = r.buffer[:0]
	length := 0
	for {
		part, err := r.in.ReadSlice('\n')
		length += len(part)
		if length <= MaxLine {
			r.buffer = append(r.buffer, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && length == 0:
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case length > MaxLine:
			return nil, ErrLongLine
		}
		if r.number == 1 {
			return bytes.TrimSpace(withoutMark(r.buffer)), nil
		}
		return bytes.TrimSpace(r.buffer), nil
	}
}
