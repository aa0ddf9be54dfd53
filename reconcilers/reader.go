package reconcilers

import (
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
)

// hostLimits are the characters that a host passes on of what a hook says, as the hook
// itself has them.
var hostLimits = map[string]int{"claude": 10000, "codex": 10000, "opencode": 100_000}

// ReaderOf returns who a session's pack is for; nil is nobody in particular: the
// repository's own pack. Commands pack with it as well, to print the same bytes.
func ReaderOf(s packer.Source, session *resources.Session) packer.Reader {
	reader := packer.ReaderOf(s, session)
	if session != nil {
		reader.Limit = packer.LimitFor(hostLimits[session.Spec.Host])
	}
	return reader
}
