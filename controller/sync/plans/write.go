package plans

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// writeHere applies the local changes of all steps.
func (l *look) writeHere(ctx context.Context) error {
	var writes, drops []*step
	for _, key := range slices.SortedFunc(maps.Keys(l.steps), resources.Key.Compare) {
		s := l.steps[key]
		var err error
		switch s.deed {
		case Take, PutBack:
			writes = append(writes, s)
		case Drop:
			drops = append(drops, s)
		case Agree:
			err = l.x.base.Agree(key, s.team.rev, s.team.text, l.x.Now())
		case Forget:
			err = l.x.base.Forget(key)
		}
		if err != nil {
			return err
		}
	}
	for _, s := range drops {
		if err := l.drop(ctx, s); err != nil {
			return err
		}
	}
	most := writesAtOnce
	if l.x.Calm {
		most = writesPerSecond
	}
	for first := true; len(writes) > 0; first = false {
		if l.x.Calm && !first && !pause(ctx, time.Second) { // limit the rate of writes
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

// drop archives an object locally that was archived remotely.
func (l *look) drop(ctx context.Context, s *step) error {
	err := l.x.Store.Archive(ctx, s.key, s.here.rev)
	switch {
	case raced(err):
		l.lookAgain(s, raceWait)
		return nil
	case err != nil:
		l.unwritten(s, err)
		return nil
	}
	l.work.SetAside = append(l.work.SetAside, s.key)
	return l.x.base.Forget(s.key)
}

// write writes versions locally, if the files are unchanged since they were
// read. If an editor saved in between, its version wins and the object is
// compared again.
func (l *look) write(ctx context.Context, steps []*step) error {
	if l.x.Store.Indexing() {
		for _, s := range steps {
			l.lookAgain(s, busyWait)
		}
		return nil
	}
	list := make([]store.Write, len(steps))
	for i, s := range steps {
		list[i] = store.Write{Key: s.key, Spec: s.text, Rev: s.here.rev}
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
		err = errors.Join(err, l.wrote(s, errs[i]))
	}
	return err
}

// lookAgain queues an object for another pass of this round.
func (l *look) lookAgain(s *step, after time.Duration) {
	l.open[s.key] = true
	l.again(after)
}

// unwritten records a failed local write. The next round tries again.
func (l *look) unwritten(s *step, err error) {
	l.hold(s.key, err)
	l.open[s.key] = true
}

func (l *look) wrote(s *step, err error) error {
	switch {
	case raced(err):
		l.lookAgain(s, raceWait)
		return nil
	case err != nil:
		l.unwritten(s, err)
		return nil
	case s.deed == PutBack:
		l.lookAgain(s, raceWait) // now it is pushed
	}
	if s.here.text == nil && (s.deed == PutBack || s.base != nil) {
		l.work.PutBack = append(l.work.PutBack, s.key)
	}
	if s.deed == PutBack {
		return nil
	}
	if s.here.text != nil || s.base == nil {
		l.work.Taken = append(l.work.Taken, s.key)
	}
	return l.x.base.Agree(s.key, s.team.rev, s.team.text, l.x.Now())
}
