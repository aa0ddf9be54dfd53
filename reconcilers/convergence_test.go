//go:build unix

package reconcilers

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

var (
	rounds    = flag.Int("convergence.rounds", 24, "how many rounds TestConvergence plays")
	firstSeed = flag.Uint64("convergence.seed", 1, "seed of the first round; 0: another one each time")
)

// TestConvergence holds everything together: whatever is done to the files, by
// whatever route, however often the controller is stopped, killed, hung and started meanwhile, in
// the end the statuses are those that a Snapshot computes, and statuses and packed
// context are, byte for byte, transition times aside, what a new controller computes
// from the files, and the context also from what it was before: packed again it is the same.
func TestConvergence(t *testing.T) {
	seed := *firstSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano()) % 1_000_000_000
	}
	for round := range uint64(*rounds) {
		t.Run(fmt.Sprintf("seed=%d", seed+round), func(t *testing.T) {
			t.Parallel()
			playRound(t, seed+round)
		})
	}
}

func playRound(t *testing.T, seed uint64) {
	p := &player{stage: newStage(t), rand: rand.New(rand.NewPCG(seed, seed))}
	for range 10 + p.rand.IntN(20) {
		p.edit()
	}
	p.start()
	defer p.end()
	for range 10 + p.rand.IntN(30) {
		p.edit()
		p.meddle()
	}
	p.mend()
	p.calm()
	p.settled()
	statuses, contexts := p.statuses(), p.contexts()
	p.end()
	require.Empty(t, difference(contexts, p.contexts()), "ending changed the context")

	fresh := p.twin(t)
	for name, pack := range contexts { // a pack follows from the files and from the pack before it
		fresh.file(".idumb/context/"+name, pack)
	}
	fresh.start()
	defer fresh.end()
	fresh.settled()
	require.Empty(t, difference(fresh.statuses(), statuses), "statuses differ from those computed anew (want: anew)")
	require.Empty(t, difference(fresh.contexts(), contexts), "context differs from the one computed anew (want: anew)")
}

// player does things to a repository, and to its controller, at random.
type player struct {
	*stage
	rand    *rand.Rand
	process *process          // the controller; nil: none runs
	torn    map[string]string // files of which only a part was written, with the rest
}

func (p *player) start() {
	p.process = startProcess(p.t, p.root)
	p.runs = p.process
}

func (p *player) end() {
	if p.process != nil {
		p.process.end()
		p.process = nil
	}
}

// calm has a controller at work.
func (p *player) calm() {
	if p.process == nil {
		p.start()
	}
	p.process.goOn()
}

func (p *player) one(of ...string) string { return of[p.rand.IntN(len(of))] }

// often reports true n times in a hundred.
func (p *player) often(n int) bool { return p.rand.IntN(100) < n }

// meddle does something to the controller, or lets some time pass.
func (p *player) meddle() {
	switch {
	case p.process == nil:
		if p.often(30) {
			p.start()
		}
	case p.process.hangs && p.often(40):
		p.process.goOn()
	case p.often(6):
		p.end()
	case p.often(6):
		p.process.die()
		p.process = nil
	case p.often(8):
		p.process.hang()
	case p.often(30):
		time.Sleep(time.Duration(p.rand.IntN(8)) * time.Millisecond)
	}
}

// mend completes what was torn; now and then something broken is left.
func (p *player) mend() {
	for name, rest := range p.torn {
		if p.often(90) {
			p.append(name, rest)
		}
	}
}

func (p *player) append(name, text string) {
	f, err := os.OpenFile(p.path(name), os.O_WRONLY|os.O_APPEND, 0)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	require.NoError(p.t, err)
	_, err = f.WriteString(text)
	require.NoError(p.t, errors.Join(err, f.Close()))
}

// edit changes one thing.
func (p *player) edit() {
	switch {
	case p.often(10):
		p.checkpoint()
		return
	case p.often(5):
		p.file("src/"+p.one("a.go", "b.go"), p.one("one", "two", "three"))
		return
	case p.often(4):
		_ = os.Remove(p.path("src/" + p.one("a.go", "b.go")))
		return
	}
	key, spec := p.object()
	if p.often(8) {
		p.remove(key)
		return
	}
	p.write(key, spec)
}

// checkpoint appends a line to a task's log, by the store or by hand, whole or torn.
func (p *player) checkpoint() {
	task := p.task()
	if p.often(70) {
		ok := p.often(70)
		require.NoError(p.t, p.store.AppendCheckpoint(context.Background(), task, resources.Checkpoint{
			Time: resources.NewTime(time.Date(2026, 1, 2, 3, p.rand.IntN(60), 0, 0, time.UTC)), Tool: p.one("write", "shell"),
			FilesModified: []string{p.one("src/a.go", "docs/b.md")}, Command: p.one("go test ./...", "make", ""), Succeeded: &ok,
		}))
		return
	}
	name := ".idumb/checkpoints/" + task + ".jsonl"
	old, _ := os.ReadFile(p.path(name))
	p.file(name, string(old)+p.one(`{"time":"2026-01-02T03:04:05Z","tool":"write"}`+"\n", `{"time":"2026-01-`))
}

func (p *player) remove(key resources.Key) {
	if p.often(30) {
		if record, err := p.store.Get(context.Background(), key); err == nil {
			p.command(func(ctx context.Context) error { return p.store.Delete(ctx, key, record.Rev) })
		}
		return
	}
	if err := os.Remove(p.specPath(key)); err != nil {
		require.ErrorIs(p.t, err, os.ErrNotExist)
	}
	delete(p.torn, p.specName(key))
}

func (p *player) specName(key resources.Key) string {
	kind, _ := resources.KindOf(key.Kind)
	if kind.Single {
		return ".idumb/" + key.Kind + ".json"
	}
	return ".idumb/" + key.Kind + "/" + key.Name + ".json"
}

func (p *player) specPath(key resources.Key) string { return p.path(p.specName(key)) }

// write puts a spec where it belongs, by one of all the routes that there are.
func (p *player) write(key resources.Key, spec string) {
	name, path := p.specName(key), p.specPath(key)
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	delete(p.torn, name)
	half := p.rand.IntN(len(spec))
	switch p.rand.IntN(7) {
	case 0: // a command
		p.put(key, spec)
	case 1: // an agent's write tool
		p.file(name, spec)
	case 2: // vim, node: empty for a moment
		p.file(name, "")
		time.Sleep(time.Duration(p.rand.IntN(3)) * time.Millisecond)
		p.file(name, spec)
	case 3: // sed -i, jq > t && mv
		p.file(name+".tmp", spec)
		require.NoError(p.t, os.Rename(path+".tmp", path))
	case 4: // delete and make again
		_ = os.Remove(path)
		time.Sleep(time.Duration(p.rand.IntN(3)) * time.Millisecond)
		p.file(name, spec)
	case 5: // git checkout: unlink, then create
		_ = os.Remove(path)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		require.NoError(p.t, err)
		_, err = f.WriteString(spec)
		require.NoError(p.t, errors.Join(err, f.Close()))
	case 6: // torn, and completed later
		p.file(name, spec[:half])
		if p.torn == nil {
			p.torn = map[string]string{}
		}
		p.torn[name] = spec[half:]
	}
}

func (p *player) put(key resources.Key, spec string) {
	record, err := p.store.Get(context.Background(), key)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return
	}
	p.command(func(ctx context.Context) error {
		_, err := p.store.Put(ctx, key, []byte(spec), record.Rev)
		return err
	})
}

// command writes as a command does: it gives way to who was faster, and gives up where a
// controller hangs that holds the lock of those who write.
func (p *player) command(write func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if p.process != nil && p.process.hangs {
		defer time.AfterFunc(100*time.Millisecond, cancel).Stop()
	}
	if err := write(ctx); !errors.Is(err, context.Canceled) && !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrExists) {
		require.NoError(p.t, err)
	}
}

func (p *player) task() string { return p.one("a", "b", "c", "d", "e", "f", "g", "h") }
func (p *player) plan() string { return p.one("p", "q", "r") }
func (p *player) mem() string  { return p.one("m", "n", "o", "u") }

// maybe returns the text n times in a hundred, else nothing.
func (p *player) maybe(n int, format string, args ...any) string {
	if !p.often(n) {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// list is a JSON list of up to three names.
func (p *player) list(name func() string) string {
	var names []string
	for range p.rand.IntN(4) {
		names = append(names, `"`+name()+`"`)
	}
	return "[" + strings.Join(names, ",") + "]"
}

// ago is a time so long ago, half an hour off anything that is counted.
func ago(d time.Duration) string {
	return time.Now().Add(-d - 30*time.Minute).UTC().Format(time.RFC3339)
}

// object invents an object.
func (p *player) object() (resources.Key, string) {
	switch n := p.rand.IntN(100); {
	case n < 35:
		return taskKey(p.task()), p.inventTask()
	case n < 50:
		return planKey(p.plan()), p.inventPlan()
	case n < 72:
		return memKey(p.mem()), p.inventMem()
	case n < 82:
		return resources.Key{Kind: resources.Anchors, Name: p.one("x", "y")}, p.inventAnchor()
	case n < 87:
		return resources.Key{Kind: resources.Sessions, Name: p.one("s", "t")}, p.inventSession()
	case n < 91:
		return resources.Key{Kind: resources.Delegations, Name: p.one("i", "j")}, fmt.Sprintf(
			`{"spec":{"task":%q,"from":%q,"to":%q,"state":%q}}`, p.task(), p.one("ann", "bob"), p.one("ann", "bob", "cem"), p.one("assigned", "accepted", "done"))
	case n < 94:
		return resources.Key{Kind: resources.Roles, Name: p.one("solo", "cem")}, fmt.Sprintf(`{"spec":{"rules":[%q]}}`, p.one("be kind", "be brief"))
	case n < 97:
		return trajectoryKey, fmt.Sprintf(`{"spec":{"activePlan":%q,"activeTasks":%s,"intent":%q}}`, p.plan(), p.list(p.task), p.one("", "ship it", "tidy up"))
	}
	return resources.Key{Kind: resources.Configs, Name: resources.ConfigName}, fmt.Sprintf(
		`{"spec":{"memFadingBelow":%s,"anchorStaleAfter":%q,"purgeAfter":%q,"taskStaleAfter":%q}}`,
		p.one("60", "70", "80"), p.one("48h", "100h"), p.one("48h", "1ms"), p.one("4h", "8h"))
}

func (p *player) inventTask() string {
	text := fmt.Sprintf(`{"metadata":{%s},"spec":{"workPlan":%q,"expectedOutput":"it works","state":%q,"dependsOn":%s`,
		p.maybe(50, `"uid":"u1","creationTimestamp":%q`, ago(100*time.Hour)), p.plan(),
		p.one("planned", "planned", "active", "review", "completed", "completed", "failed", "abandoned"), p.list(p.task))
	text += p.maybe(15, `,"temporalGate":{"after":%q,"reason":"first things first"}`, p.task())
	text += p.maybe(30, `,"evidence":[{"file":"src/*.go"}]`)
	text += p.maybe(40, `,"result":{"evidence":"seen"}`)
	text += p.maybe(20, `,"priority":%q`, p.one("critical", "high", "low"))
	text += p.maybe(20, `,"parent":%q`, p.task())
	text += p.maybe(10, `,"planAhead":true`)
	text += p.maybe(10, `,"phase":%q`, p.one("first", "second"))
	text += p.maybe(10, `,"fileLocks":["src/**"]`)
	return text + p.maybe(5, `,"titel":"x"`) + "}}"
}

func (p *player) inventPlan() string {
	return fmt.Sprintf(`{"spec":{"title":"T","acceptance":["done"],"state":%q,"dependsOn":%s%s}}`,
		p.one("draft", "active", "active", "active", "completed", "archived", "abandoned"), p.one("[]", p.list(p.plan)),
		p.maybe(50, `,"phases":[{"name":"first"},{"name":"second","order":1}]`))
}

func (p *player) inventMem() string {
	more := p.maybe(50, `,"topicKey":%q`, p.one("t", "T", "u")) + p.maybe(20, `,"shelf":"s"`) + p.maybe(30, `,"supersedeReason":"so"`) +
		p.maybe(20, `,"purgedAt":%q`, ago(time.Hour)) + p.maybe(10, `,"validTo":%q`, ago(time.Hour)) + p.maybe(10, `,"validFrom":"2999-01-01T00:00:00Z"`) +
		p.maybe(30, `,"evidence":[{"path":"src/a.go","sha256":%q}]`, p.one("", "00")) + p.maybe(30, `,"confirmations":[{"at":%q}]`, ago(time.Duration(p.rand.IntN(200))*time.Hour))
	return fmt.Sprintf(`{"metadata":{%s},"spec":{"content":%q,"type":%q,"confidence":%s%s%s%s%s}}`,
		p.maybe(70, `"creationTimestamp":%q`, ago(time.Duration(p.rand.IntN(2000))*time.Hour)), p.one("AVOID x", "avoid: X", "other"), p.one("insight", "false_path"), p.one("20", "70", "90"), more,
		p.maybe(60, `,"supersedes":%q`, p.mem())+p.maybe(30, `,"relatedTo":["x","tasks/a","wp/p"]`), p.maybe(30, `,"originTask":%q`, p.task()), p.maybe(20, `,"pinned":true`))
}

func (p *player) inventAnchor() string {
	return fmt.Sprintf(`{"metadata":{%s},"spec":{"content":"remember this","type":%q,"priority":%q,"source":{%s}%s}}`,
		p.maybe(70, `"creationTimestamp":%q`, ago(time.Duration(p.rand.IntN(80))*time.Hour)), p.one("decision", "context"), p.one("critical", "normal"),
		p.one("", `"task":"`+p.task()+`"`, `"file":"src/a.go"`), p.maybe(20, `,"pinned":true`))
}

func (p *player) inventSession() string {
	return fmt.Sprintf(`{"spec":{"host":"claude","agent":%q,"lastSeenAt":%q%s%s}}`,
		p.one("cem", "other"), ago(time.Duration(p.rand.IntN(4))*60*time.Hour), p.maybe(50, `,"activeTask":%q`, p.task())+p.maybe(50, `,"delegation":%q`, p.one("i", "j")), p.maybe(20, `,"endedAt":%q`, ago(time.Hour))+p.maybe(50, `,"counters":{"quietTurns":9}`))
}
