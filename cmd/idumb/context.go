package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/failure"
	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/cmd/internal/searchindex"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/reconcilers"
	"github.com/idumb-dev/idumb/resources"
)

const contextDoc = `Print the context that hooks put into an agent's prompt, packed from the files
as they are now. A running controller keeps the same bytes in .idumb/context.

--explain lists every entry that was considered, and why it is in or out.`

type contextFlags struct {
	task, session string
	explain       bool
	output        string
}

func newContext(a *app) *cobra.Command {
	var f contextFlags
	c := &cobra.Command{
		Use: "context [flags]", Short: "Print the context that agents are given", Long: contextDoc, Args: cobra.NoArgs,
		Example: "  idumb context\n  idumb context --task login-form --explain",
		RunE:    func(c *cobra.Command, _ []string) error { return a.context(c.Context(), &f) },
	}
	c.Flags().StringVar(&f.task, "task", "", "as for a session that works on this task")
	c.Flags().StringVar(&f.session, "session", "", "as for this session")
	c.Flags().BoolVar(&f.explain, "explain", false, "say for each entry why it is in or out")
	c.Flags().StringVarP(&f.output, "output", "o", "", "with --explain: json, yaml, jsonpath=...")
	a.completeFlagNames(c, "task", resources.Tasks)
	a.completeFlagNames(c, "session", resources.Sessions)
	return c
}

func (a *app) context(ctx context.Context, f *contextFlags) error {
	format, err := printers.ParseFormat(f.output, "json", "jsonpath", "yaml")
	if err != nil {
		return err
	}
	if f.output != "" && !f.explain {
		return errors.New("-o is for --explain; the context itself is text")
	}
	w, err := a.load(ctx)
	if err != nil {
		return err
	}
	reader, err := w.reader(f)
	if err != nil {
		return err
	}
	reader.Index, reader.Previous = searchindex.Map(w.root), w.lastPack(f)
	reader.Terse = !f.explain
	pack, index := packer.BuildIndexed(packer.Gather(w.snap, reader))
	defer searchindex.Keep(w.root, index)
	if pack.Overflow != "" {
		a.errf("Warning: %s\n", pack.Overflow)
	}
	switch {
	case !f.explain:
		_, err = a.stdout.Write(pack.Bytes)
		return err
	case format.Name != "":
		return (&printers.Printer{Format: format}).PrintValue(a.stdout, explanation(pack))
	}
	return a.explainPack(pack)
}

// lastPack is what the reader had last. Of a task that nobody works on nobody had one.
func (w *world) lastPack(f *contextFlags) []byte {
	if f.task != "" && f.session == "" {
		return nil
	}
	return w.root.LastPack(strings.TrimPrefix(f.session, "session/"))
}

// reader is who the pack is for.
func (w *world) reader(f *contextFlags) (packer.Reader, error) {
	var session *resources.Session
	if f.session != "" {
		key := resources.Key{Kind: resources.Sessions, Name: strings.TrimPrefix(f.session, "session/")}
		o, found := w.snap.Get(key)
		if !found {
			return packer.Reader{}, failure.NotFound(key)
		}
		session = o.(*resources.Session)
	}
	if f.task == "" {
		return reconcilers.ReaderOf(w.snap, session), nil
	}
	key := resources.Key{Kind: resources.Tasks, Name: strings.TrimPrefix(f.task, "task/")}
	if _, found := w.snap.Task(key.Name); !found {
		return packer.Reader{}, failure.NotFound(key)
	}
	reader := reconcilers.ReaderOf(w.snap, session)
	var onTask resources.Session
	if session != nil {
		onTask = *session
	}
	onTask.Spec.ActiveTask = key.Name
	reader.Session = &onTask
	return reader, nil
}

// entryDocument is an entry of a pack as -o json prints it.
type entryDocument struct {
	Section string `json:"section"`
	ID      string `json:"id"`
	In      bool   `json:"in"`
	Why     string `json:"why"`
	Tokens  int    `json:"tokens"`
	Score   int    `json:"score"`
}

// packDocument is what --explain says.
type packDocument struct {
	Digest     string          `json:"digest"`
	Tokens     int             `json:"tokens"`
	Characters int             `json:"characters"`
	Budget     budgetDocument  `json:"budget"`
	Entries    []entryDocument `json:"entries"`
}

type budgetDocument struct {
	Tokens     int `json:"tokens"`
	Characters int `json:"characters"`
	Limit      int `json:"limit,omitempty"`
}

func explanation(p packer.Pack) packDocument {
	d := packDocument{
		Digest: p.Digest, Tokens: p.Tokens, Characters: p.Characters,
		Budget:  budgetDocument{p.Budget.Tokens, p.Budget.Characters, p.Budget.Limit},
		Entries: make([]entryDocument, 0, len(p.Entries)),
	}
	for _, e := range p.Entries {
		d.Entries = append(d.Entries, entryDocument{e.Section, e.ID, e.In, e.Why, e.Tokens, e.Score})
	}
	return d
}

func (a *app) explainPack(p packer.Pack) error {
	t := printers.NewTable(a.stdout, 5)
	t.Header("SECTION", "ENTRY", "IN", "TOKENS", "WHY")
	for _, e := range p.Entries {
		in := "no"
		if e.In {
			in = "yes"
		}
		t.Cell(e.Section)
		t.Cell(e.ID)
		t.Cell(in)
		t.Cell(strconv.Itoa(e.Tokens))
		t.Cell(strings.TrimPrefix(strings.TrimPrefix(e.Why, "in: "), "out: "))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	ceiling := fmt.Sprintf("%d tokens or %d characters", p.Budget.Tokens, p.Budget.Characters)
	if p.Budget.Limit > 0 {
		ceiling += fmt.Sprintf(", %d characters at most", p.Budget.Limit)
	}
	a.errf("%d tokens, %d characters; the ceiling is %s\n", p.Tokens, p.Characters, ceiling)
	return nil
}
