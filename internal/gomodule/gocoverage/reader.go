package gocoverage

import (
	"encoding/binary"
	"errors"
)

var errShort = errors.New("the coverage data ends too early")

// reader reads numbers and texts of coverage data. It keeps the first error in err.
type reader struct {
	data []byte
	at   int
	err  error
}

// take returns the next n bytes, or zeros if there are not as many.
func (r *reader) take(n uint64) []byte {
	if r.err != nil || n > uint64(len(r.data)-r.at) {
		r.err = errors.Join(r.err, errShort)
		return make([]byte, min(n, 16))
	}
	part := r.data[r.at : r.at+int(n)]
	r.at += int(n)
	return part
}

func (r *reader) skip(n uint64) { r.take(n) }

// seek continues at an offset from the beginning.
func (r *reader) seek(at uint64) {
	if at > uint64(len(r.data)) {
		r.err = errors.Join(r.err, errShort)
		return
	}
	r.at = int(at)
}

func (r *reader) uint32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }

func (r *reader) uint64() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

// packed reads a number in as few bytes as it needs (ULEB128).
func (r *reader) packed() uint64 {
	n, length := binary.Uvarint(r.data[min(r.at, len(r.data)):])
	if length <= 0 {
		r.err = errors.Join(r.err, errShort)
		return 0
	}
	r.at += length
	return n
}

// texts reads a table of texts.
func (r *reader) texts() []string {
	var all []string
	for n := r.packed(); n > 0 && r.err == nil; n-- {
		all = append(all, string(r.take(r.packed())))
	}
	return all
}

// textAt returns a text of a table.
func (r *reader) textAt(table []string, at uint64) string {
	if at >= uint64(len(table)) {
		r.err = errors.Join(r.err, errors.New("the coverage data refers to a missing string"))
		return ""
	}
	return table[at]
}
