package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/acts/actstest"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// TestMain lets the crash test start this very program as a drainer.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "drain" {
		if err := drainForever(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, "error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// drainForever drains until nothing is left to be carried out.
func drainForever(root string) error {
	d, err := drainerOf(root)
	if err != nil {
		return err
	}
	_, err = d.Drain(context.Background())
	return err
}

func drainerOf(root string) (*Worker, error) {
	files, err := filestore.Open(root)
	if err != nil {
		return nil, err
	}
	return &Worker{Root: layout.Root(root), Acts: acts.All(), Repo: mutate.Open(files, time.Now, false), Now: time.Now}, nil
}

// bench is a repository with a queue.
type bench struct {
	t    *testing.T
	root layout.Root
	d    *Worker
	told []string
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, root: layout.Root(t.TempDir())}
	b.file(".idumb/workplans/p.json", `{"spec": {"title": "P", "acceptance": ["done"], "state": "active"}}`)
	for _, task := range []string{"a", "b"} {
		b.file(".idumb/tasks/"+task+".json", `{"spec": {"workPlan": "p", "expectedOutput": "x"}}`)
	}
	var err error
	b.d, err = drainerOf(string(b.root))
	require.NoError(t, err)
	b.d.Tell = func(id, verb, reason string) { b.told = append(b.told, strings.TrimSpace(id+" "+verb+" "+reason)) }
	return b
}

func (b *bench) file(name, text string) {
	path := b.root.Abs(name)
	require.NoError(b.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(b.t, os.WriteFile(path, []byte(text), 0o644))
}

// add appends to the queue as writers do.
func (b *bench) add(text string) {
	f, err := os.OpenFile(b.root.Abs(File), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	require.NoError(b.t, err)
	_, err = f.WriteString(text)
	require.NoError(b.t, err)
	require.NoError(b.t, f.Close())
}

func (b *bench) drain() {
	_, err := b.d.Drain(b.t.Context())
	require.NoError(b.t, err)
}

func (b *bench) read(kind, name string) resources.Object {
	data, _, err := b.root.ReadSpec(resources.Key{Kind: kind, Name: name})
	require.NoError(b.t, err)
	o, _, err := resources.Read(resources.Key{Kind: kind, Name: name}, data)
	require.NoError(b.t, err)
	return o
}

// asides are the lines that were set aside, with their reasons.
func (b *bench) asides() map[string]string {
	found := map[string]string{}
	_ = filepath.WalkDir(b.root.Abs(rejectedDir), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".json" { // who is killed leaves half a file, of no such name
			return nil
		}
		var a rejected
		data, err := os.ReadFile(path)
		require.NoError(b.t, err)
		require.NoError(b.t, json.Unmarshal(data, &a))
		found[a.Line] = a.Reason
		return nil
	})
	return found
}

func TestDrainCarriesOutInOrder(t *testing.T) {
	b := newBench(t)
	b.add(`{"id":"c1","verb":"create","args":{"kind":"mem","name":"m","labels":{"from":"ci"},"spec":{"content":"one"}}}` + "\n" +
		`{"id":"c2","verb":"start","args":{"task":"a"}}` + "\n\n" +
		`{"id":"c3","verb":"complete","args":{"task":"a","evidence":"seen"}}` + "\n")
	b.drain()
	assert.Equal(t, []string{"c1 create", "c2 start", "c3 complete"}, b.told)
	assert.Equal(t, "ci", b.read(resources.Mems, "m").Head().Metadata.Labels["from"])
	task := b.read(resources.Tasks, "a").(*resources.Task)
	assert.Equal(t, resources.TaskCompleted, task.Spec.State)
	assert.Equal(t, "seen", task.Spec.Result.Evidence)
	assert.NoFileExists(t, b.root.Abs(File))
	b.drain()
	assert.Len(t, b.told, 3, "once each")
	b.add(`{"id":"c4","verb":"create","args":{"kind":"anchor","spec":{"content":"two"}}}` + "\n")
	b.drain()
	assert.Equal(t, "two", b.read(resources.Anchors, "an-q-c4").(*resources.Anchor).Spec.Content)
	b.d.Now = func() time.Time { return time.Now().Add(2 * quietTime) }
	b.drain()
	works, err := requests.WorkNumbers(b.root)
	require.NoError(t, err)
	assert.Empty(t, works, "what is drained is removed")
}

func TestBadLinesAreSetAside(t *testing.T) {
	b := newBench(t)
	bad := map[string]string{
		`nonsense`:                                                                                                                      "the line is no command",
		`{"id":"x1","verb":"explode"}`:                                                                                                  "unknown verb",
		`{"id":"../x","verb":"start"}`:                                                                                                  `id "../x"`,
		`{"id":"x2","verb":"start","args":{"task":"ghost"}}`:                                                                            "not found",
		`{"id":"x3","verb":"start","args":{"tsak":"a"}}`:                                                                                "unknown field",
		`{"id":"x4","verb":"complete","args":{"task":"b"}}`:                                                                             "cannot complete",
		`{"id":"x5","verb":"create","args":{"kind":"role","name":"r","spec":{}}}`:                                                       "cannot be created",
		`{"id":"x6","verb":"create","args":{"kind":"config","spec":{"mode":"off"}}}`:                                                    "cannot be created",
		`{"id":"x7","verb":"create","args":{"kind":"trigger","name":"t","spec":{}}}`:                                                    "cannot be created",
		`{"id":"x8","verb":"create","args":{"kind":"mem","name":"../../x","spec":{"content":"c"}}}`:                                     "name",
		`{"id":"x9","verb":"create","args":{"kind":"mem","name":"n","spec":{"content":"c","evil":1}}}`:                                  "unknown field",
		`{"id":"y1","verb":"create","args":{"kind":"task","name":"a","spec":{"workPlan":"p","expectedOutput":"x"}}}`:                    "already exists",
		`{"id":"y2","verb":"create","args":{"kind":"task","name":"t","spec":{"workPlan":"ghost","expectedOutput":"x"}}}`:                "spec.workPlan",
		`{"id":"y4","verb":"create","args":{"kind":"mem","name":"l","labels":{"bad key!":"x"},"spec":{"content":"c"}}}`:                 "invalid label key",
		`{"id":"y5","verb":"create","args":{"kind":"mem","name":"l","labels":{"area":"not a value"},"spec":{"content":"c"}}}`:           "invalid label value",
		`{"id":"y6","verb":"create","args":{"kind":"delegation","name":"up","spec":{"task":"b","from":"executor","to":"coordinator"}}}`: "is above",
		`{"id":"y3","verb":"start","args":{"task":"a"}} trailing`:                                                                       "something follows",
		`{"id":"y7","verb":"delete","args":{"names":["task/b"],"cascade":"orphans"}}`:                                                   `args: invalid cascade value (orphans); must be "background", "foreground" or "orphan"`,
		`{"id":"y8","verb":"start","args":{"task":"b","cascade":"orphan"}}`:                                                             "args: cascade is for delete and archive",
	}
	for name, level := range map[string]string{"coordinator": "1", "executor": "3"} {
		b.file(".idumb/roles/"+name+".json", `{"spec": {"level": `+level+`}}`)
	}
	for line := range bad {
		b.add(line + "\n")
	}
	b.add(strings.Repeat("x", MaxLine+1) + "\n" + `{"id":"good","verb":"start","args":{"task":"a"}}` + "\n")
	b.drain()
	asides := b.asides()
	for line, reason := range bad {
		assert.Contains(t, asides[line], reason, line)
	}
	assert.Len(t, asides, len(bad)+1)
	assert.Equal(t, resources.TaskActive, b.read(resources.Tasks, "a").(*resources.Task).Spec.State, "the rest goes on")
	assert.NoFileExists(t, b.root.Abs(".idumb/roles/r.json"))
}

// A line may ask for an act that is added to the table, and for none that is not for the queue.
func TestAnActOfTheTableIsQueued(t *testing.T) {
	b := newBench(t)
	b.d.Acts = append(b.d.Acts, actstest.Toy())
	b.add(`{"id":"c1","verb":"polish","args":{"task":"a","reason":"brightly"}}` + "\n")
	loud := `{"id":"c2","verb":"priority","args":{"task":"a","priority":"high"}}`
	b.add(loud + "\n")
	b.drain()
	assert.Equal(t, "brightly", b.read(resources.Tasks, "a").(*resources.Task).Spec.Notes)
	assert.Contains(t, b.asides()[loud], `unknown verb "priority"; use one of note-maker, park, create, start, review, complete, fail, abandon, polish, delete, archive, restore`)
}

// What is queued is done as the command does it: who starts a task takes it over from a
// delegate that is gone, and what is made has what commands give it.
func TestTheQueueDoesWhatCommandsDo(t *testing.T) {
	b := newBench(t)
	b.file(".idumb/delegations/d.json", `{"spec": {"task": "a", "from": "coordinator", "to": "executor"}}`)
	b.file(".idumb/delegations/e.json", `{"spec": {"task": "b", "from": "coordinator", "to": "executor"}}`)
	b.file(".idumb/sessions/s.json", `{"spec": {"delegation": "d", "endedAt": "2020-01-01T10:00:00Z", "lastSeenAt": "2020-01-01T10:00:00Z"}}`)
	b.add(`{"id":"c1","verb":"start","args":{"task":"a"}}` + "\n" + `{"id":"c2","verb":"create","args":{"kind":"mem","name":"m","spec":{"content":"one"}}}` + "\n")
	b.drain()
	assert.Equal(t, []string{"c1 start", "c2 create"}, b.told)
	assert.Equal(t, "recalled", b.read(resources.Delegations, "d").(*resources.Delegation).Spec.State)
	assert.Empty(t, b.read(resources.Delegations, "e").(*resources.Delegation).Spec.State, "that is another task's")
	meta := b.read(resources.Mems, "m").Head().Metadata
	assert.NotEmpty(t, meta.UID)
	assert.False(t, meta.CreationTimestamp.IsZero())
}

func TestALineThatIsBeingWrittenIsWaitedFor(t *testing.T) {
	b := newBench(t)
	b.add(`{"id":"c1","verb":"start",`)
	b.drain()
	assert.Empty(t, b.told)
	works, _ := requests.WorkNumbers(b.root)
	f, err := os.OpenFile(b.root.Abs(requests.WorkFile(works[0])), os.O_APPEND|os.O_WRONLY, 0) // the writer had it open
	require.NoError(t, err)
	_, err = f.WriteString(`"args":{"task":"a"}}` + "\n")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	b.add(`{"id":"c2","verb":"fail","args":{"task":"a","reason":"r"}}` + "\n")
	b.drain()
	assert.Equal(t, []string{"c1 start", "c2 fail"}, b.told)

	b.add(`{"id":"c3","verb":"start","args":{"task":"b"}}`) // and was never ended
	b.d.Now = func() time.Time { return time.Now().Add(2 * quietTime) }
	b.drain()
	assert.Equal(t, []string{"c1 start", "c2 fail", "c3 start"}, b.told)
}

// Killed at random moments, a drainer carries out each command exactly once, in order.
func TestADrainerThatIsKilled(t *testing.T) {
	b := newBench(t)
	self, err := os.Executable()
	require.NoError(t, err)
	const rounds, perRound = 12, 12
	kills, n := 0, 0
	start := func() (*exec.Cmd, chan error) {
		cmd := exec.Command(self, "drain", string(b.root))
		require.NoError(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		return cmd, ended
	}
	for range rounds {
		for range perRound {
			n++
			b.add(fmt.Sprintf(`{"id":"m%d","verb":"create","args":{"kind":"mem","spec":{"content":"%d"}}}`+"\n", n, n))
			if n%6 == 0 {
				b.add(fmt.Sprintf(`broken %d`+"\n", n))
			}
		}
		cmd, ended := start()
		select {
		case err := <-ended:
			require.NoError(t, err)
		case <-time.After(time.Duration(rand.IntN(30)) * time.Millisecond):
			require.NoError(t, cmd.Process.Kill())
			<-ended
			kills++
		}
	}
	b.drain()
	require.Positive(t, kills, "no drainer was killed in its work")
	names, err := os.ReadDir(b.root.Abs(".idumb/mems"))
	require.NoError(t, err)
	assert.Len(t, names, n)
	last := time.Time{}
	for i := 1; i <= n; i++ {
		m := b.read(resources.Mems, fmt.Sprintf("mem-q-m%d", i)).(*resources.Mem)
		assert.Equal(t, fmt.Sprint(i), m.Spec.Content)
		info, err := os.Stat(b.root.Abs(fmt.Sprintf(".idumb/mems/mem-q-m%d.json", i)))
		require.NoError(t, err)
		assert.False(t, info.ModTime().Before(last), "in order")
		last = info.ModTime()
	}
	asides := b.asides()
	assert.Len(t, asides, n/6, "a bad line is set aside once; nothing else is")
	for line := range asides {
		assert.Contains(t, line, "broken")
	}
	t.Logf("%d of %d drainers killed, %d commands", kills, rounds, n)
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"id":"c1","verb":"create","args":{"kind":"mem","spec":{"content":"one"}}}`))
	f.Add([]byte(`{"id":"c2","verb":"start","args":{"task":"a"}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		c, err := Parse(line)
		if err != nil {
			require.True(t, isFinal(err))
			return
		}
		require.NoError(t, resources.CheckName(c.ID))
		var a requests.Args
		_ = strictly(c.Args, &a)
	})
}

// Of one topic one mem holds, also where a process that only appends lines writes it.
func TestQueuedMemsReviseTheirTopic(t *testing.T) {
	b := newBench(t)
	b.add(`{"id":"m1","verb":"create","args":{"kind":"mem","name":"one","spec":{"content":"one","topicKey":"t"}}}` + "\n" +
		`{"id":"m2","verb":"create","args":{"kind":"mem","name":"two","spec":{"content":"two","topicKey":"T"}}}` + "\n")
	refused := `{"id":"m3","verb":"create","args":{"kind":"mem","name":"three","spec":{"content":"three","topicKey":"t","shelf":"other"}}}`
	b.add(refused + "\n")
	b.drain()
	assert.Equal(t, "one", b.read(resources.Mems, "two").(*resources.Mem).Spec.Supersedes)
	assert.Contains(t, b.asides()[refused], `is on shelf "other"`)
}

// What a command would have written is written over the versions that it saw, by one line at most.
func TestQueuedObjects(t *testing.T) {
	b := newBench(t)
	data, _, err := b.root.ReadSpec(resources.Key{Kind: resources.Tasks, Name: "a"})
	require.NoError(t, err)
	rev := resources.Revision(data)
	line := func(id, name, object, over string) string {
		return fmt.Sprintf(`{"id":%q,"verb":"patch","args":{"names":[%q],"objects":[%s],"over":[%q]}}`, id, name, object, over) + "\n"
	}
	high := `{"metadata":{"name":"a"},"spec":{"workPlan":"p","expectedOutput":"x","priority":"high"}}`
	first, stale := line("q1", "task/a", high, rev), line("q2", "task/a", strings.Replace(high, "high", "low", 1), rev)
	role := line("q3", "role/r", `{"metadata":{"name":"r"},"spec":{}}`, "")
	short := `{"id":"q4","verb":"patch","args":{"names":[],"objects":[` + high + `],"over":[""]}}` + "\n"
	other := line("q5", "task/c", `{"metadata":{"name":"d"},"spec":{}}`, "")
	newer := `{"metadata":{"name":"%s"},"spec":{"workPlan":"p","expectedOutput":"x","ofANewerBuild":1}}`
	data, _, err = b.root.ReadSpec(resources.Key{Kind: resources.Tasks, Name: "b"})
	require.NoError(t, err)
	kept, created := line("q6", "task/b", fmt.Sprintf(newer, "b"), resources.Revision(data)), line("q7", "task/e", fmt.Sprintf(newer, "e"), "")
	b.add(first + first + stale + role + short + other + kept + created)
	b.drain()
	task := b.read(resources.Tasks, "a").(*resources.Task)
	assert.Equal(t, "high", task.Spec.Priority)
	assert.Equal(t, "q1", task.Metadata.Annotations[mutate.AnnotationQueued])
	asides := b.asides()
	assert.Contains(t, asides[strings.TrimSpace(stale)], "the object has been modified")
	assert.Contains(t, asides[strings.TrimSpace(role)], `kind "role" cannot be created by the queue`)
	assert.Contains(t, asides[strings.TrimSpace(short)], "as many as objects")
	assert.Regexp(t, `^task/c:\d+:\d+: metadata.name: `, asides[strings.TrimSpace(other)], "which object it is about")
	assert.NotContains(t, asides, strings.TrimSpace(first))
	data, _, err = b.root.ReadSpec(resources.Key{Kind: resources.Tasks, Name: "b"})
	require.NoError(t, err)
	assert.Contains(t, string(data), "ofANewerBuild", "fields of a newer build stay")
	assert.Contains(t, asides[strings.TrimSpace(created)], "ofANewerBuild", "they are not for new objects")
}

// A line that any process can write claims nothing for an agent that git tracks.
func TestALineClaimsNothingThatGitTracks(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	b, text := newBench(t), `{"spec": {"workPlan": "p", "expectedOutput": "x"}}`
	for _, args := range [][]string{{"init", "-q"}, {"add", ".idumb/tasks/a.json"}} {
		out, err := exec.Command("git", append([]string{"-C", string(b.root)}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	for i, name := range []string{"a", "b", "gone"} {
		b.add(fmt.Sprintf(`{"id": "x%d", "verb": "note-maker", "args": {"names": ["task/%s"], "over": ["%s"], "session": "s"}}`+"\n", i, name, resources.Revision([]byte(text))))
	}
	b.add(`{"id": "x4", "verb": "note-maker", "args": {"names": ["task/b"], "over": ["another"], "session": "t"}}` + "\n")
	b.drain()
	assert.Equal(t, []string{"x0 note-maker task/a is tracked by git: its author cannot be changed", "x1 note-maker", "x2 note-maker", "x4 note-maker"}, b.told)
	assert.Empty(t, b.read(resources.Tasks, "a").Head().Metadata.Annotations)
	assert.Equal(t, map[string]string{resources.AnnotationMadeBy: "s"}, b.read(resources.Tasks, "b").Head().Metadata.Annotations)
}
