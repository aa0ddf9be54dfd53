package store

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Scratch stores data other than objects: packs, the heartbeat, marks, logs,
// locks and sync state. A name is a relative path with '/' (CheckName). It is
// safe for concurrent use by several goroutines and processes.
type Scratch interface {
	// Read returns a text. For a very long log, with the suffix ".jsonl", it
	// returns the last whole lines. It returns ErrNotFound or ErrUnreadable.
	Read(name string) ([]byte, error)
	// Write replaces a text atomically. It writes nothing if the text is equal.
	// It does not flush to disk, because the data can be computed again.
	Write(name string, data []byte) error
	// WriteDurably is like Write, but returns after the text is durable.
	WriteDurably(name string, data []byte) error
	// Append appends all of data to a text, with one write each. Writes of at
	// most MaxLogLine bytes are not interleaved. It does not flush to disk.
	Append(name string, data ...[]byte) error
	// Remove removes a text. It ignores a missing one.
	Remove(name string) error
	// List returns the names of the texts and directories in a directory,
	// sorted and usable with the other methods. It returns nil if the directory
	// does not exist. Directories may be empty.
	List(folder string) ([]string, error)
	// Lock acquires the lock with a name. The lock is released at the end of
	// the process at the latest. It returns os.ErrDeadlineExceeded if the lock
	// is not available within patience. With a zero patience it tries once.
	Lock(name string, patience time.Duration) (unlock func(), err error)
}

// CheckName returns an error for a name that could leave the directory of a
// Scratch.
func CheckName(name string) error {
	if name == "" || name == "." || path.Clean(name) != name || strings.ContainsRune(name, '\\') || !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("scratch name %q: it must be a clean relative path with '/'", name)
	}
	return nil
}

// HeartbeatName is the scratch name of the controller's heartbeat.
const HeartbeatName = "run/controller.json"

// Scratch directories.
const (
	ContextFolder  = "context"          // packs
	SessionsFolder = "context/sessions" // packs of single sessions
	NotesFolder    = "run/hook"         // session state of hooks
)

// PackName returns the scratch name of a session's pack, or of the repository's
// pack for "".
func PackName(session string) string {
	if session == "" {
		return ContextFolder + "/context.xml"
	}
	return SessionsFolder + "/" + session + ".xml"
}

// DeliveryLogName returns the scratch name of the delivery log of a session.
func DeliveryLogName(session string) string { return SessionsFolder + "/" + session + ".log" }

// Suffixes of packs in a session's notes: the pack whose content the session
// knows, and the pack that a host keeps for a whole conversation.
const (
	KnownPack = ".pack"
	BasePack  = ".base"
)

// LastPack returns the last pack of a reader: the pack that hooks delivered to
// the session, or else the one packed for it, or for the repository if session
// is "". It returns nil if there is none.
func LastPack(s Scratch, session string) []byte {
	if told := DeliveredPack(s, session); told != nil {
		return told
	}
	data, err := s.Read(PackName(session))
	if err != nil {
		return nil
	}
	return data
}

// DeliveredPack returns the last pack that hooks delivered to a session. It returns nil
// if there is none or if session is "".
func DeliveredPack(s Scratch, session string) []byte {
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

// TeamFile lists the objects that sync restores if their files are missing, one
// KIND/NAME per line. It is in the sync directory of a working tree.
const TeamFile = "team.txt"

// RestorableKeys returns the objects that sync restores if their files are missing.
// It reads the TeamFile of the sync directory, which does not exist if objects are not shared.
func RestorableKeys(folder string) (keys []resources.Key) {
	if folder == "" { // not a git repository
		return nil
	}
	data, _ := os.ReadFile(filepath.Join(folder, TeamFile))
	for line := range strings.Lines(string(data)) {
		kind, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "/")
		if _, known := resources.KindOf(kind); known && resources.CheckName(name) == nil {
			keys = append(keys, resources.Key{Kind: kind, Name: name})
		}
	}
	return keys
}
