package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/cmd/internal/dash"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// errNoScreen means that standard output is not a terminal.
var errNoScreen = errors.New("standard output is not a terminal; use idumb dash --plain (prints the current state and a line for each change) or idumb dash --web")

// dashScreen shows the dashboard in the terminal.
func (a *app) dashScreen(ctx context.Context) error {
	if in, isFile := a.stdin.(*os.File); !terminal.Is(a.stdout) || !isFile || !terminal.Is(in) {
		return errNoScreen
	}
	return a.withDash(ctx, func(ctx context.Context, o dash.Options) error { return dash.Run(ctx, o) })
}

// withDash runs a dashboard with a feed of states.
func (a *app) withDash(ctx context.Context, show func(context.Context, dash.Options) error) error {
	files, err := a.open()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	looked := dash.LastSeenFile(files.Root(), os.Getenv)
	states := make(chan dash.State)
	source := &dash.Feed{Files: files, Now: a.now, Parameters: userValues(), Load: func(ctx context.Context) (*queries.Source, error) {
		w, err := a.reload(ctx, files)
		if err != nil {
			return nil, err
		}
		return w.source(), nil
	}}
	go source.Run(ctx, states)
	repository, worktree := checkoutOf(files.Root())
	return show(ctx, dash.Options{
		Host: &dashHost{app: a, looked: looked}, Repository: repository, Worktree: worktree, Now: a.now, LookedAt: looked.Time(), States: states,
		Unicode: terminal.Unicode(), Colour: terminal.Colour(a.stdout),
	})
}

// checkoutOf returns the names of a repository and of its working tree, empty for the main one.
func checkoutOf(root layout.Root) (repository, worktree string) {
	git := layout.GitDir(string(root))
	if common := layout.CommonDir(git); git != "" && common != git {
		return filepath.Base(filepath.Dir(common)), filepath.Base(string(root))
	}
	return filepath.Base(string(root)), ""
}
