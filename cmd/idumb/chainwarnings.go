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

// warningPatience is the timeout for a warning that does not block the command.
const warningPatience = 2 * time.Second

// warnOfChainRules prints the warnings of chain rules about a user's command, which runs in any
// case. The gate applies the rules to an agent's commands. The controller knows the state of a
// plan; without it all tasks of the plan must be read.
func (a *app) warnOfChainRules(root layout.Root) {
	ctx, cancel := context.WithTimeout(context.Background(), warningPatience)
	defer cancel()
	by := answers{app: a, ctx: ctx, load: func() (*world, error) { return &world{root: root}, nil }} // the gate reads objects by name
	command := questions.WithEnv(url.Values{"word": append([]string{"idumb"}, a.typed...)}, frame.Deciding(os.Environ()))
	answer, err := ask[questions.Warnings](by, questions.AskWarnings, command)
	if err != nil {
		return
	}
	for _, warning := range answer.Warnings {
		a.errf("warning: %s\n", terminal.EscapeLine(warning))
	}
}
