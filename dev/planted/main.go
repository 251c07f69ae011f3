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
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
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
	version, err := output(*diffrun, "version")
	if err != nil {
		return err
	}
	fmt.Printf("# planted -n %d -seed %d -seconds %v, with %d subjects and %s\n", *n, *seed, *seconds, len(subjects),
		bytes.TrimSpace(version))
	found, tried := 0, 0
	for i := range *n {
		if *only >= 0 && *only != i {
			continue
		}
		tried++
		result, err := planted(subjects, i)
		if err != nil {
			return err
		}
		if *keep != "" {
			return nil
		}
		fmt.Print(result)
		if result.text != "" {
			found++
		}
	}
	fmt.Printf("%d of %d found within %v seconds of processor time\n", found, tried, *seconds)
	return nil
}

// planted explores with the mistake of a number. Mistakes in definitions and policies that no API
// server would store are passed over.
func planted(subjects []subject, i int) (result, error) {
	for attempt := uint64(0); ; attempt++ {
		of, write, one, err := pick(subjects, i, attempt)
		if err != nil {
			return result{}, err
		}
		one.apply()
		if *keep != "" {
			return result{}, write(*keep)
		}
		r, err := explored(of, write, one)
		if errors.Is(err, errUnstorable) {
			continue
		} else if err != nil {
			return r, fmt.Errorf("%s: %w", of.name, err)
		}
		r.number, r.of, r.mistake = i, of, one
		return r, nil
	}
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
func pick(subjects []subject, i int, attempt uint64) (subject, func(string) error, mistake, error) {
	random := rand.New(rand.NewPCG(*seed, uint64(i)+attempt<<32))
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
