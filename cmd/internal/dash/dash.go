// Package dash is the terminal dashboard. It shows the needs of the user, the agents' activity and
// the plan's progress, and keys run commands on them. It has no logic for changes: Host provides
// its data and runs the verbs of the command line, including their errors.
package dash

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// Host is the environment of a dashboard.
type Host interface {
	// Describe returns details of an object, given as kind/name.
	Describe(ctx context.Context, about string) (*queries.Description, error)
	// Next returns the first checkpoint of a session after its denied call, nil for none.
	Next(ctx context.Context, denied *resources.Event) *resources.Checkpoint
	// Do runs a verb with its arguments, as typed on the command line, and returns its output.
	Do(ctx context.Context, args ...string) (said string, err error)
	// Undo reverts the last change of Do, unless the objects changed again since.
	Undo(ctx context.Context) (said string, err error)
	// Has reports whether a verb exists.
	Has(verb string) bool
	// Takes reports whether a verb with these arguments needs the terminal.
	Takes(args ...string) bool
	// Shell runs a verb that uses the terminal.
	Shell(args ...string) error
	// Hooks returns the agents with installed hooks, and descriptions of incomplete hooks.
	Hooks() (whole, wrong []string)
	// Looked records that the user has seen the dashboard.
	Looked(at time.Time)
}

// Options are the options of a dashboard.
type Options struct {
	Host       Host
	Repository string // name of the repository's directory
	Worktree   string // empty for the main worktree
	Unicode    bool   // the terminal supports Unicode
	Colour     bool   // the terminal supports colour
	Now        func() time.Time
	LookedAt   time.Time // time of the user's last look; zero means never
	States     <-chan State
}
