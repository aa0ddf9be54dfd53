package exchange

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// writeHere applies the local changes of all steps.
func (l *pass) writeHere(ctx context.Context) error {
	var writes, drops []*step
	for _, key := range slices.SortedFunc(maps.Keys(l.steps), resources.Key.Compare) {
		s := l.steps[key]
		var err error
		switch s.action {
		case Pull, RestoreLocal:
			writes = append(writes, s)
		case ArchiveLocal:
			drops = append(drops, s)
		case RecordBase:
			err = l.x.base.RecordBase(key, s.remote.rev, s.remote.text, l.x.Now())
		case ForgetBase:
			err = l.x.base.Forget(key)
		}
		if err != nil {
			return err
		}
	}
	for _, s := range drops {
		if err := l.archiveLocal(ctx, s); err != nil {
			return err
		}
	}
	most := writesAtOnce
	if l.x.Slow {
		most = writesPerSecond
	}
	for first := true; len(writes) > 0; first = false {
		if l.x.Slow && !first && !pause(ctx, time.Second) { // limit the rate of writes
			return ctx.Err()
		}
		n := min(len(writes), most)
		if err := l.write(ctx, writes[:n]); err != nil {
			return err
		}
		writes = writes[n:]
	}
	return nil
}

// pause waits for a duration. It returns false if ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// archiveLocal archives an object locally that was archived remotely.
func (l *pass) archiveLocal(ctx context.Context, s *step) error {
	switch err := l.x.Store.Archive(ctx, s.key, s.local.rev); {
	case isWriteConflict(err):
		l.requeueStep(s, raceWait)
		return nil
	case err != nil:
		l.recordFailure(s, err)
		return nil
	}
	l.plan.SetAside = append(l.plan.SetAside, s.key)
	return l.x.base.Forget(s.key)
}

// write writes versions locally, if the files are unchanged since they were
// read. If an editor saved in between, its version wins and the object is
// compared again.
func (l *pass) write(ctx context.Context, steps []*step) error {
	if l.x.Store.Indexing() {
		for _, s := range steps {
			l.requeueStep(s, busyWait)
		}
		return nil
	}
	list := make([]store.Write, len(steps))
	for i, s := range steps {
		list[i] = store.Write{Key: s.key, Spec: s.text, Rev: s.local.rev}
	}
	var errs []error
	err := l.x.Store.Update(ctx, func(tx store.Tx) error {
		errs = tx.PutAll(list, nil)
		return nil
	})
	if err != nil {
		return err
	}
	for i, s := range steps {
		err = errors.Join(err, l.afterWrite(s, errs[i]))
	}
	return err
}

// requeueStep queues an object for another pass of this round.
func (l *pass) requeueStep(s *step, after time.Duration) {
	l.requeue[s.key] = true
	l.schedule(after)
}

// recordFailure records a failed local write. The next round tries again.
func (l *pass) recordFailure(s *step, err error) {
	l.skip(s.key, err)
	l.requeue[s.key] = true
}

// afterWrite records the result of a local write: the new base version, or the
// error.
func (l *pass) afterWrite(s *step, err error) error {
	switch {
	case isWriteConflict(err):
		l.requeueStep(s, raceWait)
		return nil
	case err != nil:
		l.recordFailure(s, err)
		return nil
	case s.action == RestoreLocal:
		l.requeueStep(s, raceWait) // now it is pushed
	}
	if s.local.text == nil && (s.action == RestoreLocal || s.base != nil) {
		l.plan.PutBack = append(l.plan.PutBack, s.key)
	}
	if s.action == RestoreLocal {
		return nil
	}
	if s.local.text != nil || s.base == nil {
		l.plan.Pulled = append(l.plan.Pulled, s.key)
	}
	return l.x.base.RecordBase(s.key, s.remote.rev, s.remote.text, l.x.Now())
}

// Replace writes a file that only its owner can read and creates its parent
// directories. After a crash the file has the old or the new content. With
// concurrent calls, the last one wins.
func Replace(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".sync-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}
