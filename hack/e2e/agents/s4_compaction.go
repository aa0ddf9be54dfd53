package main

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// fullWindow is the window of the model whose conversation gets too long, in tokens.
const fullWindow = 100_000

// survivors is what has to be in front of the model whatever else was forgotten:
// the language, the plan and how far it is, the task with what came before it and
// what follows, the critical anchor and its role's rules.
var survivors = []string{
	"Vietnamese", "Plan press", "1 of 3 tasks done", "typeset", "The pages", "print", "Ink is never red", "Plan before you write",
}

// forgotten is what the agent says long before the compaction, and what is in no
// summary. (What a person said, and what was said last, some clients keep.)
const forgotten = "a-word-that-is-forgotten"

// pressPlan is a plan whose second of three tasks is being worked on.
func pressPlan(s *stage) {
	s.must(s.editSpec(".idumb/config.json", map[string]any{"language": map[string]any{"communication": "Vietnamese"}}))
	s.idumb("trust") // the settings were changed by hand
	s.idumb("create", "workplan", "press", "--title", "A press", "--accept", "It prints", "--state", "active")
	s.idumb("create", "task", "cast", "--plan", "press", "--title", "Cast the letters", "--expect", "Letters")
	s.idumb("create", "task", "typeset", "--plan", "press", "--title", "Typeset", "--expect", "The pages", "--depends-on", "cast")
	s.idumb("create", "task", "print", "--plan", "press", "--title", "Print", "--expect", "A book", "--after", "typeset", "--reason", "There is nothing to print before.")
	s.idumb("create", "anchor", "ink", "--type", "decision", "--priority", "critical", "--content", "Ink is never red")
	s.idumb("start", "cast")
	s.idumb("complete", "cast", "--evidence", "letters in the case")
	s.idumb("start", "typeset")
}

// manualCompaction: a person compacts the conversation. What the summariser is told
// and what the model is sent afterwards hold the chain, the anchors and the language.
func manualCompaction(s *stage) {
	pressPlan(s)
	s.play(s.actor, clients.Options{}, []string{"set the pages", "/compact", "go on"},
		summariser(s),
		model.Lane{Name: "main", Steps: []model.Step{
			firstPages(s).Looking(holds(survivors...)),
			model.Say("Set.").Rejecting("GOVERNANCE BLOCK"),
			model.Use(s.Write("more.txt", "more\n")).Looking(survived),
			model.Say("Done.").Rejecting("GOVERNANCE BLOCK"),
		}})
	s.wantFile("more.txt", "more\n")
	s.wantPhase("task/typeset", "active")
}

// automaticCompaction: the client compacts in the middle of a turn because its window
// is full.
func automaticCompaction(s *stage) {
	pressPlan(s)
	// A client compacts only if the conversation itself, not what always stands before
	// it, fills the window.
	long := strings.Repeat(" and more", fullWindow*6/10/2)
	s.play(s.actor, clients.Options{}, []string{"set the pages" + long, "go on"},
		summariser(s),
		model.Lane{Name: "main", Steps: []model.Step{
			firstPages(s).Looking(holds(survivors...)),
			model.Say("Set, " + forgotten + "." + s.beyondTail()).Rejecting("GOVERNANCE BLOCK"),
			model.Use(s.Write("even.txt", "even\n")).Reporting(fullWindow - 1000),
			model.Use(s.Write("more.txt", "more\n")).Looking(survived),
			model.Say("Done.").Rejecting("GOVERNANCE BLOCK"),
		}})
	s.wantFile("more.txt", "more\n")
	s.wantPhase("task/typeset", "active")
}

// beyondTail makes a turn too long to be kept word for word: OpenCode keeps the last
// turns, as far as they fit a share of the window.
func (s *stage) beyondTail() string {
	if s.host != "opencode" {
		return ""
	}
	return strings.Repeat(" and more", fullWindow/5)
}

// firstPages is the first step: the agent says what will be forgotten, and writes.
func firstPages(s *stage) model.Step {
	step := model.Use(s.Write("pages.txt", "pages\n"))
	step.Text = "I begin with " + forgotten + "."
	return step
}

// summariser is the lane of the compaction itself.
func summariser(s *stage) model.Lane {
	return model.Lane{Name: "summary", Match: isSummary, Steps: []model.Step{
		model.Say("<summary>Pages are being set.</summary>").
			Looking(holds("press", "typeset", "Ink is never red", "Vietnamese")),
	}}
}

// isSummary recognises what clients ask of a model to compact a conversation.
func isSummary(r *model.Request) bool {
	fresh := r.New()
	return strings.Contains(fresh, "create a detailed summary of the conversation") || // Claude Code
		strings.Contains(fresh, "CONTEXT CHECKPOINT COMPACTION") || // Codex
		strings.Contains(r.System, "context summarization agent") // OpenCode
}

// holds checks that the request holds texts, wherever.
func holds(texts ...string) func(*model.Request) error {
	return func(r *model.Request) error {
		all := r.All()
		var missing []string
		for _, text := range texts {
			if !strings.Contains(all, text) {
				missing = append(missing, fmt.Sprintf("%q", text))
			}
		}
		if len(missing) > 0 {
			return fmt.Errorf("did not hold %s", strings.Join(missing, ", "))
		}
		return nil
	}
}

// survived checks a request after a compaction: what was said is gone, and what has
// to survive is there.
func survived(r *model.Request) error {
	if strings.Contains(r.All(), forgotten) {
		return fmt.Errorf("still held the whole conversation: nothing was compacted")
	}
	return holds(survivors...)(r)
}
