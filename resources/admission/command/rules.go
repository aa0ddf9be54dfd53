package command

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Rule is one row of the table of rules.
type Rule struct {
	Name    string // "git-force-push"
	Verdict string // Ask or Deny; a person's own rules may say Allow
	Why     string // what the command does, behind its text: "deletes a folder ..."
	Instead string // one safe step
}

// shipped is the one table of rules as they come with idumb. What a rule is about is
// code; how strict it is, why, and what to do in its place is said here.
var shipped = [...]Rule{
	{"recursive-delete", Deny, "deletes a folder with all that is in it, which no build makes again", "Delete only build folders that git ignores, or files below the temp folder; name single files with `rm FILE`."},
	{"delete-unknown", Ask, "deletes what is only known when it runs", "Write out what is to be deleted, or delete below `mktemp -d`."},
	{"delete-all", Deny, "deletes every file that it finds", "Name the files, or search for one kind of them with `find . -name '*.tmp' -print` first."},
	{"system-path", Deny, "changes files of the operating system or of the home folder", "Write below the repository or the temp folder; ask the user for what must stand elsewhere."},
	{"system-change", Ask, "changes files outside the repository", "Ask the user to do it, or write below the repository or the temp folder."},
	{"agent-file", Ask, "changes what later agents of this user do and run", "Ask the user to write it, or write it in the repository."},
	{"startup-file", Ask, "changes what runs whenever this user logs in or opens a shell", "Ask the user to add the line, or set it for one command: `NAME=value command`."},
	{"disk-overwrite", Deny, "overwrites a disk", "Work on an image file: `dd if=/dev/zero of=disk.img bs=1M count=64`."},
	{"permissions", Deny, "opens or takes away files for everybody, all the way down", "Change the mode of the files that need it: `chmod u+rw FILE`."},
	{"git-force-push", Deny, "overwrites history on the remote, with what others pushed", "Run `git push --force-with-lease`, which stops if somebody else has pushed."},
	{"git-delete-remote", Deny, "deletes branches or tags on the remote", "Leave the branch; ask the user to delete it if it is done with."},
	{"git-discard", Deny, "throws away changes that are not committed", "Run `git stash push` instead, with -u for new files: it keeps what is not committed."},
	{"git-discard-some", Ask, "throws away work that no branch keeps", "Keep it: `git branch backup-NAME COMMIT`, or ask the user."},
	{"plan-leaves", Ask, "takes .idumb out of the work tree, and the plan with it", "Open the branch in a directory of its own: `git worktree add --detach /tmp/NAME BRANCH`."},
	{"plan-edits", Ask, "takes away changes that are not committed of what plans or governs", "Leave those files out by a pathspec at the end of the command: `-- . ':!PATH'`."},
	{"plan-commits", Ask, "applies commits that change what plans or governs", "Ask the user to run it, or apply only the commits that change other files."},
	{"plan-sparse", Ask, "leaves .idumb out of the work tree, and the plan with it", "Include it: `git sparse-checkout set .idumb DIR`."},
	{"git-history", Deny, "rewrites or drops history for good", "Make a new commit, or `git revert COMMIT`."},
	{"no-verify", Ask, "leaves out the checks that run before a commit or a push", "Run it without the option, and mend what the checks find."},
	{"sql-drop", Deny, "drops or empties tables or databases", "Write a migration, try it on a copy, or look first: `SELECT count(*) FROM TABLE`."},
	{"sql-unbounded", Deny, "changes every row of a table", "Say which rows, with WHERE, and count them first with SELECT."},
	{"data-flush", Deny, "empties a data store", "Delete single keys or entries by name, in a store for tests."},
	{"network-to-shell", Deny, "runs what comes from the network, unseen", "Download it to a file, read the file, and ask the user before it is run."},
	{"reverse-shell", Deny, "gives a shell on this machine to somebody on the network", "Leave it; ask the user what is to be reached."},
	{"secret-upload", Deny, "sends secrets to the network", "Leave secrets on the machine; ask the user to send what is needed."},
	{"fork-bomb", Deny, "starts itself without end", "Start a known number of processes, with `xargs -P 4`."},
	{"publish", Deny, "publishes for everybody, which cannot be taken back", "Try it with `--dry-run` and leave publishing to the user or the release pipeline."},
	{"infrastructure", Deny, "destroys infrastructure", "Look with `plan` or `preview` and leave the rest to the user."},
	{"cloud-delete", Deny, "deletes what runs or is stored in a cloud", "Look first with `list` or `describe`, and leave deleting to the user."},
	{"cluster-delete", Deny, "deletes more of a cluster than one object", "Name single objects, with `--dry-run=client` first."},
	{"container-data", Deny, "deletes containers' data", "Remove single containers or images by name, and keep volumes."},
	{"host-access", Ask, "gives a container the rights or the files of the whole machine", "Run it without that option, and mount single folders of the repository: `-v \"$PWD\":/app`."},
	{"remote-delete", Deny, "deletes a repository, a release or an application", "Leave it to the user."},
	{"remote-change", Ask, "changes something that others use", "Ask the user before it is changed."},
	{"power", Deny, "stops the machine", "Leave the machine running; restart single services."},
	{"end-processes", Deny, "ends processes that are not the agent's own", "End single processes by their id: `kill PID`."},
	{"accounts", Deny, "changes accounts or what they may do", "Leave it to the user."},
	{"protection", Deny, "switches off what protects the machine, or its traces", "Leave it to the user."},
	{"service", Ask, "stops or changes a service of the machine", "Look with `systemctl status`, and ask the user."},
	{"schedule", Deny, "changes what runs on a schedule", "Leave it to the user: `crontab -l` shows what is there."},
	{"remove-packages", Ask, "removes packages from the machine", "Ask the user before packages are removed."},
	{"hooks", Deny, "switches off git's hooks or puts others in their place", "Leave the hooks as they are, and mend what they find."},
	{"unknown-command", Ask, "runs a command that is only known when it runs", "Write out the command."},
	{"unknown-files", Ask, "changes files that are only known when it runs", "Name the files in the command."},
	{"unknown-code", Ask, "runs code that is only known when it runs", "Write the code to a file of the repository, or run the single commands."},
	{"hidden-characters", Ask, "is not what it looks like", "Write the command with plain characters."},
	{"unreadable", Ask, "cannot be read as a shell reads it", "Write it as several short commands."},
}

// Shipped lists the rules that come with idumb, in the order of the table.
func Shipped() []Rule { return slices.Clone(shipped[:]) }

// Rules are the rules as they hold in one place: the shipped ones, with what the
// repository and the person say.
type Rules struct {
	named    []Effective // the shipped ones, in their order
	patterns []Effective // rules about commands, whose names are those commands
}

// Source is who says what a rule says.
type Source string

// The sources of rules. A repository may only make a rule stricter.
const (
	FromIdumb      Source = "shipped"
	FromRepository Source = "repository" // .idumb/shell.json
	FromPerson     Source = "person"     // shell.json in the folder of the person's settings
)

// Effective is a rule as it holds, and who set its verdict. The name of one that a repository
// or a person has added is the command that it is about.
type Effective struct {
	Rule
	Source Source
}

// All lists every rule as it holds: the shipped ones in the order of the table, and
// behind them those about commands. A nil Rules are the shipped ones.
func (r *Rules) All() []Effective {
	if r == nil {
		r = shippedRules()
	}
	return slices.Concat(r.named, r.patterns)
}

// Pattern is a rule of a repository or a person: commands by their first words, as a
// role's shell rules are.
type Pattern struct {
	Match   string // "docker push", "gh * delete"
	Verdict string // Allow, Ask or Deny
	Why     string
	Instead string
}

// RepositoryRule is the rule that a verdict names where a pattern of a repository or of
// the person decided it: its words are theirs.
const RepositoryRule = "shell.json"

// Change is what a repository or a person says of the rules.
type Change struct {
	Verdicts map[string]string // the verdict of shipped rules, by name
	Patterns []Pattern
}

// NewRules returns the shipped rules with what a repository says, which may only make
// them stricter, and what the person says, which holds as it stands. What is not
// known or too mild is left out.
func NewRules(repository, person Change) *Rules {
	r := &Rules{}
	for _, rule := range shipped {
		h := Effective{rule, FromIdumb}
		if v := person.Verdicts[rule.Name]; strictness(v) >= 0 && v != h.Verdict {
			h.Verdict, h.Source = v, FromPerson
		}
		if v := repository.Verdicts[rule.Name]; strictness(v) > strictness(h.Verdict) {
			h.Verdict, h.Source = v, FromRepository
		}
		r.named = append(r.named, h)
	}
	r.add(repository.Patterns, FromRepository, strictness(Ask))
	r.add(person.Patterns, FromPerson, strictness(Allow))
	return r
}

// shippedRules are the rules where nobody says anything of them.
var shippedRules = sync.OnceValue(func() *Rules { return NewRules(Change{}, Change{}) })

// add takes in the patterns of one source that are strict enough.
func (r *Rules) add(patterns []Pattern, source Source, least int) {
	for _, p := range patterns {
		rule := Rule{p.Match, p.Verdict, p.Why, ""}
		if p.Verdict != Allow {
			rule.Why = cmp.Or(p.Why, "matches the rule \""+p.Match+"\"")
			rule.Instead = cmp.Or(p.Instead, "Ask the user, or do it another way.")
		}
		if strictness(p.Verdict) >= least {
			r.patterns = append(r.patterns, Effective{rule, source})
		}
	}
}

// strictness orders verdicts by strictness; -1 for none.
func strictness(verdict string) int { return slices.Index([]string{Allow, Ask, Deny}, verdict) }

// ofPattern stands in front of the names of rules about commands in findings.
const ofPattern = "pattern:"

// rule is the rule that a finding names.
func (r *Rules) rule(name string) Rule {
	match, custom := strings.CutPrefix(name, ofPattern)
	i := slices.IndexFunc(r.named, func(h Effective) bool { return h.Name == name })
	if custom {
		i = slices.IndexFunc(r.patterns, func(h Effective) bool { return h.Name == match && h.Verdict != Allow })
	}
	switch {
	case i < 0:
		return Rule{Name: name, Verdict: Ask, Why: "is not known", Instead: "Ask the user."}
	case custom:
		rule := r.patterns[i].Rule
		rule.Name = RepositoryRule
		return rule
	}
	return r.named[i].Rule
}

// verdict takes the strictest of what was found, and of that the first.
func (r *Rules) verdict(found []Finding) Verdict {
	v := Verdict{Verdict: Allow}
	for _, f := range found {
		rule := r.rule(f.Rule)
		if strictness(rule.Verdict) <= strictness(v.Verdict) {
			continue
		}
		why := rule.Why
		if f.Why != "" {
			why += ": " + f.Why
		}
		v = Verdict{Verdict: rule.Verdict, Rule: rule.Name, Because: "`" + f.Part + "` " + why, UseInstead: rule.Instead, Part: f.Part, Why: why}
	}
	return v
}

// applies reports whether a pattern is about a command: its words are globs for the
// command's first words.
func (h Effective) applies(words []string) bool {
	want := strings.Fields(h.Name)
	if len(want) == 0 || len(want) > len(words) {
		return false
	}
	for i, w := range want {
		if ok, err := path.Match(w, words[i]); err != nil || !ok && w != words[i] && (i > 0 || w != path.Base(words[i])) {
			return false
		}
	}
	return true
}

// Verdicts on a command line, from the mildest to the strictest.
const (
	Allow = "allow"
	Ask   = "ask"  // a person decides; where nobody can be asked, it is denied
	Deny  = "deny" // it does not run
)

// Verdict is what the gate says of a command line.
type Verdict struct {
	Verdict    string `json:"verdict"`    // Allow, Ask or Deny
	Rule       string `json:"rule"`       // the rule that decided; "" for Allow
	Because    string `json:"because"`    // the part of the command that decided, and why; "" for Allow
	UseInstead string `json:"useInstead"` // one safe step; "" for Allow

	Part string `json:"-"` // of Because: the part of the command
	Why  string `json:"-"` // of Because: the reason
}

// Options are what the gate knows of the place in which a line would run. The zero
// Options are a repository in the home folder of somebody.
type Options struct {
	Dir  string // where it runs, absolute; "" for Root
	Root string // the repository's root, absolute; "" for Dir
	Home string // the person's home folder, absolute
	// Ignored reports whether git ignores a path, from the repository's root: what it
	// ignores can be made again. nil: only what is known as a build folder is.
	Ignored func(path string) bool
	// Changed reports whether a file of the repository, by its path from the root, has changes
	// that are not committed, or a file below a folder or of a pattern. nil: none has.
	Changed func(path string) bool
	// Staged reports the same of changes that are only in the index. nil: none has.
	Staged func(path string) bool
	// Exists reports whether a file or folder exists, by its absolute path. nil: none does.
	Exists func(path string) bool
	// Text returns the content of a file by its absolute path, if it is a short text. nil: of none.
	Text func(path string) (text string, ok bool)
	// InState lists governed files and files of plans, from the repository's root, that a file, a folder or
	// a pattern names and that are in one of the states; false if git cannot tell. nil: it cannot.
	InState func(spec string, state State) (files []string, ok bool)
	// Drops reports whether git tracks .idumb and a revision lacks it; "" is a tree without any
	// file. nil: it does of "", and of no revision.
	Drops func(revision string) bool
	// Brings returns the first file that plans or governs and that changes between two revisions, if an agent
	// may not make that change itself; "" if there is none. base is empty for the merge base of theirs and HEAD.
	Brings func(base, theirs string) string
	// Loses reports whether a branch, or the checked out one for "HEAD", has commits that neither another
	// branch nor a tag has, nor the revision to. nil: it may.
	Loses func(branch, to string) bool
	// Rules are the rules as they hold here; nil for the shipped ones.
	Rules *Rules
}

// Finding is one objection to a line.
type Finding struct {
	Rule string
	Part string // the part of the command that the rule is about, resolved
	Why  string // in place of the rule's own reason, if it has to say more
}

// Read reads a command line and interprets it; see Line.Read.
func Read(line string, o Options) Reading {
	l, _ := Parse(line)
	return l.Read(o)
}

// Overwrite says what the gate makes of a tool that writes a file: what it makes of a
// redirection to it. The name is absolute, with its links followed.
func Overwrite(name string, o Options) Verdict {
	m := newMachine(o)
	m.overwrites(name, "", name)
	return m.rules.verdict(m.found)
}

// Stricter returns the stricter of two verdicts; of two that are alike, v.
func (v Verdict) Stricter(than Verdict) Verdict {
	if strictness(than.Verdict) > strictness(v.Verdict) {
		return than
	}
	return v
}

// maxShown is how much of a command a verdict shows, in bytes.
const maxShown = 120

// shortened is a text as a verdict shows it: in one line, bounded.
func shortened(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxShown {
		s = strings.ToValidUTF8(s[:maxShown-3], "") + "..."
	}
	return s
}

// visible writes characters that are not to be seen as their code.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strange(r) == "" {
			b.WriteRune(r)
		} else {
			code := strings.ToUpper(strconv.FormatInt(int64(r), 16))
			b.WriteString("<U+" + strings.Repeat("0", max(0, 4-len(code))) + code + ">")
		}
	}
	return b.String()
}

// shownText writes marks as what they stand for.
func shownText(s string) string {
	if known(s) {
		return s
	}
	return strings.NewReplacer(unknown, "$?", fetched, "$(network)", private, "$(secret)", listed, "$(files)").Replace(s)
}
