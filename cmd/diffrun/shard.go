package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"regexp"
	"strconv"

	"github.com/diffrun/diffrun/harness"
)

// shard is a part of the cases of a run; the zero value is all of them.
type shard struct{ index, of int }

var shardText = regexp.MustCompile(`^([1-9][0-9]{0,4})/([1-9][0-9]{0,4})$`)

// jobShard stands for the shard of a pod of an Indexed Job of Kubernetes.
const jobShard = "job"

// Environment variables of a pod of an Indexed Job. Kubernetes sets the index, which counts from
// nought; the manifest of the Job must set the other one to spec.completions.
const (
	jobIndex       = "JOB_COMPLETION_INDEX"
	jobCompletions = "JOB_COMPLETIONS"
)

// parseShard reads "2/7": the second of seven shards.
func parseShard(text string) (shard, error) {
	if text == "" {
		return shard{}, nil
	}
	parts := shardText.FindStringSubmatch(text)
	if parts == nil {
		return shard{}, fmt.Errorf("--shard %q: give i/n, such as 2/7 for the second of seven, or job in an Indexed Job of Kubernetes", text)
	}
	index, _ := strconv.Atoi(parts[1]) // which are at most five digits
	of, _ := strconv.Atoi(parts[2])
	if index > of {
		return shard{}, fmt.Errorf("--shard %s: there are only %d shards", text, of)
	}
	return shard{index, of}, nil
}

// shardOfFlag reads --shard, for which the environment decides in an Indexed Job.
func shardOfFlag(text string, lookup func(string) (string, bool)) (shard, error) {
	if text == jobShard {
		return shardOfJob(lookup)
	}
	return parseShard(text)
}

func shardOfJob(lookup func(string) (string, bool)) (shard, error) {
	var errs []error
	number := func(name string, least int, what string) int {
		text, _ := lookup(name)
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > 99_999 {
			errs = append(errs, fmt.Errorf("--shard %s: the environment variable %s is %q; %s", jobShard, name, text, what))
		}
		return n
	}
	index := number(jobIndex, 0, "Kubernetes sets it in the pods of a Job with completionMode: Indexed")
	of := number(jobCompletions, 1, "set it to spec.completions in the manifest of the Job")
	if len(errs) == 0 && index >= of {
		errs = append(errs, fmt.Errorf("--shard %s: %s is %d, and there are only %d shards: set %s to spec.completions", jobShard, jobIndex, index, of, jobCompletions))
	}
	if err := errors.Join(errs...); err != nil {
		return shard{}, err
	}
	return shard{index + 1, of}, nil
}

// leftToMerge lets the pod of an Indexed Job succeed if its report is complete. Kubernetes would run
// a failed pod again with the same result, and diffrun merge judges all parts.
func (p *program) leftToMerge(options runOptions, verdict error) error {
	ended := (*exitError)(nil)
	if options.part != jobShard || options.record() == "" || !errors.As(verdict, &ended) || ended.status != statusDifferent && ended.status != statusFault {
		return verdict
	}
	p.warn("diffrun: part %s would end with status %d; its report is complete, and diffrun merge judges\n", options.shard, ended.status)
	return nil
}

// String gives the shard as the flag has it; empty for all cases.
func (s shard) String() string {
	if s.of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.index, s.of)
}

// has reports whether a case or a file belongs to the shard. A hash of its name decides, so that new
// cases or files do not move others to another shard.
func (s shard) has(name string) bool {
	if s.of == 0 {
		return true
	}
	sum := sha256.Sum256([]byte(name))
	return binary.BigEndian.Uint64(sum[:8])%uint64(s.of) == uint64(s.index-1)
}

// What the parts of a run are made of.
const (
	shardByCase = "case"
	shardByFile = "file"
	// wordByFile is the flag in reports.
	wordByFile = "--shard-by=" + shardByFile
)

// fileBits is how many bits of the number of a case count within its file, if shards have whole
// files. A shard does not know how many cases the files of other shards have.
const fileBits = 36

// byFile reports whether the parts of the run are whole files.
func (o runOptions) byFile() bool { return o.partBy == shardByFile }

// mine reports whether a file of cases belongs to the shard. A shard does not read the files of
// others, so it puts the names of all files into the digest that all shards of a run share.
func (s *session) mine(file string) bool {
	s.fileCount++
	s.digest.name(file)
	return s.options.shard.has(file)
}

// digest is a hash of all cases of a run, those of other shards as well, or of their files.
type digest struct{ hash hash.Hash }

// add takes a case of a suite.
func (d *digest) add(suite string, c harness.Case) {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	object, _ := json.Marshal(c.Object) // what has no JSON is told apart by its id
	old, _ := json.Marshal(c.Old)
	for _, part := range []string{suite, c.ID, c.Version.String(), c.Subresource, string(object), string(old)} {
		fmt.Fprintf(d.hash, "%d:%s", len(part), part)
	}
}

// name adds the name of a file.
func (d *digest) name(file string) {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	fmt.Fprintf(d.hash, "%d:%s", len(file), file)
}

// sum is empty if there is no case.
func (d *digest) sum() string {
	if d.hash == nil {
		return ""
	}
	return hex.EncodeToString(d.hash.Sum(nil)[:16])
}
