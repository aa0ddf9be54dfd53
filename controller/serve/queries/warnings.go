package queries

import (
	"net/url"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// Warnings holds the warnings of chain rules about a user's command.
type Warnings struct {
	Warnings []string `json:"warnings"`
}

// WarningsOf checks a command against the chain rules. The values of the
// parameter "word" are its words.
func WarningsOf(s *Source, v url.Values) (Warnings, error) {
	gate := s.Gate.OpenGate(s.Root, callers.Caller{}, Env(v), time.Now())
	call := admission.Call{Action: admission.Governance, Runs: []command.Run{command.RunOf(v["word"]...)}}
	return Warnings{admission.ChainWarnings(call, gate.View())}, nil
}
