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

// contextKey stands for all that is packed: one key, so that a burst of changes
// makes one packing.
var contextKey = resources.Key{Kind: "context", Name: "context"}

// Packs packs the context: for the repository and every live session as things change, and for
// whoever asks, at once. Any number of goroutines may use it once its reconciler is registered.
type Packs struct {
	client controller.Client

	stock packer.Stock

	due atomic.Bool // something changed that is more than the trace of a call

	ends ends // when something that was told may have ended

	born string        // tells this one's counts from those of another
	said atomic.Uint64 // changes of comments

	patience time.Duration // how long Pack waits for phases that follow from what just changed

	mu sync.Mutex // held while one pack is made and written: whoever asks waits for no other

	// Project tells what the project is, in a few lines, and Code what is known of files that tasks
	// name; nil: nobody knows. They are set before use.
	Project func() []string
	// Unseen says that plans of the team are not visible in this clone; nil: nobody knows.
	Unseen func() string
	// Rights returns what the agent of a session may do, or somebody unnamed; nil: everything.
	Rights func(r graph.Reader, session string, now time.Time) admission.Rights
	Code   func() []resources.CodeFile

	// Of the reconciler alone:
	packed  time.Time       // when all were packed last
	written map[string]bool // the files of the sessions that have a pack; nil: not known yet
}

var _ hooks.Contexts = (*Packs)(nil)

// NewPacks returns one that has packed nothing yet, for All.
func NewPacks() *Packs {
	return &Packs{patience: 60 * time.Millisecond, born: strconv.FormatInt(time.Now().UnixNano(), 36)}
}

// Pack packs for a reader as of now, keeps that as the reader's file, and returns it.
func (p *Packs) Pack(reader hooks.PackReader) (string, time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.derived() // what is doubted then is derived for this pack, and not for somebody else's
	now := at(p.client)
	to := packer.Reader{Session: reader.Record, Limit: packer.LimitFor(reader.Limit), Rights: reader.Rights}
	var source packer.Source = now
	if reader.Settings != nil {
		source, to.NamesOnly = trusted{now, reader}, true
	}
	pack := p.build(now, source, reader.Name, to)
	if reader.Name != "" {
		// The file is for whoever asks while there is no controller: without it they have an
		// older one, and say so.
		_ = now.Scratch().Write(store.PackName(reader.Name), pack)
	}
	return string(pack), time.Time{}
}

// derived waits until the statuses have followed what changed. If that takes too long they lag
// behind: those of tasks are derived anew, and the counts of a plan may be a moment old.
func (p *Packs) derived() {
	ctx, cancel := context.WithTimeout(context.Background(), p.patience)
	defer cancel()
	if p.client.WaitPhases(ctx) != nil {
		p.stock.Doubt()
	}
}

// Stock is what is at hand of the memory, as it is now.
func (p *Packs) Stock() *packer.Stock { return &p.stock }

// Update says what changed between two packs.
func (p *Packs) Update(before, now string, known []string) string {
	return packer.Update([]byte(before), []byte(now), known)
}

// Compaction is what of a pack a summary must keep.
func (p *Packs) Compaction(pack string, limit int) string {
	return packer.Compaction([]byte(pack), limit)
}

// keys: anything may show in a pack. What is at hand of objects whose statuses will follow from
// the change is old from now on; of tasks, taskPhases tells.
func (p *Packs) keys(ch controller.Change, c controller.Client) []resources.Key {
	p.stock.Changed(ch.Key)
	p.ends.note(ch)
	if ch.Key.Kind == resources.Comments {
		p.said.Add(1)
	}
	for _, follow := range [...]func(controller.Change, controller.Client) []resources.Key{planKeys, memKeys, anchorKeys} {
		for _, key := range follow(ch, c) {
			p.stock.Changed(key)
		}
	}
	if !ofCall(ch) {
		p.due.Store(true)
	}
	return []resources.Key{contextKey}
}

// ofCall reports whether a change is no more than the trace of an agent's call: its session's
// record, a checkpoint, and what they change in a status. Whoever asks for a pack gets it as of
// now, so that the files need not follow each of them.
func ofCall(ch controller.Change) bool {
	switch {
	case ch.OldPhase != ch.NewPhase:
		return false
	case ch.Key.Kind == resources.CheckpointsKind, ch.StatusOnly:
		return true
	}
	return ch.Key.Kind == resources.Sessions && ch.Old != nil && ch.New != nil
}

// packAfter is how long the files wait after a change: an agent's prompt or a command that comes
// right behind it has the machine to itself, and is packed for as of now.
const packAfter = 3 * time.Millisecond

// callsEvery is how often the files follow the calls of agents.
const callsEvery = 2 * time.Second

// reconcile packs the context, for the repository and for each live session, when the others
// have settled: from what they read rather than what they wrote. For calls alone it does so now and then.
func (p *Packs) reconcile(ctx context.Context, c controller.Client, _ resources.Key) (controller.Result, error) {
	now := at(c)
	if wait := callsEvery - now.now.Sub(p.packed); !p.due.Swap(false) && wait > 0 {
		return controller.Result{After: wait}, nil
	}
	err := errors.Join(
		p.write(ctx, now, "", ReaderOf(nil)),
		p.sessions(ctx, now),
	)
	if p.packed = now.now; err != nil {
		p.due.Store(true)
	}
	return now.until(midnight(now.now)), err
}

// midnight is when a pack changes by itself: it carries the date.
func midnight(now time.Time) time.Time {
	return now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
}

// write packs for a session, or ("") for the repository, from what its reader had last: what
// was in stays in, and where it stood, as far as the packer lets it.
func (p *Packs) write(ctx context.Context, now frozen, session string, reader packer.Reader) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return now.Scratch().Write(store.PackName(session), p.build(now, now, session, reader))
}

// build packs for a session, or ("") for nobody in particular.
func (p *Packs) build(now frozen, source packer.Source, session string, reader packer.Reader) []byte {
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

// trusted is what there is, of what governs no more than counts for a reader.
type trusted struct {
	frozen
	reader hooks.PackReader
}

func (t trusted) Settings() *resources.ConfigSpec { return t.reader.Settings }

func (t trusted) Triggers() []*resources.Trigger { return t.reader.Triggers }

// sessions packs for each session that is not over, and removes the packs of all others.
func (p *Packs) sessions(ctx context.Context, now frozen) error {
	var errs []error
	live, readers := map[string]bool{}, map[string]bool{"": true}
	for _, key := range now.List(resources.Sessions) {
		object, _ := now.Get(key)
		session, ok := object.(*resources.Session)
		if !ok {
			continue
		}
		if status, _ := status.DeriveSession(session, now); over(status.Phase) {
			continue
		}
		live[store.PackName(key.Name)], live[store.ToldName(key.Name)], readers[key.Name] = true, true, true
		errs = append(errs, p.write(ctx, now, key.Name, ReaderOf(session)))
	}
	p.stock.Only(readers)
	p.ends.only(readers)
	return errors.Join(append(errs, p.sweep(ctx, now, live))...)
}

// sweep removes the packs of sessions that are over or gone, with what these were told: at first all that are
// found, later those that were written before.
func (p *Packs) sweep(ctx context.Context, now frozen, live map[string]bool) error {
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
