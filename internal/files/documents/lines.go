package documents

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine bounds a line: two objects of the largest size, written with some
// space between.
const MaxLine = 4 * MaxSize

// ErrLongLine says that a line was passed over.
var ErrLongLine = fmt.Errorf("the line is longer than %d MiB", MaxLine>>20)

// LineReader reads lines of bounded length.
type LineReader struct {
	in     *bufio.Reader
	number int
	buffer []byte
}

// NewLineReader reads the lines of in.
func NewLineReader(in io.Reader) *LineReader { return &LineReader{in: bufio.NewReader(in)} }

// Number is that of the line that Next gave; the first is 1.
func (r *LineReader) Number() int { return r.number }

// Next gives a line without its end and the space around it, valid until the
// next call. A line beyond MaxLine is passed over and gives ErrLongLine; the end
// of the file is io.EOF.
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
