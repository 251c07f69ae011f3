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

// lineBuffer is how much a LineReader reads at once.
const lineBuffer = 64 << 10

// NewLineReader reads the lines of in.
func NewLineReader(in io.Reader) *LineReader {
	return &LineReader{in: bufio.NewReaderSize(in, lineBuffer)}
}

// Buffered returns the number of bytes that were read and not returned.
func (r *LineReader) Buffered() int { return r.in.Buffered() }

// Ready reports whether Next returns a line that was already read, without waiting for more.
func (r *LineReader) Ready() bool {
	read, _ := r.in.Peek(r.in.Buffered()) // never fails: they are buffered
	return bytes.IndexByte(read, '\n') >= 0
}

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
