package main

import (
	"context"
	"net/url"
	"os"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// warningPatience is how long a warning is waited for that keeps nobody from anything.
const warningPatience = 2 * time.Second

// warnOfChainRules tells a person what chain rules ask for before the command that they typed: it
// is carried out all the same. An agent's commands are held to them by the gate. The controller
// knows how a plan stands; who looks for themselves reads all of its tasks.
func (a *app) warnOfChainRules(root layout.Root) {
	ctx, cancel := context.WithTimeout(context.Background(), warningPatience)
	defer cancel()
	by := answers{app: a, ctx: ctx, load: func() (*world, error) { return &world{root: root}, nil }} // the gate reads by name what it needs
	command := questions.WithEnv(url.Values{"word": append([]string{"idumb"}, a.typed...)}, frame.Deciding(os.Environ()))
	answer, err := ask[questions.Warnings](by, questions.AskWarnings, command)
	if err != nil {
		return
	}
	for _, warning := range answer.Warnings {
		a.errf("warning: %s\n", terminal.EscapeLine(warning))
	}
}
