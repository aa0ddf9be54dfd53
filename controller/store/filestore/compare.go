package filestore

import (
	"runtime"
	"sync"
)

// crowd is Store.crowd: fewer files are looked at before a second goroutine has begun.
const crowd = 1000

// compare says of each file of the folder which entry of the index still holds: the one of
// its name, if the file's signature is the same and proves something. -1 for none.
func (s *shelf) compare(names []string) []int32 {
	kept := make([]int32, len(names))
	for i, name := range names {
		kept[i] = -1
		if n, found := s.old.find(name); found && s.old.flags(n)&flagRacy == 0 {
			kept[i] = int32(n)
		}
	}
	if len(names) < s.s.crowd {
		s.check(names, kept)
		return kept
	}
	var done sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), 4)
	size := (len(names) + workers - 1) / workers
	for from := size; from < len(names); from += size {
		to := min(from+size, len(names))
		done.Go(func() { s.check(names[from:to], kept[from:to]) })
	}
	s.check(names[:size], kept[:size])
	done.Wait()
	return kept
}

// check takes out the entries that do not hold.
func (s *shelf) check(names []string, kept []int32) {
	for i, n := range kept {
		if n < 0 {
			continue
		}
		if sig, regular, err := lstat(s.d, names[i]); err != nil || !regular || sig != s.old.sig(int(n)) {
			kept[i] = -1
		}
	}
}
