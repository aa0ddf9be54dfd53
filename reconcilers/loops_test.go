package reconcilers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// household is a repository with something of every kind.
func household(t testing.TB) *stage {
	s := newStage(t)
	s.file("src/a.go", "package a") // before the anchor that cites it
	s.plan("p", `,"state":"active"`)
	s.plan("q", `,"state":"active","dependsOn":["p"]`)
	s.plan("over", `,"state":"abandoned"`)
	s.task("a", `,"state":"completed","result":{"evidence":"seen"}`)
	s.task("b", `,"state":"active","dependsOn":["a"],"fileLocks":["src/**"]`)
	s.task("c", `,"dependsOn":["b","nobody"],"temporalGate":{"after":"d","reason":"first d"}`)
	s.task("d", `,"dependsOn":["c"]`)
	s.task("broken", `,"titel":"x"`)
	s.file(".idumb/anchors/x.json", `{"spec":{"content":"c","source":{"file":"src/a.go"}}}`)
	s.file(".idumb/mems/m.json", `{"spec":{"content":"c","supersedes":"n"}}`)
	s.file(".idumb/mems/n.json", `{"spec":{"content":"c"}}`)
	s.file(".idumb/decisions/e.json", `{"spec":{"title":"E","state":"accepted","dependsOn":["f"],"evidence":[{"path":"src/a.go"}]}}`)
	s.file(".idumb/decisions/f.json", `{"spec":{"title":"F"}}`)
	s.file(".idumb/roles/solo.json", `{"spec":{"rules":["be brief"]}}`)
	s.file(".idumb/delegations/i.json", `{"spec":{"task":"b","from":"ann","to":"bob"}}`)
	s.file(".idumb/sessions/s.json", fmt.Sprintf(`{"spec":{"host":"claude","lastSeenAt":%q}}`, time.Now().UTC().Format(time.RFC3339)))
	s.file(".idumb/artifacts/prd.json", `{"spec":{"path":"docs/prd.md"}}`)
	s.file(".idumb/artifacts/plan.json", `{"spec":{"path":"docs/plan.md","covers":["tasks/b"],"derivedFrom":[{"artifact":"prd","section":"Auth","sha256":"0"}]}}`)
	s.file("docs/prd.md", "# PRD\n## Auth\nx\n")
	s.file("docs/plan.md", "# Plan\n")
	s.file(".idumb/comments/c-1.json", `{"spec":{"about":"task/b","type":"question","body":"How?","author":"session/s"}}`)
	s.file(".idumb/comments/c-2.json", `{"spec":{"about":"task/b","type":"answer","body":"So.","inReplyTo":"c-1"}}`)
	s.file(".idumb/config.json", `{"spec":{}}`)
	return s
}

// signature tells whether a file was written again, not only what it holds.
func (s *stage) signature() map[string]string {
	files := map[string]string{}
	for _, dir := range []string{".idumb/status", ".idumb/context"} {
		for name, content := range s.tree(dir) {
			info, err := os.Lstat(filepath.Join(s.path(dir), name))
			require.NoError(s.t, err)
			files[dir+"/"+name] = info.ModTime().String() + "\n" + content
		}
	}
	return files
}

// Reconciling what is settled once more writes nothing and tells nothing, for every
// loop and every key.
func TestTwiceEqualsOnce(t *testing.T) {
	t.Parallel()
	s := household(t)
	s.start()
	defer s.end()
	s.settled()
	before, told := s.signature(), s.told()
	for _, loop := range All(NewPacks(), mutate.Repo{}) {
		client := s.manager.Client(loop.Name)
		reconciler := loop.New(client)
		reconciled := 0
		for range 2 {
			for _, kind := range resources.Kinds() {
				for _, key := range client.List(kind.Plural) {
					object, _ := client.Get(key)
					for _, todo := range loop.Keys(controller.Change{Key: key, New: object}, client) {
						_, err := reconciler.Reconcile(t.Context(), todo)
						require.NoError(t, err, "%s on %s", loop.Name, todo)
						reconciled++
					}
				}
			}
		}
		assert.NotZero(t, reconciled, loop.Name)
		assert.Empty(t, difference(before, s.signature()), "the %s loop wrote again what it had written", loop.Name)
	}
	assert.Equal(t, told, s.told())
}

// Starting again over statuses that are there writes and tells nothing.
func TestRestartIsSilent(t *testing.T) {
	t.Parallel()
	s := household(t)
	s.start()
	s.settled()
	s.end()
	before, told := s.signature(), s.told()
	s.start()
	s.settled()
	s.end()
	assert.Empty(t, difference(before, s.signature()))
	assert.Equal(t, []string{"task/broken InvalidFile"}, s.told()[len(told):], "what is broken is told again, and nothing else")
}

func TestTaskTellsItsStory(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plan("p", `,"state":"active"`)
	s.task("first", "")
	s.task("second", `,"dependsOn":["first"]`)
	s.start()
	defer s.end()
	step := func(spec string, want ...string) {
		t.Helper()
		known := len(s.told())
		s.task("first", spec)
		s.settled()
		assert.Equal(t, want, slices.Sorted(slices.Values(s.told()[known:])), spec)
	}
	s.settled()
	require.Empty(t, s.told(), "what a first listing finds is no news")
	step(`,"state":"active"`, "task/first Started")
	step(`,"state":"completed"`, "task/first EvidenceMissing")
	step(`,"state":"completed","result":{"evidence":"see"}`, "task/first Completed", "task/second Unblocked")
	step(`,"state":"active"`, "task/first Started", "task/second Blocked")
	step(`,"state":"failed","reason":"no access"`, "task/first Failed")
	step("", "task/first Planned")
}

// The life of a plan as its tasks see it: whoever waits for it goes on when its last
// task is completed, and stops again when one is taken up.
func TestPlanUnblocksPlan(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plan("p", `,"state":"active"`)
	s.plan("q", `,"state":"active","dependsOn":["p"]`)
	s.task("a", "")
	s.file(".idumb/tasks/b.json", `{"spec":{"workPlan":"q","expectedOutput":"it works"}}`)
	s.start()
	defer s.end()
	s.settled()
	phase := func() string {
		b, _ := s.manager.Client("test").Task("b")
		status, _ := status.DeriveTask(b, s.manager.Client("test"))
		return status.Phase
	}
	assert.Equal(t, resources.TaskBlocked, phase())
	s.task("a", `,"state":"completed","result":{"evidence":"see"}`)
	s.settled()
	assert.Equal(t, resources.TaskBlocked, phase(), "a criterion of p was not shown to hold")
	s.plan("p", `,"state":"active","met":[{"criterion":"done","evidence":"seen"}]`)
	s.settled()
	assert.Equal(t, resources.TaskPlanned, phase())
	assert.Subset(t, s.told(), []string{"task/a Completed", "workplan/p CriteriaOpen", "workplan/p Completed", "workplan/q Unblocked", "task/b Unblocked"})
	s.task("a", "")
	s.settled()
	assert.Equal(t, resources.TaskBlocked, phase())
}

// An abandoned task that others wait for is set aside at once; one that nobody waits
// for stays, and so does one whose file broke since.
func TestChainBreakerIsArchived(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plan("p", `,"state":"active"`)
	s.task("breaker", "")
	s.task("gate", "")
	s.task("lone", `,"state":"abandoned"`)
	s.task("waits", `,"dependsOn":["breaker"]`)
	s.task("held", `,"temporalGate":{"after":"gate"}`)
	s.task("given-up", `,"state":"abandoned","dependsOn":["lone"]`)
	s.start()
	defer s.end()
	s.settled()
	s.task("breaker", `,"state":"abandoned"`)
	s.task("gate", `,"state":"abandoned"`)
	s.settled()
	s.eventually("the breakers are archived", func() bool {
		return s.exists(".idumb/archive/tasks/breaker.json") && s.exists(".idumb/archive/tasks/gate.json")
	})
	s.settled()
	assert.False(t, s.exists(".idumb/tasks/breaker.json"))
	assert.False(t, s.exists(".idumb/status/tasks/breaker.json"))
	assert.True(t, s.exists(".idumb/tasks/lone.json"))
	assert.Contains(t, s.statuses()["tasks/waits.json"], `"DependencyArchived"`)
	assert.Contains(t, s.statuses()["tasks/held.json"], `"DependencyArchived"`)
	assert.Subset(t, s.told(), []string{"task/breaker ChainBreakerArchived", "task/waits ChainBroken"})

	s.task("late", `,"dependsOn":["lone"]`)
	s.settled()
	s.eventually("one that came to be waited for is archived too", func() bool { return s.exists(".idumb/archive/tasks/lone.json") })
}

// A file that is merely missing is weak evidence: git and editors make files vanish.
// Nothing is moved for it, and it is told only after the grace period.
func TestMissingFileMovesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plan("p", `,"state":"active"`)
	s.file(".idumb/config.json", `{"spec":{"orphanGracePeriod":"300ms"}}`)
	s.task("first", "")
	s.task("second", `,"dependsOn":["first"]`)
	s.start()
	defer s.end()
	s.settled()
	require.NoError(t, os.Remove(s.path(".idumb/tasks/first.json")))
	s.settled()
	s.eventually("it is believed", func() bool { return strings.Contains(s.statuses()["tasks/second.json"], `"Orphaned"`) })
	assert.Contains(t, s.told(), "task/first RemovalBelieved")
	s.eventually("it is told", func() bool { return slices.Contains(s.told(), "task/second Orphaned") })
	assert.True(t, s.exists(".idumb/tasks/second.json"))
	assert.False(t, s.exists(".idumb/archive"))
	s.task("first", "")
	s.settled()
	assert.NotContains(t, s.statuses()["tasks/second.json"], `"Orphaned"`)
}

// An abandoned plan is set aside with its tasks when its time has come, but what
// others build on stays.
func TestPurge(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plan("p", `,"state":"active"`)
	s.plan("q", `,"state":"active"`)
	s.file(".idumb/config.json", `{"spec":{"purgeAfter":"100ms"}}`)
	s.task("open", "")
	s.task("used", `,"state":"completed","result":{"evidence":"see"}`)
	s.file(".idumb/tasks/builds.json", `{"spec":{"workPlan":"q","expectedOutput":"it works","dependsOn":["used"]}}`)
	s.start()
	defer s.end()
	s.settled()
	s.plan("p", `,"state":"abandoned"`)
	s.eventually("the plan is archived", func() bool { return s.exists(".idumb/archive/workplans/p.json") })
	s.settled()
	assert.True(t, s.exists(".idumb/archive/tasks/open.json"))
	assert.True(t, s.exists(".idumb/tasks/used.json"))
	assert.Contains(t, s.statuses()["tasks/builds.json"], `"phase":"planned"`)
	assert.Subset(t, s.told(), []string{"workplan/p Abandoned", "workplan/p Purged"})
}

func TestSessionIsCollected(t *testing.T) {
	s := newStage(t)
	session := func(name string, ago time.Duration) {
		s.file(".idumb/sessions/"+name+".json", fmt.Sprintf(`{"spec":{"host":"claude","lastSeenAt":%q}}`, time.Now().Add(-ago).UTC().Format(time.RFC3339)))
	}
	session("now", 0)
	session("old", 1000*time.Hour)
	session("stale", 100*time.Hour)
	s.file(".idumb/context/sessions/left-behind.xml", "from before")
	s.file(".idumb/context/sessions/left-behind.log", "what was told")
	s.file(".idumb/context/sessions/now.log", "what was told")
	s.start()
	defer s.end()
	s.settled()
	s.eventually("the old one is archived", func() bool { return s.exists(".idumb/archive/sessions/old.json") })
	s.settled()
	assert.Contains(t, s.told(), "session/old Collected")
	assert.True(t, s.exists(".idumb/sessions/stale.json"))
	s.eventually("only a live one has a pack", func() bool {
		names := s.tree(".idumb/context/sessions")
		return len(names) == 2 && names["now.xml"] != "" && names["now.log"] != ""
	})
	require.NoError(t, os.Remove(s.path(".idumb/sessions/now.json")))
	s.settled()
	s.eventually("its pack goes with it", func() bool { return len(s.tree(".idumb/context/sessions")) == 0 })
}

// What the context is about switches with the read-head, and with the intent.
func TestContextSwitches(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plan("p", `,"state":"active"`)
	s.plan("q", `,"state":"active"`)
	s.start()
	defer s.end()
	s.settled()
	assert.True(t, s.exists(".idumb/status/trajectory/trajectory.json"), "the read-head is there without a file")
	pack := func() string { return s.contexts()["context.xml"] }
	assert.Contains(t, pack(), "Plan p")
	s.file(".idumb/trajectory.json", `{"spec":{"activePlan":"q"}}`)
	s.settled()
	assert.Contains(t, pack(), "Plan q")
	s.file(".idumb/trajectory.json", `{"spec":{"activePlan":"q","intent":"ship it"}}`)
	s.settled()
	assert.Contains(t, pack(), "ship it")
	s.plan("q", `,"state":"abandoned"`)
	s.settled()
	assert.Contains(t, pack(), "Plan p")
	assert.Equal(t, 3, strings.Count(strings.Join(s.told(), "\n"), "ContextSwitched"))
}

// What a pack had stays in and where it stood, over changes and restarts, though others
// would come first now; what is new stands behind it. Whoever packs from the same last pack
// packs the same.
func TestPacksHoldOn(t *testing.T) {
	s := newStage(t)
	s.plan("p", `,"state":"active"`)
	s.task("a", `,"state":"active","title":"the login form"`)
	for i := range 6 {
		s.file(fmt.Sprintf(".idumb/mems/m%d.json", i), fmt.Sprintf(`{"spec":{"content":"the login form, case %d","originTask":"a"}}`, i))
	}
	now := time.Now().UTC().Format(time.RFC3339)
	s.file(".idumb/sessions/told.json", fmt.Sprintf(`{"spec":{"host":"claude","lastSeenAt":%q}}`, now))
	s.file(".idumb/sessions/new.json", fmt.Sprintf(`{"spec":{"host":"claude","lastSeenAt":%q}}`, now))
	s.start()
	s.settled()
	order := func(name string) (ids []string) {
		for l := range strings.Lines(s.contexts()[name]) {
			if _, id, ok := strings.Cut(l, "(mems/"); ok {
				ids = append(ids, strings.TrimSuffix(id, ")\n"))
			}
		}
		return ids
	}
	first := order("context.xml")
	require.Len(t, first, 6)
	s.end()
	turned := slices.Clone(first)
	slices.Reverse(turned)
	s.file(".idumb/run/hook/told.pack", packOf(turned...))
	s.file(".idumb/mems/better.json", `{"spec":{"title":"the login form","content":"the login form, the best case","originTask":"a","tags":["login"]}}`)
	s.start()
	s.settled()
	assert.Equal(t, append(slices.Clone(first), "better"), order("context.xml"))
	assert.Equal(t, append(slices.Clone(first), "better"), order("sessions/new.xml"))
	assert.Equal(t, append(turned, "better"), order("sessions/told.xml"), "what the session was told counts before the file")
	before := s.contexts()
	s.end()
	s.start()
	s.settled()
	s.end()
	assert.Empty(t, difference(before, s.contexts()), "packed again it is the same")
}

// packOf is a pack of mems alone, as a reader may have it.
func packOf(names ...string) string {
	text := "<idumb_context>\n<insights>\n"
	for _, name := range names {
		text += fmt.Sprintf("- [2026-11-01] the login form (mems/%s)\n", name)
	}
	return text + "</insights>\n</idumb_context>\n"
}

// Anchors follow their source, mems what replaces them.
func TestAnchorsAndMemsFollow(t *testing.T) {
	t.Parallel()
	s := household(t)
	s.start()
	defer s.end()
	s.settled()
	assert.Contains(t, s.statuses()["anchors/x.json"], `"phase":"fresh"`)
	assert.Contains(t, s.statuses()["mems/n.json"], `"supersededBy":"m"`)
	require.NoError(t, os.Remove(s.path("src/a.go")))
	require.NoError(t, os.Remove(s.path(".idumb/mems/m.json")))
	s.eventually("both are seen", func() bool {
		statuses := s.statuses()
		return strings.Contains(statuses["anchors/x.json"], `"phase":"stale"`) && strings.Contains(statuses["mems/n.json"], `"phase":"fresh"`)
	})
	assert.Subset(t, s.told(), []string{"anchor/x Stale", "mem/n Fresh"})
}

// The change of one task touches that task, those that wait for it, and its plan,
// however many tasks there are.
func TestChangeTouchesOnlyWhatWaits(t *testing.T) {
	for _, size := range []int{10, 400} {
		s := newStage(t)
		s.plan("p", `,"state":"active"`)
		s.task("t000", "")
		for i := 1; i < size; i++ {
			s.task(fmt.Sprintf("t%03d", i), fmt.Sprintf(`,"dependsOn":["t%03d"]`, i-1))
		}
		s.start()
		s.settled()
		client := s.manager.Client("test")
		old, _ := client.Task("t003")
		completed := *old
		completed.Spec.State, completed.Spec.Result = resources.TaskCompleted, &resources.TaskResult{Evidence: "see"}
		change := controller.Change{Key: taskKey("t003"), Old: old, New: &completed}
		for loop, want := range map[string][]string{
			"task": {"tasks/t003", "tasks/t004"}, "plan": {"workplans/p"}, "chain": {"tasks/t003"}, "trajectory": {"trajectory/trajectory"}, "context": {"context/context"},
			"anchor": nil, "mem": nil, "session": nil, "observe": nil,
		} {
			assert.Equal(t, want, mappedBy(loop, change, client), "%s of %d tasks", loop, size)
		}
		change = controller.Change{Key: planKey("p"), StatusOnly: true, Old: nil, New: nil}
		assert.Empty(t, mappedBy("task", change, client), "the progress of a plan is no concern of its tasks")
		s.end()
	}
}

func mappedBy(loop string, change controller.Change, c controller.Client) []string {
	for _, r := range All(NewPacks(), mutate.Repo{}) {
		if r.Name != loop {
			continue
		}
		found := map[string]bool{}
		for _, key := range r.Keys(change, c) {
			found[key.String()] = true
		}
		var keys []string
		for key := range found {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		return keys
	}
	return nil
}
