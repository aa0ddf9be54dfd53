package hooks

import (
	"encoding/json"
	"errors"
	"os"
	"path"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Root is the folder that a repository is in.
type Root = layout.Root

// folder is what hooks themselves read and write below .idumb: nothing else in this package
// knows where that stands, but for the reader of objects (files.go).
type folder struct {
	Root
	noted *layout.OpenDir // of the notes, while an event is answered; nil: it is opened for each
}

// hold keeps the folder of the notes open until release: an answer reads and adds to several.
func (f *folder) hold() (release func()) {
	d, err := f.Open(layout.HookDir)
	if err != nil { // there is none yet
		return func() {}
	}
	f.noted = d
	return func() {
		f.noted = nil
		d.Close()
	}
}

// findRoot finds the repository in which an event happens. See layout.FindFor.
func findRoot(env environment, cwd, called string) (Root, error) {
	if cwd != "" {
		if root, err := layout.FindFor(layout.Project(env), cwd); err == nil {
			return root, nil
		}
	}
	return layout.FindFor(layout.Project(env), called)
}

// What hooks note of a session between two runs stands in files of its own, that any of them may
// lose: nobody else needs them. These are the endings of their names.
const (
	notesMemo    = ".json"
	notesCalls   = ".calls"        // a line for each call: when, which tool, by whom, about what
	notesDone    = ".done"         // a line for each call that wrote or ran something, and how it ended
	notesFound   = ".found"        // sentences of the agent that tell what it found, a line each
	notesKept    = ".kept"         // what somebody wants kept of the session, a line each
	notesDenials = ".denials"      // a line for each denial
	notesPassed  = ".passed"       // a line for each call that passed after a denial
	notesAsked   = ".asked"        // a line for each call that the person was asked about
	notesWrites  = ".writes"       // a line for each checkpoint of a write
	notesPast    = ".past"         // what was done since a file was last written, see triggers.go
	notesLate    = ".late"         // what calls are to be told, should they have run
	notesDecides = ".decides"      // who asked the person last to decide something, and about what, a line each
	notesSaid    = ".said"         // the agent's last words
	notesSpawns  = ".spawns"       // calls that started subagents
	notesOutputs = ".outputs"      // for which tasks calls were made
	notesPruned  = ".pruned"       // what of the conversation is left out
	notesKnown   = store.KnownPack // the pack whose content the session knows
	notesBase    = store.BasePack  // the pack that it began with, where requests begin with one
)

// notes are those of a session; nil if nothing was noted.
func (f folder) notes(session, what string) []byte {
	data, _ := f.lastNotes(session, what, layout.MaxLog)
	return data
}

// lastNotes are the last of them, whole lines of so many bytes at most, and how long all are.
func (f folder) lastNotes(session, what string, limit int64) ([]byte, int64) {
	d := f.noted
	if session == "" {
		return nil, 0
	}
	if d == nil {
		opened, err := f.Open(layout.HookDir)
		if err != nil {
			return nil, 0
		}
		defer opened.Close()
		d = opened
	}
	data, info, err := d.ReadEnd(path.Base(layout.NotesPath(session, what)), limit)
	if err != nil {
		return nil, 0
	}
	return data, info.Size
}

// appendNotes adds to the notes of a session, in one write. Before the session's first record
// there is no folder for them; nothing is lost but a count.
func (f folder) appendNotes(session, what string, data []byte) {
	file := layout.NotesPath(session, what)
	switch {
	case session == "":
	case f.noted != nil:
		_ = f.noted.Append(path.Base(file), data)
	default:
		_ = f.Append(file, data)
	}
}

// lockSession lets one run at a time change a session's record: subagents and parallel calls
// have hooks that run at once.
func (f folder) lockSession(name string) (unlock func(), err error) {
	return f.lock(layout.NotesPath(name, ".lock"))
}

// lockPatience is how long a hook waits for others: few hosts wait longer for it.
const lockPatience = 10 * time.Second

// lock waits until nobody else has the file locked.
func (f folder) lock(file string) (unlock func(), err error) {
	dir, err := f.Make(path.Dir(file))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.Lock(path.Base(file), lockPatience)
}

// spec reads an object's file as it stands.
func (f folder) spec(key resources.Key) (name string, data []byte, err error) {
	name = layout.Path(key)
	data, _, err = f.Root.Read(name, layout.MaxSpec)
	return name, data, err
}

// putSession writes a session's record.
func (f folder) putSession(name string, data []byte) {
	_ = f.Replace(layout.Path(resources.Key{Kind: resources.Sessions, Name: name}), data)
}

// lastPack is the pack that was written last for a session, "" for nobody in particular.
func (f folder) lastPack(session string) (string, time.Time) {
	data, info, err := f.Root.Read(layout.PackPath(session), layout.MaxSpec)
	if err != nil {
		return "", time.Time{}
	}
	return string(data), info.ModTime
}

// lookedAt says of a file when it was brought up to date.
func (f folder) lookedAt(file string, at time.Time) { _ = os.Chtimes(f.Abs(file), at, at) }

// controllerPID is the process id in the controller's heartbeat, "" if there is none.
func (f folder) controllerPID() string {
	var beat struct {
		PID json.Number `json:"pid"`
	}
	data, _, err := f.Root.Read(layout.ControllerFile, layout.MaxSpec)
	if err != nil || json.Unmarshal(data, &beat) != nil {
		return ""
	}
	return beat.PID.String()
}

// maxTold is how long the log of what a session was told may grow, in bytes; then it begins anew.
const maxToldLog = 256 << 10

// noteTold writes what a session is told beside its pack, for idumb context --log. What is told
// with every request is written once.
func (f folder) noteTold(session, text string, now time.Time) {
	file := layout.ToldPath(session)
	entry := "# " + now.UTC().Format(time.RFC3339) + "\n" + strings.TrimSuffix(text, "\n")
	before, _, err := f.Root.Read(file, maxToldLog)
	switch {
	case err != nil || len(before)+len(entry) > maxToldLog: // there is none, or it is too long
		_ = f.Replace(file, []byte(entry+"\n"))
	case !strings.HasSuffix(string(before), entry[strings.IndexByte(entry, '\n'):]+"\n"):
		_ = f.AppendLine(file, []byte(entry))
	}
}

var errNoSession = errors.New("no session is known")

// readNotes returns what was noted of the session of whoever acts.
func (h *handler) readNotes(what string) []byte { return h.repo.notes(h.sessionName(), what) }

// writeNotes replaces them.
func (h *handler) writeNotes(what string, data []byte) error {
	if h.sessionName() == "" {
		return errNoSession
	}
	return h.repo.Replace(layout.NotesPath(h.sessionName(), what), data)
}

// removeNotes removes them, if they are longer than some bytes.
func (h *handler) removeNotes(what string, longer int64) {
	file := layout.NotesPath(h.sessionName(), what)
	if info, err := os.Lstat(h.repo.Abs(file)); err == nil && info.Size() > longer {
		_ = h.repo.Remove(file)
	}
}

// appendNotes adds to them.
func (h *handler) appendNotes(what string, data []byte) {
	h.repo.appendNotes(h.sessionName(), what, data)
}

// appendNoteLine adds a line of JSON to them.
func (h *handler) appendNoteLine(what string, v any) {
	if data, err := json.Marshal(v); err == nil {
		h.appendNotes(what, append(data, '\n'))
	}
}

// notesOf are those of any session, by the name of its record.
func notesOf(root Root, session, what string) []byte {
	return folder{Root: root}.notes(resources.NameOfID(session), what)
}
