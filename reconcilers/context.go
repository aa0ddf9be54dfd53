package reconcilers

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// packKey is the only key of the context reconciler, so that a burst of changes causes one
// packing.
var packKey = resources.Key{Kind: "context", Name: "context"}

// Packs builds packs: for the repository and each live session after changes, and immediately for a
// caller of Pack. It is safe for concurrent use after its reconciler is registered.
type Packs struct {
	client controller.Client

	stock packer.Stock

	dirty atomic.Bool // set by a change that is more than an agent's call

	expiry memChanges // tells whether a delivered entry may have expired

	instanceID     string        // instance ID: distinguishes its counts from those of another process
	commentChanges atomic.Uint64 // number of changes of comments

	phaseTimeout time.Duration // longest time that Pack waits for phases to follow a change

	mu sync.Mutex // held while one pack is built and written, so that a caller waits for one pack at most

	// Project returns a short description of the project, and Code the facts about files that tasks
	// name. Both may be nil. They are set before first use.
	Project func() []string
	// Unseen returns a message if plans of the team are not visible in this clone. It may be nil.
	Unseen func() string
	// Rights returns the rights of a session's agent, or of an unnamed agent. nil allows
	// everything.
	Rights func(r graph.Reader, session string, now time.Time) admission.Rights
	Code   func() []resources.CodeFile

	// Used by the reconciler only:
	lastPacked time.Time       // when all packs were built last
	written    map[string]bool // files of sessions that have a pack; nil until the folder was listed
}

var _ hooks.ContextSource = (*Packs)(nil)

// NewPacks returns an empty Packs, for All.
func NewPacks() *Packs {
	return &Packs{phaseTimeout: 60 * time.Millisecond, instanceID: strconv.FormatInt(time.Now().UnixNano(), 36)}
}

// Pack builds a pack for a reader at the current time and returns it. It also
// writes it as the file of a reader with a name. The time is always zero,
// because the pack is current.
func (p *Packs) Pack(reader hooks.PackReader) (string, time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waitForPhases() // so that statuses in doubt are derived for this pack
	now := newSnapshot(p.client)
	to := packer.Reader{Session: reader.Record, Limit: packer.LimitFor(reader.Limit), Rights: reader.Rights}
	var source packer.Source = now
	if reader.Settings != nil {
		source, to.NamesOnly = trustedClient{now, reader}, true
	}
	pack := p.build(now, source, reader.Name, to)
	if reader.Name != "" {
		// The file serves callers that find no controller: they print it with its age.
		_ = now.Scratch().Write(store.PackName(reader.Name), pack)
	}
	return string(pack), time.Time{}
}

// waitForPhases waits until the statuses follow the last changes. On a timeout the statuses of tasks are
// derived again; the counts of a plan may be a moment old.
func (p *Packs) waitForPhases() {
	ctx, cancel := context.WithTimeout(context.Background(), p.phaseTimeout)
	defer cancel()
	if p.client.WaitPhases(ctx) != nil {
		p.stock.InvalidateTasks()
	}
}

// Stock returns the current index of the memory.
func (p *Packs) Stock() *packer.Stock { return &p.stock }

// Update returns the difference between two packs as text.
func (p *Packs) Update(before, now string, known []string) string {
	return packer.Update([]byte(before), []byte(now), known)
}

// Compaction returns the part of a pack that a summary must keep.
func (p *Packs) Compaction(pack string, limit int) string {
	return packer.Compaction([]byte(pack), limit)
}

// keys marks the cached entries that a change makes outdated. Any change can affect a pack, so it
// always returns the context key. Phases of tasks are marked by taskPhases.
func (p *Packs) keys(ch controller.Change, c controller.Client) []resources.Key {
	p.stock.Invalidate(ch.Key)
	p.expiry.count(ch)
	if ch.Key.Kind == resources.Comments {
		p.commentChanges.Add(1)
	}
	for _, follow := range [...]func(controller.Change, controller.Client) []resources.Key{planKeys, memKeys, anchorKeys} {
		for _, key := range follow(ch, c) {
			p.stock.Invalidate(key)
		}
	}
	if !isCallActivity(ch) {
		p.dirty.Store(true)
	}
	return []resources.Key{packKey}
}

// isCallActivity reports whether a change only records an agent's call: in the session's file, as a
// checkpoint, and in a status that follows from them. The files need not follow each call, because
// a caller of Pack gets a current pack.
func isCallActivity(ch controller.Change) bool {
	switch {
	case ch.OldPhase != ch.NewPhase:
		return false
	case ch.Key.Kind == resources.CheckpointsKind, ch.StatusOnly:
		return true
	}
	return ch.Key.Kind == resources.Sessions && ch.Old != nil && ch.New != nil
}

// packDelay is the delay after a change before the files are written. A prompt or command that
// follows the change directly is served by Pack and should not compete for the CPU.
const packDelay = 3 * time.Millisecond

// callInterval is the interval at which the files follow the calls of agents.
const callInterval = 2 * time.Second

// reconcile writes the pack of the repository and of each live session after the other reconcilers
// are idle. After agents' calls alone it does so every callInterval.
func (p *Packs) reconcile(ctx context.Context, c controller.Client, _ resources.Key) (controller.Result, error) {
	now := newSnapshot(c)
	if wait := callInterval - now.now.Sub(p.lastPacked); !p.dirty.Swap(false) && wait > 0 {
		return controller.Result{RequeueAfter: wait}, nil
	}
	err := errors.Join(
		p.write(ctx, now, "", ReaderOf(nil)),
		p.sessions(ctx, now),
	)
	if p.lastPacked = now.now; err != nil {
		p.dirty.Store(true)
	}
	return now.requeueAt(midnight(now.now)), err
}

// midnight returns the next UTC midnight. A pack contains the date and changes then.
func midnight(now time.Time) time.Time {
	return now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
}

// write builds and writes the pack of a session, or of the repository if session is "". Entries of
// the previous pack keep their place if the packer allows it.
func (p *Packs) write(ctx context.Context, now snapshot, session string, reader packer.Reader) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return now.Scratch().Write(store.PackName(session), p.build(now, now, session, reader))
}

// build builds the pack of a session, or of no particular reader if session is
// "". The caller holds p.mu.
func (p *Packs) build(now snapshot, source packer.Source, session string, reader packer.Reader) []byte {
	if p.Rights != nil && reader.Rights == nil {
		rights := p.Rights(now.Reader(), session, now.now)
		reader.Rights = &rights
	}
	reader.Stock, reader.Previous, reader.Terse = &p.stock, store.LastPack(now.Scratch(), session), true
	if p.Unseen != nil {
		reader.Unseen = p.Unseen()
	}
	if p.Project != nil {
		reader.Project = p.Project()
	}
	if p.Code != nil {
		reader.Code = p.Code()
	}
	return packer.Make(source, reader).Bytes
}

// trustedClient is a Client whose settings and triggers are those that the reader trusts.
type trustedClient struct {
	snapshot
	reader hooks.PackReader
}

// Settings returns the configuration that the reader of a pack trusts.
func (t trustedClient) Settings() *resources.ConfigSpec { return t.reader.Settings }

// Triggers returns the triggers that the reader of a pack trusts.
func (t trustedClient) Triggers() []*resources.Trigger { return t.reader.Triggers }

// sessions writes the pack of each live session and removes the packs of all other sessions.
func (p *Packs) sessions(ctx context.Context, now snapshot) error {
	var errs []error
	live, readers := map[string]bool{}, map[string]bool{"": true}
	for _, key := range now.List(resources.Sessions) {
		object, _ := now.Get(key)
		session, ok := object.(*resources.Session)
		if !ok {
			continue
		}
		if status, _ := status.DeriveSession(session, now); hasEnded(status.Phase) {
			continue
		}
		live[store.PackName(key.Name)], live[store.DeliveryLogName(key.Name)], readers[key.Name] = true, true, true
		errs = append(errs, p.write(ctx, now, key.Name, ReaderOf(session)))
	}
	p.stock.Retain(readers)
	p.expiry.keepOnly(readers)
	return errors.Join(append(errs, p.sweep(ctx, now, live))...)
}

// sweep removes the packs and receipts of sessions that ended or were deleted. The first call lists
// the folder; later calls use the files written before.
func (p *Packs) sweep(ctx context.Context, now snapshot, live map[string]bool) error {
	if p.written == nil {
		found, err := now.Scratch().List(store.SessionsFolder)
		if err != nil {
			return err
		}
		p.written = map[string]bool{}
		for _, name := range found {
			p.written[name] = true
		}
	}
	var errs []error
	for name := range p.written {
		if !live[name] {
			errs = append(errs, now.Scratch().Remove(name))
		}
	}
	p.written = live
	return errors.Join(errs...)
}
