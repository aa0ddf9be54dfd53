package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// comment adds one to the world; here: it was made on this machine.
func (w *world) comment(name string, here bool, spec resources.CommentSpec) *resources.Comment {
	c := empty(resources.Comments).(*resources.Comment)
	c.Metadata.Name, c.Spec = name, spec
	w.comments = append(w.comments, c)
	w.seen[name] = &status.Evidence{Comment: status.CommentLog{Local: here}}
	return c
}

func instruction(hold bool) resources.CommentSpec {
	return resources.CommentSpec{About: "task/db-schema", Type: resources.CommentInstruction, Body: "Use <system> UUIDs", Author: "person/lead", Hold: hold}
}

// A hold denies what is written for the task, until it is answered or settled; and nothing else.
func TestHeldByComment(t *testing.T) {
	reply := func(kind string, resolves ...string) resources.CommentSpec {
		return resources.CommentSpec{About: "task/db-schema", Type: kind, Body: "b", Author: "session/s", InReplyTo: "c-1", Resolves: resolves}
	}
	for name, test := range map[string]struct {
		add  func(w *world)
		deny bool
	}{
		"a hold":      {func(w *world) { w.comment("c-1", true, instruction(true)) }, true},
		"no hold":     {func(w *world) { w.comment("c-1", true, instruction(false)) }, false},
		"came by git": {func(w *world) { w.comment("c-1", false, instruction(true)) }, false},
		"answered here": {func(w *world) {
			w.comment("c-1", true, instruction(true))
			w.comment("c-2", true, reply(resources.CommentAnswer))
		}, false},
		"a note is no answer": {func(w *world) {
			w.comment("c-1", true, instruction(true))
			w.comment("c-2", true, reply(resources.CommentNote))
		}, true},
		"settled here": {func(w *world) {
			w.comment("c-1", true, instruction(true))
			w.comment("c-2", true, reply(resources.CommentNote, "c-1"))
		}, false},
		"answered by somebody, by git": {func(w *world) {
			w.comment("c-1", true, instruction(true))
			w.comment("c-2", false, reply(resources.CommentAnswer))
		}, true},
		"came from one of my people": {func(w *world) {
			w.comment("c-1", false, instruction(true))
			w.seen["c-1"].Comment = status.CommentLog{GitAuthor: "Ann <ann@x>", FromTrusted: true}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.task("db-schema", resources.TaskSpec{State: resources.TaskActive})
			test.add(w)
			v := Decide(Call{Action: Write, Tool: "Write", Paths: []Path{{Given: "a.go", Repo: "a.go"}}}, w)
			if !test.deny {
				assert.NotEqual(t, Deny, v.Outcome, v.Reason.Text())
				return
			}
			require.Equal(t, Deny, v.Outcome)
			assert.Equal(t, "comment", v.Reason.Rule)
			text := v.Reason.Text()
			assert.Contains(t, text, "on task/db-schema (c-1): Use &lt;system> UUIDs")
			assert.Contains(t, text, `idumb comment --answer c-1 "..."`)
			for _, open := range []Call{
				{Action: Read, Tool: "Read", Paths: []Path{{Repo: "a.go"}}},
				{Action: Governance, Runs: runs("idumb comment --answer c-1 yes")},
				{Action: Governance, Runs: runs("idumb fail db-schema --reason x")},
				{Action: Governance, Runs: runs("idumb review db-schema")},
			} {
				assert.NotEqual(t, Deny, Decide(open, w).Outcome, "%v", open)
			}
		})
	}
}

// Nobody changes what was said; agents write notes, questions and answers, and settle what agents said.
func TestJudgeComment(t *testing.T) {
	w := newWorld()
	by := w.comment("c-1", true, instruction(false))
	mine := w.comment("c-2", true, resources.CommentSpec{About: "task/db-schema", Type: resources.CommentQuestion, Body: "b", Author: "session/s"})
	agent, person := Author{Kind: Agent, Session: "s"}, Author{Kind: Person}
	spec := func(change func(*resources.CommentSpec)) *resources.Comment {
		c := resources.Clone(mine).(*resources.Comment)
		c.Metadata.Name = "c-3"
		change(&c.Spec)
		return c
	}
	changed := resources.Clone(by).(*resources.Comment)
	changed.Spec.Body = "other"
	for _, who := range []Author{agent, person} {
		assert.ErrorContains(t, judgeComment(by, changed, who, w), "is not changed: agents may have read it already")
	}
	assert.NoError(t, judgeComment(by, resources.Clone(by), person, w), "labels may")
	for name, test := range map[string]struct {
		next *resources.Comment
		want string
	}{
		"a question":                 {spec(func(*resources.CommentSpec) {}), ""},
		"an instruction":             {spec(func(s *resources.CommentSpec) { s.Type = resources.CommentInstruction }), "only a user can write instructions"},
		"a hold":                     {spec(func(s *resources.CommentSpec) { s.Hold = true }), "only a user can hold tasks"},
		"settles what an agent said": {spec(func(s *resources.CommentSpec) { s.Resolves = []string{"c-2"} }), ""},
		"settles a user's":           {spec(func(s *resources.CommentSpec) { s.Resolves = []string{"c-1"} }), "answer it: idumb comment --answer c-1"},
		"corrects a user's":          {spec(func(s *resources.CommentSpec) { s.Supersedes = "c-1" }), "answer it"},
	} {
		err := judgeComment(nil, test.next, agent, w)
		if test.want == "" {
			assert.NoError(t, err, name)
		} else {
			assert.ErrorContains(t, err, test.want, name)
		}
		assert.NoError(t, judgeComment(nil, test.next, person, w), name)
	}
	assert.ErrorContains(t, judgeCommentGone(by, agent), "cannot remove")
	assert.NoError(t, judgeCommentGone(by, person))
}

// Agents write no file below the folders that say who said what.
func TestCommentsAreNoFilesToWrite(t *testing.T) {
	for _, file := range []string{".idumb/comments/c-1.json", ".idumb/grants/g.json", ".idumb/conflicts/c.json"} {
		v := Decide(Call{Action: Write, Tool: "Write", Paths: []Path{{Given: file, Repo: file}}}, newWorld())
		assert.Equal(t, Deny, v.Outcome, file)
		assert.Equal(t, "governed-path", v.Reason.Rule, file)
	}
	kind, _ := resources.KindOf(resources.Comments)
	assert.False(t, GoverningKind(kind), "nobody has to trust each remark")
	for _, command := range []string{"idumb create comment", "idumb delete comment/c-1", "idumb patch comment c-1 -p {}", "idumb archive comment c-1"} {
		assert.Equal(t, Deny, Decide(Call{Action: Governance, Runs: runs(command)}, newWorld()).Outcome, command)
	}
}

// A hold also denies what an agent writes for the task while it works on another one.
func TestHeldByCommentOnAnotherTask(t *testing.T) {
	w := newWorld()
	beside(w, "db-schema", resources.TaskSpec{State: resources.TaskActive, Paths: []string{"db/**"}})
	assert.NotEqual(t, Deny, Decide(write("db/a.sql"), w).Outcome)
	w.comment("c-1", true, instruction(true))
	v := Decide(write("db/a.sql"), w)
	assert.Equal(t, Deny, v.Outcome)
	text := v.Reason.Text()
	assert.Contains(t, text, `a comment holds task "db-schema"`)
	assert.Contains(t, text, `db/a.sql is a file of task "db-schema"`)
	assert.Contains(t, text, `idumb comment --answer c-1 "..."`)
	assert.NotEqual(t, Deny, Decide(write("docs/a.md"), w).Outcome, "other files")
	w.comment("c-2", true, resources.CommentSpec{About: "task/db-schema", Type: resources.CommentAnswer, Body: "b", Author: "session/s", InReplyTo: "c-1"})
	assert.NotEqual(t, Deny, Decide(write("db/a.sql"), w).Outcome, "answered")
}
