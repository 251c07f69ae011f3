package read

import (
	"go/constant"
	"go/token"
	"go/types"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// bytesOf returns the number of bytes of a text; nil: it is no text.
func bytesOf(of celexpr.Expr, typ types.Type) celexpr.Expr {
	if !isText(typ) {
		return nil
	}
	return celexpr.Call("size", celexpr.Call("bytes", of))
}

// isList reports whether a type is a slice.
func isList(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// differsInBytes reports whether a comparison of a length with a number may be another one in bytes than in characters: it is
// not if it asks whether there is a text.
func differsInBytes(op token.Token, with known) bool {
	n, isWhole := constant.Int64Val(constant.ToInt(with.value))
	asks := n == 0 || n == 1 && (op == token.LSS || op == token.GEQ)
	return isWhole && !asks
}

// inBytes returns a length of texts in bytes, and other values as they are.
func inBytes(v value) value {
	switch x := v.(type) {
	case place:
		if x.inBytes != nil {
			x.expr = x.inBytes
		}
		return x
	case term:
		if x.inBytes != nil {
			x.expr = x.inBytes
		}
		return x
	}
	return v
}
