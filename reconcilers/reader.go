package reconcilers

import (
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
)

// ReaderOf returns the packer.Reader of a session; of the repository's pack if session is nil.
// Commands use it too, so that they print the same bytes.
func ReaderOf(session *resources.Session) packer.Reader {
	reader := packer.Reader{Session: session}
	if session != nil {
		reader.Limit = packer.LimitFor(hosts.TraitsOf(session.Spec.Host).ContextLimit)
	}
	return reader
}
