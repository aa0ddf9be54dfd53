package layout

import (
	"errors"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
)

// maxPasses is how often a folder is gone through that changes all the time.
const maxPasses = 6

// Names returns the names of all that is in the folder but its IgnoreFile, sorted, each once.
// It may name what was removed meanwhile, and leaves nothing out that was there all the time.
//
// One pass through a folder can leave such a file out: a save that renames a new version
// over a file moves its name behind the end of the list that the system has begun (btrfs,
// tmpfs), and a pass that has not come to the old place never meets it. So a pass counts
// alone only if the folder's times show that nothing changed in it meanwhile. Otherwise
// another one follows, and all that any of them met is there.
func (d *OpenDir) Names() ([]string, error) {
	var all []string
	calm := false
	for range maxPasses {
		began := time.Now()
		before, err := d.self()
		if err != nil {
			return nil, err
		}
		names, err := d.pass()
		if err != nil {
			return nil, err
		}
		after, err := d.self()
		if err != nil {
			return nil, err
		}
		same := before.Same(after)
		if same && before.settled(began) {
			return sorted(names), nil
		}
		all = append(all, names...)
		if same && calm {
			break
		}
		calm = same
	}
	return sorted(all), nil
}

func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(slices.DeleteFunc(names, func(name string) bool { return name == IgnoreFile }))
}

// Names lists a folder of .idumb; see OpenDir.Names. None if there is no such folder.
func (r Root) Names(folder string) ([]string, error) {
	d, err := r.Open(folder)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Names()
}

// Within one tick of the file system's clock a second change leaves the time of the first.
const (
	coarseTick = 2 * time.Second        // FAT has the slowest
	fineTick   = 100 * time.Millisecond // more than any that keeps fractions of a second
)

// settled reports whether a change from that moment on would show in the Info: its times
// are older than a tick. A time in the future, after a clock was set back, proves nothing.
func (i Info) settled(at time.Time) bool {
	tick := coarseTick
	if i.Changed%int64(time.Second) != 0 { // no tool can set that one
		tick = fineTick
	}
	return max(i.ModTime.UnixNano(), i.Changed) < at.Add(-tick).UnixNano()
}
