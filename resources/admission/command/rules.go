package command

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Rule is a row of the rules table.
type Rule struct {
	Name    string // "git-force-push"
	Verdict string // Ask or Deny; Allow is possible in a person's rules
	Why     string // effect of the command, printed after its text: "deletes a folder ..."
	Instead string // one safe alternative
}

// shipped is the table of built-in rules with verdict, reason and alternative. The
// conditions of a rule are implemented in code.
var shipped = [...]Rule{
	{"recursive-delete", Deny, "deletes a folder and its contents, which no build creates again", "Delete only build folders that git ignores, files below the temp folder, or single files of your task with `rm FILE`; leave the rest to the user."},
	{"delete-unknown", Ask, "deletes files that are unknown before it runs", "Write out the files to delete, or delete below `mktemp -d`."},
	{"delete-all", Deny, "deletes every file that it finds", "Name the files, or search for one kind of them with `find . -name '*.tmp' -print` first."},
	{"system-path", Deny, "changes files of the operating system or of the home folder", "Write below the repository or the temp folder; ask the user to write files in other places."},
	{"system-change", Ask, "changes files outside the repository", "Ask the user to do it, or write below the repository or the temp folder."},
	{"agent-file", Ask, "changes what later agents of this user do and run", "Ask the user to write it, or write it in the repository."},
	{"startup-file", Ask, "changes what runs whenever this user logs in or opens a shell", "Ask the user to add the line, or set it for one command: `NAME=value command`."},
	{"disk-overwrite", Deny, "overwrites a disk", "Work on an image file: `dd if=/dev/zero of=disk.img bs=1M count=64`."},
	{"permissions", Deny, "changes the access of all users to a folder and everything below it", "Change the mode of the files that need it: `chmod u+rw FILE`."},
	{"git-force-push", Deny, "overwrites history on the remote, including commits of other users", "Run `git push --force-with-lease`, which fails if the remote has new commits."},
	{"git-delete-remote", Deny, "deletes branches or tags on the remote", "Leave the branch; ask the user to delete it if it is no longer needed."},
	{"git-discard", Deny, "throws away changes that are not committed", "Run `git stash push -u -- . ':!.idumb'` instead: it keeps uncommitted changes and leaves the plans."},
	{"git-discard-some", Ask, "throws away work that no branch keeps", "Keep it: `git branch backup-NAME COMMIT`, or ask the user."},
	{"plan-leaves", Ask, "takes .idumb out of the work tree, and the plan with it", "Open the branch in a separate directory: `git worktree add --detach /tmp/NAME BRANCH`."},
	{"plan-edits", Ask, "discards uncommitted changes of files that plan or govern", "Leave those files out by a pathspec at the end of the command: `-- . ':!PATH'`."},
	{"plan-commits", Ask, "applies commits that change files that plan or govern", "Ask the user to run it, or apply only the commits that change other files."},
	{"plan-sparse", Ask, "leaves .idumb out of the work tree, and the plan with it", "Include it: `git sparse-checkout set .idumb DIR`."},
	{"git-history", Deny, "rewrites or drops history for good", "Make a new commit, or `git revert COMMIT`."},
	{"no-verify", Ask, "leaves out the checks that run before a commit or a push", "Run it without the option, and fix the errors that the checks report."},
	{"sql-drop", Deny, "drops or empties tables or databases", "Write a migration, try it on a copy, or look first: `SELECT count(*) FROM TABLE`."},
	{"sql-unbounded", Deny, "changes every row of a table", "Say which rows, with WHERE, and count them first with SELECT."},
	{"data-flush", Deny, "empties a data store", "Delete single keys or entries by name, in a store for tests."},
	{"network-to-shell", Deny, "runs code from the network that was not reviewed", "Download it to a file, read the file, and ask the user before it is run."},
	{"reverse-shell", Deny, "opens a shell on this machine to the network", "Leave it; tell the user which connection you need."},
	{"secret-upload", Deny, "sends secrets to the network", "Leave secrets on the machine; ask the user to send the needed data."},
	{"fork-bomb", Deny, "starts itself without end", "Start a known number of processes, with `xargs -P 4`."},
	{"publish", Deny, "publishes to all users, which cannot be undone", "Leave publishing to the user or the release pipeline."},
	{"infrastructure", Deny, "destroys infrastructure", "Look with `plan` or `preview` and leave the rest to the user."},
	{"cloud-delete", Deny, "deletes what runs or is stored in a cloud", "Look first with `list` or `describe`, and leave deleting to the user."},
	{"cluster-delete", Deny, "deletes more of a cluster than one object", "Name single objects, with `--dry-run=client` first."},
	{"container-data", Deny, "deletes containers' data", "Remove single containers or images by name, and keep volumes."},
	{"host-access", Ask, "gives a container the rights or the files of the whole machine", "Run it without that option, and mount single folders of the repository: `-v \"$PWD\":/app`."},
	{"remote-delete", Deny, "deletes a repository, a release or an application", "Leave it to the user."},
	{"remote-change", Ask, "changes something that other users share", "Ask the user before it is changed."},
	{"power", Deny, "stops the machine", "Leave the machine running; restart single services."},
	{"end-processes", Deny, "ends processes that the agent did not start", "End single processes by their id: `kill PID`."},
	{"accounts", Deny, "changes accounts or their rights", "Leave it to the user."},
	{"protection", Deny, "switches off what protects the machine, or its traces", "Leave it to the user."},
	{"service", Ask, "stops or changes a service of the machine", "Look with `systemctl status`, and ask the user."},
	{"schedule", Deny, "changes what runs on a schedule", "Leave it to the user: `crontab -l` shows the current schedule."},
	{"remove-packages", Ask, "removes packages from the machine", "Ask the user before packages are removed."},
	{"hooks", Deny, "switches off git's hooks or replaces them", "Leave the hooks unchanged, and fix the errors that they report."},
	{"unknown-command", Ask, "runs a command that is only known when it runs", "Write out the command."},
	{"unknown-files", Ask, "changes files that are only known when it runs", "Name the files in the command."},
	{"unknown-code", Ask, "runs code that is only known when it runs", "Write the code to a file of the repository, or run the single commands."},
	{"hidden-characters", Ask, "contains hidden or misleading characters", "Write the command with plain characters."},
	{"unreadable", Ask, "cannot be read as a shell reads it", "Write it as several short commands."},
}

// Shipped returns the built-in rules in table order.
func Shipped() []Rule { return slices.Clone(shipped[:]) }

// Rules are the effective rules: the built-in ones, changed by the settings of the
// repository and the person.
type Rules struct {
	named    []Effective // built-in rules in table order
	patterns []Effective // command rules, named by their pattern
}

// Source is the origin of a rule.
type Source string

// Sources of rules. A repository can only make rules stricter.
const (
	FromIdumb      Source = "shipped"
	FromRepository Source = "repository" // .idumb/shell.json
	FromPerson     Source = "person"     // shell.json in the settings folder of the person
)

// Effective is an effective rule with the source of its verdict. Rules that a repository or
// person added are named by their command pattern.
type Effective struct {
	Rule
	Source Source
}

// All returns all effective rules: the built-in ones in table order, then the command
// rules. For nil Rules it returns the built-in ones.
func (r *Rules) All() []Effective {
	if r == nil {
		r = shippedRules()
	}
	return slices.Concat(r.named, r.patterns)
}

// Pattern is a rule of a repository or person that matches commands by their first words,
// like the shell rules of roles.
type Pattern struct {
	Match   string // "docker push", "gh * delete"
	Verdict string // Allow, Ask or Deny
	Why     string
	Instead string
}

// RepositoryRule is the rule name of verdicts that were decided by a pattern of a
// repository or person.
const RepositoryRule = "shell.json"

// Change holds the rule settings of a repository or person.
type Change struct {
	Verdicts map[string]string // verdicts of built-in rules, by name
	Patterns []Pattern
}

// NewRules returns the built-in rules with the settings of a repository and a person
// applied. Repositories can only make rules stricter, persons can change them freely.
// Unknown and too lenient settings are ignored.
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

// shippedRules returns the rules without any settings.
var shippedRules = sync.OnceValue(func() *Rules { return NewRules(Change{}, Change{}) })

// add adds the patterns of a source that are at least as strict as required.
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

// strictness returns the rank of a verdict, or -1 if it is unknown.
func strictness(verdict string) int { return slices.Index([]string{Allow, Ask, Deny}, verdict) }

// ofPattern is the prefix of command rule names in findings.
const ofPattern = "pattern:"

// rule returns the rule of a finding by its name.
func (r *Rules) rule(name string) Rule {
	match, custom := strings.CutPrefix(name, ofPattern)
	i := slices.IndexFunc(r.named, func(h Effective) bool { return h.Name == name })
	if custom {
		i = slices.IndexFunc(r.patterns, func(h Effective) bool { return h.Name == match && h.Verdict != Allow })
	}
	switch {
	case i < 0:
		return Rule{Name: name, Verdict: Ask, Why: "matches an unknown rule", Instead: "Ask the user."}
	case custom:
		rule := r.patterns[i].Rule
		rule.Name = RepositoryRule
		return rule
	}
	return r.named[i].Rule
}

// verdict returns the strictest verdict of the findings, the first one if several are
// equal.
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
		v = Verdict{Verdict: rule.Verdict, Rule: rule.Name, Because: "`" + f.Part + "` " + why, UseInstead: cmp.Or(f.Instead, rule.Instead), Part: f.Part, Why: why}
	}
	return v
}

// applies reports whether a pattern matches the first words of a command. Its words are
// globs.
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

// Verdicts on a command line, from lenient to strict.
const (
	Allow = "allow"
	Ask   = "ask"  // needs approval by a person; denied if no person can answer
	Deny  = "deny" // must not run
)

// Verdict is the verdict on a command line.
type Verdict struct {
	Verdict    string `json:"verdict"`    // Allow, Ask or Deny
	Rule       string `json:"rule"`       // name of the deciding rule; empty for Allow
	Because    string `json:"because"`    // deciding part of the command and the reason; empty for Allow
	UseInstead string `json:"useInstead"` // one safe alternative; empty for Allow

	Part string `json:"-"` // part of the command in Because
	Why  string `json:"-"` // reason in Because
}

// Options describe the environment in which a command line would run. The zero value is a
// repository in a home folder.
type Options struct {
	Dir  string // working directory, absolute; empty for Root
	Root string // root of the repository, absolute; empty for Dir
	Home string // home folder of the person, absolute
	// Ignored reports whether git ignores a path, given from the repository root. Ignored
	// files can be rebuilt. If nil, only well-known build folders count.
	Ignored func(path string) bool
	// Changed reports whether a path from the repository root, or a file below it or
	// matching it, has uncommitted changes. nil means none.
	Changed func(path string) bool
	// Staged reports the same for changes that are only in the index. nil means none.
	Staged func(path string) bool
	// Exists reports whether an absolute path exists. nil means none.
	Exists func(path string) bool
	// Text returns the content of a short text file by its absolute path. nil means none.
	Text func(path string) (text string, ok bool)
	// InState returns the governed files and plan files, from the repository root, that
	// match a file, folder or pattern and are in one of the states. ok is false if git
	// cannot determine it, and if InState is nil.
	InState func(spec string, state State) (files []string, ok bool)
	// Drops reports whether git tracks .idumb and a revision does not contain it. "" is an
	// empty tree. If nil, only the empty tree drops it.
	Drops func(revision string) bool
	// SetsBack returns the first file that governs agents and differs between HEAD and a
	// revision, or "". If the revision is no branch, it may also be a plan file with a version
	// that an agent may not write.
	SetsBack func(revision string) string
	// Brings returns the first plan file or governed file that differs between two
	// revisions and that an agent may not change itself, or "" without one. An empty base
	// means the merge base of theirs and HEAD.
	Brings func(base, theirs string) string
	// Loses reports whether a branch, or the checked-out one for "HEAD", has commits that
	// are in no other branch or tag and not in revision to. nil means yes.
	Loses func(branch, to string) bool
	// Rules are the effective rules; nil for the built-in ones.
	Rules *Rules
}

// Finding is an objection to a command line.
type Finding struct {
	Rule string
	Part string // part of the command that matched the rule, resolved
	Why  string // specific reason, added to the reason of the rule
	// Instead is a specific alternative, replaces the alternative of the rule.
	Instead string
}

// Read parses and interprets a command line; see Line.Read.
func Read(line string, o Options) Reading {
	l, _ := Parse(line)
	return l.Read(o)
}

// Overwrite returns the verdict on a tool call that writes a file. It equals the verdict on
// a redirection to that file. The name is absolute, with links resolved.
func Overwrite(name string, o Options) Verdict {
	m := newInterpreter(o)
	m.overwrites(name, "", name)
	return m.rules.verdict(m.findings)
}

// Stricter returns the stricter of two verdicts, v if both are equal.
func (v Verdict) Stricter(than Verdict) Verdict {
	if strictness(than.Verdict) > strictness(v.Verdict) {
		return than
	}
	return v
}

// maxShown is the maximum length of a command in a verdict, in bytes.
const maxShown = 120

// shortened formats a text for a verdict, in one line with limited length.
func shortened(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxShown {
		s = strings.ToValidUTF8(s[:maxShown-3], "") + "..."
	}
	return s
}

// visible replaces invisible characters by their code.
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

// shownText replaces internal marks by readable text.
func shownText(s string) string {
	if isKnown(s) {
		return s
	}
	return strings.NewReplacer(unknown, "$?", fetched, "$(network)", private, "$(secret)", listed, "$(files)").Replace(s)
}
