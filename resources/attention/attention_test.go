package attention_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/attention"
)

func ago(minutes int) resources.Time {
	return resources.NewTime(graphtest.Noon.Add(-time.Duration(minutes) * time.Minute))
}

func task(name string, dependsOn ...string) resources.Object {
	return graphtest.Task(name, resources.TaskSpec{State: resources.TaskActive, DependsOn: dependsOn})
}

func session(name string, spec resources.SessionSpec) resources.Object {
	spec.Host, spec.LastSeenAt = "claude", ago(1)
	return graphtest.Session(name, spec)
}

func waits(name, waitsFor, asks, on string, minutes int) resources.Object {
	return session(name, resources.SessionSpec{State: resources.StateWaiting, WaitsFor: waitsFor, Asks: asks, ActiveTask: on, Since: ago(minutes)})
}

func triggerOf(name string, spec resources.TriggerSpec) resources.Object {
	return graphtest.NewObject[resources.TriggerSpec, resources.TriggerStatus](resources.Triggers, name, spec)
}

func denial(session, rule, call string, minutes int) resources.Event {
	return resources.Event{Time: ago(minutes), Reason: resources.ReasonDenied, Violation: &resources.Violation{Session: session, Rule: rule, Call: call, Task: "t"}}
}

func concern(kind, name, reason string, minutes int, commands ...string) attention.Concern {
	return attention.Concern{Object: resources.Key{Kind: kind, Name: name}, Reason: reason, Text: "what", Commands: commands, Since: graphtest.Noon.Add(-time.Duration(minutes) * time.Minute)}
}

// rows are needs as sign, rank, name, what and why.
func rows(all []attention.Need) (text []string) {
	for _, n := range all {
		text = append(text, fmt.Sprintf("%s %d %s: %s (%s)", n.Sign, n.Rank, n.Name, n.Text, n.Why))
	}
	return text
}

func of(in attention.Input, objects ...resources.Object) []attention.Need {
	in.Allowable = resources.DefaultConfig().AllowOnce
	in.View = graphtest.SnapshotOf(objects...)
	return attention.List(&in)
}

// One of each, in their order.
func TestOrderOfRanks(t *testing.T) {
	loop := triggerOf("loop", resources.TriggerSpec{Event: resources.TriggerCall, Count: 4, Action: resources.ActionWarn})
	all := of(attention.Input{
		Distrust: "you have not trusted this repository's .idumb", Ungated: []attention.Host{{Name: "codex", Title: "Codex"}},
		Denials: []resources.Event{denial("d", "shell-gate", "shell git push --force", 6)},
		Concerns: []attention.Concern{
			concern(resources.Mems, "token-life", "Suspect", 21, "idumb confirm mem token-life", "idumb supersede mem token-life"),
			concern(resources.Tasks, "torn", "Invalid", 5, "idumb edit task/torn"),
			concern(resources.Tasks, "form", "Review", 60, "idumb complete form"),
			concern(resources.Mems, "same", "Duplicate", 60), concern(resources.Mems, "old", "Stale", 60),
		},
	}, loop, session("c", resources.SessionSpec{Raised: []string{"loop"}}), session("d", resources.SessionSpec{}),
		waits("q", resources.WaitsForAnswer, "valid 24 hours, or until used?", "mailer", 3), waits("i", resources.WaitsForInput, "", "", 90), task("mailer"))
	assert.Equal(t, []string{
		"? 1 answer.session.q: asks: valid 24 hours, or until used? (it works on task/mailer; answer it where claude runs)",
		"↻ 2 circles.session.c: goes in circles: the same call 4 times or more, and nothing written in between (trigger loop)",
		"◐ 3 review.task.form: what ()",
		"⊘ 4 denied.session.d: was denied: shell git push --force (rule shell-gate)",
		"✕ 5 ungated.codex: Codex is used here and is not held to the plan (its calls are neither judged nor recorded)",
		"✕ 6 invalid.task.torn: what ()",
		"≠ 7 suspect.mem.token-life: what ()",
		"⊘ 8 untrusted: you have not trusted this repository's .idumb (agents receive no text from its .idumb, and its rules can deny calls but not allow them)",
	}, rows(all))
	for _, n := range all {
		assert.NotEmpty(t, n.Do, n.Name)
		assert.LessOrEqual(t, len(n.Do), attention.MaxActions, n.Name)
		assert.True(t, strings.HasPrefix(n.Do[0].Command, "idumb "), n.Name)
	}
	assert.Equal(t, "claude/q", all[0].Subject)
	assert.Equal(t, "session/q", all[0].Object)
	assert.Equal(t, []string{"task/form", "task/torn", "mem/token-life"}, []string{all[2].Subject, all[5].Subject, all[6].Subject})
}

// Within a rank: tasks that wait behind it times how long it lasts.
func TestOrderOfTies(t *testing.T) {
	all := of(attention.Input{}, waits("alone-long", "permission", "", "", 50), waits("alone-short", "permission", "", "", 5), waits("behind", "permission", "Bash make", "first", 20),
		task("first"), task("second", "first"), task("third", "second"), graphtest.Task("done", resources.TaskSpec{State: resources.TaskCompleted, DependsOn: []string{"first"}}))
	assert.Equal(t, []string{
		"? 1 permission.session.behind: wants permission: Bash make (it works on task/first; 2 tasks wait for it; answer it where claude runs)",
		"? 1 permission.session.alone-long: wants permission: see its window (answer it where claude runs)",
		"? 1 permission.session.alone-short: wants permission: see its window (answer it where claude runs)",
	}, rows(all))
	assert.Equal(t, 2, all[0].Dependents)
}

func TestDenials(t *testing.T) {
	ended := session("ended", resources.SessionSpec{EndedAt: ago(0)})
	for _, test := range []struct {
		name    string
		denials []resources.Event
		want    []string
	}{
		{"once, by a rule that nobody can allow", []resources.Event{denial("s", "write-gate", "write a.go", 1)}, nil},
		{"twice", []resources.Event{denial("s", "write-gate", "write a.go", 2), denial("s", "write-gate", "write a.go", 1)}, []string{"⊘ 4 denied.session.s: was denied 2 times: write a.go (rule write-gate)"}},
		{"twice, by what stands among the circles", []resources.Event{denial("s", "halted", "shell x", 2), denial("s", "halted", "shell x", 1)}, nil},
		{"two calls", []resources.Event{denial("s", "write-gate", "write a.go", 2), denial("s", "write-gate", "write b.go", 1)}, nil},
		{"long ago", []resources.Event{denial("s", "shell-gate", "shell x", 61)}, nil},
		{"one that may be allowed, and one that may not", []resources.Event{denial("s", "task-paths", "write a.go", 2), denial("s", "write-gate", "write b.go", 1)}, []string{"⊘ 4 denied.session.s: was denied: write a.go (rule task-paths)"}},
		{"of a session that ended, and of one that is not there", []resources.Event{denial("ended", "shell-gate", "shell x", 1), denial("nobody", "shell-gate", "shell x", 1)}, nil},
	} {
		assert.Equal(t, test.want, rows(of(attention.Input{Denials: test.denials}, session("s", resources.SessionSpec{}), ended)), test.name)
	}
	done := graphtest.Task("t", resources.TaskSpec{State: resources.TaskCompleted})
	twice := []resources.Event{denial("s", "write-gate", "write a.go", 2), denial("s", "write-gate", "write a.go", 1)}
	assert.Empty(t, of(attention.Input{Denials: twice}, session("s", resources.SessionSpec{}), done), "the task is done")
	assert.Len(t, of(attention.Input{Denials: twice}, session("s", resources.SessionSpec{}), task("t")), 1, "the task is open")
	for minutes, want := range map[int]int{3: 1, 0: 0} {
		moved := func(string) time.Time { return ago(minutes).Time }
		assert.Len(t, of(attention.Input{Denials: twice, MovedOn: moved}, session("s", resources.SessionSpec{}), task("t")), want, "it went on %d minutes ago", minutes)
	}
}

// What sync could not merge waits for the user.
func TestConflicts(t *testing.T) {
	key := func(name string) []resources.Key { return []resources.Key{{Kind: resources.Tasks, Name: name}} }
	all := of(attention.Input{Conflicts: key("form"), Refused: key("mailer")}, task("form"))
	require.Len(t, all, 2)
	assert.Equal(t, []string{
		"◐ 3 syncconflict.task.form: your change conflicts with the team's change; idumb sync conflicts shows both (the team's version counts, and yours is kept)",
		"◐ 3 syncrefused.task.mailer: the team's version was not taken (your version counts here; `idumb sync conflicts` shows the reason)",
	}, rows(all))
	assert.Equal(t, attention.Action{Verb: "sync resolve", Args: []string{"task/form", "--ours"}, Command: "idumb sync resolve task/form --ours"}, all[0].Do[0])
}

// What an agent asks in a comment waits for an answer, and no longer.
func TestQuestions(t *testing.T) {
	said := func(name string, spec resources.CommentSpec) resources.Object {
		c := graphtest.NewObject[resources.CommentSpec, resources.CommentStatus](resources.Comments, name, spec)
		c.Metadata.CreationTimestamp = ago(7)
		return c
	}
	question := said("c-1", resources.CommentSpec{About: "task/form", Type: resources.CommentQuestion, Body: "Which colour?", Author: "session/s"})
	gone := said("c-2", resources.CommentSpec{About: "task/form", Type: resources.CommentQuestion, Body: "And now?", Author: "session/nobody"})
	note := said("c-3", resources.CommentSpec{About: "task/form", Type: resources.CommentNote, Body: "Blue.", Author: "session/s"})
	objects := []resources.Object{question, gone, note, task("form"), session("s", resources.SessionSpec{})}
	all := of(attention.Input{}, objects...)
	require.Len(t, all, 1)
	assert.Equal(t, "question.comment.c-1", all[0].Name)
	assert.Equal(t, "comment/c-1", all[0].Object)
	assert.Equal(t, attention.Asks, all[0].Rank)
	assert.Equal(t, `idumb comment --answer c-1 "..."`, all[0].Do[0].Command)
	assert.True(t, all[0].Do[0].Text)
	answer := said("c-4", resources.CommentSpec{About: "task/form", Type: resources.CommentAnswer, InReplyTo: "c-1", Body: "Blue.", Author: "person/ann"})
	assert.Empty(t, of(attention.Input{}, append(objects, answer)...))
}

func TestHaltStandsBeforeAWarning(t *testing.T) {
	trigger := func(name, event, action, message string) resources.Object {
		return triggerOf(name, resources.TriggerSpec{Event: event, Count: 3, Action: action, Message: message})
	}
	all := of(attention.Input{}, trigger("a", resources.TriggerCall, resources.ActionWarn, ""), trigger("b", resources.TriggerError, resources.ActionHalt, "ask before you go on"),
		trigger("c", resources.TriggerCalls, resources.ActionWarn, ""), task("t"),
		session("s", resources.SessionSpec{Raised: []string{"a", "b"}, ActiveTask: "t"}), session("long", resources.SessionSpec{Raised: []string{"c"}}), session("gone", resources.SessionSpec{Raised: []string{"removed"}}))
	assert.Equal(t, []string{
		"↻ 2 circles.session.long: works for long: 3 calls or more since your last prompt (trigger c)",
		"↻ 2 halted.session.s: was halted: ask before you go on (it works on task/t; trigger b)",
	}, rows(all))
	assert.Equal(t, attention.Action{Verb: "fail", Args: []string{"t", "--reason", "..."}, Command: `idumb fail t --reason "..."`, Text: true}, all[1].Do[1])
}

func TestNothing(t *testing.T) {
	assert.Empty(t, of(attention.Input{}))
	assert.Equal(t, "Nothing needs you. Next: card-form.", attention.Nothing("card-form"))
	assert.Equal(t, "Nothing needs you.", attention.Nothing(""))
}

// What waits behind each task of a long chain is counted as far as it matters.
func TestLongChains(t *testing.T) {
	const n = 3000
	in, objects := attention.Input{}, []resources.Object(nil)
	for i := range n {
		name := fmt.Sprintf("t%04d", i)
		spec := resources.TaskSpec{State: resources.TaskActive}
		if i > 0 {
			spec.DependsOn = []string{fmt.Sprintf("t%04d", i-1)}
		}
		objects = append(objects, graphtest.Task(name, spec))
		c := concern(resources.Tasks, name, "Review", 1)
		c.Text = string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676)) // each is a row
		in.Concerns = append(in.Concerns, c)
	}
	in.View = graphtest.SnapshotOf(objects...)
	began := time.Now()
	all := attention.List(&in)
	t.Log(time.Since(began))
	require.Len(t, all, n)
	assert.Equal(t, attention.MaxBehind, all[0].Dependents)
	assert.Equal(t, "99 tasks or more wait for it", all[0].Why)
	assert.Equal(t, "t2999", strings.TrimPrefix(all[n-1].Object, "task/"))
}

func TestActions(t *testing.T) {
	for command, want := range map[string]attention.Action{
		"idumb complete form":                    {Verb: "complete", Args: []string{"form"}},
		"idumb confirm mem a":                    {Verb: "confirm", Args: []string{"mem", "a"}},
		"idumb trust --dry-run":                  {Verb: "trust", Args: []string{"--dry-run"}},
		"idumb trust":                            {Verb: "trust", Args: []string{}},
		`idumb abandon a --reason "..."`:         {Verb: "abandon", Args: []string{"a", "--reason", "..."}, Text: true},
		`idumb decide "..." --supersedes a`:      {Verb: "decide", Args: []string{"...", "--supersedes", "a"}, Text: true},
		`idumb decide accept a`:                  {Verb: "decide accept", Args: []string{"a"}},
		`idumb complete a --evidence "two words`: {Verb: "complete", Args: []string{"a", "--evidence", "two words"}},
	} {
		want.Command = command
		got, ok := attention.ActionOf(command)
		assert.True(t, ok, command)
		assert.Equal(t, want, got)
	}
	for _, sentence := range []string{"", "idumb ", "take it out of spec.dependsOn", "idumbo x"} {
		_, ok := attention.ActionOf(sentence)
		assert.False(t, ok, sentence)
	}
}

func FuzzActionOf(f *testing.F) {
	f.Add(`idumb complete a --evidence "two words" ""`)
	f.Add(`idumb "`)
	f.Fuzz(func(t *testing.T, command string) {
		a, ok := attention.ActionOf(command)
		assert.Equal(t, ok, a.Verb != "" || a.Command != "")
	})
}

// Each sign is one column wide, and so is its other form; none is another one's.
func TestSigns(t *testing.T) {
	drawn := map[string]bool{}
	for _, s := range attention.Signs() {
		ascii := s.Draw(false)
		assert.Len(t, []rune(s.Draw(true)), 1)
		assert.Len(t, ascii, 1)
		assert.Less(t, ascii[0], byte(0x7f))
		assert.NotEmpty(t, s.Word())
		assert.False(t, drawn[ascii], ascii)
		drawn[ascii] = true
	}
	assert.Empty(t, attention.Sign("x").Draw(true))
	assert.Equal(t, attention.SignReady, attention.SignOf(resources.TaskPlanned, true))
	assert.Equal(t, attention.SignWaits, attention.SignOf(resources.TaskPlanned, false))
	assert.Equal(t, attention.SignWaits, attention.SignOf(resources.TaskBlocked, false))
	assert.Equal(t, attention.SignReview, attention.SignOf(resources.TaskReview, false))
}

// Long and wild texts become one line of bounded length.
func TestHostileTexts(t *testing.T) {
	all := of(attention.Input{}, waits("s", "answer", "\x1b]52;c;evil\a"+strings.Repeat("a\n", 5000), "", 1))
	require.Len(t, all, 1)
	assert.LessOrEqual(t, len([]rune(all[0].Text)), 200)
	assert.NotContains(t, all[0].Text, "\n")
}

// A denial is offered to be allowed where the call then passes: no other rule denies it, and a task is active.
func TestAllowIsOfferedWhereItHelps(t *testing.T) {
	stays := denial("s", "file-owner", "write a.go", 2)
	stays.Violation.Stays = "write-gate"
	review, active := graphtest.Task("t", resources.TaskSpec{WorkPlan: "p", State: resources.TaskReview}), graphtest.Task("t", resources.TaskSpec{WorkPlan: "p", State: resources.TaskActive})
	other := graphtest.Task("u", resources.TaskSpec{WorkPlan: "p", State: resources.TaskActive})
	plain := denial("s", "file-owner", "write a.go", 2)
	for name, test := range map[string]struct {
		denied resources.Event
		on     string
		task   resources.Object
		want   int
	}{
		"another rule denies it": {stays, "t", active, 0},
		"its task is in review":  {plain, "t", review, 0},
		"its task is active":     {plain, "t", active, 1},
		"another task is active": {plain, "u", review, 1},
	} {
		got := of(attention.Input{Denials: []resources.Event{test.denied}}, session("s", resources.SessionSpec{ActiveTask: test.on}), test.task, other)
		assert.Len(t, got, test.want, name)
	}
}
