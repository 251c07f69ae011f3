package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/pprof"
	"time"
)

// profile runs one contender for a while and writes what the CPU did to cpu.pprof.
func (s *subject) profile(name string) (err error) {
	for _, c := range s.contenders {
		if c.name != name {
			continue
		}
		out, err := os.Create("cpu.pprof")
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(out); err != nil {
			return errors.Join(err, out.Close())
		}
		for start := time.Now(); time.Since(start) < 2*time.Second; {
			c.do()
		}
		pprof.StopCPUProfile()
		return out.Close()
	}
	return fmt.Errorf("%s has no contender %q", s.name, name)
}
