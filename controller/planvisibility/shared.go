// Package planvisibility reports whether all plans of a repository are visible in a
// clone. The main type is Sharing. Commands, dashboards, the gate and packed
// contexts use it.
package planvisibility

import (
	"context"
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

// Commands that resolve hidden plans.
const (
	enable  = "idumb sync enable --plans"
	decline = "idumb sync decline"
	syncNow = "idumb sync now" // restores missing objects
)

// SettingsFile is the file in the user's directory that lists the clones that
// share claims and plans.
const SettingsFile = "sync.json"

// maxFile is the maximum size of a file that is read.
const maxFile = 1 << 20

// Sharing describes how the plans of a repository reach a clone.
type Sharing struct {
	Shared    bool // .idumb/.gitignore excludes plans and tasks: the team shares them with idumb sync
	Followed  bool // sync is enabled for plans in this clone
	Declined  bool // the user chose to work without the team's plans
	Untrusted bool // the user does not trust the repository, so nothing is fetched
	Missing   int  // shared objects without a file, see layout.Root.Missing

	Reason         string // reason why git keeps .idumb out of the working tree; empty otherwise
	RestoreCommand string // command that restores it

	Branch    string    // branch that has .idumb if the checked-out one does not, see githistory.OtherBranch
	Elsewhere Elsewhere // open plans of another worktree; for a team that commits its plans
}

// HasHidden reports whether plans of the team may be invisible here without the
// user's consent.
func (s Sharing) HasHidden() bool {
	return s.Reason != "" || s.Missing > 0 || s.Shared && !s.Followed && !s.Declined
}

// Warning returns a line for a user who reads or adds plans, or "". A user who declined to
// follow the team's plans gets none.
func (s Sharing) Warning() string {
	if s.Clause() == "" || s.Declined && !s.HasHidden() {
		return ""
	}
	return "Not all plans are visible here: " + s.Clause() + " (" + s.Commands() + ")"
}

// RevealCommands returns the commands that make the team's plans visible in this clone,
// in order.
func (s Sharing) RevealCommands() []string {
	command := enable
	switch {
	case s.Reason != "":
		command = s.RestoreCommand
	case s.Missing > 0:
		command = syncNow
	case s.Elsewhere.Tree != "":
		if s.Elsewhere.Commit != "" {
			return []string{"git merge " + s.Elsewhere.Commit[:12]}
		}
		dir := resources.ShellWord(string(s.Elsewhere.Tree))
		return []string{"git -C " + dir + " add .idumb", "git -C " + dir + " commit -m plan .idumb"}
	case s.Branch != "":
		return []string{githistory.CheckoutCommand(s.Branch)}
	}
	if s.Untrusted {
		return []string{"idumb trust", command}
	}
	return []string{command}
}

// FollowCommand returns the steps as one line.
func (s Sharing) FollowCommand() string { return strings.Join(s.RevealCommands(), ", then ") }

// Quoted returns the steps in Markdown.
func (s Sharing) Quoted() string { return "`" + strings.Join(s.RevealCommands(), "`, then `") + "`" }

// DeclineCommand returns the command for working without the plans, or "".
func (s Sharing) DeclineCommand() string {
	if s.Reason != "" || s.Missing > 0 || s.Declined || s.Elsewhere.Tree != "" {
		return ""
	}
	return decline
}

// Commands returns the commands that resolve the state.
func (s Sharing) Commands() string {
	if s.DeclineCommand() == "" {
		return s.FollowCommand()
	}
	return s.FollowCommand() + ", or " + s.DeclineCommand()
}

// Clause describes the state in a clause, or returns "".
func (s Sharing) Clause() string {
	switch {
	case s.Reason != "":
		return s.Reason
	case s.Missing == 1:
		return "1 object of the team is missing here"
	case s.Missing > 0:
		return fmt.Sprintf("%d objects of the team are missing here", s.Missing)
	case s.HasHidden():
		return "the team shares its plans through refs/idumb/state, and this clone does not follow them"
	case s.Shared && !s.Followed:
		return "the team shares its plans through refs/idumb/state, and you declined to follow them in this clone"
	case s.Elsewhere.Tree != "":
		what, verb := "plan "+s.Elsewhere.Plans[0], "is"
		if len(s.Elsewhere.Plans) > 1 {
			what, verb = "plans "+resources.Listed(s.Elsewhere.Plans, maxListed, ", "), "are"
		}
		if s.Elsewhere.Commit != "" {
			return fmt.Sprintf("%s %s in the worktree %s, and this worktree did not merge its branch", what, verb, s.Elsewhere.Tree)
		}
		return fmt.Sprintf("%s %s in the worktree %s and not committed there", what, verb, s.Elsewhere.Tree)
	case s.Branch != "":
		return "this branch has no .idumb, and branch " + s.Branch + " has it"
	}
	return ""
}

// Advice returns an instruction for an agent if plans may be invisible, or "".
func (s Sharing) Advice() string {
	switch {
	case s.Elsewhere.Tree != "" || s.Branch != "":
		return "Nothing is planned in this worktree: work as usual. " + strings.ToUpper(s.Clause()[:1]) + s.Clause()[1:] + ". If your work belongs to it, tell the user to run " + s.Quoted() + "."
	case !s.HasHidden() && s.Clause() != "":
		return "The team's plans are not visible in this clone: the user declined to follow them. Where no task is planned here, work as usual."
	case !s.HasHidden():
		return ""
	case s.Missing > 0:
		return "Not all plans are visible here: " + s.Clause() + ". Tell the user to run " + s.Quoted() + ", which restores them. Until then the user must allow each write; a host that cannot prompt the user denies it."
	case s.Reason != "":
		return "Plans are not visible here: " + s.Reason + ". Tell the user to run " + s.Quoted() + ". Until then writes are denied."
	}
	return "Plans may exist that are not visible here: " + s.Clause() + ". Tell the user to run " + s.Quoted() + ", or `" + decline + "` to work without them. Until then the user must allow each write; a host that cannot prompt the user denies it."
}

// Look returns how the plans of a repository reach this clone.
func Look(root layout.Root, getenv func(string) string) Sharing {
	s := readSharing(root, getenv)
	if s.Reason == "" && s.Elsewhere.Tree == "" && s.Branch == "" && s.Clause() != "" {
		state, _ := trust.StoreOf(getenv).Load(root).Examine()
		s.Untrusted = state != trust.Trusted
	}
	return s
}

// readSharing determines how the plans reach this clone from git's settings,
// .idumb/.gitignore and the user's settings.
func readSharing(root layout.Root, getenv func(string) string) Sharing {
	if left, back := githistory.LeftOut(root); left != "" {
		return Sharing{Reason: left, RestoreCommand: back}
	}
	if !ignoresPlans(root) {
		return Sharing{Elsewhere: findElsewhere(root), Branch: githistory.OtherBranch(context.Background(), root)}
	}
	s := Sharing{Shared: true}
	file, clone := SettingsPlace(root, getenv)
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

// ignoresPlans reports whether .idumb/.gitignore excludes plans and tasks.
func ignoresPlans(root layout.Root) bool {
	data, _, err := root.Read(layout.Dir+"/"+layout.IgnoreFile, maxFile)
	if err != nil {
		return false
	}
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	return slices.Contains(lines, "/"+resources.WorkPlans+"/") && slices.Contains(lines, "/"+resources.Tasks+"/")
}

// SettingsPlace returns the file of the user's sync settings and the name of a clone in
// it. Both are empty without git, or if the user has no directory outside of
// the repository.
func SettingsPlace(root layout.Root, getenv func(string) string) (file, clone string) {
	folder, git := trust.UserDir(root, getenv), layout.GitDir(string(root))
	if folder == "" || git == "" {
		return "", ""
	}
	common, err := filepath.EvalSymlinks(layout.CommonDir(git))
	if err != nil {
		return "", ""
	}
	return filepath.Join(folder, SettingsFile), common
}
