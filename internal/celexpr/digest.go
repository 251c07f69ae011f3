package celexpr

import (
	"fmt"

	"github.com/google/cel-go/common/ast"
)

// Digest is a number that is the same for equal expressions, and hardly ever for others, and how many parts they have.
type Digest struct {
	Hash  uint64
	Parts int
}

// DigestOf returns the digest of an expression.
func DigestOf(e Expr) Digest {
	d := Digest{uint64(e.Kind()), 1}
	switch e.Kind() {
	case ast.IdentKind:
		d.addText(e.AsIdent())
	case ast.LiteralKind:
		if text, is := TextOf(e); is {
			d.addText(text)
		} else {
			d.addText(fmt.Sprintf("%T %v", ValueOf(e), ValueOf(e)))
		}
	case ast.CallKind:
		d.addText(e.AsCall().FunctionName())
	case ast.SelectKind:
		d.addText(e.AsSelect().FieldName())
	case ast.StructKind:
		d.addText(e.AsStruct().TypeName())
	}
	eachPart(e, func(part Expr) bool {
		of := DigestOf(part)
		d.add(of.Hash)
		d.Parts += of.Parts
		return true
	})
	return d
}

func (d *Digest) add(more uint64) {
	d.Hash = (d.Hash ^ more) * 0x9E3779B97F4A7C15
	d.Hash ^= d.Hash >> 31
}

// addText adds a text by its bytes, and its length.
func (d *Digest) addText(text string) {
	for i := range len(text) {
		d.Hash = (d.Hash ^ uint64(text[i])) * 0x100000001B3
	}
	d.add(uint64(len(text)))
}
