package command

import (
	"path"
	"slices"
	"strings"
)

// pathspec resolves a pathspec of git to an absolute path or pattern. exclude is true for a pathspec
// that excludes files. ok is false if the word is unknown before the line runs.
func (m *interpreter) pathspec(f field) (spec string, exclude, ok bool) {
	text, top := f.text, false
	if magic, rest, found := strings.Cut(text, ")"); found && strings.HasPrefix(text, ":(") {
		for word := range strings.SplitSeq(magic[2:], ",") {
			exclude, top = exclude || word == "exclude", top || word == "top"
		}
		text = rest
	} else if strings.HasPrefix(text, ":") {
		rest := strings.TrimLeft(text[1:], "/!^")
		marks, _, _ := strings.Cut(text[1:], rest)
		exclude, top = strings.ContainsAny(marks, "!^"), strings.Contains(marks, "/")
		text = strings.TrimPrefix(rest, ":")
	}
	if !isKnown(text) {
		return "", exclude, false
	}
	if top {
		return path.Join(m.opts.Root, text), exclude, true
	}
	if text == "" {
		text = "."
	}
	return m.absolute(text), exclude, true
}

// fromRoot converts an absolute path to one relative to the repository root. It returns
// false for paths outside.
func (m *interpreter) fromRoot(abs string) (string, bool) {
	if abs == m.opts.Root {
		return ".", true
	}
	rest, inside := strings.CutPrefix(abs, m.opts.Root+"/")
	return rest, inside
}

// drops reports whether checking out a revision removes .idumb from the work tree.
func (m *interpreter) drops(revision string) bool {
	if m.opts.Drops == nil {
		return revision == ""
	}
	return isKnown(revision) && m.opts.Drops(revision)
}

// switchesTo checks that the work tree may change to a revision: .idumb stays, and no file that
// plans or governs becomes an older one. Git itself keeps uncommitted changes.
func (m *interpreter) switchesTo(revision string, c *invocation) {
	if m.drops(revision) {
		m.report("plan-leaves", c.part(), "")
	} else if revision == "FETCH_HEAD" && m.fetched != nil {
		m.pulls(m.fetched, c)
	} else if m.opts.SetsBack != nil && isKnown(revision) {
		if file := m.opts.SetsBack(revision); file != "" {
			m.report("plan-leaves", c.part(), "replaces "+file+" by another version")
		}
	}
}

// gitCheckout checks commands that overwrite changed files with committed ones.
func (m *interpreter) gitCheckout(verb string, o *parsedOptions, c *invocation) {
	if verb == "restore" && o.has("-S --staged") && !o.has("-W --worktree") {
		return
	}
	m.reportIf(verb == "switch" && o.has("--orphan") && m.drops(""), "plan-leaves", c.part(), "")
	if verb != "restore" && o.has("-f --force --discard-changes") {
		m.report("git-discard", c.part(), "")
		return
	}
	if o.has("-p --patch") && c.piped && c.stdin != "" {
		m.reportInstead("git-discard-some", c.part(), "its questions are answered unseen", nameFiles)
	}
	if o.has("--pathspec-from-file") || len(o.operands) == 0 && o.dashes >= 0 {
		m.discardsUnknown(c)
	}
	if moved, forced := o.value("-B -C --force-create"); forced && verb != "restore" {
		m.movesBranch(moved, operand(o, 0, "HEAD"), c)
	}
	if verb == "switch" || o.has("-b -B --orphan -t --track -d --detach") && verb == "checkout" {
		if at := len(o.operands) - 1; at >= 0 && !o.has("--orphan") {
			m.switchesTo(o.operands[at].text, c)
		}
		return
	}
	revision := verb == "restore" && o.has("-S --staged")
	for i, f := range o.operands {
		if verb == "checkout" && i == 0 && o.dashes != 0 && (o.dashes > 0 || !m.isPath(f)) {
			if len(o.operands) == 1 {
				m.switchesTo(f.text, c)
			}
			revision = true
			continue
		}
		if m.discards(f, revision, verb == "restore" || o.dashes >= 0, c) {
			return
		}
	}
}

// operand returns the operand at an index, or a default value.
func operand(o *parsedOptions, at int, otherwise string) string {
	if at < len(o.operands) {
		return o.operands[at].text
	}
	return otherwise
}

// movesBranch checks a command that moves a branch to another commit. Commits that are in
// no other branch or tag are lost.
func (m *interpreter) movesBranch(branch, to string, c *invocation) {
	why := "commits that only " + branch + " has are lost"
	if hasWord(protectedBranches, branch) {
		why = "it moves a branch that other users rely on"
	} else if isKnown(branch) && m.opts.Loses != nil && !m.opts.Loses(branch, strings.Trim(to, marks)) {
		return
	}
	m.report("git-discard-some", c.part(), why)
}

// gitMoves reports git branch, reset --keep, rebase and worktree add -B if they move a branch or HEAD so that commits
// are lost.
func (m *interpreter) gitMoves(verb string, args []field, o *parsedOptions, c *invocation) {
	switch verb {
	case "branch":
		switch o := parseOptions(args, getopt, "-u --set-upstream-to --format --sort"); {
		case o.has("-d -D --delete"), len(o.operands) == 0:
		case o.has("-M -C") || o.has("-m --move -c --copy") && o.has("-f --force"): // overwrites the branch with the new name
			last := len(o.operands) - 1
			m.movesOther(o.operands[last].text, operand(&parsedOptions{operands: o.operands[:last]}, 0, "HEAD"), c)
		case o.has("-f --force"):
			m.movesBranch(o.operands[0].text, operand(o, 1, "HEAD"), c)
		}
	case "reset":
		if o.has("--keep") {
			m.movesOther("HEAD", operand(o, 0, "HEAD"), c)
		}
	case "rebase": // without own commits
		o := parseOptions(args, getopt, "--onto -s --strategy -X --strategy-option -x --exec")
		if to, given := o.value("--onto"); given && len(o.operands) > 0 {
			if branch := operand(o, 1, "HEAD"); o.operands[0].text == branch || hasWord("HEAD @", o.operands[0].text) {
				m.movesOther(branch, to, c)
			}
		}
	case "worktree":
		o := parseOptions(args, getopt, "-b -B --reason")
		if moved, forced := o.value("-B"); forced && operand(o, 0, "") == "add" {
			m.movesBranch(moved, operand(o, 2, "HEAD"), c)
		}
	}
}

// movesOther checks whether a command loses commits by moving a branch. Unlike movesBranch it does
// not check whether the branch is protected.
func (m *interpreter) movesOther(branch, to string, c *invocation) {
	if m.opts.Loses != nil && isKnown(branch) && m.opts.Loses(branch, strings.Trim(to, marks)) {
		m.report("git-discard-some", c.part(), "commits that only "+branch+" has are lost")
	}
}

// isPath reports whether a word that could be a branch or a file is a file. Branch names
// contain no pattern characters, and git rejects ambiguous words.
func (m *interpreter) isPath(f field) bool {
	switch {
	case hasWord(". .. * :/", f.text), hasAnyPrefix(f.text, "./", "../", ":(", ":/", ":!"), strings.ContainsAny(f.text, "*?["):
		return true
	case !isKnown(f.text):
		return strings.Contains(f.text, listed)
	}
	return m.opts.Exists != nil && m.opts.Exists(m.absolute(f.text))
}

// nameFiles is the alternative to a command whose files are unknown.
const nameFiles = "Name the files in the command."

// discardsUnknown reports a command that restores unknown files from git.
func (m *interpreter) discardsUnknown(c *invocation) {
	m.reportInstead("git-discard-some", c.part(), "which files is only known when it runs", nameFiles)
}

// discards checks a command that restores files of the work tree from git.
// staged is true if the command also resets the index, sure if the word can
// only be a file. It returns true if no other word can lead to a stricter
// objection.
func (m *interpreter) discards(f field, staged, sure bool, c *invocation) (worst bool) {
	spec, exclude, ok := m.pathspec(f)
	if !ok {
		if sure || strings.Contains(f.text, listed) {
			m.discardsUnknown(c)
		}
		return sure
	}
	at, all := m.locate(spec)
	rel, inside := m.fromRoot(spec)
	all = all || at == theRepo || f.text == "*"
	switch {
	case exclude, !all && at != inRepo:
		return false
	case m.opts.Changed == nil && !all && !looksLikeFolder(f.text):
		return false
	case m.resetTo == "" && m.opts.Changed != nil && inside && !m.opts.Changed(rel) && !(staged && m.opts.Staged != nil && m.opts.Staged(rel)):
		return false
	case all:
		m.report("git-discard", c.part(), "")
		return true
	case looksLikeFolder(f.text):
		m.report("git-discard", c.part(), "all changes below "+f.text)
		return true
	}
	kept := f.text
	if m.dir != c.dir && inside { // the alternative runs without -C
		kept = ":/" + rel
	}
	m.reportInstead("git-discard-some", c.part(), f.text+" has changes that are not committed", "Keep the changes: `git stash push -u -- "+Quoted([]string{kept})+"`, or ask the user.")
	return false
}

// gitCheckoutIndex checks checkout-index. It overwrites changed files only with --force,
// and writes copies with --prefix.
func (m *interpreter) gitCheckoutIndex(o *parsedOptions, c *invocation) {
	prefix, elsewhere := o.value("--prefix")
	switch {
	case o.has("-n --no-create"):
	case elsewhere && o.has("-a --all --stdin"):
		m.fills(field{text: prefix}, c)
	case elsewhere:
		for _, f := range o.operands {
			m.file(File{Word: field{text: prefix + f.text}.word()}, c)
		}
	case !o.has("-f --force"):
	case o.has("-a --all"):
		m.discards(field{text: "."}, false, true, c)
	case o.has("--stdin"):
		m.discardsUnknown(c)
	default:
		for _, f := range o.operands {
			m.discards(f, false, true, c)
		}
	}
}

// gitSparse checks which files a sparse checkout excludes from the work tree.
func (m *interpreter) gitSparse(o *parsedOptions, c *invocation) {
	if len(o.operands) == 0 || !hasWord("set init", o.operands[0].text) || !m.drops("") {
		return
	}
	keeps := false
	for _, f := range append(slices.Clone(o.operands[1:]), fieldsOf(strings.Fields(c.stdin))...) {
		pattern, left := strings.CutPrefix(f.text, "!")
		if strings.HasPrefix(strings.Trim(pattern, "/"), ".idumb") {
			keeps = !left
		}
	}
	m.reportIf(!keeps, "plan-sparse", c.part(), "")
}

// gitFiles records the files that a command of git touches, relative to the directory of -C.
func (m *interpreter) gitFiles(verb string, args []field, o *parsedOptions, c *invocation) {
	at := *c
	at.dir = m.dir
	switch verb {
	case "apply", "am":
		m.gitApplies(verb, args, &at)
	case "stash":
		m.gitStashes(args, &at)
	case "clean":
		m.gitCleans(o, &at)
	case "update-index":
		m.gitIndexes(args, &at)
	case "merge-file":
		if len(o.operands) > 0 && !o.has("-p --stdout") {
			m.file(File{Word: o.operands[0].word()}, &at)
		}
	case "clone", "submodule", "subtree", "worktree", "bundle", "lfs", "format-patch":
		m.gitAdds(verb, args, &at)
	}
	for _, row := range rows("file", "git-"+verb) {
		o := parseOptions(args, getopt, row.get("takes"))
		if o.has(row.get("spares")) && !o.has("-W --worktree") {
			return
		}
		for i, f := range o.operands {
			if verb == "checkout" && i < o.dashes { // a revision
				continue
			}
			w := f.word()
			if spec, _, ok := m.pathspec(f); ok && strings.HasPrefix(f.text, ":") {
				w = field{text: spec, glob: f.glob}.word()
			}
			if w.Literal && strings.ContainsAny(w.Text, "*?[") { // expanded by git
				w = Word{Text: w.Text, Pattern: w.Text}
			}
			if strings.ContainsAny(f.text, "*?[") && !f.glob {
				if spec, _, ok := m.pathspec(f); ok {
					if rel, inside := m.fromRoot(spec); inside {
						m.file(File{Word: Word{Text: m.opts.Root, Literal: true}, Tree: true, Unsure: true, Patterns: []string{"/" + rel}}, &at)
					}
				}
			}
			unsure := row.is("unsure") && o.dashes < 0 && (i == 0 || !m.isPath(f)) || f.text == "HEAD" || o.has("--cached") && !m.inPlan(f)
			ofRevision := i > 0 && o.dashes < 0 && o.operands[0].text != "HEAD" && !m.isPath(o.operands[0])
			if !unsure && hasWord("checkout restore", verb) && o.dashes <= 0 && !(verb == "checkout" && ofRevision) && !o.has("-s --source -S --staged") && m.isAsInIndex(f) {
				continue
			}
			m.file(File{Word: w, Tree: true, Unsure: unsure}, &at)
		}
	}
}

// gitAdds records the new files of commands that bring files or other repositories into the
// work tree.
func (m *interpreter) gitAdds(verb string, args []field, c *invocation) {
	o := parseOptions(args, getopt, "-b --branch -o --origin -c --config --depth --reference --template -u --upload-pack -j --jobs --filter --separate-git-dir --name -P --prefix -m --message")
	rest := o.operands
	if verb != "clone" && verb != "format-patch" {
		rest = rest[min(1, len(rest)):]
	}
	does := operand(o, 0, "")
	switch {
	case verb == "format-patch" && !o.has("-o --output-directory --stdout"):
		m.touch("0001-.patch", c)
	case verb == "bundle" && does == "create" && len(rest) > 0:
		m.file(File{Word: rest[0].word()}, c)
	case verb == "worktree" && does == "add" && len(rest) > 0:
		m.file(File{Word: rest[0].word(), Unsure: true}, c)
	case verb == "lfs" && hasWord("track untrack", does) && len(rest) > 0:
		m.touch(".gitattributes", c)
	case verb == "subtree" && hasWord("add pull merge", does):
		for _, f := range o.files("-P --prefix") {
			m.file(File{Word: f.word(), Into: []string{"unpacked"}}, c)
		}
	case verb == "clone" || verb == "submodule" && does == "add":
		if verb == "submodule" {
			m.touch(".gitmodules", c)
		}
		if len(rest) == 1 {
			m.touch(strings.TrimSuffix(path.Base(rest[0].text), ".git"), c)
		} else if len(rest) > 1 {
			m.file(File{Word: rest[1].word()}, c)
		}
	}
}

// isAsInIndex reports whether a file equals its version in the index, so that restoring it
// changes nothing.
func (m *interpreter) isAsInIndex(f field) bool {
	spec, _, ok := m.pathspec(f)
	rel, inside := m.fromRoot(spec)
	return ok && inside && m.opts.Changed != nil && !m.opts.Changed(rel)
}

// inPlan reports whether a word names a path below .idumb.
func (m *interpreter) inPlan(f field) bool {
	spec, _, ok := m.pathspec(f)
	rel, inside := m.fromRoot(spec)
	return ok && inside && strings.HasPrefix(rel+"/", ".idumb/")
}

// selection returns the pathspecs that select files and those that exclude files, as absolute
// paths or patterns.
func (m *interpreter) selection(specs []field) (named, except []string) {
	for _, f := range specs {
		spec, exclude, ok := m.pathspec(f)
		switch {
		case !ok:
			named = append(named, m.opts.Root)
		case exclude:
			except = append(except, spec)
		default:
			named = append(named, spec)
		}
	}
	if len(named) == 0 {
		named = []string{m.opts.Root}
		if len(specs) > 0 { // pathspecs that only exclude apply below the current directory
			named[0] = m.dir
		}
	}
	return named, except
}

// isBelow reports whether a file, given from the repository root, is one of some absolute paths or below one.
func (m *interpreter) isBelow(paths []string, file string) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return isWithin(p, m.opts.Root+"/"+file) })
}

// selected checks a command that removes files in a state, limited to the pathspecs
// if there are any.
func (m *interpreter) selected(specs []field, state State, c *invocation) {
	named, except := m.selection(specs)
	isLeftOut := func(file string) bool { return m.isBelow(except, file) }
	for _, spec := range named {
		if m.opts.InState != nil {
			if files, ok := m.opts.InState(spec, state); ok {
				if files = slices.DeleteFunc(files, isLeftOut); len(files) > 0 {
					m.report("plan-edits", c.part(), files[0])
				}
				continue
			}
		}
		if state != Modified && len(except) == 0 {
			m.file(File{Word: Word{Text: spec, Literal: true}, Tree: true, Unsure: true}, c)
		}
	}
}

// gitStashes checks the files that git stash removes from the work tree.
func (m *interpreter) gitStashes(args []field, c *invocation) {
	o := parseOptions(args, getopt, "-m --message --pathspec-from-file")
	specs := o.operands
	if len(specs) > 0 && o.dashes != 0 {
		verb := specs[0].text
		if specs = specs[1:]; verb == "save" {
			specs = nil
		} else if verb != "push" {
			return
		}
	}
	state := Modified
	if o.has("-u --include-untracked") {
		state |= Untracked
	}
	if o.has("-a --all") {
		state |= Untracked | Ignored
	}
	if name, ok := o.value("--pathspec-from-file"); ok {
		specs = fieldsOf(strings.Split(strings.TrimSpace(m.content(name, c)), "\n"))
	}
	m.selected(specs, state, c)
	if m.resetTo != "" && m.opts.SetsBack != nil { // the line moved HEAD: the difference is stashed as well
		named, except := m.selection(specs)
		if file := m.opts.SetsBack(m.resetTo); file != "" && m.isBelow(named, file) && !m.isBelow(except, file) {
			m.report("plan-edits", c.part(), file)
		}
	}
}

// gitCleans checks the files that git clean deletes.
func (m *interpreter) gitCleans(o *parsedOptions, c *invocation) {
	if o.has("-n --dry-run") || !o.has("-f --force") {
		return
	}
	state := Untracked
	if o.has("-x") {
		state |= Ignored
	} else if o.has("-X") {
		state = Ignored
	}
	specs := slices.Clone(o.operands)
	for _, name := range o.values("-e --exclude") {
		specs = append(specs, field{text: ":!" + name})
	}
	m.selected(specs, state, c)
}

// gitIndexes records the files that update-index removes from the index or replaces in it.
func (m *interpreter) gitIndexes(args []field, c *invocation) {
	o := parseOptions(args, getopt, "--cacheinfo --chmod --index-version")
	if !o.has("--remove --force-remove --cacheinfo --index-info --skip-worktree --assume-unchanged") && !(o.has("--stdin") && !o.has("--refresh")) {
		return
	}
	names := slices.Clone(o.operands)
	for _, info := range o.values("--cacheinfo") {
		names = append(names, field{text: info[strings.LastIndexByte(info, ',')+1:]})
	}
	if o.has("--stdin --index-info") {
		if !isKnown(c.stdin) {
			m.lists = append(m.lists, listUse{text: c.part()})
		}
		for line := range strings.FieldsFuncSeq(c.stdin, func(r rune) bool { return r == '\n' || r == 0 }) {
			names = append(names, field{text: line[strings.LastIndexByte(line, '\t')+1:]})
		}
	}
	for _, f := range names {
		m.file(File{Word: f.word(), Tree: true, Unsure: !m.inPlan(f)}, c)
	}
}

// content returns the content of a file that a command reads; for "-" its input.
func (m *interpreter) content(name string, c *invocation) string {
	if name == "-" || hasWord("/dev/stdin /dev/fd/0 /proc/self/fd/0", name) {
		if c.piped {
			return c.stdin
		}
		return unknown
	}
	return m.contentOf(name)
}
