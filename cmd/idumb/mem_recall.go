package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/memory"
	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/cmd/internal/searchindex"
	"github.com/idumb-dev/idumb/cmd/internal/terminal"
	"github.com/idumb-dev/idumb/resources"
)

const memRecallDoc = `Find what was learnt, best first, and why each one is there: the words that it
shares with the question with what each brought, what related mems lent, what
the question names, and how sure the mem is.

Asking confirms nothing. What was replaced or purged is left out without
--history.`

// recallFlags are the flags of mem recall.
type recallFlags struct {
	memory.Question
	asOf
	output    string
	noHeaders bool
}

func newMemRecall(a *app) *cobra.Command {
	var f recallFlags
	c := &cobra.Command{
		Use: "recall QUERY... [flags]", Short: "Find what was learnt, and say why it is found", Long: memRecallDoc, Args: cobra.MinimumNArgs(1),
		Example:           "  idumb mem recall why are people logged out\n  idumb mem recall --path src/auth/login.go tokens -o name\n  idumb mem recall tokens --as-of 2026-03-01 --history",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error {
			f.Text = strings.Join(args, " ")
			return a.recall(c, &f)
		},
	}
	flags := c.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "wide, json, yaml, name, jsonpath=...")
	flags.IntVar(&f.Most, "limit", 8, "at most so many; 0: all of them")
	flags.StringVar(&f.Type, "type", "", "only mems of this type")
	flags.StringVar(&f.Shelf, "shelf", "", "only mems of this shelf")
	flags.StringSliceVar(&f.Tags, "tags", nil, "only mems with all of these tags: a,b")
	flags.StringArrayVar(&f.Paths, "path", nil, "a file that the question is about; may be given several times")
	flags.BoolVar(&f.History, "history", false, "also what was replaced, purged, or is over")
	flags.BoolVar(&f.noHeaders, "no-headers", false, "with -o wide: leave out the names of the columns")
	f.asOf.declare(flags)
	flags.SetNormalizeFunc(tagOrTags)
	completeFlag(c, "output", "wide", "json", "yaml", "name", "jsonpath=")
	completeFlag(c, "type", memTypes()...)
	return c
}

// memTypes are the types that a mem may have.
func memTypes() []string {
	kind, _ := resources.KindOf(resources.Mems)
	field, _ := kind.LookupField("spec.type")
	return field.Enum
}

func (a *app) recall(c *cobra.Command, f *recallFlags) error {
	format, err := printers.ParseFormat(f.output, "json", "jsonpath", "name", "wide", "yaml")
	if err != nil {
		return err
	}
	if f.Most < 0 || strings.TrimSpace(f.Text) == "" {
		return errors.New("say what to look for, and with --limit how many: 0 is all")
	}
	if types := memTypes(); f.Type != "" && !slices.Contains(types, f.Type) {
		return fmt.Errorf("no mem is of type %q; there are %s", f.Type, strings.Join(types, ", "))
	}
	w, err := a.loadMems(c, &f.asOf, resources.WorkKinds()...) // all that phases and confidence depend on
	if err != nil {
		return err
	}
	for i := range f.Paths {
		f.Paths[i] = a.memFile(f.Paths[i])
	}
	found, index := memory.Recall(w.snap, searchindex.Map(w.root), f.Question)
	defer searchindex.Keep(w.root, index)
	defer memory.CountAccess(w.root, found, a.now())
	p := &printers.Printer{Format: format, NoHeaders: f.noHeaders, Now: w.now}
	switch {
	case format.NeedsDocument():
		return p.PrintItems(a.stdout, items(recallDocuments(found)))
	case len(found) == 0:
		a.errf("No resources found\n")
		return nil
	}
	switch format.Name {
	case "name":
		for i := range found {
			a.outf("%s\n", qualified(found[i].Object.Key()))
		}
		return nil
	case "wide":
		return a.recallTable(p, found)
	}
	for i := range found {
		a.printRecalled(&found[i])
	}
	return nil
}

// printRecalled prints one answer: what it is, what it says, and why it is there.
func (a *app) printRecalled(r *memory.Recalled) {
	a.outf("%s  %s  %s\n", qualified(r.Object.Key()), resources.MemType(r.Object), r.Status.Phase)
	text := r.Object.Spec.Content
	if title := r.Object.Spec.Title; title != "" && !strings.HasPrefix(text, title) {
		text = title + ": " + text
	}
	a.outf("  %s\n", terminal.Wrap(terminal.EscapeLine(brief(text)), 78, "  "))
	a.outf("  %s\n", terminal.Wrap(terminal.EscapeLine(fmt.Sprintf("why: score %d: %s", memory.Points(r), r.Why())), 78, "  "))
}

// brief is a text for a list, in one line.
func brief(text string) string {
	const longest = 400
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > longest {
		return string(r[:longest]) + "..."
	}
	return text
}

func (a *app) recallTable(p *printers.Printer, found []memory.Recalled) error {
	t := printers.NewTable(a.stdout, 7)
	if !p.NoHeaders {
		t.Header("NAME", "TYPE", "PHASE", "CONFIDENCE", "SCORE", "TITLE", "WHY")
	}
	for i := range found {
		r := &found[i]
		t.Cell(r.Object.Metadata.Name)
		t.Cell(resources.MemType(r.Object))
		t.Cell(r.Status.Phase)
		t.Cell(fmt.Sprint(r.Status.Confidence))
		t.Cell(fmt.Sprint(memory.Points(r)))
		t.Cell(r.Object.Spec.Title)
		t.Cell(r.Why())
	}
	return t.Flush()
}

// recallDocument is an answer as -o json prints it.
type recallDocument struct {
	Name       string   `json:"name"`
	Type       string   `json:"type"`
	Title      string   `json:"title,omitempty"`
	Content    string   `json:"content"`
	Phase      string   `json:"phase"`
	Confidence int      `json:"confidence"`
	Score      int64    `json:"score"`
	Terms      []term   `json:"terms,omitempty"`
	Named      []string `json:"named,omitempty"`
	Suspect    []string `json:"suspect,omitempty"`
	Head       string   `json:"head,omitempty"`
	Why        string   `json:"why"`
}

// term is a word that brought something.
type term struct {
	Term     string `json:"term"`
	Points   int64  `json:"points"`
	Feedback bool   `json:"feedback,omitempty"`
}

func recallDocuments(found []memory.Recalled) []recallDocument {
	documents := make([]recallDocument, 0, len(found))
	for i := range found {
		r := &found[i]
		d := recallDocument{
			Name: r.Object.Metadata.Name, Type: resources.MemType(r.Object), Title: r.Object.Spec.Title, Content: r.Object.Spec.Content,
			Phase: r.Status.Phase, Confidence: r.Status.Confidence, Score: memory.Points(r), Named: r.Hit.Named, Suspect: r.Status.Suspect, Head: r.Status.Head, Why: r.Why(),
		}
		for _, t := range r.Hit.Terms {
			d.Terms = append(d.Terms, term{t.Term, memory.PointsOf(t.Weight), t.Feedback})
		}
		documents = append(documents, d)
	}
	return documents
}
