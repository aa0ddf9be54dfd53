package packer

import (
	"runtime"
	"sync"

	"github.com/idumb-dev/idumb/resources"
)

// crowd is from how many mems on they are assessed by several goroutines: fewer are
// done before another one has begun.
const crowd = 2000

// Assessed returns the mems of a snapshot that can be read, by name, with what decides
// whether and where they are found (resources.AssessMem). A mem whose file is broken is
// Invalid.
func Assessed(s *resources.Snapshot) []Mem {
	keys := s.List(resources.Mems)
	all := make([]Mem, len(keys))
	if len(keys) < crowd {
		assess(s, keys, all)
	} else {
		var done sync.WaitGroup
		size := (len(keys) + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
		for from := 0; from < len(keys); from += size {
			to := min(from+size, len(keys))
			done.Go(func() { assess(s, keys[from:to], all[from:to]) })
		}
		done.Wait()
	}
	readable := all[:0]
	for _, m := range all {
		if m.Object != nil {
			readable = append(readable, m)
		}
	}
	return readable
}

// assess fills in the mems of some keys; those that cannot be read stay empty.
func assess(s *resources.Snapshot, keys []resources.Key, mems []Mem) {
	for i, key := range keys {
		m := s.Mem(key.Name)
		if m == nil {
			continue
		}
		mems[i] = Mem{Object: m, Status: resources.AssessMem(m, s)}
		if _, broken := s.Problem(key); broken {
			mems[i].Status.Phase = resources.PhaseInvalid
		}
	}
}
