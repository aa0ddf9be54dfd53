package hooks

import (
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// maxToldLog is how long the log of what a session was told may grow, in bytes; then it begins anew.
const maxToldLog = 256 << 10

// wholeTold stands in the log for a pack, which stands in a file of its own.
const wholeTold = "The whole context.\n"

// noteTold writes what a session is told beside its pack, for idumb context --told. What is told
// with every request is written once.
func (h *handler) noteTold(text string) {
	if h.sessionName() == "" || text == "" {
		return
	}
	file := layout.ContextPath(store.ToldName(h.sessionName()))
	entry := "# " + h.repo.now.UTC().Format(time.RFC3339) + "\n" + strings.TrimSuffix(text, "\n")
	before, _, err := h.repo.root.Read(file, maxToldLog)
	switch {
	case err != nil || len(before)+len(entry) > maxToldLog: // there is none, or it is too long
		_ = h.repo.root.Replace(file, []byte(entry+"\n"))
	case !strings.HasSuffix(string(before), entry[strings.IndexByte(entry, '\n'):]+"\n"):
		_ = h.repo.root.AppendLine(file, []byte(entry))
	}
}
