// Command planted measures how well "diffrun explore" finds mistakes in schemas and policies. It plants
// one random mistake in the printed schema of a built-in kind, in a definition or in a policy, lets the
// explorer compare it with the validator or with the file without the mistake, and reports after how much
// processor time the first changed verdict was found. It also counts the fields of the case beyond those
// that the schema requires. The families of mistakes take turns.
//
//	go run ./planted -diffrun /tmp/diffrun -crds FOLDER -n 55 -seed 1 > planted/found.txt
//
// Some mistakes change no verdict, because other keywords say the same. Look at those that are missed.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"sigs.k8s.io/yaml"
)

var (
	diffrun = flag.String("diffrun", "diffrun", "the command that is measured")
	n       = flag.Int("n", 50, "how many mistakes are planted")
	seed    = flag.Uint64("seed", 1, "the seed of the mistakes")
	only    = flag.Int("only", -1, "plant only the mistake of this number")
	seconds = flag.Float64("seconds", 10, "processor time for each")
	keep    = flag.String("keep", "", "with -only: write the suite with the mistake to this folder, and explore nothing")
	cases   = flag.String("cases", "../cases/kubernetes", "folder with the cases of the built-in kinds")
	crds    = flag.String("crds", os.Getenv("DIFFRUN_CRDS"), "folder with definitions; empty: built-in kinds alone")
)

func main() {
	flag.Parse()
	if err := measure(); err != nil {
		fmt.Fprintln(os.Stderr, "planted:", err)
		os.Exit(1)
	}
}

// measure plants all mistakes, one after the other.
func measure() error {
	subjects, err := subjects()
	if err != nil {
		return err
	}
	found, tried := 0, 0
	known := map[string]map[string]bool{} // what is different without a mistake, by subject
	for i := range *n {
		if *only >= 0 && *only != i {
			continue
		}
		tried++
		of, write, planted, err := pick(subjects, i)
		if err != nil {
			return err
		}
		if known[of.name] == nil {
			_, fresh, err := of.fresh()
			if err != nil {
				return err
			}
			if known[of.name], err = differences(fresh); err != nil {
				return fmt.Errorf("%s: %w", of.name, err)
			}
		}
		planted.apply()
		if *keep != "" {
			return write(*keep)
		}
		result, err := explored(write, known[of.name])
		if err != nil {
			return fmt.Errorf("%s: %w", of.name, err)
		}
		fmt.Printf("%2d %-6s %5.1fs %3s more fields  %-12s  %s %s: %s\n", i, result.word(), result.seconds, result.fieldsText(of.least), planted.family, of.name, planted.place, planted.what)
		if result.found != "" {
			found++
			fmt.Printf("     %s\n", short(result.found))
		}
	}
	fmt.Printf("%d of %d found within %v seconds of processor time\n", found, tried, *seconds)
	return nil
}

func subjects() ([]subject, error) {
	var all []subject
	for _, kind := range slices.Sorted(maps.Keys(builtins)) {
		one, err := builtin(*diffrun, *cases, kind)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	guarded, err := guarded(*cases)
	if err != nil {
		return nil, err
	}
	all = append(all, guarded)
	if *crds == "" {
		return all, nil
	}
	files, err := filepath.Glob(filepath.Join(*crds, "*.yaml"))
	for _, file := range files {
		one, err := definition(file)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, err
}

// pick returns the mistake of a number: of a family, of one of the subjects that have it. The function
// writes the suite of the subject.
func pick(subjects []subject, i int) (subject, func(string) error, mistake, error) {
	random := rand.New(rand.NewPCG(*seed, uint64(i)))
	family := families[i%len(families)]
	for _, at := range random.Perm(len(subjects)) {
		content, write, err := subjects[at].fresh()
		if err != nil {
			return subject{}, nil, mistake{}, err
		}
		all := slices.DeleteFunc(mistakes(random, content), func(one mistake) bool { return one.family != family })
		if len(all) > 0 {
			return subjects[at], write, all[random.IntN(len(all))], nil
		}
	}
	return subject{}, nil, mistake{}, fmt.Errorf("no subject has a mistake of the family %s", family)
}

// result is what an exploration found.
type result struct {
	found   string // the line about the first changed verdict
	lines   []string
	seconds float64
	fields  int // values of the smallest case, also those that every accepted object needs
}

func (r result) word() string {
	if r.found == "" {
		return "MISSED"
	}
	return "found"
}

// fieldsText returns how many fields the case has beyond the least ones.
func (r result) fieldsText(least int) string {
	if r.found == "" {
		return "-"
	}
	return strconv.Itoa(max(0, r.fields-least))
}

// differences returns the changed verdicts that are found without a mistake.
func differences(write func(folder string) error) (map[string]bool, error) {
	r, err := explored(write, nil)
	known := map[string]bool{}
	for _, line := range r.lines {
		known[line] = true
	}
	return known, err
}

// explored writes the suite and explores it until a verdict changes that is not known, or the time is
// over. If known is nil, the time is always used.
func explored(write func(folder string) error, known map[string]bool) (result, error) {
	folder, err := os.MkdirTemp("", "planted")
	if err != nil {
		return result{}, err
	}
	defer os.RemoveAll(folder)
	if err := write(folder); err != nil {
		return result{}, err
	}
	written := filepath.Join(folder, "found")
	command := exec.Command(*diffrun, "explore", "--duration", "10m", "--write-cases", written, filepath.Join(folder, "suite.yaml"))
	stderr, err := command.StderrPipe()
	if err != nil {
		return result{}, err
	}
	if err := command.Start(); err != nil {
		return result{}, err
	}
	read := make(chan result, 1)
	said := &strings.Builder{}
	go func() { read <- firstFound(io.TeeReader(stderr, said), command.Process.Pid, known) }()
	var r result
	for waiting := true; waiting; {
		select {
		case r = <-read:
			waiting = false
		case <-time.After(100 * time.Millisecond):
			waiting = processorTime(command.Process.Pid) < *seconds
		}
	}
	_ = command.Process.Signal(syscall.SIGINT)
	if r.found == "" && r.seconds == 0 {
		r = <-read
	}
	_ = command.Wait() // its exit status says that differences were found
	if r.found == "" {
		if !strings.Contains(said.String(), "exploring") {
			return r, fmt.Errorf("not explored:\n%s", said)
		}
		return r, nil
	}
	r.fields, err = fieldsOf(written)
	return r, err
}

// firstFound reads what the explorer prints until a verdict changes, and then to the end.
func firstFound(stderr io.Reader, pid int, known map[string]bool) (r result) {
	lines := bufio.NewScanner(stderr)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		text, isNew := strings.CutPrefix(lines.Text(), "diffrun: new: ")
		heading := headingOf(text)
		if isNew && known == nil {
			r.lines = append(r.lines, heading)
		} else if isNew && !known[heading] {
			r = result{found: text, lines: []string{heading}, seconds: processorTime(pid)}
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			return r
		}
	}
	r.seconds = *seconds
	return r
}

// headingOf returns what a line says without the messages: class, effect, kind and field.
func headingOf(text string) string {
	heading, _, _ := strings.Cut(text, ": native: ")
	heading, _, _ = strings.Cut(heading, ": declarative ")
	return heading
}

// processorTime returns the seconds that a process has used.
func processorTime(pid int) float64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return *seconds
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after)
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100
}

// fieldsOf returns how many fields the case has that changes a verdict: the first one is the most urgent.
func fieldsOf(folder string) (int, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	least := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		var written struct {
			Cases []struct {
				Object map[string]any `json:"object"`
			} `json:"cases"`
		}
		if err := yaml.Unmarshal(text, &written); err != nil {
			return 0, err
		}
		for _, one := range written.Cases[:min(len(written.Cases), 1)] {
			for _, name := range []string{"apiVersion", "kind", "metadata"} {
				delete(one.Object, name)
			}
			if n := count(one.Object); least == 0 || n < least {
				least = n
			}
		}
	}
	return least, err
}

// count returns the number of values in a document that are neither objects nor lists, and of empty ones.
func count(value any) (n int) {
	switch value := value.(type) {
	case map[string]any:
		for _, field := range value {
			n += count(field)
		}
		return max(n, 1)
	case []any:
		for _, item := range value {
			n += count(item)
		}
		return max(n, 1)
	}
	return 1
}
