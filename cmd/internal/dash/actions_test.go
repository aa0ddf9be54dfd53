package dash

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/acts/actstest"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/attention"
)

// in is a dashboard in which a task is selected.
func in(t *testing.T, screen string) *desk {
	d := newDesk(t, 80, 24, colourful, shop())
	d.verbs = []string{"allow"}
	d.describe = loginAPI
	switch screen {
	case "task":
		d.types("2", "/", "'login-api", "enter")
	case "mem":
		d.types("4")
	case "need":
	default:
		d.types(screen)
	}
	return d
}

// Each key does what the verb of the command line does, with these arguments.
func TestKeysRunVerbs(t *testing.T) {
	for _, test := range []struct {
		where string
		keys  []string
		want  string
	}{
		{"task", []string{"s"}, "start|--|task/login-api"},
		{"task", []string{"r", "enter"}, "submit|--|task/login-api"},
		{"task", []string{"r", "'seen", "enter"}, "submit|--evidence|seen|--|task/login-api"},
		{"task", []string{"C", "'it runs", "enter"}, "complete|--evidence|it runs|--|task/login-api"},
		{"task", []string{"F", "'no key", "enter"}, "fail|--reason|no key|--|task/login-api"},
		{"task", []string{"x", "'no time", "enter"}, "abandon|--reason|no time|--|task/login-api"},
		{"task", []string{"p", "'h", "enter"}, `patch|-p|{"spec":{"priority":"high"}}|--|task/login-api`},
		{"task", []string{"A", "'verifier", "enter"}, `patch|-p|{"spec":{"assignedTo":"verifier"}}|--|task/login-api`},
		{"task", []string{"A", "enter"}, `patch|-p|{"spec":{"assignedTo":null}}|--|task/login-api`},
		{"task", []string{"i", "'the page first", "enter"}, "focus|--intent|the page first|--|task/login-api"},
		{"task", []string{"c", "'--take this", "enter"}, "comment|--|task/login-api|--take this"},
		{"task", []string{"h", "'which error?", "enter"}, "comment|--hold|--|task/login-api|which error?"},
		{"task", []string{"enter", "h"}, "comment|--resolve|c-2|--|Released."}, // is held
		{"task", []string{"u"}, "undo"},
		{"mem", []string{"t"}, "confirm|--|mem/token-life"},
		{"mem", []string{"S", "'7 days", "enter"}, "supersede|--content|7 days|--|mem/token-life"},
		{"need", []string{"a", "'24 hours", "enter"}, "comment|--answer|c-1|24 hours"},
		{"need", []string{"down", "a"}, "session|show|02"},
		{"need", []string{"down", "down", "n"}, "allow|--fine|d-1"},
		{"need", []string{"c", "'one moment", "enter"}, "comment|--|task/mailer|one moment"},
		{"3", []string{"n"}, "allow|--fine|--|" + shop().Denied[0].Violation.ID()},
		{"need", []string{":", "'get tasks -l \"a b\"", "enter"}, "get|tasks|-l|a b"},
		{"need", []string{"ctrl-k", "'idumb start x", "enter"}, "start|x"},
		{"4", []string{"/", "'who refreshes tokens", "enter"}, "mem|search|--|who refreshes tokens"},
	} {
		d := in(t, test.where).types(test.keys...)
		assert.Equal(t, []string{test.want}, d.did, "%v", test)
		assert.Nil(t, d.dialog)
	}
}

// A call that is to pass is shown, all of it, before it does.
func TestAllowShowsAllOfTheCall(t *testing.T) {
	id := shop().Denied[0].Violation.ID()
	for _, test := range []struct{ where, key, want string }{{"need", "y", "allow|d-1"}, {"need", "a", "allow|d-1"}, {"3", "y", "allow|--|" + id}} {
		d := in(t, test.where)
		if test.where == "need" {
			d.types("down", "down")
		}
		d.said = "session/7f21 may do this once:\n  git push --force " + strings.Repeat("x", 200) + " && rm -rf /"
		text := strings.Join(d.types(test.key).lines(), "\n")
		dry := strings.Replace(test.want, "allow|", "allow|--dry-run|", 1)
		assert.Contains(t, text, "&& rm -rf /")
		assert.Equal(t, []string{dry}, d.did)
		assert.Equal(t, []string{dry}, d.types("esc").did, "Esc does nothing")
		assert.Equal(t, []string{dry, dry, test.want}, d.types(test.key, "enter").did)
	}
}

// What was begun by mistake is not done.
func TestEscDoesNothing(t *testing.T) {
	for _, k := range []string{"C", "x", "p", "A", "i", "c", "h", ":", "?", "r"} {
		d := in(t, "task").types(k, "'word", "esc")
		assert.Empty(t, d.did, k)
		assert.Nil(t, d.dialog, k)
	}
	d := in(t, "task").types("F", "enter", "enter")
	assert.Empty(t, d.did, "nothing fails without a reason")
	assert.NotNil(t, d.dialog)
}

// What would break is counted before it does: open tasks, near and far, each once.
func TestAbandonSaysWhatFollows(t *testing.T) {
	for task, follows := range map[string]string{
		"login-api": "6 tasks will be broken from their chain.", "manual": "1 task will be broken from its chain.", "release": "No open task waits for it.", "survey": "No open task",
	} {
		d := newDesk(t, 80, 24, colourful, shop()).types(":", "'"+task, "enter", "x")
		require.IsType(t, &asking{}, d.dialog, task)
		assert.Contains(t, strings.Join(d.lines(), "\n"), follows, task)
	}
}

// The editor has the terminal; what a verb refuses is said in its words.
func TestEditAndRefusals(t *testing.T) {
	d := in(t, "task").types("e")
	assert.Equal(t, []string{"edit|--|task/login-api"}, d.shelled)
	d.err = errors.New(`cannot start task "login-api": it is blocked by "token-lib"`)
	lines := d.types("s").lines()
	assert.Equal(t, ` cannot start task "login-api": it is blocked by "token-lib"`, lines[23])
	assert.True(t, d.failed)
	d.err, d.said = nil, "one\ntwo"
	assert.Equal(t, " one; two", d.types("s").lines()[23])
	assert.Contains(t, strings.Join(d.types(":", "'get tasks", "enter").lines(), "\n"), "two  ", "what is read has a window")
	d.types("esc", ":", "'nonsense", "enter")
	assert.Equal(t, "there is no task, plan or verb nonsense", d.message)
}

// A key that can do nothing here does nothing, and is not offered.
func TestKeysThatAreNotPossible(t *testing.T) {
	d := in(t, "need")
	d.verbs = nil
	assert.Empty(t, d.types("down", "down", "y").did, "there is no such verb")
	assert.NotContains(t, d.lines()[23], "allow")
	assert.Empty(t, in(t, "mem").types("s", "C", "x", "enter", "esc", "q").did)
	empty := newDesk(t, 80, 24, colourful, State{})
	assert.Empty(t, empty.types("a", "c", "s", "r", "C", "x", "p", "A", "i", "h", "R", "t", "S", "e", "y", "n", "enter", "down", "tab", "2", "f", "g", "z", "3", "4").did)
	nothing := &desk{}
	nothing.model = newModel(t.Context(), Options{Host: nothing, Now: func() time.Time { return noon }})
	for _, c := range nothing.commands {
		nothing.press(c.keys[0]) // before anything came
		nothing.dialog = nil
	}
	assert.Equal(t, []string(nil), nothing.did)
}

// An act that is added to the table has its key, its place in the footer, and asks what it asks.
func TestAnActOfTheTableHasAKey(t *testing.T) {
	d := in(t, "task")
	d.commands = commands(append(acts.All(), actstest.Toy()))
	assert.Contains(t, strings.Join(d.types("?").lines(), "\n"), "P                polish")
	d.types("esc", "P")
	assert.Contains(t, strings.Join(d.lines(), "\n"), "How?")
	assert.Equal(t, []string{"polish|--reason|brightly|--|task/login-api"}, d.types("'brightly", "enter").did)
}

// The plan of a to-do list is shown before it is written.
func TestAdoptAList(t *testing.T) {
	s := shop()
	var r queries.TodoRecord
	r.Metadata.Name = s.Sessions[0].Name
	r.Status = queries.TodoStatus{Agent: "claude/a1f4", State: queries.TodosInUse, Summary: "1/3 done, in use", Items: []resources.Todo{
		{Text: "Read", State: resources.TodoDone}, {Text: "Write \x1b[2J it", State: resources.TodoActive}, {Text: "Test it", State: resources.TodoPending}}}
	s.Todos = []queries.TodoRecord{r}
	d := in(t, "need")
	d.settles(d.take(s))
	text := strings.Join(d.lines(), "\n")
	assert.Contains(t, text, "claude/a1f4 1/3 done, in use")
	assert.Contains(t, text, "> Write")
	assert.Contains(t, text, "- Test it")
	assert.NotContains(t, text, "\x1b")
	for d.lists[nowPane].current() == nil || d.lists[nowPane].current().id != "todo/"+r.Metadata.Name {
		d.types("down")
	}
	words := "create|workplan|--from-session=" + r.Metadata.Name + "|--state=active"
	assert.Equal(t, []string{words + "|--dry-run"}, d.types("L").did)
	assert.Equal(t, []string{words + "|--dry-run", words}, d.types("enter").did)
}

// No two commands of one place have the same key, but hold and release, of which one is possible. All that the contract names are there.
func TestTableOfKeys(t *testing.T) {
	seen := map[string]string{}
	for _, c := range commands(acts.All()) {
		for _, k := range c.keys {
			if c.name != "release" {
				assert.Empty(t, seen[k], "%s: %s", k, c.name)
			}
			seen[k] = c.name
		}
	}
	for _, k := range strings.Fields("a c s r C x p A i h R y n t S e u / : ? G q 1 2 3 4 up down left right h j k l tab enter esc") {
		assert.NotEmpty(t, seen[k], k)
	}
}

// The menu of all keys narrows, and does what is chosen.
func TestMenu(t *testing.T) {
	d := in(t, "task").types("?", "'start", "enter")
	assert.Equal(t, []string{"start|--|task/login-api"}, d.did)
	text := strings.Join(in(t, "need").types("?").lines(), "\n")
	assert.Contains(t, text, "answer: take the first proposal")
}

// fine: a need that is fine as it is stays out of sight until its words change.
func TestFine(t *testing.T) {
	d := in(t, "need").types("n")
	assert.NotContains(t, strings.Join(d.lines()[:23], "\n"), "valid 24 hours")
	assert.Equal(t, "circles.session.02", d.need().Name, "the next one is selected")
	s := shop()
	s.Needs[0].Text = "asks: now or never?"
	d.settles(d.take(s))
	assert.Contains(t, strings.Join(d.lines(), "\n"), "now or never")
	assert.Equal(t, "circles.session.02", d.need().Name)
}

// What is selected stays selected, and where it is on the screen, while others come and go.
func TestSelectionStays(t *testing.T) {
	many := func(n int) State {
		s := shop()
		s.Needs = nil
		for i := range n {
			s.Needs = append(s.Needs, attention.Need{Name: fmt.Sprint("n", i), Subject: fmt.Sprint("who", i), Text: "w", Sign: attention.SignAsks})
		}
		return s
	}
	d := newDesk(t, 80, 24, colourful, many(40))
	d.types("pgdn", "down", "down")
	d.lines()
	name, at := d.need().Name, d.lists[nowPane].selected-d.lists[nowPane].top
	s := many(40)
	s.Needs = append([]attention.Need{{Name: "new", Subject: "first", Sign: attention.SignAsks}}, s.Needs...)
	d.settles(d.take(s))
	d.lines()
	assert.Equal(t, name, d.need().Name)
	assert.Equal(t, at, d.lists[nowPane].selected-d.lists[nowPane].top)
	s.Needs = slices.DeleteFunc(s.Needs, func(n attention.Need) bool { return n.Name == name })
	d.settles(d.take(s))
	assert.NotNil(t, d.need(), "what stands there now")
	d.types("home")
	assert.Equal(t, 0, d.lists[nowPane].top)
	d.wheel(5, 10, 3)
	assert.Equal(t, 3, d.lists[nowPane].top)
}

// A click selects, a second one opens; on the top line it chooses the screen.
func TestMouse(t *testing.T) {
	d := in(t, "need")
	d.lines()
	d.settles(d.click(10, 5))
	assert.Equal(t, "denied.session.7f21", d.need().Name)
	d.settles(d.click(10, 5))
	assert.True(t, d.opened)
	d.types("esc")
	d.settles(d.click(d.tabs()[0]+1, 0))
	assert.Equal(t, planScreen, d.screen)
}

// Lanes narrow to a chain, done tasks come and go, and a plan without tasks says how to make one.
func TestPlanViews(t *testing.T) {
	d := newDesk(t, 120, 30, colourful, shop()).types("2", "/", "'manual", "enter", "f", "esc")
	text := strings.Join(d.lines(), "\n")
	assert.Contains(t, text, "only what leads to and from manual")
	assert.NotContains(t, text, "Attack it ourselves")
	d.types("f", "g", "z")
	assert.Contains(t, strings.Join(d.lines(), "\n"), "Ask ten people")
	for filter, shown := range map[string]int{"status.phase=blocked spec.phase=build": 4, "status.ready=true": 0, "LOGIN build": 2, "status.blockedBy=e2e": 2, "a=b=c=": 0, "": 11, "area=web": 2, "area!=web": 12, "metadata.labels.area=web": 2, "area=web status.phase=active": 1} {
		s := shop()
		for i := range s.Tasks {
			if name := s.Tasks[i].Name; name == "login-form" || name == "signup-api" {
				s.Tasks[i].Labels = map[string]string{"area": "web"}
			}
		}
		d := newDesk(t, 80, 24, colourful, s).types("2", "/", "'"+filter, "enter")
		n := 0
		for _, r := range d.lists[planPane].rows {
			if r.id != "" {
				n++
			}
		}
		assert.Equal(t, shown, n, filter)
	}
	empty := newDesk(t, 80, 24, colourful, State{Dash: queries.Dash{}})
	text = strings.Join(empty.lines(), "\n")
	for _, hint := range []string{"idumb create workplan", "idumb create task", "idumb hook install", "Nothing needs you."} {
		assert.Contains(t, text, hint)
	}
	gone := shop()
	gone.Live, gone.Since = false, noon
	assert.Contains(t, newDesk(t, 80, 24, colourful, gone).lines()[0], "controller gone 12:00")
}

// Of a repository that the person never trusted nothing is shown but how to see what it says.
func TestUntrusted(t *testing.T) {
	s := shop()
	s.Needs = append(s.Needs, attention.Need{Name: "untrusted", Rank: attention.Untrusted, Subject: "repository", Text: queries.NotTrusted, Do: []attention.Action{{Verb: "trust", Args: []string{"--dry-run"}}}})
	d := newDesk(t, 140, 40, colourful, s)
	for _, k := range []string{"1", "2", "3", "4"} {
		text := strings.Join(d.types(k).lines(), "\n")
		assert.Contains(t, text, "idumb trust --dry-run")
		assert.NotContains(t, text, "Token library")
		assert.NotContains(t, text, "git push")
	}
	assert.Equal(t, []string{"trust|--dry-run"}, d.types("1", "a", "s", "C", "x").did)
}

func TestEditor(t *testing.T) {
	var e editor
	for _, k := range []string{"a", "b", " ", "c", "left", "X", "home", "é", "end", "界", "ctrl-w"} {
		e.key(k)
	}
	assert.Equal(t, "éab ", e.String())
	for _, k := range []string{"backspace", "left", "delete", "up", "", "ctrl-x", "ctrl-u"} {
		e.key(k)
	}
	assert.Equal(t, "", e.String())
	e.setText(strings.Repeat("x", maxLine))
	assert.False(t, e.key("y"))
}

func TestSplit(t *testing.T) {
	assert.Equal(t, []string{"a", "b c", "", "d'e"}, splitWords(`a "b c" '' "d'e"`))
	assert.Empty(t, splitWords("  "))
	assert.Equal(t, []string{"open end"}, splitWords(`"open end`))
}

// What changed is said in a line each, and what did not is not.
func TestChanges(t *testing.T) {
	before, now := shop(), shop()
	assert.Empty(t, changes(&before, &now, true))
	now.Live = false
	now.Needs = append(now.Needs[1:], attention.Need{Name: "x", Sign: attention.SignReview, Subject: "task/form", Text: "is to be reviewed"})
	now.task("login-api").Phase = "planned"
	now.task("login-api").Ready = true
	now.Sessions = now.Sessions[1:]
	now.Tasks = append(now.Tasks, queries.DashTask{Name: "z", Title: "Last", Phase: "planned"})
	before.Trees, now.Trees = shopTrees()[:1], shopTrees()[1:]
	assert.Equal(t, []string{
		"✕ the controller no longer answers: the view is computed from the files",
		"◐ needs you: task/form: is to be reviewed",
		"✓ no longer needs you: opencode/c1: asks: valid 24 hours, or until used? The threat model says both.",
		"○ task/login-api was blocked and is planned",
		"⊘ task/z is new: Last (planned)",
		"– claude/7f21 is over",
		"● a controller answers in the worktree side: 1 need you, 0 at work",
		"? side: needs you: opencode/c2: asks for a permission: npm publish",
		"– the controller of the worktree shop no longer answers",
	}, changes(&before, &now, true))
}

// Where no agent is at work it is said which ones will be held to the plan; what to install only where none is.
func TestNobodyAtWork(t *testing.T) {
	s := shop()
	s.Sessions = nil
	for want, hooks := range map[string][2][]string{
		"No agent is at work. To hold one to the plan:\n   idumb hook install claude | opencode | codex | copilot | gemini": {},
		"No agent is at work. Held to the plan once they are: claude, codex\n\n":                                            {{"claude", "codex"}},
		"No agent is at work. Held to the plan once they are: codex\n   claude: in part; idumb hook install claude\n\n":     {{"codex"}, {"claude: in part; idumb hook install claude"}},
		"No agent is at work.\n   claude: unreadable; idumb hook install claude\n\n":                                        {nil, {"claude: unreadable; idumb hook install claude"}},
	} {
		d := newDesk(t, 80, 24, colourful, s)
		d.whole, d.wrong = hooks[0], hooks[1]
		d.build()
		assert.Contains(t, strings.Join(d.lines(), "\n"), want)
	}
}

// A task that somebody else works on is not the user's to start, and the key is not offered.
func TestATakenTaskIsNotStarted(t *testing.T) {
	for _, taken := range []bool{false, true} {
		s := shop()
		if taken {
			s.Owners = map[string]string{"login-api": "held by codex/02"}
		}
		d := newDesk(t, 80, 24, colourful, s).types("2", "/", "'login-api", "enter")
		assert.Equal(t, !taken, strings.Contains(d.lines()[23], "s start"))
		assert.Equal(t, !taken, len(d.types("s").did) == 1)
	}
}
