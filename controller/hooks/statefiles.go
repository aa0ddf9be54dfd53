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

// Root is the folder of a repository.
type Root = layout.Root

// folder reads and writes the data of hooks below .idumb. Only folder and files
// (files.go), which reads objects, know the file layout.
type folder struct {
	Root
	noted *layout.OpenDir // the open folder of the notes while an event is answered; nil to open it for each access
}

// hold keeps the folder of the notes open until release, because an answer
// reads and writes several notes.
func (f *folder) hold() (release func()) {
	d, err := f.Open(layout.HookDir)
	if err != nil { // the folder does not exist yet
		return func() {}
	}
	f.noted = d
	return func() {
		f.noted = nil
		d.Close()
	}
}

// findRoot finds the repository of an event. It searches from cwd, the working
// directory of the event, and if that fails from called, the directory in which
// the hook was called. A project that env names has precedence. See
// layout.FindFor.
func findRoot(env environment, cwd, called string) (Root, error) {
	if cwd != "" {
		if root, err := layout.FindFor(layout.Project(env), cwd); err == nil {
			return root, nil
		}
	}
	return layout.FindFor(layout.Project(env), called)
}

// Suffixes of the names of notes files. They hold the notes of hooks about a
// session between two runs. Only hooks use them, and each may be lost.
const (
	notesMemo    = ".json"         // the session's sessionState
	notesCalls   = ".calls"        // a line for each call: time, tool, agent, description
	notesDone    = ".done"         // a line for each call that wrote or ran something, with the outcome
	notesFound   = ".found"        // findings of the agent, one sentence a line
	notesKept    = ".kept"         // the notes to keep for exports, one a line
	notesDenials = ".denials"      // a line for each denial
	notesPassed  = ".passed"       // a line for each call that passed after a denial
	notesAsked   = ".asked"        // a line for each call that the person was asked about
	notesWrites  = ".writes"       // a line for each checkpoint of a write
	notesPast    = ".past"         // the latest actions, for counting repetitions; see callhistory.go
	notesLate    = ".late"         // the texts for calls that break a rule, in case they run
	notesDecides = ".decides"      // the session and decisions that the person was last asked about, one a line
	notesSaid    = ".said"         // the agent's last message
	notesSpawns  = ".spawns"       // calls that started subagents
	notesOutputs = ".outputs"      // the tasks of calls
	notesPruned  = ".pruned"       // the parts of the conversation that are left out
	notesKnown   = store.KnownPack // the pack that the session has received
	notesBase    = store.BasePack  // the first pack of the session, for hosts that begin each request with it
)

// notes returns the notes of a session, or nil if it has no notes.
func (f folder) notes(session, what string) []byte {
	data, _ := f.lastNotes(session, what, layout.MaxLog)
	return data
}

// lastNotes returns the last whole lines of the notes, in at most limit bytes,
// and the size of all notes.
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

// appendNotes adds to the notes of a session, in one write. Before the
// session's first record the folder does not exist, and only a count is lost.
func (f folder) appendNotes(session, what string, data []byte) {
	switch file := layout.NotesPath(session, what); {
	case session == "":
	case f.noted != nil:
		_ = f.noted.Append(path.Base(file), data)
	default:
		_ = f.Append(file, data)
	}
}

// lockSession locks a session's record, because hooks of subagents and of
// parallel calls run concurrently.
func (f folder) lockSession(name string) (unlock func(), err error) {
	return f.lock(layout.NotesPath(name, ".lock"))
}

// lockPatience limits how long a hook waits for a lock: few hosts wait longer.
const lockPatience = 10 * time.Second

// lock locks a file, for which it waits up to lockPatience. unlock releases the lock.
func (f folder) lock(file string) (unlock func(), err error) {
	dir, err := f.Make(path.Dir(file))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.Lock(path.Base(file), lockPatience)
}

// spec reads the file of an object, and returns its path and content.
func (f folder) spec(key resources.Key) (name string, data []byte, err error) {
	name = layout.Path(key)
	data, _, err = f.Root.Read(name, layout.MaxSpec)
	return name, data, err
}

// putSession writes a Session object, .idumb/sessions/NAME.json. It ignores errors.
func (f folder) putSession(name string, data []byte) {
	_ = f.Replace(layout.Path(resources.Key{Kind: resources.Sessions, Name: name}), data)
}

// lastPack returns the last written pack for a session; session is empty for no
// particular reader.
func (f folder) lastPack(session string) (string, time.Time) {
	data, info, err := f.Root.Read(layout.PackPath(session), layout.MaxSpec)
	if err != nil {
		return "", time.Time{}
	}
	return string(data), info.ModTime
}

// lookedAt sets the time at which a file was last brought up to date.
func (f folder) lookedAt(file string, at time.Time) { _ = os.Chtimes(f.Abs(file), at, at) }

// controllerPID returns the process ID in the controller's heartbeat, or an
// empty text.
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

// maxToldLog is the maximum size of the log of delivered texts, in bytes. At
// that size the log starts again.
const maxToldLog = 256 << 10

// logDelivery logs a text that is delivered to a session in addition to its pack,
// for idumb context --log. A text that is delivered with every request is
// logged once.
func (f folder) logDelivery(session, text string, now time.Time) {
	file := layout.DeliveryLogPath(session)
	entry := "# " + now.UTC().Format(time.RFC3339) + "\n" + strings.TrimSuffix(text, "\n")
	switch before, _, err := f.Root.Read(file, maxToldLog); {
	case err != nil || len(before)+len(entry) > maxToldLog: // the file does not exist or is too long
		_ = f.Replace(file, []byte(entry+"\n"))
	case !strings.HasSuffix(string(before), entry[strings.IndexByte(entry, '\n'):]+"\n"):
		_ = f.AppendLine(file, []byte(entry))
	}
}

var errNoSession = errors.New("the session is unknown")

// readNotes returns the acting session's notes of a sort.
func (h *handler) readNotes(what string) []byte { return h.repo.notes(h.sessionName(), what) }

// writeNotes replaces the acting session's notes of a sort.
func (h *handler) writeNotes(what string, data []byte) error {
	if h.sessionName() == "" {
		return errNoSession
	}
	return h.repo.Replace(layout.NotesPath(h.sessionName(), what), data)
}

// removeNotes removes the notes if they are longer than the given number of
// bytes.
func (h *handler) removeNotes(what string, longer int64) {
	file := layout.NotesPath(h.sessionName(), what)
	if info, err := os.Lstat(h.repo.Abs(file)); err == nil && info.Size() > longer {
		_ = h.repo.Remove(file)
	}
}

// appendNotes adds to the acting session's notes of a sort.
func (h *handler) appendNotes(what string, data []byte) {
	h.repo.appendNotes(h.sessionName(), what, data)
}

// appendNoteLine adds v as a line of JSON to the acting session's notes of a
// sort. Errors are ignored.
func (h *handler) appendNoteLine(what string, v any) {
	if data, err := json.Marshal(v); err == nil {
		h.appendNotes(what, append(data, '\n'))
	}
}

// notesOf returns the notes of any session, given the name of its record.
func notesOf(root Root, session, what string) []byte {
	return folder{Root: root}.notes(resources.NameOfID(session), what)
}
