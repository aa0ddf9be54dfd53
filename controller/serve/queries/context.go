package queries

import (
	"net/url"

	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/reconcilers"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Context is the context of an agent.
type Context struct {
	Text     string       `json:"text"`
	Overflow string       `json:"overflow,omitempty"` // message if the reserved parts exceed the budget, with a remedy
	Explain  PackDocument `json:"explain,omitzero"`   // only if requested
}

// ContextOf packs the context for a session, or without a reader. If a task is
// named, it packs as if the session worked on it. With explain, it adds an
// explanation.
func ContextOf(s *Source, v url.Values) (Context, error) {
	task, session, explain := v.Get("task"), v.Get("session"), v.Has("explain")
	reader, err := readerOf(s, task, session, environment(v))
	if err != nil {
		return Context{}, err
	}
	reader.Stock, reader.Terse = s.Stock, !explain
	if task == "" || session != "" { // a task without an agent has no earlier pack
		reader.Previous = s.Root.LastPack(session)
	}
	reader.Project, reader.Code = s.Root.ProjectLines(), s.Root.CodeFiles()
	reader.Unseen = s.sharing(v).Advice()
	pack := packer.Make(s, reader)
	answer := Context{Text: string(pack.Bytes), Overflow: pack.Overflow}
	if explain {
		d := PackDocument{
			Digest: pack.Digest, Tokens: pack.Tokens, Characters: pack.Characters,
			Budget:  PackBudget{pack.Budget.Tokens, pack.Budget.Characters, pack.Budget.Limit},
			Entries: make([]PackEntry, 0, len(pack.Entries)),
		}
		for _, e := range pack.Entries {
			d.Entries = append(d.Entries, PackEntry{e.Section, e.ID, e.In, e.Why, e.Tokens, e.Score})
		}
		answer.Explain = d
	}
	return answer, nil
}

// BearingOf returns the entries relevant to a task (task), for an agent that
// starts it without a context.
func BearingOf(s *Source, v url.Values) (packer.TaskKnowledge, error) {
	return packer.TaskKnowledgeOf(s, s.Stock, v.Get("task")), nil
}

// readerOf returns the reader for whom a context pack is made: the named session, or no session for
// "". If a task is named, the pack is made as if the reader had just started it. It returns a NotFound
// error for an unknown session or task.
func readerOf(s *Source, task, session string, env []string) (packer.Reader, error) {
	var record *resources.Session
	if session != "" {
		key := resources.Key{Kind: resources.Sessions, Name: session}
		o, found := s.Get(key)
		if !found {
			return packer.Reader{}, apierrors.NotFound(key)
		}
		record = o.(*resources.Session)
	}
	reader := reconcilers.ReaderOf(record)
	rights := s.Gate.GateFor(s.Root, session, env, s.Now()).Rights()
	reader.Rights = &rights
	if task == "" {
		return reader, nil
	}
	if _, found := s.Task(task); !found {
		return packer.Reader{}, apierrors.NotFound(resources.Key{Kind: resources.Tasks, Name: task})
	}
	var onTask resources.Session
	if record != nil {
		onTask = *record
	}
	onTask.Spec.ActiveTask = task
	reader.Session, reader.Starts = &onTask, true
	return reader, nil
}

// PackEntry is an entry of a pack, as -o json prints it.
type PackEntry struct {
	Section  string `json:"section"`
	ID       string `json:"id"`
	Included bool   `json:"in"`
	Reason   string `json:"why"`
	Tokens   int    `json:"tokens"`
	Score    int    `json:"score"`
}

// PackDocument is the output of --explain.
type PackDocument struct {
	Digest     string      `json:"digest"`
	Tokens     int         `json:"tokens"`
	Characters int         `json:"characters"`
	Budget     PackBudget  `json:"budget"`
	Entries    []PackEntry `json:"entries"`
}

// PackBudget is the effective limit of a pack.
type PackBudget struct {
	Tokens     int `json:"tokens"`
	Characters int `json:"characters"`
	Limit      int `json:"limit,omitempty"`
}
