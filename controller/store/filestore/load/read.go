package load

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// found is what stands in a file: an object, what a log amounts to, or an error. A file that
// claims to be no object holds nothing.
type found struct {
	key    resources.Key
	object resources.Object
	seen   *status.Sightings
	err    error
}

// maxReaders is how many goroutines read: more of them wait for each other.
const maxReaders = 4

// readAll reads the files of a folder, in the order of names. Where ctx is done meanwhile the
// rest is left out.
func readAll(ctx context.Context, d *layout.OpenDir, kind string, names []string) []found {
	all := make([]found, len(names))
	readers := min(runtime.GOMAXPROCS(0), maxReaders)
	size := (len(names) + readers - 1) / readers
	var done sync.WaitGroup
	for from := 0; from < len(names); from += size {
		to := min(from+size, len(names))
		done.Go(func() {
			for i := from; i < to && ctx.Err() == nil; i++ {
				all[i] = read(d, kind, names[i])
			}
		})
	}
	done.Wait()
	return all
}

// read reads one file.
func read(d *layout.OpenDir, kind, file string) found {
	name, claims := layout.ClaimedName(kind, file)
	if !claims {
		return found{}
	}
	f := found{key: resources.Key{Kind: kind, Name: name}}
	if err := resources.CheckName(name); err != nil {
		f.err = layout.Misnamed(f.key, err)
		return f
	}
	if kind == resources.CheckpointsKind {
		var data []byte
		if data, _, f.err = d.ReadLog(file); f.err == nil {
			f.seen, _ = status.ReadSightings(data) // doctor reads logs for what is damaged in them
		}
		return f
	}
	data, info, err := settled(d, file)
	if err != nil {
		f.err = err
		return f
	}
	if f.object, _, f.err = resources.Read(f.key, data); f.err == nil {
		*f.object.Source() = resources.Origin{Revision: resources.Revision(data), ModTime: info.ModTime}
	}
	return f
}

// settling is how long after a change a file may be half written.
const settling = 20 * time.Millisecond

// settled reads a file. One that was changed a moment ago and does not end as an object does
// is read again: some editors truncate a file before they write it.
func settled(d *layout.OpenDir, file string) ([]byte, layout.Info, error) {
	data, info, err := d.Read(file, layout.MaxSpec)
	for range 5 {
		if err != nil || complete(data) || time.Since(info.ModTime) > settling {
			break
		}
		time.Sleep(settling / 10)
		data, info, err = d.Read(file, layout.MaxSpec)
	}
	return data, info, err
}

// complete reports whether a file ends as a JSON object does.
func complete(data []byte) bool {
	for i := len(data) - 1; i >= 0; i-- {
		switch data[i] {
		case ' ', '\t', '\r', '\n':
		default:
			return data[i] == '}'
		}
	}
	return false
}
