package hosts

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// gitVerbs lists the commands of git that change files, branches or a remote, as they are named in
// tools.
const gitVerbs = " add am apply bisect branch checkout cherry-pick clean clone commit fetch filter-branch gc merge mv notes pull prune push read-tree rebase reflog remote replace reset restore revert rm sparse-checkout stash submodule switch tag update-index update-ref worktree "

// Arguments of git tools by their plain names. Operands are in the order of a command line.
var (
	gitFolders  = []string{"repopath", "repo", "repository", "repositorypath", "reporoot", "projectpath", "root", "path"}
	gitActions  = []string{"mode", "operation", "action", "subcommand", "verb", "type", "resettype", "resetmode", "method"}
	gitOperands = []string{"url", "remote", "remotename", "branch", "branchname", "branches", "name", "oldname", "tag", "tagname", "target", "commit", "commithash", "commitish", "commits", "hash", "sha", "revision", "ref", "refspec", "stash", "stashref", "upstream", "source", "sourcebranch", "newname", "startpoint", "base", "basebranch", "onto", "worktreepath"}
	gitFiles    = []string{"files", "file", "filepath", "filepaths", "filename", "paths", "pathspec", "pathspecs", "path"}
)

// gitFlags lists the options that words in names of tools and arguments stand for, by command. "*" is any command; the
// first row that fits counts.
var gitFlags = [...][3]string{
	{"branch", "delete remove drop", "--delete"}, {"tag", "delete remove drop", "--delete"}, {"push", "delete remove", "--delete"},
	{"branch", "rename move", "--move"}, {"checkout", "discard discardchanges discardlocal", "--force"}, {"switch", "discard discardchanges discardlocal", "--discard-changes"},
	{"checkout", "create createbranch createnew new", "-b"}, {"switch", "create createbranch createnew new", "-c"}, {"checkout", "newbranch", "-b"},
	{"remote", "delete", "remove"}, {"worktree", "delete", "remove"}, {"stash", "delete remove", "drop"},
	{"clean", "directories", "-d"}, {"clean", "ignored includeignored removeignored all", "-x"},
	{"*", "skiphooks bypasshooks noverify", "--no-verify"}, {"*", "dryrun preview", "--dry-run"}, {"*", "amend", "--amend"}, {"*", "forcewithlease", "--force-with-lease"},
}

// gitSubcommands lists the commands whose actions are words and no options, and gitSubactions
// those words.
const (
	gitSubcommands = " stash remote worktree submodule reflog notes bisect sparse-checkout "
	gitSubactions  = " drop pop apply clear list show push save add remove prune deinit update init expire delete reset start set "
)

// gitLine returns the git command that a tool stands for, by the words of its name and by its
// arguments. The line is empty if it only reads. ok is false for other tools.
func gitLine(tool string, args Object) (line string, ok bool) {
	words := wordsIn(tool)
	at := slices.Index(words, "git")
	for at >= 0 && slices.Contains(words[at+1:], "git") {
		at += 1 + slices.Index(words[at+1:], "git")
	}
	if at >= 0 && (at+1 == len(words) || strings.Contains(" run exec execute command ", " "+words[at+1]+" ")) { // the tool is git itself
		command := AsText(member(args, append([]string{"command", "subcommand"}, gitActions...)))
		command += joinArgument(member(args, wordsArguments), " ")
		return "git " + strings.TrimPrefix(strings.TrimSpace(command), "git "), command != ""
	}
	isReading := at >= 0 && strings.Contains(" log status diff show blame ls ", " "+words[at+1]+" ") || at >= 0 && strings.Contains(" history retrieval search list info ", " "+words[len(words)-1]+" ")
	if isReading {
		return "", true
	}
	verb, rest := gitVerb(words[at+1:])
	has := func(list string) bool {
		return slices.ContainsFunc(rest, func(w string) bool { return strings.Contains(list, " "+w+" ") })
	}
	isUndo := func(w string) bool { return strings.Contains(" discard revert undo restore rollback ", " "+w+" ") }
	isWork := func(w string) bool {
		return strings.Contains(" changes edits file files paths working local ", " "+w+" ")
	}
	switch {
	case slices.Contains(words, "discard") && (slices.ContainsFunc(words, isWork) || member(args, gitFiles) != nil),
		slices.ContainsFunc(words, isUndo) && slices.ContainsFunc(words, isWork) && member(args, gitFiles) != nil:
		verb, rest = "restore", nil
	case at >= 0:
	case verb == "branch" && has(" delete remove ") && member(args, []string{"owner", "project", "projectid", "workspace", "repositoryid"}) != nil:
		verb = "push" // of a remote
	case verb == "checkout" && member(args, gitFiles) != nil && member(args, []string{"owner", "projectid"}) == nil:
	case !has(" delete remove force hard drop discard ") || !strings.Contains(" branch push reset restore stash worktree ", " "+verb+" "):
		return "", false
	}
	return gitCommand(verb, rest, args), verb != ""
}

// gitVerb splits the words of a tool's name into a command of git and the others.
func gitVerb(words []string) (verb string, rest []string) {
	for i := range words {
		for n := min(2, len(words)-i); n > 0; n-- {
			if verb = strings.Join(words[i:i+n], "-"); strings.Contains(gitVerbs, " "+verb+" ") {
				return verb, slices.Concat(words[:i], words[i+n:])
			}
		}
	}
	return "", nil
}

// gitFlag returns the option or action of a command for a plain name.
func gitFlag(verb, name string) string {
	for _, row := range gitFlags {
		if (row[0] == verb || row[0] == "*") && strings.Contains(" "+row[1]+" ", " "+name+" ") {
			return row[2]
		}
	}
	switch {
	case strings.Contains(gitSubcommands, " "+verb+" ") && strings.Contains(gitSubactions, " "+name+" "):
		return name
	case name == "list" || name == "create" || name == verb || name == "branch" || name == "changes":
		return ""
	}
	return "--" + name
}

// gitCommand builds the command line of a git command, with the options that words of the
// tool's name, actions and switches stand for.
func gitCommand(verb string, words []string, args Object) string {
	folder, files, flags := "", "", ""
	named := map[string]string{}
	flag := func(name string) {
		if f := gitFlag(verb, plainKey(name)); f != "" {
			flags += " " + quoteWord(f)
		}
	}
	for _, w := range words {
		if strings.Contains(" delete remove rename force hard soft mixed keep discard ", " "+w+" ") || strings.Contains(gitSubcommands, " "+verb+" ") && strings.Contains(gitSubactions, " "+w+" ") {
			flag(w)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		key, text := plainKey(name), AsText(args[name])
		switch {
		case string(args[name]) == "true" || text == "true":
			flag(name)
		case slices.Contains(gitActions, key) && text != "" && !strings.Contains(text, " "):
			flag(strings.TrimLeft(text, "-"))
		case slices.Contains(gitFolders, key) && text != "" && (path.IsAbs(text) || strings.HasPrefix(text, ".") && !slices.Contains(gitFiles, key) || text == "."):
			folder = " -C " + quoteWord(text)
		case slices.Contains(gitFiles, key):
			files += joinArgument(args[name], " ")
		case key == "message":
			flags += " -m" + joinArgument(args[name], " ")
		case key == "newbranch" && text != "":
			flags += " " + gitFlag("checkout", key) + " " + quoteWord(text)
		case key == "options" || key == "flags" || key == "args":
			flags += joinArgument(args[name], " ")
		default:
			named[key] = joinArgument(args[name], " ")
		}
	}
	operands := ""
	for _, key := range gitOperands {
		operands += named[key]
	}
	if verb == "push" && operands != "" && named["remote"]+named["remotename"]+named["url"] == "" {
		operands = " origin" + operands
	}
	if files == "" && operands == "" && verb == "restore" {
		files = " ."
	}
	if files != "" {
		files = " --" + files
	}
	return "git" + folder + " " + verb + flags + operands + files
}
