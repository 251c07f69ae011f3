package webhook_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/widgets/webhook"
)

const review = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"%d","operation":"CREATE","object":{"apiVersion":"widgets.example.com/v1","kind":"Widget","metadata":{"name":"served"},"spec":{"size":3}}}}`

func TestServe(t *testing.T) {
	for _, deny := range []bool{false, true} {
		t.Run(fmt.Sprint(deny), func(t *testing.T) {
			s := &webhook.Server{Deny: deny, Next: func() {}}
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(fmt.Sprintf(review, 1))))
			if !w.Flushed || w.Code != 200 || w.Header().Get("Content-Type") != "application/json" || strings.Contains(w.Body.String(), `"allowed":true`) == deny {
				t.Errorf("answer %d %s", w.Code, w.Body)
			}
		})
	}
	for _, body := range []io.Reader{strings.NewReader("{"), strings.NewReader("  no"), iotest.ErrReader(errors.New("gone")), io.MultiReader(strings.NewReader(`{"a":`), iotest.ErrReader(errors.New("gone")))} {
		w := httptest.NewRecorder()
		(&webhook.Server{}).ServeHTTP(w, httptest.NewRequest("POST", "/", body))
		if w.Code != 400 {
			t.Errorf("answer %d %s", w.Code, w.Body)
		}
	}
}

func TestServer(t *testing.T) {
	server := httptest.NewServer(webhook.New())
	defer server.Close()
	for path, want := range map[string]string{"/health": "ok", "/validate": `"allowed":true`} {
		answer, err := http.Post(server.URL+path, "application/json", strings.NewReader(fmt.Sprintf(review, 2)))
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(answer.Body)
		if !strings.Contains(string(data), want) {
			t.Errorf("%s: %s", path, data)
		}
	}
}
