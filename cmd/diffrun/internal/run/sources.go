package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/backends/native/exec/counting"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/internal/coverage/conditions"
	"github.com/diffrun/diffrun/internal/gomodule/readings"
)

// Sources has the source of the validators of suites. Each program is loaded once. The zero value is ready.
type Sources struct {
	// Packages are read for suites without programs, as the go command names them.
	Packages []string

	loaded map[string]source
	// left are the parts of the source that were named.
	left map[string]bool
	// programs are those of suites.
	programs map[string][]counting.Program
}

type source struct {
	program *readings.Program
	err     error
}

// Sites returns the places of the source of a suite that make errors for objects of a kind, or why they are unknown. It warns of
// what the source says nothing of.
func (s *Sources) Sites(ctx context.Context, env *Environment, suite *cases.Suite, kind string) (sites []*conditions.Site,
	unknown string) {
	programs := suite.Programs()
	if s.loaded == nil {
		s.loaded, s.left, s.programs = map[string]source{}, map[string]bool{}, map[string][]counting.Program{}
	}
	if len(programs) > 0 {
		s.programs[suite.Of()] = programs
	} else {
		programs = s.programs[suite.Of()] // of the first set of a matrix
	}
	if len(programs) == 0 && len(s.Packages) > 0 {
		programs = []counting.Program{{Dir: ".", Packages: s.Packages}}
	}
	if len(programs) == 0 {
		return nil, "its validator is no Go source that diffrun finds; name a main package in the suite, as in exec: {command: " +
			"[go, run, ./validator]}"
	}
	var all []*readings.Reading
	for _, program := range programs {
		loaded := s.load(ctx, program)
		if loaded.err != nil {
			return nil, loaded.err.Error()
		}
		found, left := loaded.program.Of(kind)
		for _, text := range conditions.Left(left) {
			if !s.left[text] {
				s.left[text] = true
				env.Warn("diffrun: warning: conditions of error sites: left out: %s\n", text)
			}
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, fmt.Sprintf("no function of %s that is given a %s and returns errors was found", programs[0].Packages, kind)
	}
	return conditions.Of(all), ""
}

func (s *Sources) load(ctx context.Context, of counting.Program) source {
	key := of.Dir + " " + strings.Join(of.Packages, " ")
	known, is := s.loaded[key]
	if !is {
		known.program, known.err = readings.Load(ctx, of.Dir, slices.Clone(of.Packages)...)
		s.loaded[key] = known
	}
	return known
}
