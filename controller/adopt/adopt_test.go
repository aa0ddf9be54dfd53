package adopt

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// newProject returns a Go project with a list of the session s.
func newProject(t *testing.T, list resources.TodoChange) (layout.Root, mutate.Repo) {
	t.Helper()
	dir := t.TempDir()
	for file, text := range map[string]string{
		".idumb/config.json": `{"spec": {}}`, "go.mod": "module x\n", "cart/cart.go": "package cart\n", "README.md": "# x\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	}
	root := layout.Root(dir)
	require.NoError(t, hooks.ChangeTodoList(root, "s", func(l *resources.TodoList) bool {
		l.Host = "claude"
		return l.Apply(&list)
	}))
	files, err := filestore.Open(dir)
	require.NoError(t, err)
	return root, mutate.Open(files, time.Now, false)
}

func TestAdoptProposesPathsOrderAndEvidence(t *testing.T) {
	root, repo := newProject(t, resources.TodoChange{Items: []resources.Todo{
		{ID: "1", Text: "Read the Node.js docs, e.g. https://nodejs.org/a.html"},
		{ID: "2", Text: "Fix the sum in cart/cart.go:12", State: resources.TodoActive},
		{ID: "3", Text: "Add ./cart/form.go and `cart`, not ../x.go", BlockedBy: []string{"2", "1"}},
		{ID: "4", Text: "Describe it in README.md", BlockedBy: []string{"9"}},
		{ID: "5", Text: "Run the tests"},
		{ID: "6", Text: "Latest news", State: resources.TodoDone},
	}})
	list, err := ListOf(root, Latest)
	require.NoError(t, err)
	plan := resources.New[*resources.WorkPlan](resources.WorkPlans, "")
	plan.Spec.State = resources.PlanDraft
	made, err := Adopt(context.Background(), repo, root, list, plan)
	require.NoError(t, err)
	assert.Equal(t, "to-do-list-of-claude-s", plan.Metadata.Name)
	require.Len(t, made.Tasks, 5)
	tested := []resources.EvidenceItem{{Command: "go test ./...", Succeeds: true}}
	for i, want := range []resources.TaskSpec{
		{},
		{Paths: []string{"cart/cart.go"}, Source: &resources.TaskSource{File: "cart/cart.go", Line: 12}, Evidence: tested},
		{Paths: []string{"cart/form.go"}, Evidence: tested, DependsOn: []string{made.Tasks[1].Metadata.Name, made.Tasks[0].Metadata.Name}},
		{Paths: []string{"README.md"}},
		{Evidence: tested},
	} {
		got := made.Tasks[i].Spec
		assert.Equal(t, want.Paths, got.Paths, got.Title)
		assert.Equal(t, want.Source, got.Source, got.Title)
		assert.Equal(t, want.Evidence, got.Evidence, got.Title)
		assert.Equal(t, want.DependsOn, got.DependsOn, got.Title)
	}
	assert.Nil(t, made.Started, "a draft starts nothing")
	l, _ := hooks.TodoListOf(root, "s")
	assert.Equal(t, plan.Metadata.Name, l.Adopted)
	assert.Equal(t, made.Tasks[1].Metadata.Name, l.Items[1].Task)
	_, err = ListOf(root, "s")
	assert.ErrorContains(t, err, "is already workplan/"+plan.Metadata.Name)
}

func TestOneListBecomesOnePlan(t *testing.T) {
	root, repo := newProject(t, resources.TodoChange{Items: []resources.Todo{{ID: "1", Text: "Fix the sum"}}})
	list, err := ListOf(root, "s")
	require.NoError(t, err)
	errs := make(chan error)
	for _, name := range []string{"a", "b", "c", "d"} {
		go func() {
			_, err := Adopt(context.Background(), repo, root, list, resources.New[*resources.WorkPlan](resources.WorkPlans, name))
			errs <- err
		}()
	}
	made := 0
	for range 4 {
		if err := <-errs; err == nil {
			made++
		} else {
			assert.ErrorContains(t, err, `the list of session "s" is already workplan/`)
		}
	}
	assert.Equal(t, 1, made)
	plans, err := os.ReadDir(root.Abs(".idumb/workplans"))
	require.NoError(t, err)
	assert.Len(t, plans, 1)
}

// A process that was killed after it wrote the plan has not marked the list. Adopting again marks it, and makes nothing
// twice.
func TestAnInterruptedAdoptionIsFinished(t *testing.T) {
	root, repo := newProject(t, resources.TodoChange{Items: []resources.Todo{{ID: "1", Text: "Fix the sum"}, {ID: "2", Text: "Fix the sum", State: resources.TodoActive}}})
	adopt := func(name string) error {
		list, err := ListOf(root, "s")
		require.NoError(t, err)
		plan := resources.New[*resources.WorkPlan](resources.WorkPlans, name)
		plan.Spec.State = resources.PlanDraft
		_, err = Adopt(context.Background(), repo, root, list, plan)
		return err
	}
	const record = layout.HookDir + "/s.todos"
	before, err := os.ReadFile(root.Abs(record))
	require.NoError(t, err)
	require.NoError(t, adopt("cart"))
	require.NoError(t, os.WriteFile(root.Abs(record), before, 0o600))
	require.NoError(t, hooks.ChangeTodoList(root, "s", func(l *resources.TodoList) bool {
		return l.Apply(&resources.TodoChange{Items: []resources.Todo{{ID: "3", Text: "Added later"}}})
	}))

	repo.DryRun = true
	assert.ErrorContains(t, adopt("again"), `the list of session "s" is already workplan/cart`)
	repo.DryRun = false
	assert.ErrorContains(t, adopt("again"), `the list of session "s" is already workplan/cart`)
	l, _ := hooks.TodoListOf(root, "s")
	assert.Equal(t, "cart", l.Adopted)
	assert.Equal(t, []string{"cart-fix-the-sum", "cart-fix-the-sum-2", ""}, []string{l.Items[0].Task, l.Items[1].Task, l.Items[2].Task})
	for dir, n := range map[string]int{"workplans": 1, "tasks": 2} {
		files, err := os.ReadDir(root.Abs(".idumb/" + dir))
		require.NoError(t, err)
		assert.Len(t, files, n, dir)
	}

	require.NoError(t, hooks.RemoveTodoList(root, "s"))
	require.NoError(t, hooks.ChangeTodoList(root, "s", func(l *resources.TodoList) bool {
		l.StartedAt = resources.NewTime(time.Now())
		return l.Apply(&resources.TodoChange{Items: []resources.Todo{{ID: "1", Text: "Fix the sum"}}})
	}))
	assert.NoError(t, adopt("again"), "another list of the session")
}

func TestAdoptTheStepsOfAnAcceptedPlan(t *testing.T) {
	const text = "# Cart\n\nWhy: it is slow.\n\n1. Measure cart/cart.go\n   - with a profile\n2. Make it fast\n"
	root, repo := newProject(t, resources.TodoChange{Plan: text})
	list, err := ListOf(root, "s")
	require.NoError(t, err)
	assert.Equal(t, text, list.Plan, "kept whole")
	repo.DryRun = true
	made, err := Adopt(context.Background(), repo, root, list, resources.New[*resources.WorkPlan](resources.WorkPlans, "fast"))
	require.NoError(t, err)
	require.Len(t, made.Tasks, 2)
	assert.Equal(t, []string{"Measure cart/cart.go", "Make it fast"}, []string{made.Tasks[0].Spec.Title, made.Tasks[1].Spec.Title})
	assert.Equal(t, []string{"cart/cart.go"}, made.Tasks[0].Spec.Paths)
	l, _ := hooks.TodoListOf(root, "s")
	assert.Empty(t, l.Adopted, "a dry run writes nothing")
	assert.NoDirExists(t, root.Abs(".idumb/workplans"))
}

// A manifest is a text of a stranger: a command with a second command is not proposed.
func TestTestCommandIsPlain(t *testing.T) {
	root, _ := newProject(t, resources.TodoChange{})
	assert.Equal(t, "go test ./...", TestCommand(root))
	require.NoError(t, os.Remove(root.Abs("go.mod")))
	assert.Empty(t, TestCommand(root))
	require.NoError(t, os.WriteFile(root.Abs("package.json"), []byte(`{"packageManager": "x;id@1", "scripts": {"test": "x"}}`), 0o600))
	assert.Equal(t, "npm test", TestCommand(root))
}
