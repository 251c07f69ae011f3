package reports_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/diffrun/diffrun/reports"
)

var screenshots = flag.String("screenshots", "", "write pictures of the HTML report to this directory")

// browserRequired is the environment variable that makes a missing browser a failure.
const browserRequired = "DIFFRUN_BROWSER_REQUIRED"

// axeFile is the environment variable that has the path of axe-core; .ci/axe installs it.
const axeFile = "DIFFRUN_AXE"

// openBrowser starts a browser for the tests of t, or skips them.
func openBrowser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	switch {
	case path == "" && os.Getenv(browserRequired) != "":
		t.Fatalf("there is no chromium, chromium-browser or google-chrome in PATH, and %s is set; install Debian's chromium",
			browserRequired)
	case path == "":
		t.Skip("SKIPPED: there is no chromium, chromium-browser or google-chrome in PATH, so nothing looks at the HTML report; " +
			"install Debian's chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // without which the browser does not start as root
	}
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	browser, _ := chromedp.NewContext(allocator)
	if err := chromedp.Do(browser); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := chromedp.Cancel(browser); err != nil {
			t.Errorf("the browser did not end well: %v", err)
		}
	})
	return browser
}

// tab is a report in a tab of the browser.
type tab struct {
	*testing.T
	ctx context.Context

	mu     sync.Mutex
	errors []string // errors in the browser, and the URLs that it loaded
}

// open plays a run and shows its report.
func open(t *testing.T, browser context.Context, run recording, width int64, scheme string) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	reporter, err := reports.New("html", out, reports.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run.play(t, reporter)
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	opened := &tab{T: t}
	ctx, end := chromedp.NewContext(browser, chromedp.WithListener(opened.listen))
	t.Cleanup(end)
	opened.ctx, end = context.WithTimeout(ctx, 2*time.Minute) // so that a page that hangs ends
	t.Cleanup(end)
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(opened.ctx, emulation.SetEmulatedMedia, media); err != nil {
		t.Fatal(err)
	}
	opened.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate("file://"+file))
	return opened
}

func (b *tab) listen(event any) {
	said := ""
	switch event := event.(type) {
	case *runtime.EventExceptionThrown:
		said = "throws " + event.ExceptionDetails.Text
		if thrown := event.ExceptionDetails.Exception; thrown != nil {
			said += " " + thrown.Description
		}
	case *runtime.EventConsoleAPICalled:
		said = fmt.Sprintf("console.%s", event.Type)
	case *log.EventEntryAdded:
		said = event.Entry.Text
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(event.Request.URL, "file://") && !strings.HasPrefix(event.Request.URL, "data:") {
			said = "loads " + event.Request.URL
		}
	}
	if said != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.errors = append(b.errors, said)
	}
}

// said returns the errors that the page logged or threw, and the URLs that it loaded.
func (b *tab) said() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.errors)
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// eval returns the value of an expression.
func eval[T any](b *tab, expression string) T {
	b.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return value
}

// script runs a script and ignores its value.
func (b *tab) script(expression string) {
	b.Helper()
	eval[bool](b, "(() => { "+expression+"; return true; })()")
}

func (b *tab) click(selector string) {
	b.Helper()
	b.do(chromedp.Click(chromedp.CSS(selector)))
}

// holds fails the test if an expression is not true.
func (b *tab) holds(expression, why string) {
	b.Helper()
	if !eval[bool](b, expression) {
		b.Errorf("%s: not so: %s", why, expression)
	}
}

// text returns the text of elements.
func (b *tab) text(selector string) []string {
	b.Helper()
	return eval[[]string](b, fmt.Sprintf("[...document.querySelectorAll(%q)].filter((e) => e.checkVisibility()).map((e) => "+
		"e.innerText)", selector))
}

// clickOn clicks on the first of some elements that shows a text.
func (b *tab) clickOn(selector, text string) {
	b.Helper()
	b.script(fmt.Sprintf("[...document.querySelectorAll(%q)].find((e) => e.innerText.includes(%q)).click()", selector, text))
}

// press presses a letter key. Unlike with chromedp.KeyEvent, the letter is not typed if the page prevents the
// default action of the key.
func (b *tab) press(letter string) {
	b.Helper()
	for _, event := range []input.DispatchKeyEventParams{
		{Type: input.DispatchKeyEventTypeKeyDown, Key: letter, Text: letter},
		{Type: input.DispatchKeyEventTypeKeyUp, Key: letter},
	} {
		if _, err := chromedp.Call(b.ctx, input.DispatchKeyEvent, event); err != nil {
			b.Fatal(err)
		}
	}
}

// choose sets a select, or the search, as a person does.
func (b *tab) choose(id, value string) {
	b.Helper()
	b.script(fmt.Sprintf("const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event('input', { bubbles: "+
		"true }))", id, value))
}

// picture takes a screenshot of the page.
func (b *tab) picture(name string) {
	b.Helper()
	if *screenshots == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name+".png"), png, 0o644); err != nil {
		b.Fatal(err)
	}
}
