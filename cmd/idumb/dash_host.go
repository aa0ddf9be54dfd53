package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/dash"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// dashHost is the dashboard's host. It runs the verbs of the command line.
type dashHost struct {
	app    *app
	looked dash.LastSeen

	mu   sync.Mutex
	last *dashWrite // change that can be undone; nil if there is none
}

// dashWrite is the last change by a dashboard, unless the object changed again since.
type dashWrite struct {
	previous resources.Object
	revision string // revision after the change
}

// Describe returns details of an object.
func (h *dashHost) Describe(ctx context.Context, about string) (*queries.Description, error) {
	key, err := parseKey(about)
	if err != nil {
		return nil, err
	}
	find := queries.Find{Keys: []resources.Key{key}}
	found, err := ask[queries.Descriptions](h.app.answers(ctx), queries.AskDescribe, find.Values())
	if err != nil {
		return nil, err
	}
	if len(found.Objects) == 0 {
		return nil, fmt.Errorf("%s no longer exists", about)
	}
	return &found.Objects[0], nil
}

// Next returns the first checkpoint that the session of a denied call made after it, for the call's
// task; nil if there is none or the checkpoints cannot be read.
func (h *dashHost) Next(_ context.Context, denied *resources.Event) *resources.Checkpoint {
	files, err := h.app.open()
	if err != nil {
		return nil
	}
	return records.CheckpointAfter(files.Root(), denied)
}

// Has reports whether idumb has a verb of that name.
func (h *dashHost) Has(name string) bool {
	return slices.ContainsFunc(verbs[:], func(v verb) bool { return v.name == name })
}

// Takes reports whether a verb needs the terminal: it runs on, watches changes, opens an editor, or
// prompts.
func (h *dashHost) Takes(args ...string) bool {
	if slices.Contains([]string{"edit", "onboard", "uninstall", "shell"}, args[0]) {
		return true
	}
	follows := slices.ContainsFunc(args, func(arg string) bool { return slices.Contains([]string{"-w", "--watch", "--watch-only"}, arg) })
	return follows || slices.ContainsFunc(verbs[:], func(v verb) bool { return v.name == args[0] && v.long })
}

// Shell runs a verb that uses the terminal, and waits until the user has read its output.
func (h *dashHost) Shell(args ...string) error {
	a := &app{stdin: h.app.stdin, stdout: h.app.stdout, stderr: h.app.stderr, dir: h.app.dir, typed: args}
	ctx, stop := terminal.SignalContext(context.Background(), os.Interrupt)
	defer stop()
	err := a.runVerb(ctx, args, h)
	if args[0] != "edit" {
		a.outf("Press Enter to return to the dashboard.\n")
		_, _ = fmt.Fscanln(a.stdin) // any input
	}
	return unqueued(err)
}

// Do runs a verb and returns its output.
func (h *dashHost) Do(ctx context.Context, args ...string) (string, error) {
	var out bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: &out, stderr: &out, dir: h.app.dir, typed: args}
	err := a.runVerb(ctx, args, h)
	return out.String(), unqueued(err)
}

// runVerb runs a verb in this process, like run, and records its changes in the host.
func (a *app) runVerb(ctx context.Context, args []string, h *dashHost) error {
	defer debug.SetGCPercent(100) // short verbs set another value
	var written []dashWritten
	a.afterWrite = func(key resources.Key, before []byte) { written = append(written, dashWritten{key, before}) }
	dir := a.dir
	root := newRoot(a, args)
	a.dir = dir // newRoot resets it to the flag's default
	err := root.ExecuteContext(ctx)
	h.remember(ctx, written)
	return err
}

// dashWritten is an object that a verb wrote, with the previous content of its file.
type dashWritten struct {
	key      resources.Key
	previous []byte
}

// remember records the change of a verb. It ignores created objects and changes of several objects,
// which cannot be undone.
func (h *dashHost) remember(ctx context.Context, written []dashWritten) {
	if len(written) == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = nil
	if len(written) > 1 || written[0].previous == nil {
		return
	}
	key := written[0].key
	before, _, err := resources.Decode(key, written[0].previous)
	if err != nil {
		return
	}
	repo, err := h.app.writer(&writeFlags{dryRun: "none"})
	if err != nil {
		return
	}
	if record, err := repo.Record(ctx, key); err == nil {
		h.last = &dashWrite{before, record.Rev}
	}
}

// errNothingToUndo means that there is no change that undo can revert.
var errNothingToUndo = errors.New("nothing to undo: no change was made in the dashboard, or the last change created a resource")

// Undo restores the object before the last change, unless it changed again since.
func (h *dashHost) Undo(ctx context.Context) (string, error) {
	h.mu.Lock()
	last := h.last
	h.last = nil
	h.mu.Unlock()
	if last == nil {
		return "", errNothingToUndo
	}
	repo, err := h.app.writer(&writeFlags{dryRun: "none"})
	if err != nil {
		return "", err
	}
	results, err := repo.Put(ctx, []resources.Object{last.previous}, []string{last.revision})
	if err != nil {
		return "", err
	}
	return qualified(results[0].Key) + " restored", nil
}

// Hooks returns the names of the hosts with complete hooks, and a sentence about each host whose
// hooks are incomplete.
func (h *dashHost) Hooks() (whole, wrong []string) {
	root, err := h.app.root()
	if err != nil {
		return nil, nil
	}
	for _, host := range agents.Hosts() {
		switch word := agents.Status(host, string(root), agents.FindCommands(host.Name)).Summary(); word {
		case agents.NotInstalled:
		case agents.Installed:
			whole = append(whole, host.Name)
		default:
			wrong = append(wrong, fmt.Sprintf("%s: %s; idumb hook install %s", host.Name, word, host.Name))
		}
	}
	return whole, wrong
}

// Looked records that the user has seen the dashboard.
func (h *dashHost) Looked(at time.Time) { h.looked.Set(at) }
