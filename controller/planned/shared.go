// Package planned says whether all that is planned in a repository can be seen in a clone.
// The main type is Sharing. Commands, the dashboards, the gate and packed contexts ask it.
package planned

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
)

// Commands that answer a Sharing that hides plans.
const (
	enable  = "idumb sync enable --plans"
	decline = "idumb sync decline"
	now     = "idumb sync now" // puts back what is missing
)

// SettingsFile is the file of a person's folder that says which clones share their claims and plans.
const SettingsFile = "sync.json"

// maxFile is how much is read of a file.
const maxFile = 1 << 20

// Sharing says how the plans of a repository reach a clone.
type Sharing struct {
	Shared   bool // git leaves plans and tasks out, as .idumb/.gitignore says: the team shares them by idumb sync
	Followed bool // sync is enabled for plans in this clone
	Declined bool // the user chose to work without the team's plans
	Distrust bool // the user does not trust the repository: nothing of the team is fetched before they do
	Missing  int  // objects of the team that have no file here, see layout.Root.Missing

	Left string // why git keeps .idumb out of the working tree; empty if it does not
	Back string // the command that brings it back
}

// Hidden reports whether plans of the team may exist that are not visible here, and the user has
// not agreed to that.
func (s Sharing) Hidden() bool {
	return s.Left != "" || s.Missing > 0 || s.Shared && !s.Followed && !s.Declined
}

// Steps are the commands that make the plans visible, in their order.
func (s Sharing) Steps() []string {
	command := enable
	switch {
	case s.Left != "":
		command = s.Back
	case s.Missing > 0:
		command = now
	}
	if s.Distrust {
		return []string{"idumb trust", command}
	}
	return []string{command}
}

// Follow is the steps as a line.
func (s Sharing) Follow() string { return strings.Join(s.Steps(), ", then ") }

// Quoted is the same in Markdown.
func (s Sharing) Quoted() string { return "`" + strings.Join(s.Steps(), "`, then `") + "`" }

// Refuse is the command that agrees to work without the plans; empty if there is none.
func (s Sharing) Refuse() string {
	if s.Left != "" || s.Missing > 0 {
		return ""
	}
	return decline
}

// Commands names the commands that answer it.
func (s Sharing) Commands() string {
	if s.Refuse() == "" {
		return s.Follow()
	}
	return s.Follow() + ", or " + s.Refuse()
}

// What says it in one sentence without an end; empty if nothing is to be said.
func (s Sharing) What() string {
	switch {
	case s.Left != "":
		return s.Left
	case s.Missing == 1:
		return "1 object of the team is missing here"
	case s.Missing > 0:
		return fmt.Sprintf("%d objects of the team are missing here", s.Missing)
	case s.Hidden():
		return "the team shares its plans through refs/idumb/state, and this clone does not follow them"
	case s.Shared && !s.Followed:
		return "the team shares its plans through refs/idumb/state, and you declined to follow them in this clone"
	}
	return ""
}

// Advice tells an agent that plans are not visible, and what to do; empty if all are.
func (s Sharing) Advice() string {
	switch {
	case !s.Hidden() && s.What() != "":
		return "The team's plans are not visible in this clone: the user declined to follow them. Where no task is planned here, work as usual."
	case !s.Hidden():
		return ""
	case s.Missing > 0:
		return "Not all plans are visible here: " + s.What() + ". Tell the user to run " + s.Quoted() + ", which puts them back. Until then iDumb asks the user before a file is written, or denies the write if this host cannot ask."
	case s.Left != "":
		return "Plans are not visible here: " + s.Left + ". Tell the user to run " + s.Quoted() + ". Until then writes are denied."
	}
	return "Plans may exist that are not visible here: " + s.What() + ". Tell the user to run " + s.Quoted() + ", or `" + decline + "` to work without them. Until then iDumb asks the user before a file is written, or denies the write if this host cannot ask."
}

// Look reads how the plans of a repository reach this clone.
func Look(root layout.Root, getenv func(string) string) Sharing {
	s := look(root, getenv)
	if s.Left == "" && s.What() != "" {
		state, _ := trust.For(getenv).Load(root).Examine()
		s.Distrust = state != trust.Trusted
	}
	return s
}

func look(root layout.Root, getenv func(string) string) Sharing {
	if left, back := githistory.LeftOut(root); left != "" {
		return Sharing{Left: left, Back: back}
	}
	if !ignoresPlans(root) {
		return Sharing{}
	}
	s := Sharing{Shared: true}
	file, clone := Place(root, getenv)
	if file == "" {
		return s
	}
	info, err := os.Stat(file)
	if err != nil || info.Size() > maxFile {
		return s
	}
	var all struct {
		Repositories map[string]struct {
			Plans bool `json:"state"`
		} `json:"repositories"`
		Declined map[string]bool `json:"declined"`
	}
	data, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(data, &all) != nil {
		return s
	}
	s.Followed, s.Declined = all.Repositories[clone].Plans, all.Declined[clone]
	if s.Followed {
		s.Missing = len(root.Missing())
	}
	return s
}

// ignoresPlans reports whether .idumb/.gitignore leaves plans and tasks out.
func ignoresPlans(root layout.Root) bool {
	data, _, err := root.Read(layout.Dir+"/"+layout.IgnoreFile, maxFile)
	if err != nil {
		return false
	}
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	return slices.Contains(lines, "/"+resources.WorkPlans+"/") && slices.Contains(lines, "/"+resources.Tasks+"/")
}

// Place returns where a person's settings of sync are stored, and the name of a clone in them. Both are empty if there is no
// git, or no folder of the person's own outside of the repository.
func Place(root layout.Root, getenv func(string) string) (file, clone string) {
	folder, git := trust.PersonFolder(root, getenv), layout.GitDir(string(root))
	if folder == "" || git == "" {
		return "", ""
	}
	common, err := filepath.EvalSymlinks(layout.CommonDir(git))
	if err != nil {
		return "", ""
	}
	return filepath.Join(folder, SettingsFile), common
}
