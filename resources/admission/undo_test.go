package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// TestAgentsTakeNothingAway: a user's task keeps what the user wrote into it. More may be added, and of a task that
// an agent made an agent takes away what it likes.
func TestAgentsTakeNothingAway(t *testing.T) {
	w := newWorld()
	w.task("whole", resources.TaskSpec{Title: "Whole", Parent: "write-docs", AssignedTo: "executor", ExpectedOutput: "a form", FileLocks: []string{"a.go", "b.go"}, Paths: []string{"src/**"}, DependsOn: []string{"db-schema"}})
	for name, tc := range map[string]struct {
		change func(*resources.TaskSpec)
		want   string
	}{
		"a lock":             {func(s *resources.TaskSpec) { s.FileLocks = []string{"a.go"} }, "drop a lock of"},
		"all locks":          {func(s *resources.TaskSpec) { s.FileLocks = nil }, "drop a lock of"},
		"the assignee":       {func(s *resources.TaskSpec) { s.AssignedTo = "" }, "reassign"},
		"another assignee":   {func(s *resources.TaskSpec) { s.AssignedTo = "solo" }, "reassign"},
		"the output":         {func(s *resources.TaskSpec) { s.ExpectedOutput = "a page" }, "shorten the expected output of"},
		"the parent":         {func(s *resources.TaskSpec) { s.Parent = "" }, "change the parent of"},
		"the paths":          {func(s *resources.TaskSpec) { s.Paths = nil }, "widen the paths of"},
		"the dependency":     {func(s *resources.TaskSpec) { s.DependsOn = nil }, "drop a dependency of"},
		"more output":        {func(s *resources.TaskSpec) { s.ExpectedOutput = "a form with a test" }, ""},
		"another lock":       {func(s *resources.TaskSpec) { s.FileLocks = append(s.FileLocks, "c.go") }, ""},
		"fewer paths":        {func(s *resources.TaskSpec) { s.Paths = []string{"src/**", "web/**"}[:1] }, ""},
		"another dependency": {func(s *resources.TaskSpec) { s.DependsOn = append(s.DependsOn, "write-docs") }, ""},
		"paths of its own":   {func(s *resources.TaskSpec) { s.Paths = []string{"src/**", "web/**"} }, "widen the paths of"},
	} {
		for _, maker := range []string{"", "s1"} {
			old := w.tasks["whole"]
			old.Metadata.Annotations = map[string]string{resources.AnnotationMadeBy: maker}
			next := resources.Clone(resources.Object(old)).(*resources.Task)
			tc.change(&next.Spec)
			err := judgeTransition(old, next, nil, w)
			if tc.want == "" || maker != "" {
				assert.NoError(t, err, "%s, made by %q", name, maker)
				continue
			}
			var refused *apierrors.Refusal
			require.ErrorAs(t, err, &refused, name)
			assert.Equal(t, "only a user can "+tc.want+" task/whole", refused.What)
			assert.Equal(t, Persons, refused.Cause)
		}
	}
}

// TestAgentsSetNoPathsOfAUsersTask: paths keep other agents from files, so that only the user sets those of a task that has
// none. An agent sets those of a task that an agent made.
func TestAgentsSetNoPathsOfAUsersTask(t *testing.T) {
	w := newWorld()
	for _, state := range []string{resources.TaskPlanned, resources.TaskActive} {
		for maker, want := range map[string]string{"": "only a user can set the paths of task/free", "s1": ""} {
			w.task("free", resources.TaskSpec{Title: "Free", ExpectedOutput: "o", State: state})
			old := w.tasks["free"]
			old.Metadata.Annotations = map[string]string{resources.AnnotationMadeBy: maker}
			next := resources.Clone(resources.Object(old)).(*resources.Task)
			next.Spec.Paths = []string{"src/**"}
			if err := judgeTransition(old, next, nil, w); want == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, want)
			}
		}
	}
}

// TestAgentsTakeUpNothingDeferred: what a user deferred stays so until the user says otherwise, whoever planned it.
// An agent takes up what an agent deferred.
func TestAgentsTakeUpNothingDeferred(t *testing.T) {
	w := newWorld()
	for name, tc := range map[string]struct {
		by, state string
		ahead     bool
		marked    string // what the change says about who deferred it
		refused   bool
	}{
		"proposed again":              {"", resources.TaskPlanned, false, "", true},
		"started":                     {"", resources.TaskActive, true, "", true},
		"completed":                   {"", resources.TaskCompleted, true, "", true},
		"claimed as one's own":        {"", resources.TaskPlanned, true, "s1", true},
		"failed":                      {"", resources.TaskFailed, true, "", false},
		"left":                        {"", resources.TaskPlanned, true, "", false},
		"an agent's, proposed again":  {"s1", resources.TaskPlanned, false, "", false},
		"an agent's, and now started": {"s1", resources.TaskActive, true, "s1", false},
	} {
		w.task("later", resources.TaskSpec{State: resources.TaskPlanned, PlanAhead: true})
		old := w.tasks["later"]
		mark := func(o *resources.Task, by string) {
			o.Metadata.Annotations = map[string]string{resources.AnnotationMadeBy: "s1"}
			if by != "" {
				o.Metadata.Annotations[resources.AnnotationDeferredBy] = by
			}
		}
		mark(old, tc.by)
		next := resources.Clone(resources.Object(old)).(*resources.Task)
		next.Spec.State, next.Spec.PlanAhead = tc.state, tc.ahead
		mark(next, tc.marked)
		err := judgeTransition(old, next, nil, w)
		if !tc.refused {
			assert.NotContains(t, text(err), "deferred", name)
			continue
		}
		require.ErrorContains(t, err, "only a user can take up task/later: a user deferred it; work on another task, or ask the user: idumb defer later --undo", name)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestAgentsBringNothingBack: an agent makes nothing by the name of an archived object, and restores none.
func TestAgentsBringNothingBack(t *testing.T) {
	w := newWorld()
	for _, kind := range openKinds {
		o := made(kind)
		o.Head().Metadata.Name = "gone"
		require.NoError(t, Transition(nil, o, nil, false, w), kind)
		want := "only a user can restore " + singular(o) + "/gone: it is in the archive, and only users restore objects"
		assert.ErrorContains(t, Transition(nil, o, nil, true, w), want, kind)
		assert.ErrorContains(t, JudgeRestore(o, Author{Kind: Agent}, w), want, kind)
		assert.NoError(t, JudgeRestore(o, Author{Kind: Person}, w), kind)
	}
}
