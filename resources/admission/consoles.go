package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission/command"
)

// consoleRow describes when programs offer a shell or read commands from the terminal.
type consoleRow struct {
	names string
	words string // only with one of these words; "" means always
	// unless lists options that prevent it. A trailing "*" matches any suffix.
	unless      string
	takes       string // name of the options with a value in the command table
	maxOperands int    // maximum number of operands; -1 means any number
	opens       bool   // opens the terminal directly, so redirected input has no effect, but an output pipe does
}

// consoles is the table of these programs. Shells and interpreters without a script are
// detected separately.
var consoles = [...]consoleRow{
	{names: "tmux screen", unless: "-d ls list-sessions list-panes list-windows capture-pane capturep has-session has kill-session kill-server display-message show-options send-keys send -X -dmLS -ls -list -dm -dmS -wipe", maxOperands: -1},
	{names: "dtach abduco zellij byobu expect rlwrap nnn ranger lf mutt", unless: "-h -v", maxOperands: -1},
	{names: "mc", unless: "alias ls tree find stat cat head pipe cp mirror mv rm mb rb du diff share admin version", maxOperands: -1},
	{names: "script ed ex vi vim nvim view nano pico emacs micro hx kak joe w3m lynx links", unless: "-c -sc -batch --batch -es -Es -s -h -dump -source --eval --script --daemon --headless", maxOperands: -1},
	{names: "less more most man info perldoc", unless: "-w -k -K -f --apropos --whatis --where --path -t -T", maxOperands: -1, opens: true},
	{names: "gdb lldb pdb dlv", unless: "-batch --batch -b version", maxOperands: -1},
	{names: "ghci", unless: "-e* --version --interactive-print", maxOperands: -1},
	{names: "irb pry sbt iex erl jshell scala sbcl clisp julia octave gnuplot maxima gp sage R ipython bpython ptpython lua swift sqlplus isql dc bc", unless: "-e* -c* -b* -eval --eval -noshell -noinput -f --file -p --print -q -v -h", maxOperands: 0},
	{names: "ftp sftp telnet", unless: "-b", maxOperands: -1},
	{names: "sqlite3 duckdb litecli", unless: "-cmd -c -f -s -init", maxOperands: 1},
	{names: "psql pgcli", unless: "-c* -f* -l --command* --file* --list", maxOperands: -1},
	{names: "mysql mariadb mongosh mongo cqlsh", unless: "-e* --execute* --eval* -f --file*", maxOperands: -1},
	{names: "ssh mosh", unless: "-N -f -T -G -V -Q", takes: "ssh", maxOperands: 1},
	{names: "su newgrp", unless: "-c --command* -h", maxOperands: -1},
	{names: "chroot unshare nsenter", maxOperands: 1},
	{names: "sudo doas", words: "-i -s --login --shell", maxOperands: 0},
	{names: "perl", words: "-d -de -de0 -de1 -dE", maxOperands: -1},
	{names: "python python3", words: "-i pdb", maxOperands: -1},
	{names: "node bun deno", words: "-i --interactive inspect debug repl", maxOperands: -1},
	{names: "poetry pipenv hatch", words: "shell", maxOperands: -1},
	{names: "nix-shell", unless: "--run --command", maxOperands: -1},
	{names: "nix", words: "develop shell repl", unless: "-c --command", maxOperands: -1},
	{names: "rails", words: "console c dbconsole db", unless: "-h", maxOperands: -1},
	{names: "iex", words: "-S", maxOperands: -1},
	{names: "clojure clj", words: "-r --repl -M:repl", maxOperands: -1},
	{names: "tig lazygit gitui lazydocker k9s vifm", unless: "-h -v version info", maxOperands: -1},
	{names: "redis-cli valkey-cli keydb-cli", unless: "-x --eval --pipe --scan --bigkeys --memkeys --hotkeys --latency --stat --rdb", takes: "redis", maxOperands: 0},
	{names: "python python3 manage.py flask", words: "shell shell_plus dbshell", unless: "-c* --command*", maxOperands: -1},
	{names: "php artisan", words: "tinker", unless: "--execute*", maxOperands: -1},
	{names: "cabal stack lein sbt mix", words: "repl ghci console", maxOperands: -1},
	{names: "docker podman nerdctl kubectl oc", words: "-it -ti --tty", takes: "docker", maxOperands: 2}, // the inner command is a separate run
	{names: "docker podman nerdctl kubectl oc", words: "attach", maxOperands: -1},
	{names: "php", words: "-a --interactive", maxOperands: -1},
	{names: "make gmake ninja", words: "menuconfig nconfig config oldconfig", maxOperands: -1},
	{names: "crontab", words: "-e", maxOperands: -1},
	{names: "systemctl", words: "edit", maxOperands: -1},
	{names: "visudo vipw", maxOperands: -1},
}

// terminalPagers lists the variables that set the pager of programs.
var terminalPagers = [...]string{"PAGER", "MANPAGER"}

// isConsole reports whether a command offers a shell or reads commands from its terminal.
func isConsole(r command.Run, sets []command.Setting) bool {
	if waits(r) {
		return true
	}
	words := r.Args[min(1, len(r.Args)):]
	has := func(list string) bool {
		return slices.ContainsFunc(strings.Fields(list), func(wanted string) bool {
			prefix, any := strings.CutSuffix(wanted, "*")
			return slices.ContainsFunc(words, func(w command.Word) bool { return w.Text == wanted || any && strings.HasPrefix(w.Text, prefix) })
		})
	}
	if r.Name() == "git" {
		return !r.Reads && opensEditor(r, has)
	}
	if has("--help --version -V") {
		return false
	}
	for _, row := range consoles {
		if !slices.Contains(strings.Fields(row.names), r.Name()) || r.Reads && !row.opens {
			continue
		}
		if row.opens && slices.ContainsFunc(sets, func(s command.Setting) bool { return slices.Contains(terminalPagers[:], s.Name) && s.Value == "cat" }) {
			continue
		}
		if row.opens && r.Piped {
			continue
		}
		if (row.words == "" || has(row.words)) && !has(row.unless) && !r.HasOption(letters(row.unless)) && (row.maxOperands < 0 || len(r.Operands(row.values())) <= row.maxOperands) {
			return true
		}
	}
	return false
}

// values returns the relevant options of the program with a value.
func (row consoleRow) values() string {
	if row.takes == "" {
		return ""
	}
	return command.Takes(row.takes)
}

// letters returns the letters of options with a value that can end a bundle.
func letters(options string) string {
	var all []string
	for option := range strings.FieldsSeq(options) {
		if letter, valued := strings.CutSuffix(option, "*"); valued && len(letter) == 2 {
			all = append(all, letter)
		}
	}
	return strings.Join(all, " ")
}

// opensEditor reports whether git opens an editor or prompts for the changes to use.
func opensEditor(r command.Run, has func(list string) bool) bool {
	operands := r.Operands("-C -c --git-dir --work-tree")
	if len(operands) == 0 {
		return false
	}
	switch operands[0].Text {
	case "commit":
		return !has("-m* -am* -F* -C* --message* --file* --no-edit --reuse-message* --fixup* --dry-run -h") && !slices.ContainsFunc(r.Args, bundlesMessage)
	case "rebase":
		return has("-i --interactive --edit-todo")
	case "add", "checkout", "restore", "reset", "stash":
		return has("-p --patch -i --interactive") && !has("show list")
	case "config":
		return has("-e --edit")
	case "help":
		return !r.Piped && !has("-a --all -g --guides -c --config")
	}
	return false
}

// bundlesMessage reports whether a word is a bundle of options that ends with the message
// option, like -sm.
func bundlesMessage(w command.Word) bool {
	options, dashed := strings.CutPrefix(w.Text, "-")
	return dashed && !strings.HasPrefix(options, "-") && strings.HasSuffix(options, "m")
}

// insteadOfConsole returns an equivalent step without a terminal.
func insteadOfConsole(r command.Run) string {
	switch r.Name() {
	case "less", "more", "most":
		return "Print the file: `cat FILE`."
	case "man", "info", "perldoc":
		return "Print it without a pager: `PAGER=cat " + r.Part + "`."
	case "git":
		return "Pass the text in the command instead of an editor: `git commit -m MESSAGE`, or name the files."
	}
	return "Pass its input in the command, as `" + r.Name() + " ... </dev/null` or by a pipe, or run each command separately."
}
