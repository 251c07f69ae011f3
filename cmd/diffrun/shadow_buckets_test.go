//go:build buckets

package main

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

// TestShadowBucketHangs checks that a bucket that never answers delays neither requests of the API server
// nor comparisons. At the end the shadow prints what it could not write.
func TestShadowBucketHangs(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() // connections wait in its backlog until then
	credentials := []string{
		"AWS_ACCESS_KEY_ID=nobody",
		"AWS_SECRET_ACCESS_KEY=nothing",
		"AWS_REGION=us-east-1",
		"AWS_ENDPOINT_URL=http://" + listener.Addr().String(),
	}
	s := startShadow(t, t.TempDir(), credentials, "--print-cases", "--folder", "s3://bucket/shadow", "widgets")
	const sent = 30
	for i := range sent {
		if got := s.send(t, reviewOf(fmt.Sprint(i), "CREATE", sizedWidget(-1))); !strings.Contains(got, `"allowed":true`) {
			t.Fatalf("the answer is %s", got)
		}
	}
	if status := s.end(t); status != int(terminal.Mistake) {
		t.Errorf("exit status %d, want %d\n%s", status, terminal.Mistake, &s.said)
	}
	for _, want := range []string{
		"not written: too-loose (admits): example.com/v1 Widget size: ",
		`"size":-1`,
		fmt.Sprintf("%d inputs of %d cases", sent, sent),
	} {
		if !strings.Contains(s.out.String(), want) {
			t.Errorf("stdout lacks %q:\n%s", want, &s.out)
		}
	}
	for _, want := range []string{
		"30 requests allowed\n",
		"diffrun: warning: the bucket for differences fails; it is tried again for each difference: open s3://bucket/shadow/differences: ",
		"new differences that were not written to s3://bucket/shadow/differences: 1: ",
	} {
		if !strings.Contains(s.said.String(), want) {
			t.Errorf("stderr lacks %q:\n%s", want, &s.said)
		}
	}
}
