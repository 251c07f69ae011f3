package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

// openTerminal returns both ends of a pseudo terminal (man 4 pts) with this number of columns.
func openTerminal(t *testing.T, columns uint16) (screen, tty *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	var number, unlock uint32
	size := [4]uint16{40, columns}
	for _, call := range []struct {
		request uintptr
		value   unsafe.Pointer
	}{
		{syscall.TIOCSPTLCK, unsafe.Pointer(&unlock)},
		{syscall.TIOCGPTN, unsafe.Pointer(&number)},
		{syscall.TIOCSWINSZ, unsafe.Pointer(&size)},
	} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, screen.Fd(), call.request, uintptr(call.value)); errno != 0 {
			t.Fatal(errno)
		}
	}
	if tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	return screen, tty
}

// separately returns the command as a separate process, in a directory with a suite.
func separately(t *testing.T, suite map[string]string, args ...string) *exec.Cmd {
	t.Helper()
	dir := t.TempDir()
	for name, content := range suite {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &exec.Cmd{Path: self, Args: append([]string{"diffrun"}, args...), Dir: dir, Env: append(os.Environ(), "TERM=xterm")}
}

const terminalSuite = "name: widgets\nnative: {builtin: widgets}\ndeclarative: {builtin: widgets}\ncases: [cases.yaml]\n"

// On a terminal, a progress bar below the report counts cases and is removed at the end. It does not
// break lines of the report.
func TestProgressOnATerminal(t *testing.T) {
	command := separately(t, map[string]string{
		"suite.yaml": terminalSuite,
		"cases.yaml": "target: example.com/v1 Widget\ncases:\n- {name: below, object: {size: -1}}\n- {name: hangs, object: " +
			"{mode: hang}}\n- {name: above, object: {size: 11}}\n",
	}, "run", "--parallel", "1", "--timeout", "500ms", ".")
	screen, tty := openTerminal(t, 120)
	command.Stdout, command.Stderr = tty, tty
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	_ = tty.Close()
	shown, _ := io.ReadAll(screen) // ends with an error when no process has the terminal open
	if err := command.Wait(); err == nil || command.ProcessState.ExitCode() != int(terminal.Fault) {
		t.Errorf("ended with %v", err)
	}
	text := string(shown)
	if !strings.Contains(text, "1 of 3 cases") {
		t.Errorf("no bar counted the first case:\n%q", text)
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\r\n") {
		line = line[strings.LastIndex(line, "\x1b[2K")+1:] // what is left after the line was erased
		lines = append(lines, regexp.MustCompile(`\x1b?\[[0-9;]*[A-Za-z]`).ReplaceAllString(line, ""))
	}
	for _, want := range []string{"✗ cases.yaml#below", "    too-loose  size", "✗ cases.yaml#hangs"} {
		found := false
		for _, line := range lines {
			found = found || line == want
		}
		if !found {
			t.Errorf("no line is %q:\n%q", want, lines)
		}
	}
	if _, summary, found := strings.Cut(text, "3 inputs of 3 cases"); !found || strings.Contains(summary, "of 3 cases") {
		t.Errorf("the bar is still there behind the summary: %q", summary)
	}
}

// oneCaseOn runs a case that differs, with stdout on a terminal and stderr elsewhere.
func oneCaseOn(t *testing.T, columns uint16) (shown, stderr string) {
	t.Helper()
	command := separately(t, map[string]string{
		"suite.yaml": terminalSuite,
		"cases.yaml": "target: example.com/v1 Widget\ncases:\n- {name: below, object: {size: -1}}\n",
	}, "run", ".")
	screen, tty := openTerminal(t, columns)
	var messages strings.Builder
	command.Stdout, command.Stderr = tty, &messages
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	_ = tty.Close()
	text, _ := io.ReadAll(screen) // ends with an error when no process has the terminal open
	if err := command.Wait(); err == nil || command.ProcessState.ExitCode() != int(terminal.Different) {
		t.Errorf("ended with %v", err)
	}
	return string(text), messages.String()
}

// No bar is drawn if stderr is not a terminal.
func TestNoProgressInAFile(t *testing.T) {
	shown, stderr := oneCaseOn(t, 120)
	if strings.Contains(shown+stderr, "of 1 cases") || !strings.Contains(shown, "too-loose") {
		t.Errorf("terminal %q, stderr %q", shown, stderr)
	}
}

// Lines of a report fit the width of the terminal, so that it does not break words.
func TestNarrowTerminal(t *testing.T) {
	const columns = 70
	shown, stderr := oneCaseOn(t, columns)
	lines := strings.Split(regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`).ReplaceAllString(shown, ""), "\r\n")
	if len(lines) < 10 {
		t.Fatalf("there is no report: %q, stderr %q", lines, stderr)
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > columns {
			t.Errorf("a line of %d columns: %q", utf8.RuneCountInString(line), line)
		}
	}
}

// After the first interrupt, the run reports what was finished. A second one ends the command at once,
// even if the report cannot be written.
func TestSecondInterrupt(t *testing.T) {
	var lines strings.Builder
	for i := range 3000 { // more than a pipe holds
		fmt.Fprintf(&lines, `{"id":"%d","object":{"apiVersion":"example.com/v1","kind":"Widget","size":-1}}`+"\n", i)
	}
	command := separately(t, map[string]string{
		"suite.yaml":  strings.Replace(terminalSuite, "cases.yaml", "cases.jsonl", 1),
		"cases.jsonl": lines.String(),
	}, "run", "-o", "jsonl", "-o", "json=report.json", ".")
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReaderSize(stdout, 16).ReadString('\n'); err != nil { // the run has begun, and nobody reads any more
		t.Fatal(err)
	}
	ended := make(chan *os.ProcessState, 1)
	go func() {
		state, _ := command.Process.Wait()
		ended <- state
	}()
	interrupts := 0
	for {
		select {
		case state := <-ended:
			if status := state.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGINT {
				t.Errorf("ended with %v, want an interrupt", state)
			}
			if interrupts < 2 {
				t.Errorf("%d interrupts ended it; the first one must leave it to report", interrupts)
			}
			if left, _ := filepath.Glob(filepath.Join(command.Dir, "*.tmp")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			return
		case <-time.After(300 * time.Millisecond):
			if interrupts++; interrupts > 50 {
				_ = command.Process.Kill()
				t.Fatal("interrupts do not end it")
			}
			_ = command.Process.Signal(os.Interrupt)
		}
	}
}

// If stdout is a closed pipe, as before head, the report in a file is still complete, without temporary
// files beside it. Without a file, the process ends as others do.
func TestNobodyReadsStdout(t *testing.T) {
	for _, tt := range []struct {
		args  []string
		ended string
	}{
		{[]string{"run", "-o", "text", "-o", "jsonl=report.jsonl", "."}, "exit status 1"}, // that of the run
		{[]string{"run", "."}, "signal: broken pipe"},
	} {
		command := separately(t, map[string]string{
			"suite.yaml": terminalSuite,
			"cases.yaml": "target: example.com/v1 Widget\ncases:\n- {name: below, object: {size: -1}}\n- {name: above, " +
				"object: {size: 11}}\n",
		}, tt.args...)
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = reader.Close()
		var stderr strings.Builder
		command.Stdout, command.Stderr = writer, &stderr
		if err := command.Run(); err == nil || err.Error() != tt.ended {
			t.Errorf("%v ended with %v, want %s: %s", tt.args, err, tt.ended, &stderr)
		}
		_ = writer.Close()
		if len(tt.args) == 2 {
			continue
		}
		if !strings.Contains(stderr.String(), "-o text was not written to stdout: broken pipe\n") {
			t.Errorf("stderr: %s", &stderr)
		}
		report, err := os.ReadFile(filepath.Join(command.Dir, "report.jsonl"))
		if err != nil || !strings.Contains(string(report), `"case":"cases.yaml#above"`) ||
			!strings.Contains(string(report), `"incomplete":false`) {
			t.Errorf("%v: %s", err, report)
		}
		if left, _ := filepath.Glob(filepath.Join(command.Dir, "*.tmp")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// An interrupt ends the run even while it reads a file that never ends.
func TestInterruptWhileReading(t *testing.T) {
	command := separately(t, map[string]string{
		"suite.yaml":  strings.Replace(terminalSuite, "cases.yaml", "cases.jsonl", 1),
		"cases.jsonl": "",
	}, "run", "-o", "jsonl", ".")
	if err := os.Truncate(filepath.Join(command.Dir, "cases.jsonl"), 1<<40); err != nil {
		t.Skip("no file of this size: ", err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	if _, err := lines.ReadString('\n'); err != nil { // the run has begun
		t.Fatal(err)
	}
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	tooLong := time.AfterFunc(time.Minute, func() { _ = command.Process.Kill() })
	defer tooLong.Stop()
	footer, _ := lines.ReadString('\n')
	if err := command.Wait(); err == nil || command.ProcessState.ExitCode() != int(terminal.Interrupted) {
		t.Errorf("ended with %v, want status %d", err, terminal.Interrupted)
	}
	if !strings.Contains(footer, `"incomplete":true`) {
		t.Errorf("the last line is %s", footer)
	}
}

// One interrupt of any kind ends validate while it waits for input from a pipe.
func TestInterruptWhileWaiting(t *testing.T) {
	for _, by := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		command := separately(t, nil, "validate", "-f", "pipe.yaml")
		pipe := filepath.Join(command.Dir, "pipe.yaml")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		writer, err := os.OpenFile(pipe, os.O_WRONLY, 0) // when it is read
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Process.Signal(by); err != nil {
			t.Fatal(err)
		}
		tooLong := time.AfterFunc(time.Minute, func() { _ = command.Process.Kill() })
		if err := command.Wait(); err == nil || command.ProcessState.ExitCode() != int(terminal.Interrupted) {
			t.Errorf("%v: ended with %v, want status %d", by, err, terminal.Interrupted)
		}
		tooLong.Stop()
		_ = writer.Close()
	}
}
