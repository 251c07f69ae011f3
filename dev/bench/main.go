package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

type flags struct {
	crds, json string
	profile    string         // a contender: measure nothing and profile it
	only, with *regexp.Regexp // of subjects, of contenders
	effort     effort
	verbose    bool // measure without each fast path, too
}

func main() {
	if err := run(parse()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func parse() flags {
	f := flags{only: regexp.MustCompile(""), with: regexp.MustCompile("")}
	flag.StringVar(&f.crds, "crds", filepath.Join("..", "shared", "data", "crds"), "`directory` of CustomResourceDefinitions")
	flag.StringVar(&f.json, "json", "", "write the results to this `file` as JSON (- for stdout)")
	flag.Func("only", "measure only the subjects that match this `expression`, as in 'httproutes.*50'", func(text string) (err error) {
		f.only, err = regexp.Compile(text)
		return err
	})
	flag.Func("with", "measure only the contenders that match this `expression`, as in 'declarative|hand-written'", func(text string) (err error) {
		f.with, err = regexp.Compile(text)
		return err
	})
	flag.StringVar(&f.profile, "profile", "", "instead of measuring, run this `contender` for two seconds and write cpu.pprof")
	flag.IntVar(&f.effort.rounds, "rounds", 12, "how often each contender is measured")
	flag.DurationVar(&f.effort.slice, "slice", 20*time.Millisecond, "how long at a time, at least")
	flag.BoolVar(&f.verbose, "v", false, "also show what each fast path of the engine gains")
	flag.Parse()
	return f
}

// report is what a run gives.
type report struct {
	Results []result `json:"results"`
	Ratios  []ratio  `json:"ratios"`
	Gains   []gain   `json:"gains,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

func run(f flags) error {
	all := report{}
	if err := all.measure(f); err != nil || f.profile != "" {
		return err
	}
	if f.verbose {
		gains, err := all.gains()
		if err != nil {
			return err
		}
		all.Gains = gains
	}
	if f.json != "-" {
		all.table(os.Stdout)
	}
	if f.json == "" {
		return nil
	}
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if data = append(data, '\n'); f.json == "-" {
		_, err = os.Stdout.Write(data)
		return err
	}
	return outfile.Write(f.json, data)
}

// measure measures one subject after the other: what lives decides how often garbage is collected.
func (all *report) measure(f flags) error {
	makers, notes, err := resources(f)
	if err != nil {
		return err
	}
	all.Notes = notes
	for _, each := range makers {
		s, err := each()
		if err != nil {
			return err
		}
		if err := all.add(s, f); err != nil {
			return err
		}
	}
	native, err := kinds(f)
	if err != nil {
		return err
	}
	for i := range native {
		if err := all.add(&native[i], f); err != nil {
			return err
		}
	}
	whole, err := runs(f)
	if err != nil {
		return err
	}
	written, sizes, err := writers(f)
	if err != nil {
		return err
	}
	all.Notes = append(all.Notes, sizes...)
	for _, s := range slices.Concat(whole, written) {
		if err := all.add(&s, f); err != nil {
			return err
		}
	}
	return nil
}

// add measures a subject, or profiles it.
func (all *report) add(s *subject, f flags) error {
	fmt.Fprintln(os.Stderr, s.name)
	if f.profile != "" {
		return s.profile(f.profile)
	}
	slower := s.pairs(f.with)
	s.contenders = slices.DeleteFunc(s.contenders, func(c contender) bool { return !f.with.MatchString(c.name) })
	results := s.measure(f.effort)
	for _, pair := range slower {
		results = append(results, pair.measure(s, f.effort))
	}
	all.Results = append(all.Results, results...)
	all.Ratios = append(all.Ratios, ratios(*s, results)...)
	return nil
}
