package layout

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// Directories of .idumb, besides those of the kinds.
const (
	ArchiveDir     = Dir + "/archive"
	StatusDir      = Dir + "/status"
	QuarantineDir  = Dir + "/" + store.MarksFolder
	CheckpointsDir = Dir + "/checkpoints"
	EventsDir      = Dir + "/" + store.EventsFolder
	ContextDir     = Dir + "/" + store.ContextFolder
	RunDir         = Dir + "/run"
	DerivedDir     = Dir + "/derived" // mems that the controller derives from tasks, anchors and commits
)

// Files of run/.
const (
	WriteLock      = RunDir + "/lock"            // held while specs are written
	ControllerLock = RunDir + "/controller.lock" // held by the controller during its life
	ControllerFile = Dir + "/" + store.HeartbeatName
	HookSocket     = RunDir + "/hook.sock"       // socket for hooks
	APISocket      = RunDir + "/api.sock"        // socket for other clients
	KubeDir        = RunDir + "/api"             // keys and port of the Kubernetes API, readable only by the owner
	AppliedDir     = RunDir + "/applied"         // last applied documents of Kubernetes clients
	StoppedFile    = RunDir + "/stopped"         // exists while the user has stopped the controller
	StartsFile     = RunDir + "/starts"          // times of automatic controller starts
	ProjectFile    = RunDir + "/project.txt"     // latest project summary of the code map
	StackFile      = store.StackFile             // latest technologies found by the code map
	CodeFile       = RunDir + "/code.json"       // latest facts of the code map about source files named by tasks
	CommitDaysFile = RunDir + "/commitdays.json" // commit days cached by package githistory
)

// Path returns the path of an object, or of the task's log for
// resources.CheckpointsKind. The key's name must be valid according to
// resources.CheckName.
func Path(key resources.Key) string {
	if key.Kind == resources.CheckpointsKind {
		return CheckpointPath(key.Name)
	}
	return Folder(key.Kind) + "/" + key.Name + ".json"
}

// Folder returns the directory of a kind's objects: .idumb itself for singleton
// kinds, checkpoints/ for resources.CheckpointsKind.
func Folder(kind string) string {
	if k, ok := resources.KindOf(kind); ok && k.Single {
		return Dir
	}
	if kind == "" || strings.ContainsAny(kind, "./") { // no kind has such a name
		return path.Join(Dir, kind)
	}
	return Dir + "/" + kind
}

// DerivedFolder returns the directory of a kind's derived objects, or "" if the
// kind has none. An object in Folder overrides a derived object of the same
// name.
func DerivedFolder(kind string) string {
	if kind != resources.Mems {
		return ""
	}
	return DerivedDir + "/" + kind
}

// DerivedPath returns the path of a derived object; see DerivedFolder.
func DerivedPath(key resources.Key) string { return path.Join(DerivedDir, key.Kind, key.Name+".json") }

// StatusPath returns the path of an object's status.
func StatusPath(key resources.Key) string { return path.Join(StatusDir, key.Kind, key.Name+".json") }

// ArchivePath returns the path of an archived object.
func ArchivePath(key resources.Key) string { return path.Join(ArchiveDir, key.Kind, key.Name+".json") }

// QuarantinePath returns the path of a broken object's mark.
func QuarantinePath(key resources.Key) string {
	return path.Join(QuarantineDir, key.Kind, key.Name+".json")
}

// CheckpointPath returns the path of a task's checkpoint log.
func CheckpointPath(task string) string { return path.Join(CheckpointsDir, task+".jsonl") }

// EventPath returns the path of the event log for the UTC day of t.
func EventPath(t time.Time) string { return Dir + "/" + store.EventsName(t) }

// PackPath returns the path of a session's pack, or of the repository's pack
// for "".
func PackPath(session string) string { return path.Join(Dir, store.PackName(session)) }

// DeliveryLogPath returns the path of a session's delivery log.
func DeliveryLogPath(session string) string { return path.Join(Dir, store.DeliveryLogName(session)) }

// HookDir is the directory of the session state of hooks.
const HookDir = Dir + "/" + store.NotesFolder

// ResearchNotes is the suffix of the file with the notes of researchers for a
// session, one per line.
const ResearchNotes = ".research"

// NotesPath returns the path of a state file of a session. what is its suffix.
func NotesPath(session, what string) string { return path.Join(HookDir, session+what) }

// ExportsDir is the directory of session exports (see memory.Export).
const ExportsDir = Dir + "/" + resources.Sessions + "/exports"

// ExportPath returns the path of the export of a session at a time.
func ExportPath(session string, at time.Time) string {
	return path.Join(ExportsDir, session+"-"+strconv.FormatInt(at.UnixMilli(), 10)+".json")
}

// LastPack returns the last pack of a session, or of the repository for "". See
// store.LastPack.
func (r Root) LastPack(session string) []byte { return store.LastPack(r.Scratch(), session) }

// DeliveredPack returns the last pack that hooks delivered to a session, or
// nil.
func (r Root) DeliveredPack(session string) []byte { return store.DeliveredPack(r.Scratch(), session) }

// LocalDirs returns the directories of .idumb that are local to this machine.
// They are private to their owner and never committed.
func LocalDirs() []string {
	return []string{StatusDir, Dir + "/sessions", ArchiveDir + "/sessions", CheckpointsDir, EventsDir, ContextDir, QuarantineDir, DerivedDir, Dir + "/grants", Dir + "/conflicts", RunDir}
}

// LocalFiles returns the files of .idumb that are local to this machine, as git
// patterns.
func LocalFiles() []string {
	said := "/" + resources.Comments + "/*" + resources.LocalSuffix + ".json"
	return []string{Dir + "/trajectory.json", Dir + "/queue.jsonl", Dir + said, ArchiveDir + said}
}

// IgnoreFile is git's ignore file. Each directory of LocalDirs has one.
// Otherwise git would offer its files on a branch without .idumb/.gitignore.
const IgnoreFile = ".gitignore"

// IgnoreAll is the content of IgnoreFile in a local directory.
const IgnoreAll = "# Local to this machine, and never committed.\n*\n"

// FolderMode returns the mode of a new directory: committed ones have the usual
// mode, local ones are private to their owner.
func FolderMode(path string) fs.FileMode {
	for _, local := range append(LocalDirs(), ".git/"+SyncDir) {
		if path == local || strings.HasPrefix(path, local+"/") {
			return 0o700
		}
	}
	return 0o755
}

// Tombstones is the directory in SyncFolder with a file KIND/NAME.json for each
// local delete request.
const Tombstones = "tombstones"

// Missing returns the shared objects that have no local file and no delete
// request, sorted. The next sync restores them.
func (r Root) Missing() (keys []resources.Key) {
	here := map[string][]string{}
	for _, key := range store.RestorableKeys(r.SyncFolder()) {
		names, read := here[key.Kind]
		if !read {
			names, _ = r.SpecNames(key.Kind)
			here[key.Kind] = names
		}
		if _, is := slices.BinarySearch(names, key.Name+".json"); !is && r.lacksObject(key) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, resources.Key.Compare)
	return slices.Compact(keys)
}

// IsMissing reports whether Missing contains an object.
func (r Root) IsMissing(key resources.Key) bool {
	return slices.Contains(store.RestorableKeys(r.SyncFolder()), key) && r.lacksObject(key)
}

// lacksObject reports whether an object does not exist and has no delete request.
func (r Root) lacksObject(key resources.Key) bool {
	return !r.HasObject(key) && !exists(filepath.Join(r.SyncFolder(), Tombstones, key.Kind, key.Name+".json"))
}
