package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"time"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

// profile runs one contender for a while and writes what the CPU did to cpu.pprof.
func (s *subject) profile(name string) (err error) {
	for _, p := range s.slower {
		if p.without() == name {
			p.add(s)
		}
	}
	for _, c := range s.contenders {
		if c.name != name {
			continue
		}
		out, err := outfile.Open(context.Background(), "cpu.pprof")
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(out); err != nil {
			return errors.Join(err, out.Discard())
		}
		for start := time.Now(); time.Since(start) < 2*time.Second; {
			c.do()
		}
		pprof.StopCPUProfile()
		return out.Close()
	}
	return fmt.Errorf("%s has no contender %q", s.name, name)
}
