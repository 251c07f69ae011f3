package cases

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
)

// digest is a hash of files, in the order in which they are read.
type digest struct{ hash hash.Hash }

func (d *digest) add(name string, data []byte) {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	fmt.Fprintf(d.hash, "%d:%s%d:", len(name), name, len(data))
	d.hash.Write(data)
}

// sum is empty if no file was read.
func (d *digest) sum() string {
	if d.hash == nil {
		return ""
	}
	return hex.EncodeToString(d.hash.Sum(nil)[:16])
}
