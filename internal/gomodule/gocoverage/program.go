package gocoverage

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
)

// Position is a place in a source file.
type Position struct{ Line, Column int }

func (p Position) compare(other Position) int {
	return cmp.Or(cmp.Compare(p.Line, other.Line), cmp.Compare(p.Column, other.Column))
}

// before reports whether p comes before other.
func (p Position) before(other Position) bool { return p.compare(other) < 0 }

// Block is code that runs as a whole or not at all. File is the import path of the package, followed by
// the name of the file. End is the position after the last character.
type Block struct {
	File       string
	Start, End Position
}

// program has the blocks of a program, as the compiler recorded them.
type program struct {
	hash   [16]byte
	blocks []Block
	// first has the index of the first block of each function of each package.
	first [][]int
	// sizes has the number of blocks of each function.
	sizes [][]int
}

const (
	metaVersion    = 1
	counterVersion = 1
	packageHeader  = 44 // bytes before the offsets of the functions of a package
)

var (
	metaMagic    = []byte("\x00cvm")
	counterMagic = []byte("\x00cwm")
)

// readMeta reads a file covmeta.*.
func readMeta(data []byte) (*program, error) {
	r := &reader{data: data}
	if !bytes.Equal(r.take(4), metaMagic) {
		return nil, errors.New("this is not Go coverage data")
	}
	if version := r.uint32(); version != metaVersion {
		return nil, fmt.Errorf("the coverage data has version %d; only version %d (Go 1.20 to 1.26) is supported", version, metaVersion)
	}
	r.skip(8) // its length
	entries := r.uint64()
	p := &program{}
	copy(p.hash[:], r.take(16))
	r.skip(16) // the table of texts; the mode
	if r.err != nil || entries > uint64(len(data)) {
		return nil, errShort
	}
	offsets, lengths := make([]uint64, entries), make([]uint64, entries)
	for i := range offsets {
		offsets[i] = r.uint64()
	}
	for i := range lengths {
		lengths[i] = r.uint64()
	}
	for i, offset := range offsets {
		r.seek(offset)
		part := &reader{data: r.take(lengths[i]), err: r.err}
		p.readPackage(part)
		if part.err != nil {
			return nil, part.err
		}
	}
	return p, nil
}

// readPackage reads the functions of a package.
func (p *program) readPackage(r *reader) {
	r.skip(packageHeader - 4)
	functions := uint64(r.uint32())
	r.seek(packageHeader + 4*functions)
	texts := r.texts()
	var first, sizes []int
	for i := uint64(0); i < functions && r.err == nil; i++ {
		r.seek(packageHeader + 4*i)
		r.seek(uint64(r.uint32()))
		units := r.packed()
		r.packed() // its name
		file := r.textAt(texts, r.packed())
		first, sizes = append(first, len(p.blocks)), append(sizes, int(units))
		for ; units > 0 && r.err == nil; units-- {
			block := Block{File: file}
			for _, to := range []*int{&block.Start.Line, &block.Start.Column, &block.End.Line, &block.End.Column} {
				*to = int(r.packed())
			}
			r.packed() // how many statements
			p.blocks = append(p.blocks, block)
		}
	}
	p.first, p.sizes = append(p.first, first), append(p.sizes, sizes)
}

// readCounters reads a file covcounters.* of the program. It calls add for each block that ran.
func (p *program) readCounters(data []byte, add func(block int, times uint64)) error {
	r := &reader{data: data}
	if !bytes.Equal(r.take(4), counterMagic) {
		return errors.New("these are not Go counters")
	}
	if version := r.uint32(); version != counterVersion {
		return fmt.Errorf("the counters have version %d; only version %d (Go 1.20 to 1.26) is supported", version, counterVersion)
	}
	if !bytes.Equal(r.take(16), p.hash[:]) {
		return errors.New("these are counters of a different program")
	}
	const packed = 2
	number := func() uint64 { return uint64(r.uint32()) }
	if flavor := r.take(8); flavor[0] == packed {
		number = r.packed
	}
	const footer = 16
	if len(data)-r.at <= footer {
		return errShort
	}
	for r.err == nil && len(data)-r.at > footer {
		functions := r.uint64()
		texts, arguments := r.uint32(), r.uint32()
		r.skip(uint64(texts) + uint64(arguments))
		for ; functions > 0 && r.err == nil; functions-- {
			p.readFunction(r, number, add)
		}
		if pad := r.at % 4; pad > 0 && len(data)-r.at > footer {
			r.skip(uint64(4 - pad))
		}
	}
	return r.err
}

// readFunction reads the counters of a function.
func (p *program) readFunction(r *reader, number func() uint64, add func(block int, times uint64)) {
	counters, inPackage, function := number(), number(), number()
	if inPackage >= uint64(len(p.first)) || function >= uint64(len(p.first[inPackage])) || counters > uint64(p.sizes[inPackage][function]) {
		r.err = errors.Join(r.err, errors.New("the counters are about a function that the program does not have"))
		return
	}
	first := p.first[inPackage][function]
	for i := range int(counters) {
		if times := number(); times > 0 && r.err == nil {
			add(first+i, times)
		}
	}
}
