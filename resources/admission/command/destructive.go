package command

import (
	"path"
	"slices"
	"strings"
)

// removes checks the files and folders that rm or a similar command deletes.
func (m *interpreter) removes(c *invocation, o *parsedOptions) {
	if o.has("--help --version") {
		return
	}
	powershell := c.name == "remove-item" || c.name == "ri"
	tree := o.has("-r -R --recursive --dir") || hasWord("srm trash trash-put rimraf del-cli", c.name) || literally(c.args, "/s /S /q /Q") ||
		powershell && (literally(c.args, "-r -Force") || strings.Contains(strings.ToLower(texts(c.args)), "-rec"))
	targets := o.operands
	if powershell {
		targets = slices.DeleteFunc(slices.Clone(c.args), func(f field) bool { return strings.HasPrefix(f.text, "-") })
	}
	for _, f := range targets {
		if c.name != "del" || len(f.text) != 2 || f.text[0] != '/' {
			m.removed(f, tree, c.name == "shred", c.part())
		}
	}
}

// removed checks the deletion of a file or, with tree, of a folder.
func (m *interpreter) removed(f field, tree, overwrites bool, part string) {
	at, all := m.locate(f.text)
	if tree && isTempRoot(m.absolute(f.text)) && f.text != "" {
		m.report("recursive-delete", part, "it contains files of other programs")
		return
	}
	if f.text == "" || at == inBuild || at == inTemp {
		return
	}
	switch {
	case at == aDevice && overwrites:
		m.report("disk-overwrite", part, "")
	case strings.Contains(f.text, listed) && (at == somewhere || at == inRepo || at == outsideWord):
		m.report("delete-unknown", part, "whatever is found is deleted")
	case !isKnown(f.text) && at == somewhere:
		m.reportIf(tree, "delete-unknown", part, "")
	case at == gitFolder && strings.HasSuffix(f.text, ".lock"):
	case at == gitFolder:
		m.report("git-history", part, "it is a file of git")
	case tree && !looksLikeFile(f.text):
		m.report("recursive-delete", part, spotText(at, f.text))
	case all && (at != inRepo || f.text == "*"):
		m.report("delete-all", part, "")
	case at == inRepo:
		if overwrites {
			m.reportInstead("git-discard-some", part, "the overwritten file cannot be restored", "Write to a new file, or ask the user.")
		}
	case at == inHome || at == outsideWord:
		m.leaves(f.text, part)
	default:
		m.report("system-path", part, "")
	}
}

// sources lists file extensions that folders do not have.
const sources = " .go .md .txt .json .js .mjs .cjs .ts .tsx .jsx .py .log .sh .yaml .yml .html .css .scss .rs .c .h .cc .cpp .hpp .java .kt .rb .php .sql .csv .xml .toml .lock .png .jpg .jpeg .gif .svg .pdf .zip .gz .tgz .tar .tmp .bak .exe .dll .swift .lua .ini .cfg .conf .mdx .vue .svelte .ipynb .xz .bz2 .deb .rpm .jar .war .wasm .map .snap .patch .diff .pid .sock .out "

// looksLikeFile reports whether a path probably names a single file. Options for folders do
// not increase the damage then.
func looksLikeFile(p string) bool {
	base := path.Base(p)
	ext := path.Ext(base)
	return ext != "" && ext != base && !strings.ContainsAny(p, "*?["+marks) && strings.Contains(sources, " "+ext+" ") &&
		!strings.HasPrefix(p, "/etc") && !strings.HasPrefix(p, "/usr")
}

// spotText describes the damage at a location.
func spotText(at spot, p string) string {
	switch at {
	case theRoot:
		return p + " is all of the machine"
	case aHome:
		return p + " is a home folder"
	case inSystem, aDevice:
		return p + " belongs to the operating system"
	case theRepo:
		return p + " is the repository, or a folder above it"
	case inRepo:
		return p + " is not a registered build folder and is not ignored by git"
	}
	return p + " is outside the repository"
}

// systemFiles lists system files that must not be written. Writing other system files needs
// approval.
var systemFiles = [...]string{"/etc/passwd", "/etc/shadow", "/etc/group", "/etc/gshadow", "/etc/sudoers", "/etc/ssh", "/etc/cron", "/etc/ld.so", "/etc/pam.d", "/etc/hosts", "/etc/resolv.conf", "/etc/profile", "/etc/bash", "/etc/zsh", "/etc/environment", "/etc/systemd", "/etc/init", "/etc/rc", "/etc/fstab", "/etc/security", "/etc/selinux", "/etc/apt", "/etc/kubernetes", "/boot", "/bin", "/sbin", "/lib", "/usr/bin", "/usr/sbin", "/usr/lib", "/proc", "/sys", "/var/spool/cron", "/var/log", "/System", "/Library/Launch", "/root"}

// startup lists files in a home folder that are executed automatically or grant access.
var startup = [...]string{".bash", ".profile", ".zsh", ".zprofile", ".zlog", ".config/fish/config.fish", ".config/autostart/", ".config/systemd/", "Library/LaunchAgents/", ".ssh/", ".gitconfig", ".config/git/", ".npmrc", ".netrc", ".pypirc", ".aws/", ".kube/", ".gnupg/", ".vimrc", ".tmux.conf", ".inputrc", ".xinitrc", ".pam_environment", ".config/nvim/"}

// agentFiles lists files in a home folder that instruct the user's later agents or make them
// run commands.
var agentFiles = [...]string{".claude/skills/", ".claude/agents/", ".claude/commands/", ".agents/skills/", ".config/opencode/agent", ".config/opencode/command", ".config/opencode/skill"}

// overwrites checks a write to a file.
func (m *interpreter) overwrites(name, content, part string) {
	name = m.behindLink(name)
	if hasAnyPrefix(name, "/dev/fd/", "/dev/tcp/") || name != "" && strings.Trim(name, marks) == "" {
		return
	}
	at, _ := m.locate(name)
	abs, file := m.absolute(name), m.startsUp(name)
	switch {
	case at == inHome && hasAnyPrefix(strings.TrimPrefix(abs, m.opts.Home+"/"), agentFiles[:]...):
		m.report("agent-file", part, "")
	case at == aDevice:
		m.report("disk-overwrite", part, name+" is a disk or the system's memory")
	case at == gitFolder && strings.Contains(abs+"/", "/.git/hooks/"):
		m.report("hooks", part, "")
	case at == gitFolder && !strings.HasSuffix(abs, "/info/exclude") && !strings.HasSuffix(abs, "COMMIT_EDITMSG"):
		m.report("git-history", part, "it is a file of git")
	case at != theRoot && at != inSystem && (at != inHome || file == ""), strings.HasPrefix(abs, "/dev/"):
	case at == inHome && (strings.HasPrefix(file, ".ssh") || strings.Contains(content, fetched)):
		m.report("system-path", part, "it gives other users access")
	case at == inHome && file == "bin":
		m.report("system-change", part, "the shell finds programs there by name")
	case at == inHome:
		m.report("startup-file", part, "")
	case hasAnyPrefix(abs, systemFiles[:]...):
		m.report("system-path", part, "")
	default:
		m.report("system-change", part, "")
	}
}

// leaves checks changes of a path outside the repository and the temp folder, like
// deleting, emptying, unpacking, cloning, moving and git commands. They need approval
// unless a stricter rule applies. Writing a single file is allowed unless overwrites
// objects, because users keep notes and plans of agents there.
func (m *interpreter) leaves(name, part string) {
	m.reportIf(m.isAt(name, outsideWord, inHome, aHome, inSystem, theRoot), "system-change", part, "")
}

// startsUp returns the entry of startup that matches a file in the home folder,
// "bin" for a file in a folder of programs there, or "".
func (m *interpreter) startsUp(name string) string {
	rel := strings.TrimPrefix(m.absolute(name), m.opts.Home+"/") + "/"
	if strings.Contains("/"+rel, "/bin/") && m.isAt(name, inHome) {
		return "bin"
	}
	if i := slices.IndexFunc(startup[:], func(file string) bool { return strings.HasPrefix(rel, file) }); i >= 0 {
		return startup[i]
	}
	return ""
}

// moves checks mv, cp and similar commands.
func (m *interpreter) moves(c *invocation, o *parsedOptions) {
	to, words, ok := destination(c, o)
	if !ok {
		words, to = nil, field{text: texts(o.operands)}
	}
	target := to.text
	switch c.name {
	case "mv", "gmv":
		m.movesAway(words, target, c)
	case "scp", "rsync":
		m.syncs(c, o, words, target)
		return
	}
	if target != "" {
		m.overwrites(target, unknown, c.part())
		if len(words) > 0 && words[0].text == "/dev/null" {
			for _, f := range append(words[1:], to) {
				m.empties(f.text, c.part())
			}
		}
		if c.name != "ln" && o.has("-r -R -a --recursive --archive") {
			m.leaves(target, c.part())
		}
		if len(words) == 1 {
			m.copied(words[0].text, target)
		}
		if o.has("-s --symbolic --symbolic-link") {
			m.linksTo(words, target)
		}
	}
}

// movesAway checks the files that mv removes from their old place.
func (m *interpreter) movesAway(words []field, target string, c *invocation) {
	for _, f := range words {
		at, all := m.locate(f.text)
		switch {
		case target == "/dev/null" && at != inTemp && at != inBuild:
			m.report("recursive-delete", c.part(), "a file that is moved to /dev/null is lost")
		case at == theRoot || at == aHome || at == theRepo && !all || at == inSystem && !isWithin("/var/tmp", f.text):
			m.report("system-path", c.part(), spotText(at, f.text))
		case at == gitFolder:
			m.report("git-history", c.part(), "")
		case at == inHome && m.startsUp(f.text) != "":
			m.report("system-path", c.part(), "")
		case (at == inRepo || strings.Contains(f.text, listed)) && (target == ".." || m.isAt(target, inTemp, outsideWord, inHome, aHome, inSystem)):
			m.report("system-change", c.part(), "it takes work out of the repository")
		default:
			m.leaves(f.text, c.part())
		}
	}
}

// linksTo records created links. The target may be the name of the link or the folder that
// contains it.
func (m *interpreter) linksTo(words []field, target string) {
	if m.links == nil {
		m.links = map[string]string{}
	}
	for _, f := range words {
		at := m.unlinked(target)
		to := f.text
		if !hasAnyPrefix(to, "/", "~/") && to != "~" {
			to = path.Dir(at) + "/" + to
		}
		if to = m.unlinked(to); isKnown(to) && isKnown(at) && len(m.links) < maxFields {
			if len(words) == 1 && !strings.HasSuffix(target, "/") && target != "." {
				m.links[at] = to
			}
			m.links[path.Join(at, path.Base(to))] = to
		}
	}
}

// copied records for a copy the known content of the file, or the program of a
// system folder that it is.
func (m *interpreter) copied(from, to string) {
	if !isKnown(to) {
		return
	}
	at := m.absolute(from)
	if inSystemBin(at) {
		m.programs[m.absolute(to)] = path.Base(from)
	}
	text, ok := m.files[at]
	if !ok && isKnown(from) && m.opts.Text != nil && !m.isSecret(from) {
		text, ok = m.opts.Text(at)
		text = withoutMarks(text)
	}
	if !ok && isKnown(from) && m.isSecret(from) {
		text, ok = private, true
	}
	if ok {
		m.files[m.absolute(to)], m.files[m.absolute(to+"/"+path.Base(from))] = text, text
	}
}

// syncs checks deletions and uploads of rsync and scp.
func (m *interpreter) syncs(c *invocation, o *parsedOptions, words []field, target string) {
	remote := isRemote(target)
	for _, f := range words {
		folder := o.has("-r -R -a --recursive --archive") && m.opts.Exists != nil && m.opts.Exists(m.absolute(f.text+"/.env"))
		m.reportIf(remote && (folder || m.holdsSecret(f.text)), "secret-upload", c.part(), "")
	}
	switch {
	case o.has("-n --dry-run"):
		return
	case o.has("--delete --delete-before --delete-after --delete-during --delete-excluded --delete-delay --del"):
		empties := remote || !m.isAt(target, inTemp, inBuild, outsideWord) || literally(words, "/dev/null empty empty/ /tmp/empty/ /tmp/empty")
		m.reportIf(empties, "recursive-delete", c.part(), "it deletes files that the source does not have")
		return
	case o.has("--remove-source-files"):
		m.removesAll(words, c)
	}
	if !remote && target != "" {
		m.overwrites(target, unknown, c.part())
		if o.has("-r -a --recursive --archive") {
			m.leaves(target, c.part())
		}
	}
}

// permits checks chmod, chown and similar commands.
func (m *interpreter) permits(c *invocation, o *parsedOptions) {
	words := o.operands
	if len(words) == 0 {
		return
	}
	mode := words[0].text
	if c.name != "setfacl" && !o.has("--reference") {
		words = words[1:]
	}
	owner, _, _ := strings.Cut(mode, ":")
	tree, open, chmod := o.has("-R --recursive"), isOpen(mode), c.name == "chmod"
	lends := strings.Contains(mode, "s") && hasAnyPrefix(mode, "u+", "+s", "g+") || len(mode) == 4 && mode[0] >= '2' && mode[0] <= '7'
	for _, f := range words {
		at, _ := m.locate(f.text)
		system := at == theRoot || at == inSystem || at == aHome || at == aDevice
		switch {
		case chmod && lends:
			m.report("permissions", c.part(), "each user who runs it gets its owner's rights")
		case tree && (system || open && at != inBuild && at != inTemp), at == inHome && open && m.isSecret(f.text):
			m.report("permissions", c.part(), "")
		case tree && c.name == "chown" && at == theRepo && hasWord("nobody root daemon www-data", owner):
			m.report("permissions", c.part(), "the repository then belongs to another user")
		case system && (open || !chmod), at == inSystem && !strings.HasPrefix(f.text, "/usr/local"):
			m.report("system-path", c.part(), "")
		case at == somewhere && tree && !isKnown(f.text):
			m.report("unknown-command", c.part(), "")
		}
	}
}

// isOpen reports whether a mode gives write access to everyone, or removes all access.
func isOpen(mode string) bool {
	switch strings.TrimLeft(mode, "0") {
	case "777", "666", "", "776", "767":
		return true
	}
	for clause := range strings.SplitSeq(mode, ",") {
		i := strings.IndexAny(clause, "+=")
		if i >= 0 && strings.Contains(clause[i:], "w") && (clause[:i] == "a" || strings.Contains(clause[:i], "o")) {
			return true
		}
		if who, what, ok := strings.Cut(clause, "-"); ok && (who == "a" || who == "" || who == "u") && strings.Contains(what, "r") {
			return true
		}
	}
	return false
}

// copiesBlocks checks and records what dd writes.
func (m *interpreter) copiesBlocks(c *invocation) {
	for _, target := range c.optionsTaking("").values("of") {
		if target != "" && strings.Trim(target, marks) == "" {
			m.report("unknown-command", c.part(), "its target is unknown")
		} else {
			m.overwrites(target, unknown, c.part())
		}
		if literally(c.args, "if=/dev/null") {
			m.empties(target, c.part())
		}
		if home, below := strings.CutPrefix(target, "~/"); below {
			target = m.opts.Home + "/" + home
		}
		m.touch(target, c)
	}
}

// truncates checks the files that truncate or a similar command empties.
func (m *interpreter) truncates(c *invocation, o *parsedOptions) {
	for _, f := range o.operands {
		m.overwrites(f.text, "", c.part())
		m.leaves(f.text, c.part())
		m.empties(f.text, c.part())
		switch at, all := m.locate(f.text); {
		case at == inBuild || at == inTemp:
		case all:
			m.report("delete-all", c.part(), "")
		case strings.Contains(f.text, listed):
			m.report("delete-unknown", c.part(), "whatever is found is emptied")
		}
	}
}

// vital lists patterns and names of processes that the machine or the agent depends on.
const vital = ". .* init systemd sshd dockerd launchd Xorg gnome-shell bash zsh sh Finder WindowServer loginwindow claude opencode codex"

// ends checks whether kill or a similar command ends all processes or a vital one.
func (m *interpreter) ends(c *invocation) {
	o := c.optionsTaking("-s -n --signal -u -U -g -G -t -P")
	all := false
	switch c.name {
	case "kill", "skill":
		for i, f := range c.args { // -1 before other arguments is a signal
			all = all || f.text == "1" || f.text == "0" && i > 0 || f.text == "-1" && (i > 0 || len(c.args) == 1)
		}
		all = all && !literally(c.args, "-l -L -0")
	case "pkill", "killall":
		user, ok := o.value("-u -U --user --euid")
		isVital := func(f field) bool { return f.text == "" || hasWord(vital, f.text) }
		all = ok && (len(o.operands) == 0 || user == "root") || slices.ContainsFunc(o.operands, isVital)
	}
	m.reportIf(all, "end-processes", c.part(), "")
}

// schedules checks whether crontab installs other scheduled jobs.
func (m *interpreter) schedules(c *invocation) {
	if literally(c.args, "-l") && !literally(c.args, "-") || literally(c.args, "-V") {
		return
	}
	if o := c.optionsTaking("-u"); !o.has("-r") && (len(o.operands) > 0 || c.piped && !o.has("-e")) {
		m.report("schedule", c.part(), "")
	}
}

// makes checks whether touch or mkdir creates something in a system folder.
func (m *interpreter) makes(c *invocation, o *parsedOptions) {
	for _, f := range o.operands {
		m.reportIf(m.isAt(f.text, inSystem), "system-change", c.part(), "")
	}
}
