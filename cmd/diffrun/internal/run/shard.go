package run

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"regexp"
	"strconv"
)

// shard is a part of the cases of a run. The zero value is all of them.
type shard struct{ index, of int }

var shardText = regexp.MustCompile(`^([1-9][0-9]{0,4})/([1-9][0-9]{0,4})$`)

// jobShard is the value of --shard in a pod of an Indexed Job of Kubernetes.
const jobShard = "job"

// Environment variables of a pod of an Indexed Job. Kubernetes sets the index, which starts at zero;
// the manifest of the Job must set the other one to spec.completions.
const (
	jobIndex       = "JOB_COMPLETION_INDEX"
	jobCompletions = "JOB_COMPLETIONS"
)

// parseShardFlag parses --shard. In an Indexed Job, the environment has the shard.
func parseShardFlag(text string, lookup func(string) (string, bool)) (shard, error) {
	if text == jobShard {
		return shardOfJob(lookup)
	}
	return parseShard(text)
}

// parseShard parses i/n: "2/7" is the second of seven shards.
func parseShard(text string) (shard, error) {
	if text == "" {
		return shard{}, nil
	}
	parts := shardText.FindStringSubmatch(text)
	if parts == nil {
		return shard{}, fmt.Errorf("--shard %q: must be i/n, such as 2/7 for the second of seven, or job in an Indexed Job of Kubernetes",
			text)
	}
	index, _ := strconv.Atoi(parts[1]) // at most five digits
	of, _ := strconv.Atoi(parts[2])
	if index > of {
		return shard{}, fmt.Errorf("--shard %s: there are only %d shards", text, of)
	}
	return shard{index, of}, nil
}

func shardOfJob(lookup func(string) (string, bool)) (shard, error) {
	var errs []error
	number := func(name string, least int, hint string) int {
		text, _ := lookup(name)
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > 99_999 {
			errs = append(errs, fmt.Errorf("--shard %s: the environment variable %s is %q; %s", jobShard, name, text, hint))
		}
		return n
	}
	index := number(jobIndex, 0, "Kubernetes sets it in the pods of a Job with completionMode: Indexed")
	of := number(jobCompletions, 1, "set it to spec.completions in the manifest of the Job")
	if len(errs) == 0 && index >= of {
		errs = append(errs, fmt.Errorf("--shard %s: %s is %d, and there are only %d shards: set %s to spec.completions",
			jobShard, jobIndex, index, of, jobCompletions))
	}
	if err := errors.Join(errs...); err != nil {
		return shard{}, err
	}
	return shard{index + 1, of}, nil
}

// String returns the shard as the flag has it, or "" for all cases.
func (s shard) String() string {
	if s.of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.index, s.of)
}

// has reports whether a case or a file belongs to the shard. Cases are assigned to shards by a hash of
// their id, so adding cases never moves others.
func (s shard) has(name string) bool {
	if s.of == 0 {
		return true
	}
	sum := sha256.Sum256([]byte(name))
	return binary.BigEndian.Uint64(sum[:8])%uint64(s.of) == uint64(s.index-1)
}

// The values of --shard-by.
const (
	shardByCase = "case"
	shardByFile = "file"
)

// ByFileOption is --shard-by=file as reports record it.
const ByFileOption = "--shard-by=" + shardByFile

// fileBits is the number of bits of a case's number that count within its file, if shards consist of
// whole files. A shard does not know how many cases the files of other shards have.
const fileBits = 36

// byFile reports whether shards consist of whole files.
func (o *Options) byFile() bool { return o.shardBy == shardByFile }

// digest is a hash of all cases of a run, or of their files, including those of other shards.
type digest struct{ hash hash.Hash }

// addFile adds the name of a file.
func (d *digest) addFile(name string) { d.add(name) }

func (d *digest) add(texts ...string) {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	for _, text := range texts {
		fmt.Fprintf(d.hash, "%d:%s", len(text), text)
	}
}

// sum returns the digest, or "" if nothing was added.
func (d *digest) sum() string {
	if d.hash == nil {
		return ""
	}
	return hex.EncodeToString(d.hash.Sum(nil)[:16])
}
