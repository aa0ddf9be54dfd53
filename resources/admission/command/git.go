package command

import (
	"path"
	"slices"
	"strings"
)

// gitTakes lists the global git options with a value.
const gitTakes = "-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source"

// GitVerb returns the git command in the words after "git", or "".
func GitVerb(words []string) string {
	o := parseOptions(fieldsOf(words), getopt, gitTakes)
	if len(o.operands) == 0 {
		return ""
	}
	return o.operands[0].text
}

// GitWords returns the words of a git command without its global options.
func GitWords(words []string) []string {
	rest := words[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		if hasWord(gitTakes, rest[0]) && len(rest) > 1 {
			rest = rest[1:]
		}
		rest = rest[1:]
	}
	return append([]string{words[0]}, rest...)
}

// git checks a git command with its global options and aliases.
func (m *interpreter) git(c *invocation) {
	args, settings := c.args, []string(nil)
	defer m.restoreDir(m.dir)
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
		a := args[0].text
		name, value, _ := strings.Cut(a, "=")
		next := args[min(1, len(args)-1)].text
		switch {
		case a == "-c" && len(args) > 1:
			settings = append(settings, next)
		case strings.HasPrefix(a, "-c") && strings.Contains(a, "="):
			settings = append(settings, a[2:])
		case a == "-C" && len(args) > 1:
			m.dir = m.absolute(next)
		case name == "--config-env" && name != a:
			settings = append(settings, m.fromVariable(value))
		case a == "--config-env":
			settings = append(settings, m.fromVariable(next))
		case name == "--exec-path" && name != a:
			m.report("unknown-code", c.part(), "git runs its programs from another folder")
		}
		if hasWord(gitTakes, a) && len(args) > 1 {
			args = args[1:]
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
		if m.gitSetting(name, value, false, c); strings.EqualFold(name, "alias."+verb) {
			m.gitAlias(value, args, c)
			return
		}
	}
	if value, ok := m.aliases["git "+verb]; ok { // defined by the command line itself
		delete(m.aliases, "git "+verb)
		m.gitAlias(value, args, c)
		m.aliases["git "+verb] = value
	} else if !isKnown(verb) {
		m.report("unknown-command", c.part(), "")
	} else {
		m.gitVerb(verb, args, c)
	}
}

// fromVariable returns the setting in NAME=VARIABLE with the value of the variable.
func (m *interpreter) fromVariable(setting string) string {
	name, variable, _ := strings.Cut(setting, "=")
	if v := m.vars[variable]; v != nil && len(v.values) > 0 {
		return name + "=" + v.values[0]
	}
	return name + "=" + unknown
}

// gitAlias runs the command of an alias.
func (m *interpreter) gitAlias(value string, args []field, c *invocation) {
	if script, ok := strings.CutPrefix(value, "!"); ok {
		m.runCode(script+" "+texts(args), "", c.part())
		return
	}
	m.run(append(fieldsOf(strings.Fields("git "+value)), args...), "", false)
}

// gitSetting checks a git setting against the table. Some settings name programs that git
// runs or change its behavior. lasting means that the setting is stored.
func (m *interpreter) gitSetting(name, value string, lasting bool, c *invocation) {
	low := strings.ToLower(name)
	if low == "core.hookspath" {
		m.sets(GitHooks, value, m.part(c.path, c.args))
	}
	if low == "sequence.editor" && !lasting {
		m.setting("GIT_SEQUENCE_EDITOR", &variable{values: []string{value}}, "", true)
		return
	}
	i := slices.IndexFunc(rowsOfSort("setting"), func(r row) bool { return matchesSetting(r.names, low) })
	if i < 0 {
		return
	}
	r := rowsOfSort("setting")[i]
	script, shell := strings.CutPrefix(value, "!")
	program, _, _ := strings.Cut(script, " ")
	switch {
	case r.is("bare") && !shell, hasWord(r.get("spares"), value), value == "" && r.get("rule") == "":
	case r.is("runs") && !hasWord(r.get("spares"), path.Base(program)):
		m.program(script, c.part())
		m.reportIf(lasting, "unknown-code", c.part(), "git runs it from then on")
	case r.is("runs") || r.is("bare"):
		m.runCode(script, "", c.part())
		m.reportIf(lasting && r.is("runs") && shell, "unknown-code", c.part(), "git runs it from then on")
	default:
		m.report(r.get("rule"), c.part(), r.get("why"))
	}
}

// matchesSetting reports whether one of the patterns matches a setting. "*" also matches
// dots and slashes.
func matchesSetting(patterns, name string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(pattern string) bool {
		before, after, wild := strings.Cut(pattern, "*")
		return name == pattern || wild && len(name) >= len(pattern) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
	})
}

// gitVerb checks a git command by its verb, such as push or reset.
func (m *interpreter) gitVerb(verb string, args []field, c *invocation) {
	of := &invocation{name: "git-" + verb, args: args}
	m.breaksRules(of, c.part())
	m.runOptions(of, c.part())
	o := parseOptions(args, getopt, gitTakesOf(verb))
	isProtected := func(f field) bool { return hasWord(protectedBranches, strings.TrimPrefix(f.text, "origin/")) }
	switch verb {
	case "push":
		m.gitPush(o, c)
	case "clean":
		m.gitClean(o, c)
	case "checkout", "switch", "restore":
		m.gitCheckout(verb, o, c)
	case "checkout-index":
		m.gitCheckoutIndex(o, c)
	case "branch":
		if !o.has("-M -C") && (o.has("-D") || o.has("-d --delete") && o.has("-f --force")) {
			rule := "git-discard-some"
			if slices.ContainsFunc(o.operands, isProtected) {
				rule = "git-history"
			}
			m.report(rule, c.part(), "")
		}
	case "config":
		m.gitConfig(args, c)
	case "rm":
		for _, f := range o.operands {
			at, all := m.locate(f.text)
			tree := (o.has("-r") && !looksLikeFile(f.text) || !f.glob && strings.Contains(f.text, "*")) && !o.has("--cached -n --dry-run")
			m.reportIf(tree && (all || at == theRepo || at == inRepo), "recursive-delete", c.part(), spotText(at, f.text))
			if o.has("-f --force") && !o.has("--cached -n --dry-run") {
				m.discards(f, true, false, c)
			}
		}
	case "sparse-checkout":
		m.gitSparse(o, c)
	case "read-tree":
		m.gitReadTree(o, c)
	case "reset":
		if o.has("--keep --merge") {
			m.switchesTo(operand(o, 0, "HEAD"), c)
		} else if to := operand(o, 0, "HEAD"); len(o.operands) == 1 && o.dashes != 0 && to != "HEAD" && !m.isPath(o.operands[0]) {
			m.resetTo = to
		}
	case "gc":
		prune, _ := o.value("--prune")
		m.reportIf(prune == "now" || prune == "all", "git-history", c.part(), "")
	}
	if m.dir != c.dir && !of.readOnly() && verb != "clone" {
		m.leaves(m.dir, c.part())
	}
	switch to, _ := o.value("-o --output"); verb {
	case "clone":
		if len(o.operands) > 1 {
			m.leaves(o.operands[1].text, c.part())
		}
	case "archive", "bundle", "format-patch":
		if to != "" {
			m.leaves(to, c.part())
		}
		if to != "" && verb == "archive" {
			m.writesTo(to, c)
		}
	}
	m.gitRuns(verb, args, c)
	m.gitBrings(verb, args, c)
	m.gitMoves(verb, args, o, c)
	m.gitFiles(verb, args, o, c)
}

// gitReadTree checks commands that replace the index and, with -u, the work tree by a tree. With
// two trees git keeps staged changes, with one it drops them.
func (m *interpreter) gitReadTree(o *parsedOptions, c *invocation) {
	if o.has("-n --dry-run") {
		return
	}
	m.reportIf(o.has("--empty") && m.drops(""), "plan-leaves", c.part(), "")
	if !o.has("-u --reset") || o.has("--index-output --prefix") || len(o.operands) == 0 {
		return
	}
	if len(o.operands) == 1 && m.opts.Staged != nil && m.opts.Staged(".") {
		m.reportInstead("git-discard-some", c.part(), "staged changes are lost", "Keep the changes: `git stash push -u -- . ':!.idumb'`, or ask the user.")
	}
	if to := o.operands[len(o.operands)-1].text; to != "HEAD" {
		m.switchesTo(to, c)
		at := *c
		at.dir = m.dir
		m.file(File{Word: Word{Text: m.opts.Root, Literal: true}, Tree: true}, &at)
	}
}

// gitTakesOf returns the options with a value of a git command.
func gitTakesOf(verb string) string {
	for _, r := range rows("list", "git-"+verb) {
		return r.get("takes")
	}
	return listOf("git")
}

// gitRuns checks settings of a clone, addresses that contain commands, and forced fetches.
func (m *interpreter) gitRuns(verb string, args []field, c *invocation) {
	o := parseOptions(args, getopt, "-u --upload-pack -c --config")
	switch verb {
	case "clone":
		for _, s := range o.values("-c --config") {
			name, value, _ := strings.Cut(s, "=")
			m.gitSetting(name, value, true, c)
		}
		m.gitTransports(o, c)
	case "fetch", "ls-remote":
		if o := parseOptions(args, getopt, listOf("git-pull")); verb == "fetch" {
			m.fetched = append([]field{}, o.operands...)
		}
		for _, f := range o.operands {
			_, to, into := strings.Cut(f.text, ":")
			to = strings.TrimPrefix(to, "refs/heads/")
			if verb == "fetch" && into && !strings.HasPrefix(to, "refs/") && (strings.HasPrefix(f.text, "+") || o.has("-f --force")) {
				if m.movesOther(to, "", c); hasWord(protectedBranches, to) {
					m.movesBranch(to, "", c)
				}
			}
		}
		m.gitTransports(o, c)
	case "grep": // the command can be joined to -O
		for _, f := range args {
			if pager, ok := strings.CutPrefix(f.text, "-O"); ok && pager != "" {
				m.program(pager, c.part())
			}
		}
	}
}

// gitTransports runs the commands in git addresses.
func (m *interpreter) gitTransports(o *parsedOptions, c *invocation) {
	for _, f := range o.operands {
		if script, ok := strings.CutPrefix(f.text, "ext::"); ok {
			m.runCode(strings.ReplaceAll(script, "% ", "\\ "), "", c.part())
		}
	}
}

// gitPush checks the effect of a push on remote branches.
func (m *interpreter) gitPush(o *parsedOptions, c *invocation) {
	if o.has("-n") || literally(c.args, "--dry-run") {
		return
	}
	for _, f := range o.operands {
		m.reportIf(strings.HasPrefix(f.text, "+"), "git-force-push", c.part(), "the + in front of the branch forces it")
		m.reportIf(strings.HasPrefix(f.text, ":") && len(f.text) > 1, "git-delete-remote", c.part(), "the : in front of the branch deletes it")
	}
	m.gitTransports(o, c)
}

// gitClean checks the deletion of untracked files. Ignored files (-X) can be rebuilt.
func (m *interpreter) gitClean(o *parsedOptions, c *invocation) {
	isLost := func(f field) bool { return !m.isAt(f.text, inBuild, inTemp) }
	switch {
	case o.has("-n --dry-run"), o.has("-X") && !o.has("-x"), !o.has("-f --force"), o.has("-i --interactive") && !literally(c.args, "-f --force"):
	case len(o.operands) == 0:
		m.report("git-discard", c.part(), "files that git does not know cannot be restored")
	case slices.ContainsFunc(o.operands, isLost):
		m.report("git-discard", c.part(), "")
	}
}

// looksLikeFolder reports whether a path probably names a folder.
func looksLikeFolder(p string) bool {
	base := path.Base(p)
	return strings.HasSuffix(p, "/") || !strings.Contains(base, ".") && base == strings.ToLower(base) && isKnown(p)
}

// protectedBranches lists common names of shared branches.
const protectedBranches = "main master develop development staging production prod release trunk"

// gitConfig checks changes of git settings.
func (m *interpreter) gitConfig(args []field, c *invocation) {
	o := parseOptions(args, getopt, "-f --file --blob --type --default --value --comment")
	words := o.operands
	for len(words) > 0 && hasWord("set unset add replace-all edit", words[0].text) {
		words = words[1:]
	}
	if len(words) == 0 || o.has("--get --get-all --get-regexp -l --list") || hasWord("get list", args[0].text) {
		return
	}
	name := words[0].text
	file, given := o.value("-f --file")
	if v := m.vars["GIT_CONFIG"]; !given && v != nil && len(v.values) > 0 {
		file = v.values[0]
	}
	if file != "" && (len(words) > 1 || o.has("--unset --unset-all --rename-section --remove-section --replace-all --add") || len(words) < len(o.operands)) {
		at := *c
		at.dir = m.dir
		m.writesTo(file, &at)
	}
	if o.has("--global --system") {
		m.overwrites("~/.gitconfig", "", c.part())
	}
	if len(words) > 1 {
		m.gitSetting(name, words[1].text, true, c)
		if alias, ok := strings.CutPrefix(strings.ToLower(name), "alias."); ok {
			m.aliases["git "+alias] = words[1].text
			m.gitAlias(words[1].text, nil, c)
		}
	} else if unset := o.has("--unset --unset-all") || len(words) < len(o.operands); unset && strings.EqualFold(name, "core.hooksPath") {
		m.sets(GitHooks, "", m.part(c.path, c.args))
		m.report("hooks", c.part(), "")
	}
	m.reportIf(!isKnown(name), "unknown-command", c.part(), "")
}
