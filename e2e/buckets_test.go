package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	_ "gocloud.dev/blob/azureblob"
	_ "gocloud.dev/blob/gcsblob"
	_ "gocloud.dev/blob/s3blob"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/diffrun/diffrun/internal/files/bucket"
)

// corpusBucket is the bucket on each server.
const corpusBucket = "corpus"

// TestBuckets tests the drivers of buckets with servers of their protocols: cases are read and reports
// written, a shard that was run before is found, merge combines shards, and only one of several soaks writes
// a difference.
func TestBuckets(t *testing.T) {
	for _, row := range []struct {
		scheme string
		start  func(t *testing.T) map[string]string // returns the environment
	}{{"s3", func(t *testing.T) map[string]string { return startS3(t, corpusBucket) }}, {"gs", startGS}, {"azblob", startAzurite}} {
		t.Run(row.scheme, func(t *testing.T) {
			for name, value := range row.start(t) {
				t.Setenv(name, value)
			}
			root := row.scheme + "://" + corpusBucket
			createdOnce(t, root)
			runFromBucket(t, root)
			soakIntoBucket(t, root)
			missing := row.scheme + "://nowhere/a.jsonl"
			if status, _, stderr := command(t, t.TempDir(), "run", "-o", "jsonl="+missing); status != 2 ||
				!strings.Contains(stderr, "there is no such bucket") {
				t.Errorf("a bucket that is not there: exit status %d\n%s", status, stderr)
			}
		})
	}
}

// createdOnce: if many processes write an object at once, one succeeds.
func createdOnce(t *testing.T, root string) {
	t.Helper()
	var written atomic.Int32
	var writers sync.WaitGroup
	for i := range 16 {
		writers.Go(func() {
			did, err := bucket.PutNew(t.Context(), root+"/once.txt", []byte(fmt.Sprint(i)))
			if err != nil {
				t.Error(err)
			}
			if did {
				written.Add(1)
			}
		})
	}
	writers.Wait()
	if written.Load() != 1 {
		t.Errorf("%s: %d of 16 wrote", root, written.Load())
	}
}

// ticketFiles is the number of case files.
const ticketFiles = 20

// ticketCases puts cases into a folder of a bucket: today.yaml rejects the priority of one case in ten,
// next.yaml that of one more.
func ticketCases(t *testing.T, folder string, cases int) {
	t.Helper()
	var lines [ticketFiles]strings.Builder
	for i := range cases {
		fmt.Fprintf(&lines[i*ticketFiles/cases],
			`{"id":"case-%d","object":{"apiVersion":"shadow.example.com/v1","kind":"Ticket","metadata":{"name":"a"},`+
				`"spec":{"priority":%d}}}`+"\n",
			i, []int{1, 2, 3, 4, 5, 1, 2, 3, 0, 9}[i%10])
	}
	for i := range lines {
		if _, err := bucket.PutNew(t.Context(), fmt.Sprintf("%s/%02d.jsonl", folder, i), []byte(lines[i].String())); err != nil {
			t.Fatal(err)
		}
	}
}

// ticketSuite writes a suite of tickets whose cases are in a bucket.
func ticketSuite(t *testing.T, dir, root string) {
	t.Helper()
	for _, name := range []string{"today.yaml", "next.yaml"} {
		text, err := os.ReadFile(filepath.Join("testdata/shadow", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), string(text))
	}
	write(t, filepath.Join(dir, "suite.yaml"), fmt.Sprintf("name: tickets\nnative: {crd: today.yaml}\ndeclarative: {crd: "+
		"next.yaml}\ncases: [%q]\n", root+"/cases/*.jsonl"))
}

// runFromBucket runs the cases of a bucket as a whole and in shards, with the reports in the bucket, too.
func runFromBucket(t *testing.T, root string) {
	t.Helper()
	dir := t.TempDir()
	ticketCases(t, root+"/cases", 2000)
	ticketSuite(t, dir, root)
	run := func(want int, args ...string) string {
		t.Helper()
		status, stdout, stderr := command(t, dir, args...)
		if status != want {
			t.Fatalf("diffrun %q: exit status %d, want %d\n%s%s", args, status, want, stdout, stderr)
		}
		return stderr
	}
	run(1, "run", "-o", "jsonl="+root+"/whole.jsonl", "suite.yaml")
	for _, again := range []bool{false, true} {
		for _, part := range []string{"1", "2"} {
			// A shard with differences has exit status 1, and 0 if it was run before.
			stderr := run(map[bool]int{false: 1}[again], "run", "--shard", part+"/2", "--resume", "-o",
				"jsonl="+root+"/"+part+".jsonl", "suite.yaml")
			if strings.Contains(stderr, "was run before") != again {
				t.Errorf("%s: part %s, again %t: %s", root, part, again, stderr)
			}
		}
	}
	run(1, "merge", root+"/1.jsonl", root+"/2.jsonl", "-o", "jsonl="+root+"/merged.jsonl")
	whole, merged := timeless(t, root+"/whole.jsonl"), timeless(t, root+"/merged.jsonl")
	if lines := strings.Count(whole, "\n"); whole != merged || lines < 2000 {
		t.Errorf("%s: the whole run has %d lines, the merged one %d; they should be equal", root, lines, strings.Count(merged, "\n"))
	}
}

var (
	seconds  = regexp.MustCompile(`"seconds":[0-9.e-]+`)
	origin   = regexp.MustCompile(`"origin":\{(?:[^{}]|\{[a-z]+\})*\}`) // when and where a run began
	checksum = regexp.MustCompile(`"sha256":"[0-9a-f]+"`)               // which covers the times
)

// timeless reads a report without its times and origin.
func timeless(t *testing.T, name string) string {
	t.Helper()
	text, err := fs.ReadFile(bucket.FS{FS: os.DirFS("/"), Context: t.Context()}, strings.TrimPrefix(name, "/"))
	if err != nil {
		t.Fatal(err)
	}
	text = origin.ReplaceAll(text, []byte(`"origin":{}`))
	return checksum.ReplaceAllString(seconds.ReplaceAllString(string(text), `"seconds":0`), `"sha256":""`)
}

// soakIntoBucket lets two soaks find the same difference at the same time.
func soakIntoBucket(t *testing.T, root string) {
	t.Helper()
	dir := t.TempDir()
	ticketSuite(t, dir, root)
	var soaks sync.WaitGroup
	var added atomic.Int32
	for range 2 {
		soaks.Go(func() {
			status, stdout, stderr := command(t, dir, "soak", "--duration", "3s", "--folder", root+"/found", "suite.yaml")
			if status != 1 {
				t.Errorf("%s: a soak has exit status %d\n%s%s", root, status, stdout, stderr)
			}
			added.Add(int32(strings.Count("\n"+stdout, "\nnew: ")))
		})
	}
	soaks.Wait()
	for _, suffix := range []string{".jsonl", ".txt"} {
		found, err := fs.Glob(bucket.FS{Context: t.Context()}, root+"/found/differences/*"+suffix)
		if err != nil || len(found) != 1 || added.Load() != 1 {
			t.Errorf("%s: %q, of which %d were new to the soaks: %v", root, found, added.Load(), err)
		}
	}
}

// command runs diffrun in a directory.
func command(t *testing.T, dir string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(*binaries, "diffrun"), args...)
	var out, says bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &says
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Error(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), says.String()
}

// startS3 starts gofakes3 with a bucket. Each test has its own bucket: this process keeps the connection to a
// bucket.
func startS3(t *testing.T, bucket string) map[string]string {
	address := freeAddress(t)
	startServer(t, address, filepath.Join(*binaries, "buckets"), "s3", address, bucket)
	return map[string]string{
		"AWS_ENDPOINT_URL":      "http://" + address,
		"AWS_REGION":            "us-east-1",
		"AWS_ACCESS_KEY_ID":     "e2e",
		"AWS_SECRET_ACCESS_KEY": "e2e",
	}
}

// startGS starts fake-gcs-server.
func startGS(t *testing.T) map[string]string {
	address := freeAddress(t)
	startServer(t, address, filepath.Join(*binaries, "buckets"), "gs", address, corpusBucket)
	return map[string]string{"STORAGE_EMULATOR_HOST": address}
}

// startAzurite starts azurite, which .ci/azurite installs with npm.
func startAzurite(t *testing.T) map[string]string {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(cache, "diffrun-e2e/azurite/node_modules/.bin/azurite-blob")
	if _, err := os.Stat(program); err != nil {
		t.Skipf("no azurite, so nothing holds azblob against a server: %v", err)
	}
	// The account of azurite. Its key is public.
	const account, key = "devstoreaccount1", "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
	address := freeAddress(t)
	host, port, _ := net.SplitHostPort(address)
	startServer(t, address, program, "--inMemoryPersistence", "--skipApiVersionCheck", "--silent", "--disableTelemetry",
		"--blobHost", host, "--blobPort", port)
	credential, err := azblob.NewSharedKeyCredential(account, key)
	if err != nil {
		t.Fatal(err)
	}
	client, err := azblob.NewClientWithSharedKeyCredential("http://"+address+"/"+account, credential, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateContainer(t.Context(), corpusBucket, nil); err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"AZURE_STORAGE_ACCOUNT": account, "AZURE_STORAGE_KEY": key, "AZURE_STORAGE_DOMAIN": address,
		"AZURE_STORAGE_PROTOCOL": "http", "AZURE_STORAGE_IS_LOCAL_EMULATOR": "true",
	}
}

// freeAddress returns the address of a free port.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// startServer starts a server until the test ends, and waits until it answers.
func startServer(t *testing.T, address, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	var says bytes.Buffer
	cmd.Stdout, cmd.Stderr = &says, &says
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Logf("%s says:\n%s", program, says.String()[max(0, says.Len()-2000):])
		}
	})
	err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address, nil)
		if err != nil {
			return false, err
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return false, nil
		}
		return true, answer.Body.Close()
	})
	if err != nil {
		t.Fatalf("%s does not answer: %v", program, err)
	}
}
