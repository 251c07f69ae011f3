package html

import (
	"bytes"
	"compress/flate"
	"io"
)

// buffer keeps the data of the page until the page above it is written. It is compressed: the cases
// of a large run have much in common.
type buffer struct {
	packed bytes.Buffer
	writer *flate.Writer
}

func (b *buffer) write(parts ...string) error {
	if b.writer == nil {
		writer, err := flate.NewWriter(&b.packed, flate.BestSpeed)
		if err != nil {
			return err
		}
		b.writer = writer
	}
	for _, part := range parts {
		if _, err := io.WriteString(b.writer, part); err != nil {
			return err
		}
	}
	return nil
}

// copyTo writes the contents of the buffer.
func (b *buffer) copyTo(out io.Writer) error {
	if b.writer == nil {
		return nil
	}
	if err := b.writer.Close(); err != nil {
		return err
	}
	_, err := io.Copy(out, flate.NewReader(&b.packed))
	return err
}
