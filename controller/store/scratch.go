package store

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Scratch keeps texts that are no objects, by name: what was packed for hooks, the heartbeat, marks,
// logs, locks, and what sync remembers. A name is a relative path with '/' (CheckName). All methods
// may be called at once, and by several processes on the same place.
type Scratch interface {
	// Read returns a text; of a very long log, one whose name ends in ".jsonl", the last whole
	// lines. ErrNotFound, ErrUnreadable.
	Read(name string) ([]byte, error)
	// Write makes a text say data: every reader sees the old bytes or the new ones. It writes
	// nothing if they are the same. It does not wait for the disk: it is for what can be computed again.
	Write(name string, data []byte) error
	// Keep is Write that returns when the text is on disk for good.
	Keep(name string, data []byte) error
	// Append adds all of data to the end of a text, in one write each, which none of at most
	// MaxLogLine bytes is mixed with. It does not wait for the disk.
	Append(name string, data ...[]byte) error
	// Remove removes a text; no error if there is none.
	Remove(name string) error
	// List returns the names of the texts and folders in a folder, sorted, as the other methods take them;
	// nil if there is no such folder. A folder may stand there with nothing in it.
	List(folder string) ([]string, error)
	// Lock waits until nobody else has locked that name. The lock ends with its process at the
	// latest. os.ErrDeadlineExceeded if somebody keeps it for longer than patience; without
	// patience it is asked for once.
	Lock(name string, patience time.Duration) (unlock func(), err error)
}

// CheckName keeps a name from leaving the place of a Scratch.
func CheckName(name string) error {
	if name == "" || name == "." || path.Clean(name) != name || strings.ContainsRune(name, '\\') || !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("scratch name %q: it must be a clean relative path with '/'", name)
	}
	return nil
}

// HeartbeatName is where a Store's Scratch keeps what its controller last said about itself.
const HeartbeatName = "run/controller.json"

// Folders of a Store's Scratch.
const (
	ContextFolder  = "context"          // what was packed
	SessionsFolder = "context/sessions" // of it, what was packed for single sessions
	NotesFolder    = "run/hook"         // what hooks remember of sessions
)

// PackName is the name of a session's pack in a Store's Scratch; "" is the repository's own.
func PackName(session string) string {
	if session == "" {
		return ContextFolder + "/context.xml"
	}
	return SessionsFolder + "/" + session + ".xml"
}

// ToldName is the name of the log, beside a session's pack, of what the session was told.
func ToldName(session string) string { return SessionsFolder + "/" + session + ".log" }

// What of a session's notes are packs: the one that the session knows the content of by now, and,
// where its host keeps one pack for a whole conversation, that one.
const (
	KnownPack = ".pack"
	BasePack  = ".base"
)

// LastPack returns what the reader of a pack had last: what hooks told the session, or else what
// was packed for it, or for the repository ("" for session). Nil if there is none.
func LastPack(s Scratch, session string) []byte {
	if told := Told(s, session); told != nil {
		return told
	}
	data, err := s.Read(PackName(session))
	if err != nil {
		return nil
	}
	return data
}

// Told returns the pack that hooks told a session last; nil if there is none, or session is "".
func Told(s Scratch, session string) []byte {
	if session == "" {
		return nil
	}
	for _, what := range []string{KnownPack, BasePack} {
		if data, err := s.Read(NotesFolder + "/" + session + what); err == nil {
			return data
		}
	}
	return nil
}
