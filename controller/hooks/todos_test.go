package hooks

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/queue"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// todoCall is the event of a call that sends a whole to-do list.
func todoCall(session string, items ...resources.Todo) hosts.Event {
	return hosts.Event{Type: hosts.AfterTool, Session: session, Tool: "TodoWrite", Todos: &resources.TodoChange{Whole: true, Items: items}}
}

func startOf(session string) hosts.Event {
	return hosts.Event{Type: hosts.SessionStart, Session: session}
}

// The open items of a list are told to the next session, until a session makes a list of its own.
func TestOpenItemsAreHandedOver(t *testing.T) {
	h := newHouse(t)
	assert.NotContains(t, h.run(startOf("one")).Context, "Left open")
	h.run(todoCall("one", resources.Todo{Text: "Write <b> it", State: resources.TodoActive}, resources.Todo{Text: "Test it", State: resources.TodoPending}, resources.Todo{Text: "Read it", State: resources.TodoDone}))
	assert.NotContains(t, h.run(startOf("two")).Context, "Left open", "the first session may still work")
	h.run(hosts.Event{Type: hosts.SessionEnd, Session: "one"})
	told := h.run(startOf("three")).Context
	assert.Contains(t, told, "Left open by claude/one at ")
	assert.Contains(t, told, "(1 of 3 done): Write &lt;b> it; Test it.\n")
	assert.Contains(t, h.run(startOf("four")).Context, "Left open by claude/one", "nobody took it over")
	h.run(todoCall("three", resources.Todo{Text: "Test it", State: resources.TodoActive}))
	l, found := TodoListOf(h.root, "one")
	require.True(t, found)
	assert.Equal(t, "three", l.TakenOver)
	assert.NotContains(t, h.run(startOf("five")).Context, "claude/one")
	h.run(todoCall("three", resources.Todo{Text: "Test it", State: resources.TodoDone}))
	h.run(hosts.Event{Type: hosts.SessionEnd, Session: "three"})
	assert.NotContains(t, h.run(startOf("six")).Context, "Left open", "nothing is open")
}

// Lists of all sizes and scripts are handed over in at most maxLineTokens tokens, and each list by one line that names
// an item at least.
func TestTheHandOverIsShort(t *testing.T) {
	const session = "0b6f2a4c-77d1-4b7e-9a55-2f0c5d1e8a90"
	for _, c := range []struct {
		name, text string
		n, named   int // items, and how many of them the line names
	}{
		{"short", "Write the cart", 5, 5},
		{"one", "Write the cart", 1, 1},
		{"many", "Write the cart", 60, 6},
		{"sentences", "Add validation to the checkout form and cover it with some more tests of the cart", 60, 6},
		{"paths", "Fix src/components/checkout/CheckoutForm.tsx:120 and its test", 60, 6},
		{"long", strings.Repeat("word ", 200), 60, 6},
		{"one long word", strings.Repeat("x", 1000), 60, 6},
		{"CJK", strings.Repeat("登录失败的原因", 100), 60, 6},
		{"CJK and capitals", strings.Repeat("登A", 500), 60, 3},
		{"escaped", strings.Repeat("<登", 500), 60, 3},
		{"emoji", strings.Repeat("👍A", 500), 60, 3},
		{"quoted", strings.Repeat(`"A`, 500), 60, 5},
		{"Cyrillic", strings.Repeat("вход ", 200), 60, 6},
	} {
		h := newHouse(t)
		h.run(startOf(session))
		var items []resources.Todo
		for i := range c.n {
			items = append(items, resources.Todo{Text: fmt.Sprint(i, " ", c.text), State: resources.TodoPending})
		}
		h.run(todoCall(session, items...))
		h.run(hosts.Event{Type: hosts.SessionEnd, Session: session})
		context := h.run(startOf("two")).Context
		at := strings.Index(context, "Left open by claude/0b6f2a4c at ")
		require.GreaterOrEqual(t, at, 0, c.name)
		line := context[at:]
		assert.LessOrEqual(t, tokens.Estimate(line), 120, c.name)
		assert.Equal(t, 1, strings.Count(line, "\n"), c.name)
		named := strings.Count(line, "; ") + 1
		if c.n > c.named {
			named--
			assert.Contains(t, line, fmt.Sprintf("; and %d more.\n", c.n-c.named), c.name)
		}
		assert.Equal(t, c.named, named, "%s: %s", c.name, line)
		for i := range items {
			items[i].Task = strings.Repeat("t1", 31)
		}
		assert.LessOrEqual(t, tokens.Estimate(itemsLine("Completed by others, mark it as done in your to-do list", items)), 120, c.name)
	}
}

// Until something is left over, a session with a list gets the same answers as one without, in each host.
func TestAListAddsNoText(t *testing.T) {
	for _, host := range hosts.Names() {
		answers := func(items ...resources.Todo) (all []string) {
			h := newHouse(t)
			for _, e := range []hosts.Event{
				{Type: hosts.SessionStart}, {Type: hosts.Prompt, Text: "go on"}, {Type: hosts.AfterTool, Tool: "todo"},
				{Type: hosts.BeforeTool, Tool: "Read", Action: admission.Read, Paths: []string{"x.go"}}, {Type: hosts.AfterTool, Tool: "Read", Action: admission.Read, Paths: []string{"x.go"}},
				{Type: hosts.AfterTool, Tool: "todo"}, {Type: hosts.Stop}, {Type: hosts.Prompt, Text: "and on"}, {Type: hosts.Stop},
				{Type: hosts.SessionEnd}, {Type: hosts.SessionStart, Session: "two"}, {Type: hosts.Prompt, Session: "two", Text: "go on"},
			} {
				if e.Host, e.Session = host, cmp.Or(e.Session, "one"); e.Tool == "todo" {
					e.Todos = &resources.TodoChange{Whole: true, Items: items}
				}
				a := h.run(e)
				state := decodeState(folder{Root: h.root}.notes(e.Session, notesMemo))
				all = append(all, fmt.Sprintf("%d: %+v %s %s", e.Type, a, state.TurnContext, state.LeftOpen))
			}
			return all
		}
		assert.Equal(t, answers(), answers(resources.Todo{Text: "Read", State: resources.TodoDone}, resources.Todo{Text: "Write", State: resources.TodoCancelled}), host)
		open := answers(resources.Todo{Text: "Read", State: resources.TodoActive}, resources.Todo{Text: "Write", State: resources.TodoPending})
		none := answers()
		assert.Equal(t, none[:10], open[:10], host)
		assert.NotEqual(t, none[10:], open[10:], "%s: something is left over", host)
	}
}

func TestOwnItemsAreToldAfterACompaction(t *testing.T) {
	h := newHouse(t)
	h.run(startOf("one"))
	h.run(todoCall("one", resources.Todo{Text: "Write it", State: resources.TodoActive}))
	assert.Contains(t, h.run(hosts.Event{Type: hosts.SessionStart, Session: "one", Compacted: true}).Context, "Left open in your to-do list (0 of 1 done): Write it.\n")
	assert.NotContains(t, h.run(hosts.Event{Type: hosts.SessionStart, Session: "one", Resumed: true}).Context, "Left open", "the conversation has it")
}

// OpenCode requests context for each request, so the text waits for the first prompt.
func TestOpenItemsForAHostThatRequestsContext(t *testing.T) {
	h := newHouse(t)
	h.run(startOf("one"))
	h.run(todoCall("one", resources.Todo{Text: "Write it", State: resources.TodoActive}))
	h.run(hosts.Event{Type: hosts.SessionEnd, Session: "one"})
	h.run(hosts.Event{Type: hosts.SessionStart, Session: "two", Host: "opencode", Resumed: true})
	h.run(hosts.Event{Type: hosts.Prompt, Session: "two", Host: "opencode", Text: "go on"})
	state := decodeState(folder{Root: h.root}.notes("two", notesMemo))
	assert.Contains(t, state.TurnContext, "Left open by claude/one")
	h.run(hosts.Event{Type: hosts.Prompt, Session: "two", Host: "opencode", Text: "go on"})
	assert.NotContains(t, decodeState(folder{Root: h.root}.notes("two", notesMemo)).TurnContext, "Left open", "once")
}

// What the agent does in its list happens to the tasks that were made of it.
func TestTasksFollowTheList(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/x", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	h.file("tasks/y", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	h.run(startOf("one"))
	h.run(todoCall("one", resources.Todo{Text: "Do x", State: resources.TodoPending}, resources.Todo{Text: "Do y", State: resources.TodoPending}))
	require.NoError(t, ChangeTodoList(h.root, "one", func(l *resources.TodoList) bool {
		l.Adopted, l.Items[0].Task, l.Items[1].Task = "p", "x", "y"
		return true
	}))
	state := func(task string) string {
		data, err := os.ReadFile(h.root.Abs(".idumb/tasks/" + task + ".json"))
		require.NoError(t, err)
		o, _, err := resources.Decode(resources.Key{Kind: resources.Tasks, Name: task}, data)
		require.NoError(t, err)
		return resources.TaskState(o.(*resources.Task))
	}
	h.run(todoCall("one", resources.Todo{Text: "Do x", State: resources.TodoActive}, resources.Todo{Text: "Do y", State: resources.TodoPending}))
	assert.Equal(t, []string{resources.TaskActive, resources.TaskPlanned}, []string{state("x"), state("y")})
	h.run(todoCall("one", resources.Todo{Text: "Do x", State: resources.TodoDone}, resources.Todo{Text: "Do y", State: resources.TodoActive}))
	assert.Equal(t, []string{resources.TaskReview, resources.TaskActive}, []string{state("x"), state("y")}, "a completed task needs its evidence")
	assert.NotContains(t, h.run(startOf("two")).Context, "Left open", "the plan has the items")

	// A run that ended between the write of the list and the start of the task.
	h.file("tasks/z", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	require.NoError(t, ChangeTodoList(h.root, "one", func(l *resources.TodoList) bool {
		l.Items = append(l.Items, resources.Todo{Text: "Do z", Task: "z", State: resources.TodoDone})
		return true
	}))
	h.run(todoCall("one", resources.Todo{Text: "Do x", State: resources.TodoDone}, resources.Todo{Text: "Do y", State: resources.TodoActive}, resources.Todo{Text: "Do z", State: resources.TodoDone}))
	assert.Equal(t, resources.TaskReview, state("z"), "the next change of the list makes up for it, and starts the task first")
}

// The agent is told once, by one line, that others completed a task of its list.
func TestATaskCompletedElsewhereIsTold(t *testing.T) {
	h := newHouse(t)
	for _, name := range []string{"x", "y", "z"} {
		h.file("tasks/"+name, `{"metadata": {"uid": "u-`+name+`"}, "spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	}
	h.run(startOf("one"))
	h.run(todoCall("one", resources.Todo{Text: "Do <x>", State: resources.TodoPending}, resources.Todo{Text: "Do y", State: resources.TodoPending}, resources.Todo{Text: "Do z", State: resources.TodoPending}))
	require.NoError(t, ChangeTodoList(h.root, "one", func(l *resources.TodoList) bool {
		l.Adopted, l.Items[0].Task, l.Items[1].Task, l.Items[2].Task = "p", "x", "y", "z"
		return true
	}))
	call := hosts.Event{Type: hosts.AfterTool, Session: "one", Tool: "Bash", Action: admission.Shell, Command: "ls"}
	assert.Empty(t, h.run(call).Context)
	completed := func(name string) string {
		return `{"metadata": {"uid": "u-` + name + `"}, "spec": {"workPlan": "p", "expectedOutput": "o", "state": "completed"}}`
	}
	h.file("tasks/x", completed("x"))
	assert.Equal(t, "Completed by others, mark it as done in your to-do list: \"Do &lt;x>\" (task/x).\n", h.run(call).Context)
	assert.Empty(t, h.run(call).Context, "once")

	h.file("tasks/y", completed("y"))
	own := call
	own.Command = "idumb complete y"
	assert.NotContains(t, h.run(own).Context, "Completed by others", "the agent itself did")
	assert.Empty(t, h.run(call).Context)

	// Another worktree has the task as well.
	tree := t.TempDir()
	h.git("init", "-q")
	h.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "c")
	h.git("worktree", "add", "-q", tree+"/side")
	side := Root(tree + "/side")
	require.NoError(t, os.MkdirAll(side.Abs(".idumb/tasks"), 0o700))
	require.NoError(t, os.WriteFile(side.Abs(".idumb/tasks/z.json"), []byte(completed("other")), 0o600))
	assert.Empty(t, h.run(call).Context, "another task of that name")
	require.NoError(t, os.WriteFile(side.Abs(".idumb/tasks/z.json"), []byte(completed("z")), 0o600))
	assert.Contains(t, h.run(call).Context, "\"Do z\" (task/z)")
}

// A plan that the agent writes into the plan file of its host needs no task and is kept like one that the user accepts.
func TestAPlanFileIsMirrored(t *testing.T) {
	const text = "# Fast\n\nToken: ghp_0123456789abcdefghij\n\n1. Measure it\n2. Make it fast\n- [x] Ask\n"
	for _, c := range []struct {
		host, file, is string
	}{
		{"claude", "home/.claude/plans/brave-cat.md", "plan"},
		{"claude", ".claude/plans/cart.md", "plan"},
		{"claude", "home/.claude/plans/deep/cart.md", "another file"},
		{"claude", "plans/cart.md", "another file"},
		{"opencode", ".opencode/plans/1764-brave-cat.md", "plan"},
		{"opencode", "home/.local/share/opencode/plans/1764-brave-cat.md", "plan"},
		{"copilot", "home/.copilot/session-state/f9931e70/plan.md", "plan"},
		{"copilot", "home/.copilot/session-state/f9931e70/files/plan.md", "another file"},
		{"gemini", "home/.gemini/tmp/shop/one/plans/cart.md", "plan"},
		{"gemini", "home/.gemini/tmp/shop/plans/cart.md", "plan"},
		{"claude", "home/.claude/plans/link.md", "a link"},
		{"claude", "home/.claude/plans/gone.md", "gone"},
	} {
		h := newHouse(t)
		for _, task := range []string{"a", "b", "c"} {
			h.file("tasks/"+task, `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
		}
		home, file := t.TempDir(), h.root.Abs(c.file)
		if rest, isHome := strings.CutPrefix(c.file, "home/"); isHome {
			file = filepath.Join(home, rest)
		}
		run := func(e hosts.Event) hosts.Answer {
			e.Host, e.Session, e.Cwd = c.host, "one", string(h.root)
			defer h.drain()
			return (&handler{repo: openPacking(h.root, trusting(h.root), h.now), event: e, env: environment{"HOME=" + home}, limit: 10000}).handle()
		}
		write := hosts.Event{Type: hosts.BeforeTool, Tool: "Write", Action: admission.Write, Paths: []string{file}}
		run(hosts.Event{Type: hosts.SessionStart})
		if c.is == "plan" {
			assert.Empty(t, run(write).Deny, c.file)
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		switch c.is {
		case "a link":
			require.NoError(t, os.WriteFile(filepath.Join(home, "secret.md"), []byte(text), 0o600))
			require.NoError(t, os.Symlink(filepath.Join(home, "secret.md"), file))
		case "plan", "another file":
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		}
		write.Type = hosts.AfterTool
		run(write)
		l, found := TodoListOf(h.root, "one")
		if c.is != "plan" {
			assert.False(t, found, c.file)
			continue
		}
		assert.Equal(t, strings.Replace(text, "ghp_0123456789abcdefghij", "***", 1), l.Plan, c.file)
		assert.Equal(t, []resources.Todo{{Text: "Measure it", State: resources.TodoPending}, {Text: "Make it fast", State: resources.TodoPending}}, l.Steps(), c.file)
		assert.NotContains(t, run(hosts.Event{Type: hosts.SessionStart}).Context, "Left open", "a plan is no list of open items")
	}
}

// A list of long texts whose characters take six bytes each in JSON is cut to a size that can be read again.
func TestALargeListStaysReadable(t *testing.T) {
	h := newHouse(t)
	h.run(startOf("one"))
	var items []resources.Todo
	for i := range 10000 {
		items = append(items, resources.Todo{ID: fmt.Sprint(i, strings.Repeat("<", 1000)), Text: fmt.Sprint(i, strings.Repeat("<", 1<<10)), State: resources.TodoPending, BlockedBy: []string{strings.Repeat("<", 1000)}})
	}
	h.run(todoCall("one", items...))
	l, found := TodoListOf(h.root, "one")
	require.True(t, found)
	assert.Len(t, l.Items, 100)
	h.run(hosts.Event{Type: hosts.SessionEnd, Session: "one"})
	assert.Contains(t, h.run(startOf("two")).Context, "Left open by claude/one")
}

// A list in a commit is a text of a stranger that no agent here wrote.
func TestATrackedListIsNotDelivered(t *testing.T) {
	h := newHouse(t)
	h.git("init", "-q")
	h.run(startOf("one"))
	h.run(todoCall("one", resources.Todo{Text: "Write it", State: resources.TodoActive}))
	h.run(hosts.Event{Type: hosts.SessionEnd, Session: "one"})
	assert.Contains(t, h.run(startOf("two")).Context, "Left open")
	h.git("add", "-f", ".idumb")
	assert.NotContains(t, h.run(startOf("three")).Context, "Left open")
	assert.Empty(t, TodoLists(h.root))
}

func TestIsTodoListInUse(t *testing.T) {
	h := newHouse(t)
	me, known := process.Lookup(os.Getpid())
	if !known {
		t.Skip("this system does not report processes")
	}
	l := resources.TodoList{Session: "one", Host: "claude", Process: &me, UpdatedAt: resources.NewTime(h.now)}
	s := resources.New[*resources.Session](resources.Sessions, "one")
	s.Spec.LastSeenAt = resources.NewTime(h.now)
	assert.True(t, IsTodoListInUse(h.root, &l, s, h.now.AddDate(0, 0, 1), 1), "the host runs")
	s.Spec.EndedAt = resources.NewTime(h.now)
	assert.False(t, IsTodoListInUse(h.root, &l, s, h.now, 1), "the host reported the end of the session")
	gone := me
	gone.Started++
	l.Process = &gone
	assert.False(t, IsTodoListInUse(h.root, &l, nil, h.now, 1), "the host was killed")
}

// The controller starts the task while the hook waits; the hook then notes the task in the session's record, whose
// lock it must not hold.
func TestAStartedItemBindsItsSession(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/x", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	h.run(startOf("one"))
	h.run(todoCall("one", resources.Todo{Text: "Do x", State: resources.TodoPending}))
	require.NoError(t, ChangeTodoList(h.root, "one", func(l *resources.TodoList) bool {
		l.Adopted, l.Items[0].Task = "p", "x"
		return true
	}))
	files, err := filestore.Open(string(h.root))
	require.NoError(t, err)
	repo := openPacking(h.root, trusting(h.root), h.now)
	repo.carrier = func(ctx context.Context, w requests.Request) error {
		return queue.Execute(ctx, mutate.Open(files, func() time.Time { return h.now }, false), w)
	}
	event := todoCall("one", resources.Todo{Text: "Do x", State: resources.TodoActive})
	event.Host, event.Cwd = "claude", string(h.root)
	began := time.Now()
	(&handler{repo: repo, event: event, limit: 10000}).handle()
	assert.Less(t, time.Since(began), lockPatience/2)
	s, found := openPacking(h.root, trusting(h.root), h.now).Session("one")
	require.True(t, found)
	assert.Equal(t, "x", s.Spec.ActiveTask)
}

// A call that changes nothing in the list writes no file of it.
func TestAnUnchangedListIsNotWritten(t *testing.T) {
	h := newHouse(t)
	h.run(startOf("one"))
	files := func() (all [2]string) {
		for i, file := range [...]string{layout.NotesPath("one", notesTodos), ".idumb/sessions/one.json"} {
			data, err := os.ReadFile(h.root.Abs(file))
			require.NoError(t, err)
			all[i] = string(data)
		}
		return all
	}
	call := todoCall("one", resources.Todo{Text: "Write it", State: resources.TodoActive})
	h.run(call)
	before := files()
	assert.Empty(t, h.run(call).Context, "and it adds no text")
	assert.Equal(t, before, files())
}
