// Package doctor checks a repository's .idumb. Examine returns a Report with the place, the cause
// and the remedy of each problem.
package doctor

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/doctor/objectchecks"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/scaffold"
	"github.com/idumb-dev/idumb/cmd/internal/upgrades"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/lifecycle"
	"github.com/idumb-dev/idumb/controller/planvisibility"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// Report is the result of Examine.
type Report struct {
	// Problems need a fix. They are sorted by file and position.
	Problems []resources.Problem `json:"problems"`
	// Notices are facts that need no fix, for example that the controller was stopped.
	Notices []string `json:"notices,omitempty"`
	// Next is the next step of a repository without problems; empty if none is known.
	Next string `json:"next,omitempty"`
	// Agents are the agents' hosts that are in use in the repository, or installed.
	Agents []Agent `json:"agents,omitempty"`
}

// examination is one run of all checks.
type examination struct {
	root     layout.Root
	now      time.Time
	alive    bool
	findings *objectchecks.Findings
	lookup   func(resources.Key) (resources.Object, bool)
	report   Report

	tree    string // the linked working tree in which doctor runs, if it uses the .idumb of the main working tree; otherwise empty
	sharing planvisibility.Sharing
	tracked []string // files in git's index; nil until needed
}

// Examine runs all checks. found contains the results for objects, and known returns an object by
// key. tree is the linked working tree that uses this .idumb and has no .idumb itself; it is empty
// if the working directory belongs to the repository of root.
func Examine(root layout.Root, tree string, found *objectchecks.Findings, known func(resources.Key) (resources.Object, bool), now time.Time) Report {
	x := &examination{root: root, now: now, alive: root.ControllerAlive(), findings: found, lookup: known, tree: tree, sharing: planvisibility.Look(root, os.Getenv)}
	x.report.Problems = append([]resources.Problem{}, found.Problems...)
	x.notices(found.Lost)
	x.notices(found.Doubted)
	x.checkDirs()
	x.checkLeftovers()
	x.checkIgnore()
	x.checkRunDir()
	x.checkWritable()
	x.checkGit()
	x.checkStatuses()
	x.checkController()
	x.checkTrust()
	if x.sharing.Branch == "" {
		x.notices(found.Roles)
	}
	x.notices(found.Shell)
	x.checkUserShell()
	x.checkQueue()
	x.checkGrants()
	x.checkLeases()
	x.checkTeam()
	x.checkExports()
	x.checkAgents()
	x.checkOlderTools()
	x.checkGenerated()
	x.checkFrameworks()
	x.notices(found.Newer)
	slices.SortStableFunc(x.report.Problems, compareProblems)
	return x.report
}

// compareProblems orders problems by file, line, field and reason.
func compareProblems(a, b resources.Problem) int {
	return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Field+a.Reason, b.Field+b.Reason))
}

func (x *examination) problem(p resources.Problem) { x.report.Problems = append(x.report.Problems, p) }

// fileProblem reports a problem of a file.
func (x *examination) fileProblem(file, reason, remedy string) {
	x.problem(resources.Problem{File: file, Reason: reason, Remedy: remedy})
}

// notice adds a formatted notice to the report.
func (x *examination) notice(format string, args ...any) {
	x.report.Notices = append(x.report.Notices, fmt.Sprintf(format, args...))
}

func (x *examination) notices(all []string) { x.report.Notices = append(x.report.Notices, all...) }

// checkStatuses reports the number of statuses that a running controller should have updated.
// Without a controller, commands compute them.
func (x *examination) checkStatuses() {
	if x.alive && x.findings.Outdated > 0 {
		x.notice("missing or outdated statuses: %d; the controller is busy or hangs; see idumb controller status", x.findings.Outdated)
	}
}

// checkController checks the controller and the system limits that it depends on.
func (x *examination) checkController() {
	const without = "answers are computed from the files, but broken chains are not archived and the context is not packed"
	switch {
	case x.alive:
	case lifecycle.StartsSpent(x.root, x.now):
		x.fileProblem(layout.ControllerLog, lifecycle.ErrRestartLimit.Error()+", so automatic starts are suspended: "+without+"; its log ends: "+x.logEnd(),
			"fix the error in the log, then run \"idumb controller start\"")
	case lifecycle.Stopped(x.root):
		x.notice("the controller was stopped, and sessions do not start one: %s; start one with \"idumb controller start\"", without)
	case !hooks.AutoStarts(x.settings(), os.Getenv(hooks.AutoStartVariable)):
		x.notice("no controller is running, and sessions do not start one (spec.controller.autoStart or %s): %s; start one with \"idumb controller start\"", hooks.AutoStartVariable, without)
	}
	if why := diskLimits(x.root.Abs(layout.Dir)); why != "" {
		x.fileProblem(layout.Dir, why, "delete files that you do not need, then run \"idumb doctor\" again")
	}
	if why := watchLimits(); why != "" {
		x.fileProblem(layout.Dir, why, "raise the limit (sysctl fs.inotify.max_user_instances, fs.inotify.max_user_watches), or stop other programs that watch files; the controller polls until then")
	}
}

// minFree is the free space in bytes below which writes of tasks and statuses fail soon.
const minFree = 1 << 20

// spaceLeft returns the reason why a disk takes no more files, empty if it does. A file system without
// a limit of files has files = 0.
func spaceLeft(bytes, files, freeFiles uint64) string {
	switch {
	case bytes < minFree:
		return fmt.Sprintf("the disk is full, %d KB are free: changes are not recorded", bytes>>10)
	case files > 0 && freeFiles == 0:
		return "the disk takes no more files, because it has no free inodes: changes are not recorded"
	}
	return ""
}

// settings returns the settings of the repository, with defaults.
func (x *examination) settings() *resources.ConfigSpec {
	key := resources.Key{Kind: resources.Configs, Name: resources.ConfigName}
	config, _ := x.root.Object(key, x.root.Locate(key)).(*resources.Config)
	return resources.EffectiveConfig(config)
}

// checkGenerated reports files that idumb upgrade would change: files that another version of idumb
// generated, missing files, and local files that git tracks.
func (x *examination) checkGenerated() {
	steps, _, err := upgrades.Upgrade(x.root, nil)
	if err != nil || len(steps) == 0 {
		return
	}
	files := map[string][]string{}
	for _, s := range steps {
		notice := "installed by another version of idumb: %s; \"idumb upgrade\" updates them"
		switch s.Text {
		case upgrades.Untracked:
			notice = "git tracks files that belong to this machine only: %s; \"idumb upgrade\" untracks them, then commit that"
		case scaffold.Created:
			notice = "missing: %s; \"idumb upgrade\" creates them"
		}
		files[notice] = append(files[notice], s.File)
	}
	for _, notice := range slices.Sorted(maps.Keys(files)) {
		x.notice(notice, resources.Listed(files[notice], 3, ", "))
	}
}

// logEnd returns the end of the controller's log, in one line.
func (x *examination) logEnd() string {
	const most = 600
	data, _, err := x.root.Read(layout.ControllerLog, layout.MaxControllerLog+layout.MaxSpec)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	lines := strings.Split(strings.TrimSpace(string(data[max(0, len(data)-most):])), "\n")
	return strings.Join(lines, " | ")
}

// checkUserShell reports the user's rules for the shell gate that have no effect.
func (x *examination) checkUserShell() {
	dir := trust.ConfigDir(os.Getenv)
	if dir == "" {
		return
	}
	file := filepath.Join(dir, "idumb", "shell.json")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var rules resources.ShellRules
	if err == nil {
		err = json.Unmarshal(data, &rules)
	}
	if err != nil {
		x.notice("your own shell rules are not in effect: cannot read %s: %v; fix or remove the file", file, err)
		return
	}
	x.notices(objectchecks.ShellRules(file, &rules, true))
}

// checkTrust reports missing trust, settings that the repository must not make or that are unknown,
// and a tree of another user.
func (x *examination) checkTrust() {
	switch state, news := trust.StoreOf(os.Getenv).Load(x.root).Examine(); state {
	case trust.Unknown:
		x.notice(".idumb of this repository is not trusted: agents do not receive its texts, and its settings can only restrict; review it (idumb trust --dry-run), then run \"idumb trust\"")
	case trust.Changed:
		if x.sharing.Branch != "" {
			break // the files are those of another branch
		}
		x.notice("%s changed since you trusted .idumb of this repository: the trusted version stays in effect, and changes can only restrict it; review them (idumb trust --dry-run), then run \"idumb trust\"", strings.Join(news, ", "))
	}
	for _, name := range [...]string{trust.Variable, admission.EnforceVariable, "XDG_CONFIG_HOME"} {
		if trust.SetByRepository(x.root, name) {
			x.notice("repository settings set %s; the value is not trusted. Set it in your own environment if you want it", name)
		}
	}
	if word := os.Getenv(admission.EnforceVariable); !admission.KnownMode(word) {
		x.notice("%s=%s is ignored: set it to %s, %s or %s", admission.EnforceVariable, word, admission.ModeEnforce, admission.ModeLog, admission.ModeOff)
	}
	if err := trust.Owned(x.root); err != nil {
		x.notice("%s", err.Error())
	}
}

// permissionsMatter reports whether permission bits are effective on this system.
const permissionsMatter = runtime.GOOS != "windows"

// Print writes the report as text.
func (r Report) Print(w io.Writer) error {
	var b strings.Builder
	for _, p := range r.Problems {
		remedy := p.Remedy
		p.Remedy = ""
		fmt.Fprintln(&b, terminal.EscapeLine(p.Error()))
		if remedy != "" {
			fmt.Fprintln(&b, "  remedy: "+terminal.EscapeLine(remedy))
		}
	}
	for _, a := range r.Agents {
		a.print(&b)
	}
	for _, n := range r.Notices {
		fmt.Fprintln(&b, "note: "+terminal.EscapeLine(n))
	}
	if n := len(r.Problems); n > 0 {
		b.WriteString(terminal.Count(n, "problem") + " found.\n")
	} else {
		b.WriteString("No problems found.\n")
		if r.Next != "" {
			fmt.Fprintln(&b, "Next: "+terminal.EscapeLine(r.Next))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// print writes the section of an agent: its checks, then its notes.
func (a Agent) print(b *strings.Builder) {
	program := "not in PATH"
	if a.Program != "" {
		program = strings.TrimSpace(a.Program + " " + a.Version)
	}
	fmt.Fprintf(b, "%s: %s\n", a.Name, a.Installed)
	for _, row := range [...]struct{ name, text string }{
		{"program", program + " (tested with " + a.Verified + ")"}, {"hook", a.Hook}, {"self-test", a.SelfTest}, {"tools", a.Tools},
	} {
		if row.text != "" {
			fmt.Fprintf(b, "  %-10s %s\n", row.name, terminal.EscapeLine(row.text))
		}
	}
	for _, note := range a.Notes {
		fmt.Fprintf(b, "  note: %s\n", terminal.Wrap(terminal.EscapeLine(note), 70, "    "))
	}
}
