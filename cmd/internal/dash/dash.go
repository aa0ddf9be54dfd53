// Package dash is the dashboard in a terminal: what needs the person, what agents do, where the plan
// stands, and keys that act on it. It decides nothing itself: what there is it is told (Host), what is
// done is done by the verbs of the command line, and what those refuse is refused here in the same words.
package dash

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
)

// Host is what a dashboard is run by.
type Host interface {
	// Describe tells of an object, by kind/name, at length.
	Describe(ctx context.Context, about string) (*questions.Description, error)
	// Next tells what was recorded first of a session after a call of it that was against the rules; nil for nothing.
	Next(ctx context.Context, denied *resources.Event) *resources.Checkpoint
	// Do runs a verb with its arguments, as it would be typed, and returns what it printed.
	Do(ctx context.Context, args ...string) (said string, err error)
	// Undo takes back what Do wrote last, unless somebody wrote since.
	Undo(ctx context.Context) (said string, err error)
	// Has reports whether there is such a verb.
	Has(verb string) bool
	// Takes reports whether a verb with these arguments wants the terminal for itself.
	Takes(args ...string) bool
	// Shell runs a verb that has the terminal for itself meanwhile.
	Shell(args ...string) error
	// Hooks are the agents whose hooks are installed here, and of those of which they are not whole, what is wrong.
	Hooks() (whole, wrong []string)
	// Looked notes that the person has seen what there is.
	Looked(at time.Time)
}

// Options say how a dashboard begins.
type Options struct {
	Host       Host
	Repository string // its folder's name
	Worktree   string // "" for the main one
	Unicode    bool   // the terminal shows it
	Colour     bool   // and colours
	Now        func() time.Time
	LookedAt   time.Time // when the person saw it last; zero: never
	States     <-chan State
}
