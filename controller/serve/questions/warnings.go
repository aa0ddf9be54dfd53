package questions

import (
	"net/url"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// Warnings are what chain rules ask for before a command that a person typed.
type Warnings struct {
	Warnings []string `json:"warnings"`
}

// WarningsOf holds a command, whose words are the values of the parameter "word", against the chain rules.
func WarningsOf(s *Source, v url.Values) (Warnings, error) {
	gate := s.Gate.OpenGate(s.Root, callers.Caller{}, Env(v), time.Now())
	call := admission.Call{Action: admission.Governance, Runs: []command.Run{command.RunOf(v["word"]...)}}
	return Warnings{admission.ChainWarnings(call, gate.View())}, nil
}
