package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/controllerprocess"
	"github.com/idumb-dev/idumb/cmd/internal/dash"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/lifecycle/lease"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/page"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// dashFlags holds the flags of idumb dash.
type dashFlags struct {
	web      bool
	printURL bool
	plain    bool
}

func newDash(a *app) *cobra.Command {
	var f dashFlags
	c := newCommand("dash", cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		switch {
		case f.web || f.printURL:
			return a.dashWeb(c.Context(), f.printURL)
		case f.plain:
			return a.withDash(c.Context(), func(ctx context.Context, o dash.Options) error { return dash.Plain(ctx, a.stdout, o) })
		}
		return a.dashScreen(c.Context())
	})
	c.Flags().BoolVar(&f.plain, "plain", false, "print lines: the current state, then a line for each change")
	c.Flags().BoolVar(&f.web, "web", false, "in a browser")
	c.Flags().BoolVar(&f.printURL, "print-url", false, "print the link without opening a browser; the link works once")
	c.MarkFlagsMutuallyExclusive("plain", "web")
	c.MarkFlagsMutuallyExclusive("plain", "print-url")
	return c
}

// dashWeb requests a page from the controller and opens it in the browser.
func (a *app) dashWeb(ctx context.Context, printURL bool) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	opened, err := openPage(ctx, root)
	if err != nil {
		return err
	}
	if opened.ReadOnly != "" {
		a.errf("%s\n", opened.ReadOnly)
	}
	if printURL {
		a.outf("%s\n", opened.URL)
		a.errf("the link works once and expires after %d seconds\n", opened.Seconds)
		return nil
	}
	file, err := page.WriteRedirect(opened.URL)
	if err != nil {
		return err
	}
	if err := browse(ctx, file); err != nil {
		a.outf("%s\n", file)
		a.errf("no browser could be started (%v); open this file in a browser within %d seconds\n", err, opened.Seconds)
		return nil
	}
	a.errf("opened in your browser; if the page does not appear, run idumb dash --web --print-url\n")
	return nil
}

// openPage requests a page from the controller. It starts a controller if none is running.
func openPage(ctx context.Context, root layout.Root) (opened page.OpenResponse, err error) {
	client, err := serve.Dial(ctx, root)
	if errors.Is(err, serve.ErrNoController) {
		if _, err = controllerprocess.Start(ctx, string(root)); err != nil {
			if running := (*lease.RunningError)(nil); !errors.As(err, &running) {
				return opened, fmt.Errorf("start a controller to serve the page: %w", err)
			}
		}
		client, err = serve.Dial(ctx, root)
	}
	if err != nil {
		return opened, err
	}
	defer client.Close()
	if err = client.Ask(ctx, http.MethodPost, "/page", &opened); err != nil {
		err = fmt.Errorf("%w; if an older controller is running, stop it with idumb controller stop", err)
	}
	return opened, err
}

// browse opens a file in a browser. The browser's output is discarded.
func browse(ctx context.Context, file string) error {
	line := []string{"xdg-open"}
	switch {
	case os.Getenv("BROWSER") != "":
		line = strings.Fields(os.Getenv("BROWSER"))
	case runtime.GOOS == "darwin":
		line = []string{"open"}
	case os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		return errors.New("no graphical display found")
	}
	program, err := exec.LookPath(line[0])
	if err != nil {
		return err
	}
	cmd := exec.Command(program, append(line[1:], "file://"+filepath.ToSlash(file))...)
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}

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
		Unicode: terminal.Unicode(), Colour: a.colour.For(a.stdout),
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
