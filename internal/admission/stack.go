package admission

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// observed begins what the panic handlers of k8s.io/apimachinery/pkg/util/runtime log.
const observed = "Observed a panic"

// handle is the function of controller-runtime that recovers panics, below all frames of a validator.
const handle = "sigs.k8s.io/controller-runtime/pkg/webhook/admission.(*Webhook).Handle"

// LoggedPanic returns the place of the last panic of a webhook in a log; empty: its stack is not logged there, or not to
// its end. The log may be klog's, or one of zap, where a stack is one text in JSON.
func LoggedPanic(log string) string {
	at := strings.LastIndex(log, observed)
	if at < 0 {
		return ""
	}
	stack := unescapeLines.Replace(log[at:])
	if !slices.ContainsFunc(framesOf(stack), func(f frame) bool { return f.function == handle }) {
		return ""
	}
	return StackPlace(stack)
}

var unescapeLines = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`)

// frame is a function of a stack, and the line that it is at.
type frame struct {
	function   string // with the path of its package
	file, line string
}

var (
	position  = regexp.MustCompile(`^\s*(\S.*\.go):(\d+)(?: \+0x[0-9a-f]+)?\W*$`)
	arguments = regexp.MustCompile(`\([^()]*\)$`)
)

// StackPlace returns the place of a panic in the code of a user, from the stack of the goroutine as Go prints it while
// the panic is recovered: the topmost frame that is not of Go, of a dependency, or of what serves the webhook. Without
// one it is the topmost frame of a dependency. It is empty if the text is no such stack.
func StackPlace(stack string) string {
	frames := framesOf(stack)
	for i := len(frames) - 1; i >= 0; i-- {
		if name := frames[i].function; name == "panic" || name == "runtime.gopanic" {
			frames = frames[i+1:] // those above are of who recovers it, or panics again
			break
		}
	}
	frames = slices.DeleteFunc(frames, frame.ofServing)
	if at := slices.IndexFunc(frames, frame.ofUser); at >= 0 {
		return frames[at].String()
	}
	if len(frames) > 0 {
		return frames[0].String()
	}
	return ""
}

// framesOf reads pairs of lines: a function with its arguments, and its position.
func framesOf(stack string) []frame {
	var frames []frame
	before := ""
	for line := range strings.Lines(stack) {
		if match := position.FindStringSubmatch(strings.TrimRight(line, "\r\n")); match != nil && before != "" {
			function := arguments.ReplaceAllString(before, "")
			function = function[strings.LastIndexAny(function, " \t\"")+1:]
			frames = append(frames, frame{function, match[1], match[2]})
		}
		before = strings.TrimSpace(line)
		if strings.HasPrefix(before, "created by ") {
			before = ""
		}
	}
	return frames
}

// goPackage returns the path of the package of a function such as "example.com/api/v1.(*Widget).Validate".
func (f frame) goPackage() string {
	slash := strings.LastIndexByte(f.function, '/') + 1
	name, _, _ := strings.Cut(f.function[slash:], ".")
	return f.function[:slash] + name
}

// ofServing reports whether a frame is of Go's own packages, or of what is between the API server and a webhook.
func (f frame) ofServing() bool {
	of := f.goPackage()
	for _, module := range []string{"k8s.io/apimachinery", "sigs.k8s.io/controller-runtime"} {
		if of == module || strings.HasPrefix(of, module+"/") {
			return true
		}
	}
	const own = "github.com/diffrun/diffrun/"
	switch strings.TrimPrefix(of, own) {
	case "backends/native", "backends/native/exec", "backends/native/controllerruntime", "backends/native/webhook",
		"internal/admission", "harness":
		return strings.HasPrefix(of, own)
	}
	return f.ofGo()
}

// ofGo reports whether a frame is of Go's own packages. Their files are in GOROOT, or without a folder outside the package
// if the program was built with -trimpath.
func (f frame) ofGo() bool {
	of := f.goPackage()
	first, _, _ := strings.Cut(of, "/")
	if first == "runtime" || first == "panic" {
		return true
	}
	inGo := path.Join(of, path.Base(f.file))
	return first != "main" && !strings.Contains(first, ".") && (f.file == inGo || strings.HasSuffix(f.file, "/src/"+inGo))
}

// ofUser reports whether a frame is of no dependency.
func (f frame) ofUser() bool {
	return !strings.Contains(f.file, "@v") && !strings.Contains(f.file, "/vendor/")
}

// String returns the file with the path of its package, which is the same on every machine, and the function.
func (f frame) String() string {
	of, file := f.goPackage(), path.Base(f.file)
	folder := of
	if of == "main" {
		folder = path.Base(path.Dir(f.file))
	}
	return fmt.Sprintf("%s:%s (%s)", path.Join(folder, file), f.line, f.function[strings.LastIndexByte(f.function, '/')+1:])
}
