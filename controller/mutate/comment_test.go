package mutate

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

const discussed = `
kind: WorkPlan
metadata: {name: p}
spec: {title: P, acceptance: [a], state: active}
---
kind: TaskNode
metadata: {name: t}
spec: {workPlan: p, expectedOutput: x}
`

func remark(spec resources.CommentSpec) *resources.Comment {
	kind, _ := resources.KindOf(resources.Comments)
	c := kind.New().(*resources.Comment)
	c.Spec = spec
	return c
}

// Who says something is whoever asks for it, whatever the comment says of that.
func TestComment(t *testing.T) {
	repo := newRepo(t, discussed)
	say := func(r Repo, local bool, spec resources.CommentSpec) *resources.Comment {
		result, err := r.Comment(t.Context(), remark(spec), local)
		require.NoError(t, err)
		return result.New.(*resources.Comment)
	}
	c := say(repo, false, resources.CommentSpec{About: "task/t", Type: resources.CommentInstruction, Body: "b", Author: "person/somebody-else"})
	assert.Regexp(t, `^c-[0-9]{13}-[0-9a-f]{4}$`, c.Metadata.Name)
	assert.Equal(t, "person/"+repo.holder().Person, c.Spec.Author)
	agent := repo
	agent.Author = admission.Author{Kind: admission.Agent, Session: "s"}
	answer := say(agent, false, resources.CommentSpec{InReplyTo: c.Metadata.Name, Type: resources.CommentAnswer, Body: "b", Author: "person/lead"})
	assert.Equal(t, "session/s", answer.Spec.Author)
	assert.Equal(t, "task/t", answer.Spec.About)
	local := say(repo, true, resources.CommentSpec{About: "task/t", Type: resources.CommentQuestion, Body: "b"})
	assert.True(t, strings.HasSuffix(local.Metadata.Name, ".local"))
	assert.True(t, strings.HasSuffix(say(agent, false, resources.CommentSpec{InReplyTo: local.Metadata.Name, Type: resources.CommentAnswer, Body: "b"}).Metadata.Name, ".local"), "it would answer nothing elsewhere")
	assert.True(t, strings.HasSuffix(say(repo, false, resources.CommentSpec{About: "session/s", Body: "b"}).Metadata.Name, ".local"))

	_, err := repo.One(t.Context(), c.Key(), func(o resources.Object, _ *View) (resources.Object, error) {
		o.(*resources.Comment).Spec.Body = "other"
		return o, nil
	})
	assert.ErrorContains(t, err, "is not changed")
	log := func(name string) *status.Evidence {
		record, err := repo.Record(t.Context(), resources.Key{Kind: resources.CheckpointsKind, Name: name})
		require.NoError(t, err)
		seen, _ := status.ReadEvidence(record.Spec)
		return seen
	}
	assert.True(t, log(c.Metadata.Name).Comment.Local)
	assert.Zero(t, log(c.Metadata.Name).Count, "nothing was done for a task")

	gone, err := repo.Archive(t.Context(), []resources.Key{{Kind: resources.Tasks, Name: "t"}}, Guarded)
	require.NoError(t, err)
	assert.Contains(t, gone, c.Key(), "it goes with its task")
	assert.True(t, log(c.Metadata.Name).Comment.Local, "what is known of it stays")
}

// Comments that are made on several branches at once, answers among them, merge without a conflict.
func TestCommentsMerge(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	repo := newRepo(t, discussed)
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"}, args...)...)
		c.Dir = string(repo.Store.Root())
		out, err := c.CombinedOutput()
		require.NoError(t, err, "git %v: %s", args, out)
	}
	git("init", "-q", "-b", "main")
	first, err := repo.Comment(t.Context(), remark(resources.CommentSpec{About: "task/t", Type: resources.CommentQuestion, Body: "b"}), false)
	require.NoError(t, err)
	git("add", ".idumb/workplans", ".idumb/tasks", ".idumb/comments")
	git("commit", "-q", "-m", "first")
	const branches, each = 4, 10
	names := []string{first.Key.Name}
	for b := range branches {
		git("checkout", "-q", "-b", fmt.Sprint("b", b), "main")
		for i := range each {
			spec := resources.CommentSpec{InReplyTo: first.Key.Name, Type: resources.CommentAnswer, Body: fmt.Sprint(b, i)}
			if i%3 == 0 {
				spec = resources.CommentSpec{About: "task/t", Body: fmt.Sprint(b, i), Resolves: []string{first.Key.Name}}
			}
			result, err := repo.Comment(t.Context(), remark(spec), false)
			require.NoError(t, err)
			names = append(names, result.Key.Name)
		}
		git("add", ".idumb/comments")
		git("commit", "-q", "-m", fmt.Sprint(b))
	}
	git("checkout", "-q", "main")
	for b := range branches {
		git("merge", "-q", "-m", "merge", fmt.Sprint("b", b))
	}
	snapshot, err := repo.Store.Load(t.Context(), repo.Now(), resources.Comments)
	require.NoError(t, err)
	slices.Sort(names)
	assert.Equal(t, names, snapshot.Names(resources.Comments))
	assert.Empty(t, snapshot.Problems())
}

// What was said about what goes goes too, and nothing dangles.
func TestCommentsGoWithWhatTheyAreAbout(t *testing.T) {
	for _, cascade := range []Cascade{Guarded, Owned} {
		repo := newRepo(t, discussed)
		result, err := repo.Comment(t.Context(), remark(resources.CommentSpec{About: "task/t", Body: "b"}), false)
		require.NoError(t, err)
		said := result.New.Key()
		gone, err := repo.Delete(t.Context(), []resources.Key{{Kind: resources.Tasks, Name: "t"}}, cascade)
		require.NoError(t, err)
		assert.Contains(t, gone, said)
		_, err = repo.Record(t.Context(), said)
		assert.True(t, apierrors.IsNotFound(err), "%v", err)
	}
}

// A task that a comment holds is neither completed nor handed in by an agent before somebody answers; by a person it is.
func TestAHeldTaskIsNotHandedIn(t *testing.T) {
	repo := newRepo(t, strings.Replace(discussed, "expectedOutput: x}", "expectedOutput: x, state: active}", 1))
	agent := repo
	agent.Author = admission.Author{Kind: admission.Agent, Session: "s"}
	key := resources.Key{Kind: resources.Tasks, Name: "t"}
	_, err := agent.Move(t.Context(), transition.Move{Verb: transition.Start}, key)
	require.NoError(t, err)
	said, err := repo.Comment(t.Context(), remark(resources.CommentSpec{About: "task/t", Type: resources.CommentInstruction, Body: "Stop. Is it right?", Hold: true}), false)
	require.NoError(t, err)
	for _, m := range []transition.Move{{Verb: transition.Review}, {Verb: transition.Complete, Evidence: "seen"}} {
		var refused *apierrors.Refusal
		_, err := agent.Move(t.Context(), m, key)
		require.ErrorAs(t, err, &refused, m.Verb)
		assert.Contains(t, refused.Why, "Stop. Is it right?")
		assert.Contains(t, refused.Step, "idumb comment --answer "+said.Key.Name)
	}
	person := repo
	person.DryRun = true
	_, err = person.Move(t.Context(), transition.Move{Verb: transition.Complete, Evidence: "seen"}, key)
	require.NoError(t, err)
	_, err = agent.Comment(t.Context(), remark(resources.CommentSpec{InReplyTo: said.Key.Name, Type: resources.CommentAnswer, Body: "It is."}), false)
	require.NoError(t, err)
	_, err = agent.Move(t.Context(), transition.Move{Verb: transition.Complete, Evidence: "seen"}, key)
	require.NoError(t, err)
}

// Only a new comment gets a log that says it was made here: a task has no checkpoint before anybody worked on it.
func TestOnlyCommentsAreNotedAsMadeHere(t *testing.T) {
	repo := newRepo(t, discussed)
	result, err := repo.Comment(t.Context(), remark(resources.CommentSpec{About: "task/t", Body: "b"}), false)
	require.NoError(t, err)
	_, err = repo.One(t.Context(), result.Key, func(o resources.Object, _ *View) (resources.Object, error) {
		o.(*resources.Comment).Metadata.Labels = map[string]string{"a": "b"}
		return o, nil
	})
	require.NoError(t, err)
	logs, err := filepath.Glob(filepath.Join(string(repo.Store.Root()), ".idumb", "checkpoints", "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, logs, 1)
	assert.Equal(t, result.Key.Name+".jsonl", filepath.Base(logs[0]))
	data, err := os.ReadFile(logs[0])
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(data), "\n"), string(data))
}
