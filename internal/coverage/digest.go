package coverage

import (
	"crypto/sha256"
	"encoding/binary"
	"regexp"
	"strings"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

const digestLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

var isDigest = regexp.MustCompile(`^[a-zA-Z]{7}$`)

// digest returns a short hash of the name of a place or a site. The file has digests, because rules are
// long, and the schema or the source has the names.
func digest(name string) string {
	sum := sha256.Sum256([]byte(name))
	n := binary.LittleEndian.Uint64(sum[:])
	var short [7]byte
	for i := range short {
		short[i] = digestLetters[n%uint64(len(digestLetters))]
		n /= uint64(len(digestLetters))
	}
	return string(short[:])
}

// checkDigests adds a mistake for the first text that is not a digest of this version.
func checkDigests(at strictyaml.Position, of string, digests []string, mistakes *strictyaml.Mistakes) {
	for _, one := range digests {
		if !isDigest.MatchString(one) {
			mistakes.Addf(at, "%s: %q is not a place in the form of this version of diffrun, which is seven letters; "+
				"delete the file, then \"diffrun coverage --ratchet FILE --update\" writes a new one", of, one)
			return
		}
	}
}

// writeDigests writes a list of digests, some on each line.
func writeDigests(out *plaintext.Printer, indent, name string, digests []string) {
	if len(digests) == 0 {
		return
	}
	const perLine = 11
	var lines []string
	for from := 0; from < len(digests); from += perLine {
		lines = append(lines, strings.Join(digests[from:min(from+perLine, len(digests))], ", "))
	}
	out.Printf("%s%s: [\n", indent, name)
	for i, line := range lines {
		if i < len(lines)-1 {
			line += ","
		}
		out.Printf("%s  %s\n", indent, line)
	}
	out.Printf("%s]\n", indent)
}
