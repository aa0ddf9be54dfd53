package main

import (
	"os"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/admission"
)

// warnOfChainRules tells a person what chain rules ask for before the command that they typed: it
// is carried out all the same. An agent's commands are held to them by the gate.
func (a *app) warnOfChainRules(root layout.Root) {
	gate := hooks.Backend{}.OpenGate(root, callers.Caller{}, os.Environ(), a.now())
	call := admission.Call{Action: admission.Governance, Commands: []string{"idumb " + strings.Join(a.typed, " ")}}
	for _, warning := range admission.ChainWarnings(call, gate.View()) {
		a.errf("warning: %s\n", terminal.EscapeLine(warning))
	}
}
