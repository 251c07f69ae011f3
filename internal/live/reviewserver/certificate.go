package reviewserver

import (
	"crypto/tls"
	"crypto/x509"
	"io/fs"
	"os"
	"sync"
)

// certificate is the certificate of a server. Each handshake looks at the times of its files, and reads them
// again if they changed.
type certificate struct {
	options Options

	mu      sync.Mutex
	current *tls.Certificate
	read    [2]fs.FileInfo // of the certificate and the key, before current was read
	failure string         // the last error; empty after a success
}

// newCertificate reads the certificate.
func newCertificate(options Options) (*certificate, error) {
	c := &certificate{options: options}
	return c, c.update()
}

// get implements tls.Config.GetCertificate. If changed files cannot be read, the old certificate stays in use:
// a certificate and its key may be written one after the other.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	failure := ""
	if err := c.update(); err != nil {
		failure = err.Error()
		if failure != c.failure && c.options.Unreadable != nil {
			c.options.Unreadable(err)
		}
	}
	c.failure = failure
	return c.current, nil
}

// update reads the files if they changed.
func (c *certificate) update() error {
	var found [2]fs.FileInfo
	for i, name := range []string{c.options.CertFile, c.options.KeyFile} {
		info, err := os.Stat(name) // of the target of the links in a Secret's volume
		if err != nil {
			return err
		}
		found[i] = info
	}
	if c.current != nil && same(c.read[0], found[0]) && same(c.read[1], found[1]) {
		return nil
	}
	made, err := tls.LoadX509KeyPair(c.options.CertFile, c.options.KeyFile)
	if err != nil {
		return err
	}
	if made.Leaf == nil { // GODEBUG=x509keypairleaf=0
		if made.Leaf, err = x509.ParseCertificate(made.Certificate[0]); err != nil {
			return err
		}
	}
	c.current, c.read = &made, found
	if c.options.Renewed != nil {
		c.options.Renewed(made.Leaf)
	}
	return nil
}

// same reports whether a file did not change between two looks.
func same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
