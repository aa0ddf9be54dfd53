package hooks

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// ContextSource packs the context of agents. The controller packs from its cache; a
// hook without a controller returns the last written packs.
type ContextSource interface {
	// Pack returns the context for a reader and its time; the zero time means
	// now. The context is also written to the reader's file below
	// .idumb/context.
	Pack(PackReader) (text string, asOf time.Time)
	// Update returns the changes between two packs, or an empty text if nothing
	// changed. If the changes cannot be determined, it returns the later pack.
	// It omits new mems and anchors with an ID in known.
	Update(before, now string, known []string) string
	// Compaction returns the part of a pack that a summary must keep, in at
	// most limit characters.
	Compaction(pack string, limit int) string
	// PackSnippets lists the mems and anchors in a pack.
	PackSnippets(pack string) []Snippet
	// PromptSnippets returns the memory that is relevant to a prompt, without the
	// known snippets.
	PromptSnippets(prompt string, known func(Snippet) bool) []Snippet
	// FileSnippets returns the memory about a file of the repository, without the known snippets,
	// the most important first, and within work.Room.
	FileSnippets(file string, work FileWork, known func(Snippet) bool) []Snippet
	// FileClaims returns the live tasks that refer to a file.
	FileClaims(file string) []Snippet
	// FailureSnippets returns the memory about the failure of a command with this
	// output, without the known snippets. sure means that the command certainly
	// failed.
	FailureSnippets(output string, sure bool, known func(Snippet) bool) []Snippet
	// Fingerprint returns the lines that identify the failure of a command with
	// this output, without text that varies between runs.
	Fingerprint(output string) []string
	// ExpiredSnippets lists the objects that the session received and that are no longer
	// valid or should be checked. looked is false, and told is not called, if
	// no object can have ended since the last call for the session.
	ExpiredSnippets(session string, told func() []string) (ended []Snippet, looked bool)
	// Comments returns a text that changes with every change to the comments or
	// their state. It is empty if the state is unknown.
	Comments() string
}

// Code returns facts about the code. It is nil in a hook without a controller. Its
// methods may be called concurrently.
type Code interface {
	// Code returns the dependents of a file that is about to be read or edited,
	// without the known snippets, if they are worth a line.
	Code(file string, known func(Snippet) bool) []Snippet
	// Radius returns the importers of a file in one line. It is empty if they
	// are not computed yet, or if the file is not code. Radius does no analysis.
	Radius(file string) string
	// Broke returns names that the written files removed and other files use.
	Broke(files []string) []Snippet
	// NotRuling returns the planning frameworks that contain the files but do
	// not govern them.
	NotRuling(files []string) []Snippet
	// FirstScan prepares the facts for the other methods, in the background. If
	// there are no facts about the project yet, it waits for them, for at most
	// limit.
	FirstScan(limit time.Duration)
}

// Snippet is the text about one object, as package packer returns it.
type Snippet struct {
	ID        string // kind/name
	TextHash  string // equal for equal contents, so that an agent receives only one of them
	Doubt     string // why it should be checked or is no longer valid; may be empty
	Text      string // one escaped line; empty if only the other fields were requested
	Truncated bool   // Text holds only the beginning
}

// FileWork describes the work of the agent that touches a file, as package packer
// uses it.
type FileWork struct {
	Words func() string // the words of the task and of the prompt
	Room  int           // the space for the answer, in characters
	Edits bool          // the file is about to be changed
}

// PackReader is the reader of a pack.
type PackReader struct {
	Name   string             // name of the session's record; empty for no particular reader
	Record *resources.Session // as this run has it; may be nil
	Limit  int                // the host's limit, in characters
	Rights *admission.Rights  // rights of the reader
	// Settings and Triggers are the effective ones if the governing files
	// changed since the person trusted the repository. They are nil to use the
	// current files.
	Settings *resources.ConfigSpec
	Triggers []*resources.Trigger
}

// lastPacks returns the packs that a controller last wrote.
type lastPacks struct{ folder }

// nothingPacked replaces the pack if no pack exists.
const nothingPacked = "iDumb: this repository is governed, but no controller answers, so its plan and memory are not shown here. Run `idumb context`, which reads them from the files. The user can start the controller: `idumb up`.\n"

// Pack returns the last pack of the reader, otherwise the repository's, otherwise nothingPacked
// with the zero time. It skips packs that exceed the reader's limit.
func (l lastPacks) Pack(reader PackReader) (string, time.Time) {
	for _, name := range []string{reader.Name, ""} {
		if text, at := l.lastPack(name); text != "" && characters(text) <= reader.Limit {
			return text, at
		}
	}
	return nothingPacked, time.Time{}
}

// Update returns the whole new pack, because only the controller can compare packs. It returns ""
// if nothing changed.
func (l lastPacks) Update(before, now string, _ []string) string {
	if before == now {
		return ""
	}
	return now
}

// Compaction returns the whole pack. It returns "" if it exceeds limit characters.
func (l lastPacks) Compaction(pack string, limit int) string {
	if characters(pack) > limit {
		return ""
	}
	return pack
}

// Comments derives the text from the time of the folder, because comment files
// never change.
func (l lastPacks) Comments() string {
	info, err := os.Stat(l.Abs(layout.Folder(resources.Comments)))
	if err != nil {
		return ""
	}
	return strconv.FormatInt(info.ModTime().UnixNano(), 36)
}

// The written packs do not contain the data for the following methods.

// PackSnippets returns nil, because only a controller knows the objects in a pack.
func (l lastPacks) PackSnippets(string) []Snippet { return nil }

// PromptSnippets returns nil, because only a controller searches the memory.
func (l lastPacks) PromptSnippets(string, func(Snippet) bool) []Snippet { return nil }

// FileSnippets returns nil, because only a controller searches the memory.
func (l lastPacks) FileSnippets(string, FileWork, func(Snippet) bool) []Snippet { return nil }

// FileClaims returns nil, because only a controller searches the tasks.
func (l lastPacks) FileClaims(string) []Snippet { return nil }

// FailureSnippets returns nil, because only a controller searches the memory.
func (l lastPacks) FailureSnippets(string, bool, func(Snippet) bool) []Snippet { return nil }

// Fingerprint returns nil, because only a controller links package packer, which identifies
// failures.
func (l lastPacks) Fingerprint(string) []string { return nil }

// ExpiredSnippets returns false: only a controller knows which objects changed.
func (l lastPacks) ExpiredSnippets(string, func() []string) ([]Snippet, bool) { return nil, false }

// context returns the packed context for this session, within the host's limit.
// For a repository that the person does not trust it returns one line with that
// notice.
func (h *handler) context() string {
	if line, _ := h.repo.trustLine(); line != "" {
		return line
	}
	changed := h.repo.trustState() == trust.Changed
	if _, last := h.repo.contexts.(lastPacks); last && changed {
		return changedLine // the last pack may contain untrusted changes
	}
	s, _ := h.repo.Session(h.sessionName())
	reader := PackReader{Name: h.sessionName(), Record: s, Limit: h.limit, Rights: &admission.Rights{Call: h.self(), View: h.repo}}
	if _, last := h.repo.contexts.(lastPacks); last && h.limit > 2*maxDated {
		reader.Limit -= maxDated // leaves room for the line in front
	}
	if changed {
		reader.Settings = h.repo.settings
		reader.Triggers = slices.DeleteFunc(h.repo.Triggers(), func(t *resources.Trigger) bool { return !h.repo.isTrustedVersion(t) })
	}
	text, asOf := h.repo.contexts.Pack(reader)
	h.asOf = asOf
	return text
}

// dated returns the line in front of an outdated pack. It gives the time of the
// pack, and the current state of tasks according to the files. It is empty if the
// pack is current.
func (h *handler) dated() string {
	if h.asOf.IsZero() {
		return ""
	}
	line := "iDumb: no controller answers; the context below was packed at " + h.asOf.UTC().Format("2006-01-02 15:04:05") + " UTC and may be outdated. "
	if now := "By the files now: " + strings.Join(h.tasksNow(), "; ") + ". "; characters(line+now) < maxDated-100 {
		line += now
	}
	return line + "`idumb next` reads the files.\n"
}

// maxDated limits the line of dated, in the host's characters.
const maxDated = 1000

// maxTasksNow limits the tasks of each state in that line.
const maxTasksNow = 5

// tasksNow returns the active tasks, the tasks that the reader may start, and
// the state of the tasks with files that changed since the pack.
func (h *handler) tasksNow() []string {
	active, whose, changed := h.repo.ActiveTasks(), []string{}, []string{}
	for _, name := range active {
		if t, ok := h.repo.Task(name); ok {
			if b := admission.Permitted(h.self(), admission.For, t, h.repo); b != nil {
				name += " (" + b.Brief() + ")"
			}
		}
		whose = append(whose, name)
	}
	h.repo.specs.planned(func(key resources.Key, t *text) bool {
		if key.Kind == resources.Tasks && t.modTime.After(h.asOf) && !slices.Contains(active, key.Name) {
			if task, ok := h.repo.Task(key.Name); ok {
				st, _ := status.DeriveTask(task, h.repo)
				changed = append(changed, key.Name+" is "+st.Phase)
			}
		}
		return true
	})
	said := []string{"active: " + some(whose), "ready for you: " + some(admission.OffersFor(h.self(), h.repo, maxTasksNow+1))}
	if len(changed) > 0 {
		said = append(said, "changed since then: "+some(changed))
	}
	return said
}

// some returns the first names as text. It returns "none" for an empty list.
func some(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	text := strings.Join(names[:min(len(names), maxTasksNow)], ", ")
	if len(names) > maxTasksNow {
		text += " and more"
	}
	return text
}

// role returns the role of the context's reader, or nil if it has no role.
func (h *handler) role() *resources.Role {
	return admission.RoleOf(h.self(), h.repo)
}

// wholeTold represents a pack in the log of delivered texts. The pack is stored
// in a separate file.
const wholeTold = "The whole context.\n"

// logDelivery logs a text that is delivered to the session in addition to its
// pack.
func (h *handler) logDelivery(text string) {
	if h.sessionName() != "" && text != "" {
		h.repo.logDelivery(h.sessionName(), text, h.repo.now)
	}
}
