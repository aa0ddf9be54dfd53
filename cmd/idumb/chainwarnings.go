package main

import (
	"context"
	"net/url"
	"os"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// warningTimeout is the timeout for a warning that does not block the command.
const warningTimeout = 2 * time.Second

// warnOfChainRules prints the warnings of chain rules about a user's command, which runs in any
// case. The gate applies the rules to an agent's commands. The controller knows the state of a
// plan; without it all tasks of the plan must be read.
func (a *app) warnOfChainRules(root layout.Root) {
	ctx, cancel := context.WithTimeout(context.Background(), warningTimeout)
	defer cancel()
	by := answers{app: a, ctx: ctx, load: func() (*snapshot, error) { return &snapshot{root: root}, nil }} // the gate reads objects by name
	command := queries.WithEnv(url.Values{"word": append([]string{"idumb"}, a.typed...)}, frame.RelevantEnv(os.Environ()))
	answer, err := ask[queries.Warnings](by, queries.AskWarnings, command)
	if err != nil {
		return
	}
	for _, warning := range answer.Warnings {
		a.errf("warning: %s\n", terminal.EscapeLine(warning))
	}
}
