package main

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// fullWindow is the context window, in tokens, of the model whose conversation becomes too long.
const fullWindow = 100_000

// survivors contains the texts that the model must see after a compaction: the language, the plan
// and its progress, the task with its predecessors and successors, the critical anchor, and the
// rules of its role.
var survivors = []string{
	"Vietnamese", "Plan press", "1 of 3 tasks done", "typeset", "The pages", "print", "Ink is never red", "Plan before you write",
}

// forgotten is a text that the agent writes long before the compaction and that is in no summary.
// User messages and recent messages cannot be used for this, because some clients keep them.
const forgotten = "a-word-that-is-forgotten"

// pressPlan creates a plan with three tasks, of which the second is active.
func pressPlan(s *stage) {
	s.must(s.editSpec(".idumb/config.json", map[string]any{"language": map[string]any{"communication": "Vietnamese"}}))
	s.idumb("trust") // needed because the settings were changed by hand
	s.idumb("create", "workplan", "press", "--title", "A press", "--accept", "It prints", "--state", "active")
	s.idumb("create", "task", "cast", "--plan", "press", "--title", "Cast the letters", "--expect", "Letters")
	s.idumb("create", "task", "typeset", "--plan", "press", "--title", "Typeset", "--expect", "The pages", "--depends-on", "cast")
	s.idumb("create", "task", "print", "--plan", "press", "--title", "Print", "--expect", "A book", "--after", "typeset", "--reason", "There is nothing to print before.")
	s.idumb("create", "anchor", "ink", "--type", "decision", "--priority", "critical", "--content", "Ink is never red")
	s.idumb("start", "cast")
	s.idumb("complete", "cast", "--evidence", "letters in the case")
	s.idumb("start", "typeset")
}

// manualCompaction tests a compaction that a user starts. The summarizer's request and the later
// requests must contain the chain, the anchors and the language.
func manualCompaction(s *stage) {
	pressPlan(s)
	s.play(s.actor, clients.Options{}, []string{"set the pages", "/compact", "go on"},
		summariser(s),
		model.Lane{Name: "main", Steps: []model.Step{
			firstPages(s).Looking(wantTexts(survivors...)),
			model.Say("Set. Shall I go on?").Rejecting("GOVERNANCE BLOCK"),
			model.Use(s.Write("more.txt", "more\n")).Looking(wantSurvivors),
			model.Say("Done.").Rejecting("GOVERNANCE BLOCK"),
		}})
	s.wantFile("more.txt", "more\n")
	s.wantPhase("task/typeset", "active")
}

// automaticCompaction tests a compaction that the client starts during a turn because its window is
// full.
func automaticCompaction(s *stage) {
	pressPlan(s)
	// A client compacts only if the conversation itself fills the window. The fixed text before the
	// conversation does not count.
	long := strings.Repeat(" and more", fullWindow*6/10/2)
	s.play(s.actor, clients.Options{}, []string{"set the pages" + long, "go on"},
		summariser(s),
		model.Lane{Name: "main", Steps: []model.Step{
			firstPages(s).Looking(wantTexts(survivors...)),
			model.Say("Set, " + forgotten + "." + s.beyondTail()).Rejecting("GOVERNANCE BLOCK"),
			model.Use(s.Write("even.txt", "even\n")).Reporting(fullWindow - 1000),
			model.Use(s.Write("more.txt", "more\n")).Looking(wantSurvivors),
			model.Say("Done.").Rejecting("GOVERNANCE BLOCK"),
		}})
	s.wantFile("more.txt", "more\n")
	s.wantPhase("task/typeset", "active")
}

// beyondTail returns a text that makes a turn too long to be kept verbatim. OpenCode keeps the last
// turns if they fit into a share of the window.
func (s *stage) beyondTail() string {
	if s.host != "opencode" {
		return ""
	}
	return strings.Repeat(" and more", fullWindow/5)
}

// firstPages returns the first step, in which the agent writes a file and says the text that is
// forgotten later.
func firstPages(s *stage) model.Step {
	step := model.Use(s.Write("pages.txt", "pages\n"))
	step.Text = "I begin with " + forgotten + "."
	return step
}

// summariser returns the lane of the compaction request.
func summariser(s *stage) model.Lane {
	return model.Lane{Name: "summary", Match: isSummary, Steps: []model.Step{
		model.Say("<summary>Pages are being set.</summary>").
			Looking(wantTexts("press", "typeset", "Ink is never red", "Vietnamese")),
	}}
}

// isSummary reports whether a request asks the model to compact a conversation.
func isSummary(r *model.Request) bool {
	fresh := r.New()
	return strings.Contains(fresh, "create a detailed summary of the conversation") || // Claude Code
		strings.Contains(fresh, "CONTEXT CHECKPOINT COMPACTION") || // Codex
		strings.Contains(r.System, "context summarization agent") || // OpenCode
		strings.Contains(fresh, "Please write the summary now") || // Copilot
		strings.Contains(r.System, "state_snapshot") // Gemini CLI
}

// wantTexts returns a check that the request contains all of the texts.
func wantTexts(texts ...string) func(*model.Request) error {
	return func(r *model.Request) error {
		all := r.All()
		var missing []string
		for _, text := range texts {
			if !strings.Contains(all, text) {
				missing = append(missing, fmt.Sprintf("%q", text))
			}
		}
		if len(missing) > 0 {
			return fmt.Errorf("does not contain %s", strings.Join(missing, ", "))
		}
		return nil
	}
}

// wantSurvivors checks that a request after a compaction does not contain the old conversation and does
// contain everything that must survive.
func wantSurvivors(r *model.Request) error {
	if strings.Contains(r.All(), forgotten) {
		return fmt.Errorf("still held the whole conversation: nothing was compacted")
	}
	return wantTexts(survivors...)(r)
}
