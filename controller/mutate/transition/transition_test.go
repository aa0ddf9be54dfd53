package transition

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// world is a Snapshot that can be gone through.
type world struct{ *graph.Snapshot }

func (w world) Referring(...resources.Key) iter.Seq[resources.Object] {
	return func(yield func(resources.Object) bool) {
		for _, kind := range []string{resources.Tasks, resources.WorkPlans} {
			for _, key := range w.List(kind) {
				if o, ok := w.Get(key); ok && !yield(o) {
					return
				}
			}
		}
	}
}

// newWorld reads objects, "tasks/a": spec, with the checkpoints of tasks.
func newWorld(t *testing.T, specs map[string]string, seen map[string]*status.Evidence) world {
	t.Helper()
	in := graph.SnapshotInput{Evidence: seen}
	for path, spec := range specs {
		kind, name, _ := strings.Cut(path, "/")
		o, _, err := resources.Read(resources.Key{Kind: kind, Name: name}, []byte(`{"spec":`+spec+`}`))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		in.Objects = append(in.Objects, o)
	}
	return world{graph.NewSnapshot(in)}
}

const (
	activePlan = `{"title":"x","acceptance":["x"],"state":"active"}`
	head       = `{"workPlan":"p","expectedOutput":"x"`
)

var specs = map[string]string{
	"workplans/p":     activePlan,
	"workplans/done":  `{"title":"x","acceptance":["x"],"state":"completed"}`,
	"workplans/after": `{"title":"x","acceptance":["x"],"state":"active","dependsOn":["p"]}`,
	"tasks/planned":   head + `}`,
	"tasks/active":    head + `,"state":"active"}`,
	"tasks/review":    head + `,"state":"review"}`,
	"tasks/completed": head + `,"state":"completed","result":{"evidence":"x"}}`,
	"tasks/claimed":   head + `,"state":"completed"}`,
	"tasks/failed":    head + `,"state":"failed","reason":"x"}`,
	"tasks/abandoned": head + `,"state":"abandoned","reason":"x"}`,
	"tasks/blocked":   head + `,"dependsOn":["active"]}`,
	"tasks/gated":     head + `,"state":"active","temporalGate":{"after":"planned","reason":"order matters"}}`,
	"tasks/proven":    head + `,"state":"active","evidence":[{"file":"a/**"},{"command":"go test","succeeds":true}]}`,
	"tasks/unproven":  head + `,"state":"active","evidence":[{"file":"b/**"}]}`,
	"tasks/recorded":  head + `,"state":"active"}`,
	"tasks/orphan":    head + `,"dependsOn":["abandoned"]}`,
	"tasks/over":      `{"workPlan":"done","expectedOutput":"x"}`,
	"tasks/behind":    head + `,"dependsOn":["gated"]}`,
	"tasks/later":     `{"workPlan":"after","expectedOutput":"x"}`,
}

var seen = map[string]*status.Evidence{
	"proven":   {Count: 2, Files: []string{"a/b.go"}, Commands: []status.Command{{Line: "go test", Succeeded: true}}},
	"recorded": {Count: 3, Files: []string{"c.go"}},
}

func nobody(*resources.Task) bool { return false }

func TestTask(t *testing.T) {
	tests := []struct {
		task  string
		move  Move
		want  string // spec.state afterwards
		fails string // part of the refusal
	}{
		{task: "planned", move: Move{Verb: Start}, want: "active"},
		{task: "active", move: Move{Verb: Start}, want: "active"},
		{task: "review", move: Move{Verb: Start}, want: "active"},
		{task: "failed", move: Move{Verb: Start}, want: "active"},
		{task: "completed", move: Move{Verb: Start}, fails: "it is completed"},
		{task: "abandoned", move: Move{Verb: Start}, fails: "it is abandoned"},
		{task: "blocked", move: Move{Verb: Start}, fails: `it is blocked by "active" (active); complete active first: idumb complete active --evidence "..."`},
		{task: "blocked", move: Move{Verb: Start, MayStart: nobody}, fails: `it is blocked by "active" (active); wait, or take another task: idumb next`},
		{task: "behind", move: Move{Verb: Start}, fails: `it is blocked by "gated" (blocked); start planned first: idumb start planned`},
		{task: "orphan", move: Move{Verb: Start}, fails: `or abandon "orphan" as well; or list ready tasks: idumb next`},
		{task: "orphan", move: Move{Verb: Start}, fails: "or list ready tasks: idumb next"},
		{task: "gated", move: Move{Verb: Start}, fails: `it is blocked by "planned" (planned) (gate: order matters); start planned first: idumb start planned`},
		{task: "over", move: Move{Verb: Start}, fails: `its plan "done" is completed`},
		{task: "later", move: Move{Verb: Start}, fails: "it is blocked by workplan/p (active)"},
		{task: "active", move: Move{Verb: Review}, want: "review"},
		{task: "planned", move: Move{Verb: Review}, fails: "start it first: idumb start planned"},
		{task: "active", move: Move{Verb: Complete, Evidence: "x"}, want: "completed"},
		{task: "review", move: Move{Verb: Complete, Evidence: "x"}, want: "completed"},
		{task: "active", move: Move{Verb: Complete}, fails: "--evidence"},
		{task: "active", move: Move{Verb: Complete, Evidence: "  "}, fails: "--evidence"},
		{task: "recorded", move: Move{Verb: Complete}, want: "completed"},
		{task: "proven", move: Move{Verb: Complete}, want: "completed"},
		{task: "unproven", move: Move{Verb: Complete, Evidence: "trust me"}, fails: "b/**"},
		{task: "claimed", move: Move{Verb: Complete}, fails: "--evidence"},
		{task: "claimed", move: Move{Verb: Complete, Evidence: "x"}, want: "completed"},
		{task: "completed", move: Move{Verb: Complete}, want: "completed"},
		{task: "planned", move: Move{Verb: Complete, Evidence: "x"}, fails: "it is planned, not active"},
		{task: "blocked", move: Move{Verb: Complete, Evidence: "x"}, fails: "it is blocked by"}, // beads #962
		{task: "gated", move: Move{Verb: Complete, Evidence: "x"}, fails: "it is blocked by"},
		{task: "failed", move: Move{Verb: Complete, Evidence: "x"}, fails: "it is failed"},
		{task: "blocked", move: Move{Verb: Fail, Reason: "x"}, want: "failed"},
		{task: "active", move: Move{Verb: Fail}, fails: "no reason is given"},
		{task: "completed", move: Move{Verb: Abandon, Reason: "x"}, fails: "it is completed"},
		{task: "planned", move: Move{Verb: Abandon, Reason: "x"}, want: "abandoned"},
	}
	w := newWorld(t, specs, seen)
	for _, test := range tests {
		t.Run(string(test.move.Verb)+" "+test.task, func(t *testing.T) {
			task, _ := w.Task(test.task)
			before, _ := resources.Encode(task)
			got, err := Task(task, test.move, w)
			if after, _ := resources.Encode(task); string(after) != string(before) {
				t.Error("the task that was given has changed")
			}
			if test.fails != "" {
				if err == nil || !strings.Contains(err.Error(), test.fails) {
					t.Errorf("got error %v; want %q", err, test.fails)
				}
				return
			}
			if err != nil || got.Spec.State != test.want {
				t.Errorf("got %+v, %v; want %s", got, err, test.want)
			}
		})
	}
}

// Why a task came back stays when it is started again, until it is completed.
func TestTheReasonStaysUntilCompleted(t *testing.T) {
	w := newWorld(t, specs, seen)
	failed, _ := w.Task("failed")
	started, err := Task(failed, Move{Verb: Start}, w)
	if err != nil || started.Spec.Reason != "x" {
		t.Fatalf("got reason %q, %v; want x", started.Spec.Reason, err)
	}
	done, err := Task(started, Move{Verb: Complete, Evidence: "seen"}, w)
	if err != nil || done.Spec.Reason != "" {
		t.Errorf("got reason %q, %v; want none", done.Spec.Reason, err)
	}
}

func TestCompleteRecords(t *testing.T) {
	w := newWorld(t, specs, seen)
	task, _ := w.Task("proven")
	got, err := Task(task, Move{Verb: Complete, Tests: "ok", Files: []string{"z", "a/b.go"}}, w)
	if err != nil {
		t.Fatal(err)
	}
	r := got.Spec.Result
	if r.TestsRun != "ok" || !slices.Equal(r.FilesModified, []string{"a/b.go", "z"}) || len(r.Verified) != 2 {
		t.Errorf("got %+v; want tests, files and both evidence items", r)
	}
	// What is recorded holds where there is no log.
	elsewhere := newWorld(t, specs, nil)
	if status, _ := status.DeriveTask(got, elsewhere); status.Phase != resources.TaskCompleted {
		t.Errorf("on another machine its phase is %s; want completed", status.Phase)
	}
}

// moved is a world in which one object is another one.
type moved struct {
	world
	task *resources.Task
}

func (m moved) Task(name string) (*resources.Task, bool) {
	if name == m.task.Metadata.Name {
		return m.task, true
	}
	return m.world.Task(name)
}

func (m moved) Referring(keys ...resources.Key) iter.Seq[resources.Object] {
	return func(yield func(resources.Object) bool) {
		for o := range m.world.Referring(keys...) {
			if o.Key() == m.task.Key() {
				o = m.task
			}
			if !yield(o) {
				return
			}
		}
	}
}

func TestAfter(t *testing.T) {
	tests := []struct {
		task              string
		move              Move
		unblocked, broken []string
	}{
		{task: "active", move: Move{Verb: Complete, Evidence: "x"}, unblocked: []string{"blocked"}},
		{task: "active", move: Move{Verb: Abandon, Reason: "x"}, broken: []string{"blocked"}},
		{task: "active", move: Move{Verb: Fail, Reason: "x"}},
		{task: "planned", move: Move{Verb: Start}},
	}
	w := newWorld(t, specs, seen)
	for _, test := range tests {
		t.Run(string(test.move.Verb)+" "+test.task, func(t *testing.T) {
			task, _ := w.Task(test.task)
			next, err := Task(task, test.move, w)
			if err != nil {
				t.Fatal(err)
			}
			got := outcomeOf(test.move, task.Key(), w, moved{w, next})
			if !slices.Equal(got.Unblocked, test.unblocked) || !slices.Equal(got.Broken, test.broken) {
				t.Errorf("got %+v; want unblocked %v, broken %v", got, test.unblocked, test.broken)
			}
		})
	}
}

// Who hands a task in hears what of its evidence was not seen.
func TestReviewSaysWhatIsMissing(t *testing.T) {
	w := newWorld(t, specs, seen)
	task, _ := w.Task("unproven")
	_, outcome, err := Make(task, Move{Verb: Review}, w, func(resources.Object) View { return w })
	if err != nil || !slices.Equal(outcome.MissingEvidence, task.Spec.Evidence) {
		t.Errorf("got %v, %v", outcome.MissingEvidence, err)
	}
}

func TestPlan(t *testing.T) {
	tests := []struct {
		plan  string
		move  Move
		want  string
		fails string
	}{
		{plan: "p", move: Move{Verb: Start}, want: "active"},
		{plan: "done", move: Move{Verb: Start}, fails: "it is completed"},
		{plan: "done", move: Move{Verb: Complete}, fails: "not all of its tasks are completed: 1 planned"},
		{plan: "p", move: Move{Verb: Complete}, fails: "not all of its tasks are completed"},
		{plan: "p", move: Move{Verb: Abandon}, fails: "no reason is given"},
		{plan: "p", move: Move{Verb: Abandon, Reason: "x"}, want: "abandoned"},
		{plan: "p", move: Move{Verb: Review}, fails: "plans do not have this transition"},
	}
	w := newWorld(t, specs, seen)
	for _, test := range tests {
		t.Run(string(test.move.Verb)+" "+test.plan, func(t *testing.T) {
			plan, _ := w.Plan(test.plan)
			got, err := Plan(plan, test.move, w)
			if test.fails != "" {
				if err == nil || !strings.Contains(err.Error(), test.fails) {
					t.Errorf("got error %v; want %q", err, test.fails)
				}
				return
			}
			if err != nil || got.Spec.State != test.want {
				t.Errorf("got %+v, %v; want %s", got, err, test.want)
			}
		})
	}
}

// A command that failed shows nothing, unless it wrote a file.
func TestFailedCommandsShowNothing(t *testing.T) {
	for name, tc := range map[string]struct {
		log  string
		want bool
	}{
		"failed":           {`{"tool":"run","command":"false","succeeded":false}`, false},
		"failed and wrote": {`{"tool":"run","command":"make","succeeded":false,"filesModified":["a"]}`, true},
		"succeeded":        {`{"tool":"run","command":"true","succeeded":true}`, true},
		"not told":         {`{"tool":"Bash","command":"true"}`, true},
	} {
		seen, problems := status.ReadEvidence([]byte(tc.log + "\n"))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		v := newWorld(t, specs, map[string]*status.Evidence{"active": seen})
		task, _ := v.Task("active")
		next, err := Task(task, Move{Verb: Complete}, v)
		if tc.want != (err == nil) {
			t.Errorf("%s: %v", name, err)
		}
		if tc.want && next.Spec.Result.Evidence != "checkpoints recorded: 1" {
			t.Errorf("%s: %s", name, next.Spec.Result.Evidence)
		}
	}
}
