package reconcilers

import (
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
)

// ReaderOf returns who a session's pack is for; nil is nobody in particular: the
// repository's own pack. Commands pack with it as well, to print the same bytes.
func ReaderOf(session *resources.Session) packer.Reader {
	reader := packer.Reader{Session: session}
	if session != nil {
		reader.Limit = packer.LimitFor(hosts.TraitsOf(session.Spec.Host).ContextLimit)
	}
	return reader
}
