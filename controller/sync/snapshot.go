package sync

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/idumb-dev/idumb/controller/gitcommand"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/plans"
)

// HistoryRef is where snapshots stand, in the local repository and where they are pushed.
const HistoryRef = "refs/idumb/history"

// dailyKey holds who took the last snapshot that is one a day.
const dailyKey = "snapshot/daily"

// gitPatience is how long git may take for a snapshot.
const gitPatience = 5 * time.Minute

// Snapshot is a commit of what the team has.
type Snapshot struct {
	Commit  string // "" if nothing was made
	Objects int    // in it
	Same    bool   // nothing changed since the last one, which Commit is
}

// ErrHasHistory says that a team's git remote has the history of its objects already.
var ErrHasHistory = errors.New("the commits at refs/idumb/state on the team's remote are the history already: git fetch REMOTE refs/idumb/state && git log FETCH_HEAD shows it")

// DoneError says that another clone took the snapshot of a day, or does.
type DoneError struct{ Day, Clone string }

// Error names it.
func (e *DoneError) Error() string {
	return fmt.Sprintf("the snapshot of %s is taken by clone %s", e.Day, e.Clone)
}

// daily is what stands below dailyKey.
type daily struct {
	Day   string `json:"day"` // in UTC, by the clock of who took it
	Clone string `json:"clone"`
}

// Daily has f take the snapshot of a day, unless another clone of the team did or does: *DoneError then. The word
// hangs on this clone's lease until f is done, so that another one does it if this one dies meanwhile.
func (t *Team) Daily(ctx context.Context, now time.Time, f func() error) error {
	if _, can := t.engine.(engine.Leaser); !can || t.ttl == 0 {
		return ErrHasHistory
	}
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	lease, err := t.keep(ctx)
	if err != nil {
		return err
	}
	today := daily{now.UTC().Format(time.DateOnly), t.clone}
	was, rev, err := t.daily(ctx)
	if err == nil && was.Day == today.Day {
		err = &DoneError{was.Day, was.Clone}
	}
	if err != nil {
		return err
	}
	value, err := json.Marshal(today)
	if err != nil {
		return err
	}
	err = t.engine.Txn(ctx, engine.Op{Key: dailyKey, Was: rev, Value: value, Lease: lease.ID})
	var conflict *engine.ConflictError
	if errors.As(err, &conflict) {
		return &DoneError{today.Day, "another one"}
	}
	if err != nil {
		return err
	}
	done := f()
	_, rev, err = t.daily(ctx)
	last := engine.Op{Key: dailyKey, Was: rev, Value: value}
	if done != nil {
		last.Value = nil // another one may
	}
	if err == nil && rev != "" {
		err = t.engine.Txn(ctx, last)
	}
	return errors.Join(done, err)
}

func (t *Team) daily(ctx context.Context) (d daily, rev string, err error) {
	items, err := t.engine.List(ctx, dailyKey)
	for _, item := range items {
		if item.Key == dailyKey && len(item.Value) <= maxClaim {
			_ = json.Unmarshal(item.Value, &d) // what cannot be read is of no day
			rev = item.Rev
			d.Clone = d.Clone[:min(len(d.Clone), maxWord)]
		}
	}
	return d, rev, err
}

// Snapshot commits what the team has, as of one moment, to HistoryRef of the local repository. Upon is the commit
// that it goes on from, "" for the last one here. Nothing that a clone keeps back is in it, for the team does not
// have it. ErrHasHistory where the team's engine is its git remote.
func (t *Team) Snapshot(ctx context.Context, upon string) (s Snapshot, err error) {
	if _, can := t.engine.(engine.Leaser); !can || t.ttl == 0 {
		return s, ErrHasHistory
	}
	files, at, err := plans.Files(ctx, t.engine)
	if err != nil {
		return s, err
	}
	s.Objects = len(files)
	local, err := t.git(ctx, nil, "rev-parse", "--quiet", "--verify", HistoryRef)
	if err != nil {
		local = "" // there is none
	}
	if upon == "" {
		upon = local
	}
	temp := "refs/idumb/snapshot-" + uuid.NewString()
	if _, err := t.git(ctx, fastImport(temp, upon, at, files), "fast-import", "--quiet"); err != nil {
		return s, err
	}
	defer t.git(context.WithoutCancel(ctx), nil, "update-ref", "-d", temp)
	made, err := t.git(ctx, nil, "rev-parse", temp, temp+"^{tree}")
	if err != nil {
		return s, err
	}
	commit, tree, _ := strings.Cut(made, "\n")
	if before, err := t.git(ctx, nil, "rev-parse", "--quiet", "--verify", upon+"^{tree}"); err == nil && upon != "" && before == tree {
		s.Commit, s.Same = upon, true
	} else {
		s.Commit = commit
	}
	_, err = t.git(ctx, nil, "update-ref", HistoryRef, s.Commit, local)
	return s, err
}

// fastImport is a commit of files, as git-fast-import(1) reads it.
func fastImport(ref, upon, at string, files []plans.File) []byte {
	var b bytes.Buffer
	message := fmt.Sprintf("%d objects of the team, at revision %s\n", len(files), at)
	fmt.Fprintf(&b, "commit %s\ncommitter idumb <idumb@localhost> %d +0000\ndata %d\n%s", ref, time.Now().Unix(), len(message), message)
	if upon != "" {
		fmt.Fprintf(&b, "from %s\ndeleteall\n", upon)
	}
	for _, f := range files {
		name := layout.Path(f.Key)
		if f.Archived {
			name = layout.ArchivePath(f.Key)
		}
		fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", name, len(f.Text), f.Text)
	}
	return b.Bytes()
}

// git runs a command of git in this clone and returns its output.
func (t *Team) git(ctx context.Context, in []byte, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitPatience)
	defer cancel()
	c := gitcommand.Remote(ctx, string(t.root), args...)
	c.Stdin = bytes.NewReader(in)
	var out, wrong bytes.Buffer
	c.Stdout, c.Stderr = &out, &wrong
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(wrong.String()))
	}
	return strings.TrimSpace(out.String()), nil
}

// Pushed is the commit of snapshots that stands at a remote, fetched; "" for none.
func (t *Team) Pushed(ctx context.Context, remote string) (string, error) {
	found, err := t.git(ctx, nil, "ls-remote", "--", remote, HistoryRef)
	commit, _, _ := strings.Cut(found, "\t")
	if err == nil && commit != "" {
		_, err = t.git(ctx, nil, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--", remote, HistoryRef)
	}
	return commit, err
}

// Push brings the last snapshot to a remote, if what stands there is what was seen, "" for nothing.
func (t *Team) Push(ctx context.Context, remote, was string) error {
	_, err := t.git(ctx, nil, "push", "--quiet", "--no-verify", "--force-with-lease="+HistoryRef+":"+was, "--", remote, HistoryRef)
	return err
}
