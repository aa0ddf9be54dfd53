package command

import (
	"path"
	"slices"
	"strings"
)

// gitTakes are git's own options with a value.
const gitTakes = "-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source"

// git judges a command of git.
func (m *machine) git(c *invocation) {
	args, settings := c.args, []string(nil)
	dir := m.dir
	defer func() { m.dir = dir }()
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
		a := args[0].text
		switch {
		case a == "-c" && len(args) > 1:
			settings = append(settings, args[1].text)
			args = args[1:]
		case strings.HasPrefix(a, "-c") && strings.Contains(a, "="):
			settings = append(settings, a[2:])
		case a == "-C" && len(args) > 1:
			m.dir = m.absolute(args[1].text)
			args = args[1:]
		case strings.HasPrefix(a, "--config-env="):
			settings = append(settings, strings.TrimPrefix(a, "--config-env="))
		case strings.HasPrefix(a, "--exec-path="):
			m.object("unknown-code", c.part(), "git's own programs are looked for elsewhere")
		case hasWord(gitTakes, a):
			args = args[min(1, len(args)-1):]
		}
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	verb, args := args[0].text, args[1:]
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		if verb == "clean" && strings.EqualFold(name, "clean.requireForce") && value != "true" {
			args = append([]field{{text: "-f"}}, args...)
		}
		if m.gitSetting(name, value, c); strings.EqualFold(name, "alias."+verb) {
			m.gitAlias(value, args, c)
			return
		}
	}
	if value, ok := m.aliases["git "+verb]; ok { // the line itself has made it
		delete(m.aliases, "git "+verb)
		m.gitAlias(value, args, c)
		m.aliases["git "+verb] = value
		return
	}
	if !known(verb) {
		m.object("unknown-command", c.part(), "")
		return
	}
	m.gitVerb(verb, args, c)
}

// gitAlias runs what an alias stands for.
func (m *machine) gitAlias(value string, args []field, c *invocation) {
	if script, ok := strings.CutPrefix(value, "!"); ok {
		m.code(script+" "+texts(args), "", c.part())
		return
	}
	m.run(append(wordsOf("git "+value), args...), "", false)
}

// gitPrograms are the settings of git that name what it runs.
const gitPrograms = "core.pager core.editor core.sshcommand sequence.editor diff.external core.fsmonitor core.askpass credential.helper gpg.program uploadpack.packobjectshook *.textconv *.command *.cmd *.driver filter.* pager.*"

// gitSetting judges a setting of git: some say what git runs.
func (m *machine) gitSetting(name, value string, c *invocation) {
	low := strings.ToLower(name)
	section, _, _ := strings.Cut(low, ".")
	switch {
	case low == "core.hookspath":
		m.sets(GitHooks, value, m.part(c.path, c.args))
		m.object("hooks", c.part(), "")
	case strings.HasPrefix(low, "alias."):
		if script, ok := strings.CutPrefix(value, "!"); ok {
			m.code(script, "", c.part())
		}
	case hasWord(gitPrograms, low), hasWord(gitPrograms, "*"+path.Ext(low)), hasWord(gitPrograms, section+".*"):
		if script := strings.TrimPrefix(value, "!"); !hasWord("true false", script) && script != "" {
			m.code(script, "", c.part())
		}
	case low == "protocol.ext.allow" && value == "always":
		m.object("unknown-code", c.part(), "addresses may then run commands")
	}
}

// gitVerb judges one command of git.
func (m *machine) gitVerb(verb string, args []field, c *invocation) {
	m.breaksRules(&invocation{name: "git-" + verb, args: args}, c.part())
	o := parseOptions(args, gitTakesOf(verb))
	switch verb {
	case "push":
		m.gitPush(o, c)
	case "clean":
		m.gitClean(o, c)
	case "checkout", "switch", "restore", "checkout-index":
		m.gitCheckout(verb, o, c)
	case "branch":
		m.gitBranch(o, c)
	case "config":
		m.gitConfig(args, c)
	case "rm":
		m.gitRemoves(o, c)
	case "remote":
		m.objectIf(len(o.operands) > 1 && hasWord("remove rm", o.operands[0].text), "remote-change", c.part(), "")
	case "gc":
		if prune, _ := o.value("--prune"); prune == "now" || prune == "all" {
			m.object("git-history", c.part(), "")
		}
	}
	m.gitRuns(verb, args, c)
	m.gitFiles(verb, args, c)
}

// gitTakesOf are the options with a value of one of git's commands.
func gitTakesOf(verb string) string {
	for _, r := range rows("list", "git-"+verb) {
		return r.get("takes")
	}
	return listOf("git")
}

// gitRemoves judges git rm.
func (m *machine) gitRemoves(o *parsedOptions, c *invocation) {
	if o.has("--cached -n --dry-run") || !o.has("-r") {
		return
	}
	for _, f := range o.operands {
		if at, all := m.locate(f.text); all || at == theRepo || o.has("-f --force") && at == inRepo {
			m.object("recursive-delete", c.part(), "")
		}
	}
}

// gitRuns reads commands of others that git is told to run.
func (m *machine) gitRuns(verb string, args []field, c *invocation) {
	o := parseOptions(args, "-x --exec --upload-pack -u --receive-pack --extcmd --open-files-in-pager --index-filter --tree-filter --msg-filter --env-filter --commit-filter -m --message -c --config --textconv")
	names := "--exec --upload-pack --receive-pack --extcmd --index-filter --tree-filter --msg-filter --env-filter --commit-filter"
	switch verb {
	case "rebase", "difftool":
		names += " -x"
	case "clone", "ls-remote", "fetch":
		if verb == "clone" {
			names += " -u"
			for _, s := range append(o.values("-c"), o.values("--config")...) {
				name, value, _ := strings.Cut(s, "=")
				m.gitSetting(name, value, c)
			}
		}
		for _, f := range o.operands {
			if _, to, into := strings.Cut(f.text, ":"); verb == "fetch" && into && strings.HasPrefix(f.text, "+") && hasWord(protectedBranches, strings.TrimPrefix(to, "refs/heads/")) {
				m.object("git-discard-some", c.part(), "the + in front of it moves a branch of this repository")
			}
			m.gitTransport(f, c)
		}
	}
	for _, script := range o.values(names) {
		m.code(script, "", c.part())
	}
}

// gitTransport runs the command that an address of git's may be.
func (m *machine) gitTransport(f field, c *invocation) {
	if script, ok := strings.CutPrefix(f.text, "ext::"); ok {
		m.code(strings.ReplaceAll(script, "% ", "\\ "), "", c.part())
	}
}

// gitPush judges what a push does to the remote.
func (m *machine) gitPush(o *parsedOptions, c *invocation) {
	if o.has("-n") || literally(c.args, "--dry-run") {
		return
	}
	for _, f := range o.operands {
		switch {
		case strings.HasPrefix(f.text, "+"):
			m.object("git-force-push", c.part(), "the + in front of the branch forces it")
		case strings.HasPrefix(f.text, ":") && len(f.text) > 1:
			m.object("git-delete-remote", c.part(), "the : in front of the branch deletes it")
		}
		m.gitTransport(f, c)
	}
}

// gitClean judges the removal of files that git does not know.
func (m *machine) gitClean(o *parsedOptions, c *invocation) {
	if o.has("-n --dry-run") || !o.has("-f --force") || o.has("-i --interactive") && !literally(c.args, "-f --force") {
		return
	}
	switch {
	case len(o.operands) == 0:
		m.object("git-discard", c.part(), "files that git does not know cannot be restored")
	case !allMatch(o.operands, m.isMadeAgain):
		m.object("git-discard", c.part(), "")
	}
}

// gitCheckout judges the commands that put files of a commit in place of changed ones.
func (m *machine) gitCheckout(verb string, o *parsedOptions, c *invocation) {
	switch {
	case verb == "restore" && o.has("-S --staged") && !o.has("-W --worktree"):
		return
	case verb == "checkout-index":
		m.objectIf(o.has("-f --force") && o.has("-a --all"), "git-discard", c.part(), "")
		return
	case o.has("-f --force --discard-changes") && verb != "restore":
		m.object("git-discard", c.part(), "")
		return
	case verb == "switch":
		return
	}
	for i, f := range o.operands {
		if verb == "checkout" && i == 0 && o.dashes != 0 && f.text != "." && f.text != "*" && f.text != ":/" && !strings.HasPrefix(f.text, "./") && f.text != "./" {
			continue // a branch, or a file by its name
		}
		at, all := m.locate(f.text)
		if all || at == theRepo || strings.HasPrefix(f.text, ":/") || strings.HasPrefix(f.text, ":(") || f.text == "*" {
			m.object("git-discard", c.part(), "")
			return
		}
		if at == inRepo && looksLikeFolder(f.text) {
			m.object("git-discard", c.part(), "all changes below "+f.text)
			return
		}
	}
}

// looksLikeFolder reports whether a path is in all likelihood that of a folder.
func looksLikeFolder(p string) bool {
	base := path.Base(p)
	return strings.HasSuffix(p, "/") || !strings.Contains(base, ".") && base == strings.ToLower(base) && known(p)
}

// protectedBranches are branches that others rely on.
const protectedBranches = "main master develop development staging production prod release trunk"

// gitBranch judges the deletion of branches.
func (m *machine) gitBranch(o *parsedOptions, c *invocation) {
	switch {
	case o.has("-M -C"), !o.has("-D") && !(o.has("-d --delete") && o.has("-f --force")):
	case slices.ContainsFunc(o.operands, func(f field) bool { return hasWord(protectedBranches, strings.TrimPrefix(f.text, "origin/")) }):
		m.object("git-history", c.part(), "")
	default:
		m.object("git-discard-some", c.part(), "")
	}
}

// gitConfig judges changes of git's settings.
func (m *machine) gitConfig(args []field, c *invocation) {
	o := parseOptions(args, "-f --file --blob --type --default --value --comment")
	words := o.operands
	for len(words) > 0 && hasWord("set unset add replace-all edit", words[0].text) {
		words = words[1:]
	}
	if len(words) == 0 || o.has("--get --get-all --get-regexp -l --list") || args[0].text == "get" || args[0].text == "list" {
		return
	}
	name := words[0].text
	switch {
	case len(words) > 1:
		m.gitSetting(name, words[1].text, c)
		if alias, ok := strings.CutPrefix(strings.ToLower(name), "alias."); ok {
			m.aliases["git "+alias] = words[1].text
		}
	case o.has("--unset --unset-all") || len(words) < len(o.operands):
		if strings.EqualFold(name, "core.hooksPath") {
			m.sets(GitHooks, "", m.part(c.path, c.args))
			m.object("hooks", c.part(), "")
		}
	}
	m.objectIf(!known(name), "unknown-command", c.part(), "")
}

// gitFiles keeps what a command of git does to files, from the folder on that it is told to
// run in.
func (m *machine) gitFiles(verb string, args []field, c *invocation) {
	at := *c
	at.dir = m.dir
	if verb == "apply" {
		if o := parseOptions(args, "--directory"); !o.has("--check --stat --numstat --summary --cached") {
			m.unpacked(o.files("--directory"), &at)
		}
	}
	for _, row := range rows("file", "git-"+verb) {
		o := parseOptions(args, row.get("takes"))
		if o.has(row.get("spares")) && !o.has("-W --worktree") || len(o.operands) > 0 && hasWord(row.get("spares"), o.operands[0].text) {
			return
		}
		files := o.operands
		if verb == "stash" {
			files = nil
		}
		for _, f := range files {
			m.file(File{Word: f.word(), Tree: true, Unsure: row.is("unsure") && o.dashes < 0 || f.text == "HEAD"}, &at)
		}
		if len(files) == 0 && o.has(row.get("whole")) {
			m.file(File{Word: field{text: "."}.word(), Tree: true, Unsure: true}, &at)
		}
	}
}
