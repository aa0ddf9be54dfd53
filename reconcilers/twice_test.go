package reconcilers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// all is everything below .idumb, with when it was written; without what tells of the
// controller itself.
func (s *stage) all() map[string]string {
	files := s.tree(".idumb")
	for name, content := range files {
		info, err := os.Lstat(filepath.Join(s.path(".idumb"), name))
		if err != nil || strings.HasPrefix(name, "events/") || name == "run/controller.json" {
			delete(files, name)
			continue
		}
		files[name] = info.ModTime().String() + "\n" + content
	}
	return files
}

// What makes objects makes them once: run again over what it made, by a process that
// remembers nothing, it writes nothing and tells nothing.
func TestMakingTwiceEqualsOnce(t *testing.T) {
	t.Parallel()
	s := repository(t)
	s.task("done", `,"state":"completed","result":{"evidence":"Stripe wants cents"}`)
	s.file(".idumb/anchors/opaque.json", `{"spec":{"content":"Tokens are opaque","type":"decision"}}`)
	s.file(".idumb/triggers/t.json", `{"spec":{"event":"export","count":2,"action":"synthesize"}}`)
	for i := range 3 {
		s.file(fmt.Sprintf(".idumb/sessions/s%d.json", i), fmt.Sprintf(`{"spec":{"host":"claude","lastSeenAt":%q,"counters":{"toolCalls":1}}}`, time.Now().Add(-2*time.Hour).UTC().Format(time.RFC3339)))
		s.file(fmt.Sprintf(".idumb/run/hook/s%d.said", i), "It turned out that the cache keeps entries for 30 days.")
	}
	s.file(".idumb/queue.jsonl", `{"id":"one","verb":"start","args":{"task":"first"}}`+"\n")
	long := time.Now().Add(-time.Minute) // nobody has it open any more
	require.NoError(t, os.Chtimes(s.path(".idumb/queue.jsonl"), long, long))
	s.git(daysAgo(1), "init", "-q", "-b", "main")
	s.git(daysAgo(1), "commit", "-q", "--allow-empty", "-m", "decision: files")
	s.start()
	s.eventually("all is made", func() bool {
		for _, pattern := range []string{"derived/mems/mem-task-done.json", "derived/mems/mem-anchor-opaque.json", "derived/mems/mem-commit-*.json", "derived/mems/mem-exports-*.json"} {
			if found, _ := filepath.Glob(s.path(".idumb/" + pattern)); len(found) == 0 {
				return false
			}
		}
		return strings.Contains(s.statuses()["tasks/first.json"], `"active"`) && !s.exists(".idumb/run/queue/1.jsonl")
	})
	s.settled()
	client := s.manager.Client("test")
	s.end()
	before, told := s.all(), s.told()
	background := 0
	for _, loop := range All(NewPacks(), s.repo) {
		if !loop.Background {
			continue
		}
		background++
		reconciler := loop.New(client)
		keys := append(loop.Keys(controller.Change{}, client), loop.Keys(controller.Change{Key: memKey("m-001")}, client)...)
		require.Len(t, keys, 1, loop.Name)
		for range 2 {
			_, err := reconciler.Reconcile(t.Context(), keys[0])
			require.NoError(t, err, loop.Name)
		}
		assert.Empty(t, difference(before, s.all()), "the %s loop wrote again what it had written", loop.Name)
	}
	assert.Equal(t, 4, background)
	assert.Equal(t, told, s.told())
}

// A change touches what is made of it, and nothing else.
func TestWhatIsMadeOfWhat(t *testing.T) {
	s := repository(t)
	s.file(".idumb/tasks/open.json", `{"spec":{"workPlan":"plan","expectedOutput":"x"}}`)
	s.file(".idumb/tasks/done.json", `{"spec":{"workPlan":"plan","expectedOutput":"x","state":"completed"}}`)
	s.start()
	defer s.end()
	require.NoError(t, s.manager.WaitListed(t.Context()))
	client := s.manager.Client("test")
	object := func(kind, spec string) resources.Object {
		o, _, err := resources.Read(resources.Key{Kind: kind, Name: "x"}, []byte(`{"spec":`+spec+`}`))
		require.NoError(t, err)
		return o
	}
	open, done := object(resources.Tasks, `{"workPlan":"p","expectedOutput":"x"}`), object(resources.Tasks, `{"workPlan":"p","expectedOutput":"x","state":"completed"}`)
	session := object(resources.Sessions, `{"host":"claude"}`)
	for _, test := range []struct {
		what   string
		change controller.Change
		want   string
	}{
		{"all is listed", controller.Change{}, "queue origins derived exports"},
		{"a task is open", controller.Change{Key: taskKey("x"), New: open}, ""},
		{"a task is completed", controller.Change{Key: taskKey("x"), Old: open, New: done}, "derived"},
		{"its status is written", controller.Change{Key: taskKey("x"), Old: done, New: done, StatusOnly: true}, ""},
		{"the log of an open task grows", controller.Change{Key: resources.Key{Kind: resources.CheckpointsKind, Name: "open"}}, ""},
		{"the log of a completed task grows", controller.Change{Key: resources.Key{Kind: resources.CheckpointsKind, Name: "done"}}, ""}, // what one machine saw makes no mem
		{"a note", controller.Change{Key: resources.Key{Kind: resources.Anchors, Name: "x"}, New: object(resources.Anchors, `{"content":"c"}`)}, ""},
		{"a decision", controller.Change{Key: resources.Key{Kind: resources.Anchors, Name: "x"}, New: object(resources.Anchors, `{"content":"c","type":"decision"}`)}, "derived"},
		{"HEAD moves", controller.Change{Key: resources.Key{Kind: "files", Name: ".git/HEAD"}}, "origins derived"},
		{"a command is queued", controller.Change{Key: resources.Key{Kind: "files", Name: ".idumb/queue.jsonl"}}, "queue"},
		{"another file changes", controller.Change{Key: resources.Key{Kind: "files", Name: "go.mod"}}, ""},
		{"a mem goes", controller.Change{Key: memKey("x"), Old: object(resources.Mems, `{"content":"c"}`)}, ""},
		{"a mem fades", controller.Change{Key: memKey("x"), OldPhase: "fresh", NewPhase: "fading", StatusOnly: true}, ""},
		{"a session is at work", controller.Change{Key: resources.Key{Kind: resources.Sessions, Name: "x"}, Old: session, New: session, OldPhase: "active", NewPhase: "active"}, ""},
		{"a session rests", controller.Change{Key: resources.Key{Kind: resources.Sessions, Name: "x"}, OldPhase: "active", NewPhase: "idle", StatusOnly: true}, "exports"},
		{"a trigger changes", controller.Change{Key: resources.Key{Kind: resources.Triggers, Name: "x"}}, "exports"},
	} {
		var due []string
		for _, loop := range All(NewPacks(), s.repo) {
			if loop.Background && len(loop.Keys(test.change, client)) > 0 {
				due = append(due, loop.Name)
			}
		}
		assert.Equal(t, test.want, strings.Join(due, " "), test.what)
	}
}
