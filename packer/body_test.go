package packer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/tokens"
)

func bodied(description, notes string) *resources.Task {
	return &resources.Task{Header: meta("t", 1), Spec: resources.TaskSpec{Description: description, Notes: notes}}
}

func TestAShortBodyIsToldWhole(t *testing.T) {
	description, notes := bodyOf(bodied("Build <it>.\n\n## Why\nPeople ask.\n", "- one\n- two"), 300)
	assert.Equal(t, "Description: Build &lt;it&gt;.\n  ## Why\n  People ask.", description)
	assert.Equal(t, "Notes: - one\n  - two", notes)
	description, notes = bodyOf(bodied(" \n", ""), 300)
	assert.Empty(t, description+notes)
}

func TestALongBodyKeepsItsHeadings(t *testing.T) {
	long := strings.Repeat("The form posts to the session endpoint and shows what went wrong. ", 30)
	description, notes := bodyOf(bodied("Intro.\n# Goal\n"+long+"\n```sh\n# no heading\n```\n## Steps\n"+long+"\n## Risks\nNone.", "Short."), 200)
	assert.Equal(t, "Notes: Short.", notes, "what the other one leaves is not taken from it")
	lines := strings.Split(description, "\n")
	require.Len(t, lines, 6, description)
	assert.Equal(t, "Description: Intro.", lines[0])
	assert.Equal(t, "  # Goal", lines[1])
	assert.Regexp(t, `^  The form posts .* \.\.\.$`, lines[2])
	assert.Equal(t, []string{"  ## Steps", "  ## Risks", "  [cut; all of it: `idumb describe task t`, or govern_task status t]"}, lines[3:])
	assert.Greater(t, tokens.Estimate(description), 180, "the room is used")
}

// A body takes no more than its own budget, keeps its headings from the beginning, each line of it is one of the text, and what is cut says so.
func TestABodyKeepsToItsBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	cut := 0
	for range rounds(2000) {
		description, notes := randomBody(r), randomBody(r)
		tokens := 10 + r.IntN(400)
		one, two := bodyOf(bodied(description, notes), tokens)
		require.LessOrEqual(t, lineSize(one)+lineSize(two), tokens*1000)
		for text, told := range map[string]string{descriptionLabel + block(description): one, notesLabel + block(notes): two} {
			if told == text || told == "" {
				continue
			}
			cut++
			lines := strings.Split(told, "\n")
			require.Contains(t, lines[len(lines)-1], "[cut; all of it: `idumb describe task t`")
			all := "\n" + strings.ReplaceAll(text, ": ", ":\n  ") + "\n"
			last := -1
			for _, l := range lines[:len(lines)-1] {
				_, l, _ = strings.Cut("  "+strings.TrimPrefix(l, "  "), "  ")
				l = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(l, descriptionLabel), notesLabel), " ...")
				at := strings.Index(all[max(0, last):], l)
				require.GreaterOrEqual(t, at, 0, "%q is not in it, or not in its order", l)
				last = max(0, last) + at
			}
		}
	}
	assert.Positive(t, cut)
}

// randomBody is Markdown of random length.
func randomBody(r *rand.Rand) string {
	var b strings.Builder
	for n := range r.IntN(30) {
		if r.IntN(4) == 0 {
			fmt.Fprintf(&b, "%s part-%d\n", strings.Repeat("#", 1+r.IntN(3)), n)
		}
		fmt.Fprintf(&b, "%d %s\n", n, strings.Repeat("word <x> & ", r.IntN(30)))
	}
	return b.String()
}

// What a task says at length makes no context overflow, and several active tasks share the room.
func TestABodyIsNotReserved(t *testing.T) {
	in := userAuth()
	in.Limit = 4000
	without := Build(in)
	in.Tasks[2].Object.Spec.Description = strings.Repeat("long words ", 2000)
	config := *in.Config
	config.ContextTaskBody = 5000
	in.Config = &config
	p := Build(in)
	assert.Empty(t, p.Overflow)
	assert.False(t, entryOf(t, p, "task", "tasks/build-login-form description").In)
	for _, e := range without.Entries {
		if e.Section == "task" {
			assert.Equal(t, e.In, entryOf(t, p, "task", e.ID).In, e.ID)
		}
	}
	in = userAuth()
	in.Active = []string{"build-login-form", "write-docs"}
	for i := range in.Tasks {
		in.Tasks[i].Object.Spec.Description = strings.Repeat("long words ", 2000)
	}
	p = Build(in)
	for _, name := range in.Active {
		assert.LessOrEqual(t, entryOf(t, p, "task", "tasks/"+name+" description").Tokens, 150)
	}
}
