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

// Contexts packs what agents are told. The controller's packs from its cache; a run on its
// own has only what was written last.
type Contexts interface {
	// Pack returns the context that is packed for a reader, and as of when it is; the zero
	// time is now. It also stands in the reader's file below .idumb/context.
	Pack(PackReader) (text string, asOf time.Time)
	// Update says what changed between two packs, "" if nothing did; where that cannot be
	// told, it is the later one. Of mems and anchors that are new it leaves out those of known, by ID.
	Update(before, now string, known []string) string
	// Compaction is what of a pack a summary must keep, within that many characters.
	Compaction(pack string, limit int) string
	// Given lists the mems and anchors that a pack tells of.
	Given(pack string) []Told
	// Remembered tells what a prompt recalls of the memory, without what is known already.
	Remembered(prompt string, known func(Told) bool) []Told
	// About tells what is known of a file of the repository, without what is known already, the most
	// pressing first, and as much of it as there is room for; Claims, which live tasks have to do with it.
	About(file string, work Work, known func(Told) bool) []Told
	Claims(file string) []Told
	// KnownFailure tells what is known of how a command failed that said that, without what is known
	// already; sure: it is certain that it failed.
	KnownFailure(output string, sure bool, known func(Told) bool) []Told
	// Fingerprint is the lines that identify the failure of a command that said that, without what
	// differs from run to run.
	Fingerprint(output string) []string
	// Ended lists which of the objects that a session was told do not hold any more, or are to be
	// checked. looked is false, and nobody asked what was told, where nothing can have ended since
	// the session was asked about last.
	Ended(session string, told func() []string) (ended []Told, looked bool)
	// Comments is another text whenever a comment came or went, or something else holds about one; ""
	// if that is not known.
	Comments() string
}

// Code tells what the code says of itself; a run on its own has none. It may be asked by any number
// of goroutines.
type Code interface {
	// Code tells who depends on a file that is about to be read or edited, where that is worth a line and
	// not known already.
	Code(file string, known func(Told) bool) []Told
	// Radius says who imports a file, a line; "" where nobody knows at once, or the file is no code. Nothing is
	// found out for it.
	Radius(file string) string
	// Broke tells what files that were just written took from others.
	Broke(files []string) []Told
	// NotRuling tells which planning frameworks whose documents do not hold such files belong to.
	NotRuling(files []string) []Told
	// Warm finds out, in the background, what the others need.
	Warm()
}

// Told is what is told of one object beside a pack, as package packer makes it.
type Told struct {
	ID   string // kind/name
	Twin string // equal for what says the same: who knows one need not be told the other
	Why  string // why it is to be checked, or does not hold any more; "" for neither
	Text string // a line, escaped; "" where only the others were asked for
	Cut  bool   // Text tells the beginning only
}

// Work is what somebody does who touches a file, as package packer takes it.
type Work struct {
	Words func() string // of the task, and of what was asked
	Room  int           // for what is told, in characters
	Edits bool          // the file is about to be changed
}

// PackReader is who a pack is for.
type PackReader struct {
	Name   string             // of the session's record; "" is nobody in particular
	Record *resources.Session // as this run has it; nil: there is none
	Limit  int                // of the host, in characters
	Rights *admission.Rights  // what the reader may do
	// Of a repository in which what governs changed since the person trusted it, what of it counts; nil: all as it is now.
	Settings *resources.ConfigSpec
	Triggers []*resources.Trigger
}

// lastPacks are the packs that a controller wrote last.
type lastPacks struct{ folder }

// nothingPacked stands in place of a pack where there is none at all.
const nothingPacked = "iDumb: this repository is governed, but no controller answers and nothing was packed before, so its plan and memory are not shown here. `idumb next` and `idumb context` read them from the files; the user can run `idumb up`.\n"

func (l lastPacks) Pack(reader PackReader) (string, time.Time) {
	for _, name := range []string{reader.Name, ""} {
		if text, at := l.lastPack(name); text != "" && characters(text) <= reader.Limit {
			return text, at
		}
	}
	return nothingPacked, time.Time{}
}

func (l lastPacks) Update(before, now string, _ []string) string {
	if before == now {
		return ""
	}
	return now
}

func (l lastPacks) Compaction(pack string, limit int) string {
	if characters(pack) > limit {
		return ""
	}
	return pack
}

// Comments tells by the folder that they stand in: none is ever changed.
func (l lastPacks) Comments() string {
	info, err := os.Stat(l.Abs(layout.Folder(resources.Comments)))
	if err != nil {
		return ""
	}
	return strconv.FormatInt(info.ModTime().UnixNano(), 36)
}

// What is not in those packs, they do not know.

func (l lastPacks) Given(string) []Told { return nil }

func (l lastPacks) Remembered(string, func(Told) bool) []Told { return nil }

func (l lastPacks) About(string, Work, func(Told) bool) []Told { return nil }

func (l lastPacks) Claims(string) []Told { return nil }

func (l lastPacks) KnownFailure(string, bool, func(Told) bool) []Told { return nil }

func (l lastPacks) Fingerprint(string) []string { return nil }

func (l lastPacks) Ended(string, func() []string) ([]Told, bool) { return nil, false }

// context is the packed context for this session, within the host's limit. Of a repository
// that the person does not trust it is one line that says so.
func (h *handler) context() string {
	if line, _ := h.repo.trustLine(); line != "" {
		return line
	}
	changed := h.repo.trustState() == trust.Changed
	if _, last := h.repo.contexts.(lastPacks); last && changed {
		return changedLine // what was packed last may hold what came since
	}
	s, _ := h.repo.Session(h.sessionName())
	reader := PackReader{Name: h.sessionName(), Record: s, Limit: h.limit, Rights: &admission.Rights{Call: h.self(), View: h.repo}}
	if _, last := h.repo.contexts.(lastPacks); last && h.limit > 2*maxDated {
		reader.Limit -= maxDated // what leads it has to fit
	}
	if changed {
		reader.Settings = h.repo.settings
		reader.Triggers = slices.DeleteFunc(h.repo.Triggers(), func(t *resources.Trigger) bool { return !h.repo.knows(t) })
	}
	text, asOf := h.repo.contexts.Pack(reader)
	h.asOf = asOf
	return text
}

// dated leads a pack that is not of now: it says so, and how tasks are by the files.
func (h *handler) dated() string {
	if h.asOf.IsZero() {
		return ""
	}
	line := "iDumb: no controller answers; the context below was packed at " + h.asOf.UTC().Format("2006-01-02 15:04:05") + " UTC and may be behind. "
	if now := "By the files now: " + strings.Join(h.tasksNow(), "; ") + ". "; characters(line+now) < maxDated-100 {
		line += now
	}
	return line + "`idumb next` reads the files.\n"
}

// maxDated is how long the line of dated is at most, in characters of the host's.
const maxDated = 1000

// maxTasksNow is how many tasks of a sort are named to who reads an outdated pack.
const maxTasksNow = 5

// tasksNow says which tasks are active, which ones the reader may start, and what became of others
// whose files changed since the pack was made.
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

// some lists the first of some names.
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

// role is the role that the reader of the context acts in, nil if there is none.
func (h *handler) role() *resources.Role {
	return admission.RoleOf(h.self(), h.repo)
}

// wholeTold stands in the log of what a session was told for a pack, which has a file of its own.
const wholeTold = "The whole context.\n"

// noteTold writes what the session is told beside its pack.
func (h *handler) noteTold(text string) {
	if h.sessionName() != "" && text != "" {
		h.repo.noteTold(h.sessionName(), text, h.repo.now)
	}
}
