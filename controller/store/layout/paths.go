package layout

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// Folders of .idumb besides those of the kinds.
const (
	ArchiveDir     = Dir + "/archive"
	StatusDir      = Dir + "/status"
	QuarantineDir  = Dir + "/" + store.MarksFolder
	CheckpointsDir = Dir + "/checkpoints"
	EventsDir      = Dir + "/" + store.EventsFolder
	ContextDir     = Dir + "/" + store.ContextFolder
	RunDir         = Dir + "/run"
	DerivedDir     = Dir + "/derived" // mems that the controller makes of tasks, anchors and commits
)

// Files of run/.
const (
	WriteLock      = RunDir + "/lock"            // held while specs are written
	ControllerLock = RunDir + "/controller.lock" // held by the controller for life
	ControllerFile = Dir + "/" + store.HeartbeatName
	HookSocket     = RunDir + "/hook.sock"       // where it answers hooks
	APISocket      = RunDir + "/api.sock"        // where it answers everybody else
	KubeDir        = RunDir + "/api"             // keys and port of the Kubernetes API, for its owner alone
	AppliedDir     = RunDir + "/applied"         // what clients of the Kubernetes API said that they applied last
	StoppedFile    = RunDir + "/stopped"         // is there while a person wants no controller
	StartsFile     = RunDir + "/starts"          // when controllers were started by themselves
	ProjectFile    = RunDir + "/project.txt"     // what the project is, in lines, as the map had it last
	StackFile      = store.StackFile             // what the map last saw in the manifests
	CodeFile       = RunDir + "/code.json"       // what the map last saw of files of code that tasks name
	CommitDaysFile = RunDir + "/commitdays.json" // the days of commits, as package githistory found them last
)

// Path is where an object stands; for resources.CheckpointsKind, the task's log.
// The key's name must have passed resources.CheckName.
func Path(key resources.Key) string {
	if key.Kind == resources.CheckpointsKind {
		return CheckpointPath(key.Name)
	}
	return Folder(key.Kind) + "/" + key.Name + ".json"
}

// Folder is where the objects of a kind stand: .idumb itself for the kinds of
// which there is one, checkpoints/ for resources.CheckpointsKind.
func Folder(kind string) string {
	if k, ok := resources.KindOf(kind); ok && k.Single {
		return Dir
	}
	if kind == "" || strings.ContainsAny(kind, "./") { // no kind is called so
		return path.Join(Dir, kind)
	}
	return Dir + "/" + kind
}

// DerivedFolder is where objects of a kind stand that the controller derives, under those of the
// same name in Folder, which somebody wrote; "" for a kind of which none are derived.
func DerivedFolder(kind string) string {
	if kind != resources.Mems {
		return ""
	}
	return DerivedDir + "/" + kind
}

// DerivedPath is where a derived object stands; see DerivedFolder.
func DerivedPath(key resources.Key) string { return path.Join(DerivedDir, key.Kind, key.Name+".json") }

// StatusPath is where what was observed about an object stands.
func StatusPath(key resources.Key) string { return path.Join(StatusDir, key.Kind, key.Name+".json") }

// ArchivePath is where an object stands that was set aside.
func ArchivePath(key resources.Key) string { return path.Join(ArchiveDir, key.Kind, key.Name+".json") }

// QuarantinePath is where the mark of a broken object stands.
func QuarantinePath(key resources.Key) string {
	return path.Join(QuarantineDir, key.Kind, key.Name+".json")
}

// CheckpointPath is the log of what was done for a task.
func CheckpointPath(task string) string { return path.Join(CheckpointsDir, task+".jsonl") }

// EventPath is the log of events of the day, in UTC, that t lies in.
func EventPath(t time.Time) string { return Dir + "/" + store.EventsName(t) }

// PackPath is a session's pack; "" is the repository's own.
func PackPath(session string) string { return path.Join(Dir, store.PackName(session)) }

// ToldPath is the log of what a session was told.
func ToldPath(session string) string { return path.Join(Dir, store.ToldName(session)) }

// HookDir holds what hooks remember of sessions.
const HookDir = Dir + "/" + store.NotesFolder

// ResearchNotes ends the name of the notes of what researchers left for a session, a line each.
const ResearchNotes = ".research"

// NotesPath is a file of what hooks noted of a session; what is how its name ends.
func NotesPath(session, what string) string { return path.Join(HookDir, session+what) }

// ExportsDir holds what is kept of sessions, in exports (see memory.Export).
const ExportsDir = Dir + "/" + resources.Sessions + "/exports"

// ExportPath is the export of a session as it stood at a moment.
func ExportPath(session string, at time.Time) string {
	return path.Join(ExportsDir, session+"-"+strconv.FormatInt(at.UnixMilli(), 10)+".json")
}

// LastPack is store.LastPack.
func (r Root) LastPack(session string) []byte { return store.LastPack(r.Scratch(), session) }

// Told is store.Told.
func (r Root) Told(session string) []byte { return store.Told(r.Scratch(), session) }

// LocalDirs are the folders of .idumb that belong to this machine alone: they are their
// owner's, and never committed.
func LocalDirs() []string {
	return []string{StatusDir, Dir + "/sessions", ArchiveDir + "/sessions", CheckpointsDir, EventsDir, ContextDir, QuarantineDir, DerivedDir, Dir + "/grants", Dir + "/conflicts", RunDir}
}

// LocalFiles are the files of .idumb that belong to this machine alone, as git's patterns name them.
func LocalFiles() []string {
	said := "/" + resources.Comments + "/*" + resources.LocalSuffix + ".json"
	return []string{Dir + "/trajectory.json", Dir + "/queue.jsonl", Dir + said, ArchiveDir + said}
}

// IgnoreFile is the file that says what git leaves out. Each folder of LocalDirs has one of
// its own: on a branch without .idumb/.gitignore, git would offer what stands in them.
const IgnoreFile = ".gitignore"

// IgnoreAll is what it holds in a local folder.
const IgnoreAll = "# Local to this machine, and never committed.\n*\n"

// FolderMode is who may use a new folder at a path from the root: those that are committed
// are like any other of the repository, the local ones are their owner's alone.
func FolderMode(path string) fs.FileMode {
	for _, local := range append(LocalDirs(), ".git/"+SyncDir) {
		if path == local || strings.HasPrefix(path, local+"/") {
			return 0o700
		}
	}
	return 0o755
}

// made completes a folder that was just made. That git should ignore it is no reason not to
// use it, so nothing here is an error.
func (d *OpenDir) made() {
	if slices.Contains(LocalDirs(), d.path) {
		d.Write(IgnoreFile, []byte(IgnoreAll), 0o600)
	}
}
