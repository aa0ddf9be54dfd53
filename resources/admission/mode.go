package admission

import "strings"

// Modes of governance (config.mode).
const (
	ModeEnforce = "enforce" // deny
	ModeLog     = "log"     // record what would have been denied
	ModeOff     = "off"     // say nothing
)

// EnforceVariable is the environment variable that overrides config.mode. It
// counts in the environment in which the host starts its hooks; set inside a
// shell command of the agent it changes nothing.
const EnforceVariable = "IDUMB_ENFORCE"

// TrustVariable is the environment variable by which a person trusts the repositories in
// the folders that it names; see package trust, which reads it.
const TrustVariable = "IDUMB_TRUST"

// Mode returns the mode that holds: override (the value of EnforceVariable: a
// mode, or 1 and true for enforce, 0 and false for off), else configured, else
// enforce. A value that is none of these is no override.
func Mode(override, configured string) string {
	switch strings.ToLower(strings.TrimSpace(override)) {
	case ModeEnforce, "1", "true":
		return ModeEnforce
	case ModeLog:
		return ModeLog
	case ModeOff, "0", "false":
		return ModeOff
	}
	if configured == ModeLog || configured == ModeOff {
		return configured
	}
	return ModeEnforce
}
