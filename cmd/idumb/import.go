package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/beads"
	"github.com/idumb-dev/idumb/cmd/internal/manifest"
	"github.com/idumb-dev/idumb/cmd/internal/mutate"
	"github.com/idumb-dev/idumb/cmd/internal/terminal"
	"github.com/idumb-dev/idumb/resources"
)

func newImport(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "import FORMAT FILE", Short: "Turn the export of another tool into plans and tasks",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return fmt.Errorf("cannot import %q; idumb import knows beads", args[0])
		},
	}
	c.AddCommand(newImportBeads(a))
	return c
}

func newImportBeads(a *app) *cobra.Command {
	var w writeFlags
	c := &cobra.Command{
		Use: "beads FILE.jsonl", Short: "Import an export of beads (bd export)", Args: cobra.ExactArgs(1),
		Long: `Turn an export of beads into plans and tasks: epics and parents, blocks to dependsOn,
other edges to labels and relations. It prints what it made and what it could not
map. All is written or nothing; a second run changes nothing, and what was edited
here since is left alone.`,
		Example: "  bd export > issues.jsonl\n  idumb import beads issues.jsonl --dry-run",
		RunE:    func(c *cobra.Command, args []string) error { return a.importBeads(c.Context(), &w, args[0]) },
	}
	addDryRun(c, &w)
	return c
}

func (a *app) importBeads(ctx context.Context, w *writeFlags, name string) error {
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	data, err := a.readInput(name)
	if err != nil {
		return err
	}
	var report beads.Report
	progress := newProgress(a.stderr, a.now)
	err = repo.Run(ctx, func(tx *mutate.Tx) error {
		var objects []resources.Object
		var err error
		if report, objects, err = beads.Import(bytes.NewReader(data), tx.View().Get); err != nil {
			return err
		}
		for i, o := range objects {
			if err := tx.PutUnrelated(o); err != nil {
				return err
			}
			progress.tell(i+1, len(objects))
		}
		return nil
	})
	progress.end()
	if err != nil {
		return fmt.Errorf("nothing was imported: %w", err)
	}
	if w.dry() {
		a.outf("Dry run: nothing was written.\n")
	}
	return report.Print(a.stdout)
}

// readInput reads a file, or standard input for "-".
func (a *app) readInput(name string) ([]byte, error) {
	if name == manifest.Stdin {
		return io.ReadAll(a.stdin)
	}
	return os.ReadFile(a.fromFolder([]string{name})[0])
}

// progress tells a person at a terminal how far something is that takes longer
// than a second.
type progress struct {
	to   io.Writer
	now  func() time.Time
	next time.Time

	shown bool // to is a terminal
	told  bool
}

func newProgress(to io.Writer, now func() time.Time) *progress {
	return &progress{to: to, now: now, next: now().Add(time.Second), shown: terminal.Is(to)}
}

func (p *progress) tell(done, of int) {
	if now := p.now(); p.shown && now.After(p.next) {
		fmt.Fprintf(p.to, "\rwriting: %d of %d", done, of)
		p.next, p.told = now.Add(time.Second/4), true
	}
}

func (p *progress) end() {
	if p.told {
		fmt.Fprintln(p.to)
	}
}
