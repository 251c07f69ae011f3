package admission_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/admission"
)

// stack is that of a panic in a webhook; FRAMES stands for the innermost ones.
const stack = `goroutine 7 [running]:
k8s.io/apimachinery/pkg/util/runtime.logPanic({0x1, 0x2}, {0x3, 0x4})
	/home/u/go/pkg/mod/k8s.io/apimachinery@v0.36.0/pkg/util/runtime/runtime.go:132 +0xbc
sigs.k8s.io/controller-runtime/pkg/webhook/admission.(*Webhook).Handle.func1()
	/home/u/go/pkg/mod/sigs.k8s.io/controller-runtime@v0.24.0/pkg/webhook/admission/webhook.go:163 +0x1c0
panic({0x1, 0x2})
	/usr/local/go/src/runtime/panic.go:783 +0x132
FRAMES
k8s.io/apimachinery/pkg/api/resource.MustParse(...)
	/home/u/go/pkg/mod/k8s.io/apimachinery@v0.36.0/pkg/api/resource/quantity.go:148
github.com/other/cron.Parse({0x1, 0x2})
	/home/u/go/pkg/mod/github.com/other/cron@v1.2.3/cron.go:8 +0x1
example.com/op/api/v1.(*Validator[...]).check(0xc000123, {0x1, 0x2})
	/home/u/op/api/v1/widget.go:42 +0x1d
sigs.k8s.io/controller-runtime/pkg/webhook/admission.(*Webhook).Handle(0x1, {0x2, 0x3})
	/home/u/go/pkg/mod/sigs.k8s.io/controller-runtime@v0.24.0/pkg/webhook/admission/webhook.go:181 +0x2a
created by main.main in goroutine 1
	/home/u/op/main.go:9 +0x2a`

func TestLoggedPanic(t *testing.T) {
	const check = "example.com/op/api/v1/widget.go:42 (v1.(*Validator[...]).check)"
	of := func(frames ...string) string {
		return strings.Replace(stack, "FRAMES\n", strings.Join(append(frames, ""), "\n"), 1)
	}
	inJSON := func(text string) string {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return string(quoted)
	}
	klog := func(stack string) string {
		return "I1129 07:00:00 1 main.go:3] start\nE1129 07:00:00.000001 7 panic.go:262] \"Observed a panic\" panic=\"oh\" " +
			"stacktrace=<\n\t" + strings.ReplaceAll(stack, "\n", "\n\t") + "\n >\n"
	}
	for _, tt := range []struct{ why, log, want string }{
		{"klog; dependencies are no code of the user", klog(of()), check},
		{"zap as JSON", `{"level":"error","msg":"Observed a panic","panic":"oh","stacktrace":` + inJSON(of()) + "}\n", check},
		{"zap for people, with a stack of its own", "2026-11-29\tERROR\tObserved a panic\t{\"panic\": \"oh\", \"stacktrace\": " +
			inJSON(of()) +
			"}\nexample.com/op/api/v1.log\n\t/home/u/op/api/v1/log.go:1\nruntime.gopanic\n\t/usr/local/go/src/runtime/" +
			"panic.go:783\nexample.com/op/api/v1.(*Validator[...]).check\n\t/home/u/op/api/v1/widget.go:42\n", check},
		{"Go's own packages", klog(of("regexp.MustCompile({0x1, 0x1})", "\t/usr/local/go/src/regexp/regexp.go:313 +0xb4")), check},
		{"... with -trimpath", klog(of("regexp.MustCompile({0x1, 0x1})", "\tregexp/regexp.go:313 +0xb4")), check},
		{"a dependency in vendor", klog(of("example.org/lib.Must(0x1)", "\t/home/u/op/vendor/example.org/lib/lib.go:3 +0xb4")), check},
		{"the main package is named by its folder", klog(of("main.validate.func1(...)", "\t/home/u/op/validator/main.go:12")),
			"validator/main.go:12 (main.validate.func1)"},
		{"a panic that a function caught and raised again is the first one",
			klog(of("example.com/op.again()", "\t/home/u/op/again.go:2 +0x1", "panic({0x1, 0x2})",
				"\t/usr/local/go/src/runtime/panic.go:783 +0x1")),
			check},
		{"a module without a dot in its name", klog(of("op/api.check(0x1)", "\t/home/u/op/api/check.go:2 +0x1")),
			"op/api/check.go:2 (api.check)"},
		{"the last one counts", klog(of("example.com/op.one(0x1)", "\t/home/u/op/one.go:1 +0x1")) + klog(of()), check},
		{"all of it is a dependency: the topmost",
			klog(strings.ReplaceAll(of(), "/home/u/op/api/v1/", "/home/u/go/pkg/mod/example.com/op@v1.0.0/api/v1/")),
			"github.com/other/cron/cron.go:8 (cron.Parse)"},
		{"not logged to its end", klog(of()[:len(of())/2]), ""},
		{"no stack", `{"level":"error","msg":"Observed a panic","panic":"oh"}`, ""},
		{"a crash is no panic of a webhook", "panic: oh\n\n" + of(), ""},
	} {
		if got := admission.LoggedPanic(tt.log); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}
