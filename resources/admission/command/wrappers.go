package command

import "strings"

// how says how a wrapper is told what to run.
type how int

const (
	argv     how = iota // the words behind its options and operands
	joined              // those words, joined, are read by a shell
	optional            // as argv, if there are any
	dashed              // the words behind "--"
)

// wrapper is a command that runs another.
type wrapper struct {
	name     string
	sub      string // the words that make it one, behind its name ("compose exec")
	takes    string // options with a value
	operands int    // what stands before the command
	how      how
	script   string // options whose value a shell reads, in place of or beside the words
	remote   bool   // it runs elsewhere: paths are not those of this machine
}

const dockerTakes = "-e --env -u --user -w --workdir -v --volume -p --publish --name --network --entrypoint --pid --ipc --userns --device -l --label --mount --platform --env-file -h --hostname --memory -m --cpus --add-host --restart --shm-size --ulimit --cap-add --gpus --index -c --context -H --host -f --file --profile --project-name"

// wrapperTable is the table of commands that run others.
var wrapperTable = [...]wrapper{
	{name: "sudo", takes: "-u -g -h -p -C -r -t -U -D -R -T --user --group --host --prompt --chdir --role --type --chroot", how: argv},
	{name: "doas", takes: "-u -C"}, {name: "pkexec", takes: "--user"}, {name: "run0", takes: "--user"}, {name: "gosu", operands: 1}, {name: "su-exec", operands: 1}, {name: "setpriv", takes: "--reuid --regid --groups"},
	{name: "env", takes: "-u -C --unset --chdir", script: "-S --split-string"}, {name: "genv", takes: "-u -C --unset --chdir", script: "-S --split-string"},
	{name: "nohup"}, {name: "ssh-agent", how: optional, takes: "-a -t -P -E"}, {name: "setsid"}, {name: "nice", takes: "-n --adjustment"}, {name: "ionice", takes: "-c -n -p --class --classdata"}, {name: "chrt", takes: "-T -P -D", operands: 1}, {name: "taskset", operands: 1}, {name: "numactl", takes: "-N -m -C"},
	{name: "timeout", takes: "-s -k --signal --kill-after", operands: 1}, {name: "gtimeout", takes: "-s -k --signal --kill-after", operands: 1}, {name: "time", takes: "-f -o --format --output"}, {name: "gtime", takes: "-f -o"},
	{name: "stdbuf", takes: "-i -o -e --input --output --error"}, {name: "unbuffer"}, {name: "command"}, {name: "builtin"}, {name: "exec", takes: "-a"}, {name: "nocorrect"}, {name: "noglob"},
	{name: "busybox"}, {name: "toybox"}, {name: "chroot", takes: "--userspec --groups", operands: 1}, {name: "unshare"}, {name: "nsenter", takes: "-t --target -S -G"}, {name: "fakeroot"}, {name: "firejail"}, {name: "proot", takes: "-r -b -w"}, {name: "prlimit"}, {name: "cgexec", takes: "-g"}, {name: "linux64"}, {name: "setarch"}, {name: "arch"},
	{name: "flock", takes: "-w -E --timeout --conflict-exit-code", operands: 1, script: "-c --command"}, {name: "script", takes: "-T -I -O -B -E -m", operands: 1, how: optional, script: "-c --command"},
	{name: "su", takes: "-s -g -G -w --shell --group", operands: 9, how: optional, script: "-c --command --session-command"}, {name: "runuser", takes: "-u -g -G -s --user --shell", how: argv, script: "-c --command"}, {name: "sg", operands: 1, script: "-c", how: joined},
	{name: "ssh", takes: "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w", operands: 1, how: joined, remote: true}, {name: "autossh", takes: "-M -i -L -R -o -p", operands: 1, how: joined, remote: true}, {name: "mosh", takes: "-p --ssh", operands: 1, how: joined, remote: true}, {name: "sshpass", takes: "-p -f -d"}, {name: "tsh", sub: "ssh", operands: 1, how: joined, remote: true}, {name: "rsh", operands: 1, how: joined, remote: true}, {name: "pssh", takes: "-h -H -l -i -p", how: joined, remote: true}, {name: "vagrant", sub: "ssh", operands: 9, how: optional, script: "-c --command", remote: true}, {name: "fly", sub: "ssh console", script: "-C --command", operands: 9, how: optional, remote: true}, {name: "flyctl", sub: "ssh console", script: "-C --command", operands: 9, how: optional, remote: true}, {name: "heroku", sub: "run", takes: "-a --app", how: joined, remote: true}, {name: "gcloud", sub: "compute ssh", script: "--command", operands: 9, how: optional, remote: true}, {name: "ansible", takes: "-i -m -u", operands: 9, how: optional, script: "-a --args", remote: true},
	{name: "docker", sub: "exec", takes: dockerTakes, operands: 1, remote: true}, {name: "docker", sub: "run", takes: dockerTakes, operands: 1, how: optional, remote: true}, {name: "docker", sub: "container exec", takes: dockerTakes, operands: 1, remote: true}, {name: "docker", sub: "container run", takes: dockerTakes, operands: 1, how: optional, remote: true}, {name: "docker", sub: "compose exec", takes: dockerTakes, operands: 1, remote: true}, {name: "docker", sub: "compose run", takes: dockerTakes, operands: 1, how: optional, remote: true},
	{name: "docker-compose", sub: "exec", takes: dockerTakes, operands: 1, remote: true}, {name: "docker-compose", sub: "run", takes: dockerTakes, operands: 1, how: optional, remote: true},
	{name: "podman", sub: "exec", takes: dockerTakes, operands: 1, remote: true}, {name: "podman", sub: "run", takes: dockerTakes, operands: 1, how: optional, remote: true}, {name: "nerdctl", sub: "exec", takes: dockerTakes, operands: 1, remote: true}, {name: "nerdctl", sub: "run", takes: dockerTakes, operands: 1, how: optional, remote: true}, {name: "lxc", sub: "exec", operands: 1, remote: true}, {name: "incus", sub: "exec", operands: 1, remote: true}, {name: "distrobox", sub: "enter", operands: 1, how: optional}, {name: "toolbox", sub: "run", takes: "-c"}, {name: "machinectl", sub: "shell", operands: 1, how: optional},
	{name: "kubectl", sub: "exec", takes: "-n --namespace -c --container --context", operands: 1, remote: true}, {name: "kubectl", sub: "run", takes: "-n --namespace --image --context", how: dashed, remote: true}, {name: "oc", sub: "exec", takes: "-n --namespace -c", operands: 1, remote: true}, {name: "oc", sub: "rsh", takes: "-n -c", operands: 1, remote: true}, {name: "k", sub: "exec", takes: "-n -c", operands: 1, remote: true}, {name: "kubectl", sub: "debug", takes: "-n --image", how: dashed, remote: true}, {name: "nomad", sub: "alloc exec", operands: 1, remote: true},
	{name: "watch", takes: "-n --interval", how: joined}, {name: "entr", how: argv, script: "-s"}, {name: "watchexec", takes: "-w -e -f -i -p -d --watch --exts", how: joined}, {name: "nodemon", takes: "-w -e --watch --ext", how: optional, operands: 9, script: "-x --exec"}, {name: "chokidar", operands: 9, how: optional, script: "-c --command"}, {name: "hyperfine", takes: "-w -r -m -M --warmup --runs -n", how: joined, script: "-p --prepare -s --setup -c --cleanup"}, {name: "concurrently", takes: "-n -c --names", how: joined}, {name: "npm-run-all", operands: 9, how: optional},
	{name: "strace", takes: "-e -o -p -s -u -E -P -S -I -b"}, {name: "ltrace", takes: "-e -o -p -s -u"}, {name: "valgrind"}, {name: "perf", sub: "stat", takes: "-e -r -o"}, {name: "perf", sub: "record", takes: "-e -F -o"}, {name: "gdb", sub: "--args"}, {name: "rr", sub: "record"}, {name: "catchsegv"}, {name: "caffeinate", takes: "-t -w"}, {name: "chronic"}, {name: "ts"}, {name: "proxychains", takes: "-f"}, {name: "proxychains4", takes: "-f"}, {name: "torsocks"}, {name: "tsocks"}, {name: "xvfb-run", takes: "-n -s -f"}, {name: "dbus-run-session"}, {name: "systemd-run", takes: "-p -u --unit --property -E --on-calendar --on-active"}, {name: "systemd-inhibit"}, {name: "start-stop-daemon", takes: "-n -p -u -c", how: dashed, script: "--exec -x -a --startas"}, {name: "daemonize", takes: "-p -o -e -c"}, {name: "rlwrap"}, {name: "expect", script: "-c", operands: 9, how: optional}, {name: "dtach", takes: "-n -A -c", operands: 0},
	{name: "direnv", sub: "exec", operands: 1}, {name: "dotenv", takes: "-f -e"}, {name: "asdf", sub: "exec"}, {name: "mise", sub: "exec", how: dashed}, {name: "mise", sub: "x", how: dashed}, {name: "rtx", sub: "exec", how: dashed}, {name: "nix-shell", operands: 9, how: optional, takes: "-p -I", script: "--run --command"}, {name: "nix", sub: "develop", operands: 9, how: optional, script: "-c --command"}, {name: "nix", sub: "shell", operands: 9, how: optional, script: "-c --command"}, {name: "devbox", sub: "run"}, {name: "op", sub: "run", how: dashed}, {name: "doppler", sub: "run", how: dashed, script: "--command"}, {name: "chamber", sub: "exec", how: dashed}, {name: "aws-vault", sub: "exec", how: dashed}, {name: "sops", sub: "exec-env", operands: 1, how: joined}, {name: "infisical", sub: "run", how: dashed},
	{name: "poetry", sub: "run"}, {name: "uv", sub: "run", takes: "--with -p --python --extra --group --project --directory"}, {name: "uvx", takes: "--from --with -p"}, {name: "pipenv", sub: "run"}, {name: "pdm", sub: "run"}, {name: "rye", sub: "run"}, {name: "hatch", sub: "run"}, {name: "pipx", sub: "run", takes: "--spec"}, {name: "conda", sub: "run", takes: "-n -p --name --prefix"}, {name: "mamba", sub: "run", takes: "-n -p"}, {name: "micromamba", sub: "run", takes: "-n -p"}, {name: "bundle", sub: "exec"}, {name: "rbenv", sub: "exec"}, {name: "pyenv", sub: "exec"}, {name: "nodenv", sub: "exec"}, {name: "volta", sub: "run", takes: "--node --npm"}, {name: "fnm", sub: "exec", takes: "--using"}, {name: "nvm", sub: "exec", operands: 1}, {name: "nvm", sub: "run", operands: 1, how: optional},
	{name: "npx", takes: "-p --package -w --workspace --registry", script: "-c --call"}, {name: "pnpx"}, {name: "bunx"}, {name: "pnpm", sub: "exec", takes: "-C --filter -F"}, {name: "pnpm", sub: "dlx", takes: "--package"}, {name: "yarn", sub: "exec"}, {name: "yarn", sub: "dlx", takes: "-p --package"}, {name: "npm", sub: "exec", takes: "-p --package -w --workspace --registry --prefix", script: "-c --call"}, {name: "npm", sub: "x", takes: "-p --package -w --workspace --registry --prefix", script: "-c --call"}, {name: "cross-env"}, {name: "env-cmd", takes: "-f -e"}, {name: "dotenvx", sub: "run", how: dashed}, {name: "lerna", sub: "exec", how: dashed}, {name: "turbo", sub: "exec", how: dashed},
	{name: "tmux", sub: "new-session", takes: "-s -n -c -t -x -y -e", how: joined}, {name: "tmux", sub: "new", takes: "-s -n -c -t", how: joined}, {name: "tmux", sub: "new-window", takes: "-n -c -t", how: joined}, {name: "tmux", sub: "split-window", takes: "-c -t -l -p", how: joined}, {name: "tmux", sub: "send-keys", takes: "-t", how: joined}, {name: "tmux", sub: "run-shell", how: joined}, {name: "tmux", sub: "send", takes: "-t", how: joined}, {name: "screen", takes: "-S -c -T -t -p", how: optional}, {name: "zellij", sub: "run", how: dashed}, {name: "wsl", takes: "-d -u --distribution", how: optional}, {name: "cmd", how: joined}, {name: "xterm", operands: 9, how: optional, script: "-e"}, {name: "gnome-terminal", how: dashed},
	{name: "git", sub: "bisect run"}, {name: "git", sub: "submodule foreach", how: joined}, {name: "git", sub: "for-each-repo", operands: 9, how: optional}, {name: "repo", sub: "forall", operands: 9, how: optional, script: "-c"}, {name: "parallel-ssh", takes: "-h -H", how: joined, remote: true}, {name: "act", sub: "x"}, {name: "cargo", sub: "watch", operands: 9, how: optional, script: "-s --shell"},
}

// wrapped runs what a command runs; done is false if it is none that does.
func (m *machine) wrapped(c *invocation) (out string, done bool) {
	switch {
	case isShell(c.name):
		return m.shell(c), true
	case c.name == "xargs" || c.name == "parallel":
		return m.xargs(c), true
	case c.name == "find" || c.name == "fd" || c.name == "fdfind" || c.name == "gfind":
		return m.find(c), true
	case c.name == "at" || c.name == "batch":
		m.code(c.stdin, "", c.part())
		return "", true
	}
	for i := range wrapperTable {
		if w := &wrapperTable[i]; w.name == c.name && w.leads(c.args) {
			return m.unwrap(w, c)
		}
	}
	return "", false
}

// leads reports whether a wrapper's own words come first among the operands.
func (w *wrapper) leads(args []field) bool {
	if w.sub == "" {
		return true
	}
	_, ok := w.behind(args)
	return ok
}

// behind returns what stands behind a wrapper's own words.
func (w *wrapper) behind(args []field) ([]field, bool) {
	sub := w.sub
	for i := 0; i < len(args) && sub != ""; i++ {
		a := args[i].text
		next, rest, _ := strings.Cut(sub, " ")
		switch {
		case a == next:
			if sub = rest; sub == "" {
				return args[i+1:], true
			}
		case strings.HasPrefix(a, "-"):
			if hasWord(w.takes, a) || hasWord("-n -C --context --namespace -f -H -p -c -L --profile --project", a) {
				i++
			}
		default:
			return nil, false
		}
	}
	return args, sub == ""
}

// unwrap runs what a wrapper runs.
func (m *machine) unwrap(w *wrapper, c *invocation) (out string, done bool) {
	m.inTable(c)
	args, _ := w.behind(c.args)
	scripts, rest, dashes := w.sort(m, c, args)
	if c.name == "command" && len(args) > 0 && (args[0].text == "-v" || args[0].text == "-V") {
		if len(rest) > 0 {
			return "/usr/bin/" + rest[0].text + "\n", true
		}
		return "", true
	}
	if c.name == "ssh" || c.name == "autossh" {
		m.connects(c)
	}
	if w.remote {
		m.mounts(c)
		leave := m.elsewhere()
		defer leave()
	}
	if (c.name == "docker" || c.name == "podman") && strings.HasSuffix(w.sub, "run") {
		if entry, ok := parseOptions(args, dockerTakes).value("--entrypoint"); ok && entry != "" {
			rest = append([]field{{text: entry}}, rest...)
		}
	}
	for _, s := range scripts {
		out += m.code(s, c.stdin, c.part())
	}
	switch {
	case w.how == dashed && !dashes:
		return unknown, len(scripts) > 0
	case len(rest) == 0:
		if w.remote && len(scripts) == 0 && c.piped { // a shell on the other side reads it
			if c.name == "ssh" {
				out += m.code(c.stdin, "", c.part())
			}
		}
		if c.name == "sudo" || c.name == "su" || c.name == "chroot" || c.name == "unshare" {
			if c.piped && len(scripts) == 0 {
				out += m.code(c.stdin, "", c.part())
			}
		}
		if c.name == "env" { // it shows all variables, with the secrets in them
			return private, true
		}
		return out + unknown, len(scripts) > 0 || w.how != optional || c.piped
	case w.how == joined && !(c.name == "watch" && literally(args, "-x --exec")):
		for _, f := range rest {
			if c.name == "concurrently" || c.name == "hyperfine" {
				out += m.code(f.text, c.stdin, c.part())
			}
		}
		if out == "" {
			out = m.code(texts(rest), c.stdin, c.part())
		}
		return out, true
	}
	return out + m.run(rest, c.stdin, c.piped), true
}

// sort takes a wrapper's words apart: texts that a shell reads, and the command.
func (w *wrapper) sort(m *machine, c *invocation, args []field) (scripts []string, rest []field, dashes bool) {
	operands := w.operands
	for i := 0; i < len(args); i++ {
		a := args[i].text
		name, value, joinedValue := strings.Cut(a, "=")
		switch {
		case a == "--":
			if w.how == dashed || operands == 0 {
				return scripts, args[i+1:], true
			}
			if operands < 9 && w.how != joined && i+1+operands <= len(args) && c.name != "kubectl" && c.name != "oc" {
				return scripts, args[min(len(args), i+1+operands):], true
			}
			if c.name == "kubectl" || c.name == "oc" || operands == 9 {
				return scripts, args[i+1:], true
			}
		case hasWord(w.script, a) && i+1 < len(args):
			i++
			scripts = append(scripts, args[i].text)
			if c.name == "env" && i+1 < len(args) { // -S: the first words of the command
				for _, word := range strings.Fields(args[i].text) {
					rest = append(rest, field{text: word})
				}
				return nil, append(rest, args[i+1:]...), false
			}
		case joinedValue && hasWord(w.script, name):
			scripts = append(scripts, value)
		case len(a) > 2 && a[0] == '-' && a[1] != '-' && hasWord(w.script, a[:2]):
			scripts = append(scripts, a[2:])
		case len(a) > 2 && a[0] == '-' && a[1] != '-' && hasWord(w.script, "-"+a[len(a)-1:]) && strings.Trim(a[1:], "abcdefghijklmnopqrstuvwxyz") == "" && i+1 < len(args): // script -qc CODE
			i++
			scripts = append(scripts, args[i].text)
		case a == "-" && c.name == "su":
		case len(a) > 1 && a[0] == '-':
			if hasWord(w.takes, a) || len(a) > 2 && a[1] != '-' && hasWord(w.takes, "-"+a[len(a)-1:]) && w.name != "env" && strings.Trim(a[1:], "abcdefghijklmnopqrstuvwxyzAS") == "" {
				i++
			}
			if c.name == "cmd" { // cmd /c
				continue
			}
		case isAssignment(a) && operands == 0 && (w.name == "env" || w.name == "genv" || w.name == "sudo" || w.name == "cross-env" || w.name == "doas"):
			m.declare(args[i:i+1], m.part(c.path, c.args[:len(c.args)-len(args)+i])+" ")
		case c.name == "cmd" && len(a) == 2 && a[0] == '/':
		case operands > 0:
			if operands--; operands == 0 && w.how != joined && w.name != "kubectl" && w.name != "oc" && w.name != "k" && w.name != "script" {
				if i+1 < len(args) && hasWord(w.script, args[i+1].text) { // flock FILE -c CODE
					continue
				}
				if i+1 < len(args) && args[i+1].text == "--" {
					i++
				}
				return scripts, args[i+1:], false
			}
		case w.how == dashed:
		default:
			return scripts, args[i:], false
		}
	}
	return scripts, nil, false
}

// elsewhere stands for another machine: its folders are not this one's.
func (m *machine) elsewhere() (leave func()) {
	dir, opts, files := m.dir, m.opts, m.files
	m.files = map[string]string{}
	m.opts.Root, m.opts.Ignored = "/elsewhere/project", nil
	m.dir = m.opts.Root
	return func() { m.dir, m.opts, m.files = dir, opts, files }
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash", "csh", "tcsh", "yash", "elvish", "xonsh", "nu":
		return true
	}
	return false
}

// shell runs a shell: on a text, a file, or what it reads.
func (m *machine) shell(c *invocation) string {
	args := c.args
	for len(args) > 0 {
		a := args[0].text
		switch {
		case a == "-c", len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(a, "c") && known(a):
			rest := args[1:]
			for len(rest) > 0 && len(rest[0].text) > 1 && (rest[0].text[0] == '-' || rest[0].text[0] == '+') {
				rest = rest[1:]
			}
			if len(rest) == 0 {
				return unknown
			}
			out := ""
			before := m.dir
			zero := m.zero
			if len(rest) > 1 {
				m.zero = rest[1].text
			}
			m.withArgs(rest[min(2, len(rest)):], func() { out = m.code(rest[0].text, c.stdin, c.part()) })
			m.dir, m.zero = before, zero
			return out
		case a == "-s" || a == "-":
			out, rest := "", args[1:]
			if len(rest) > 0 && rest[0].text == "--" {
				rest = rest[1:]
			}
			m.withArgs(rest, func() { out = m.code(c.stdin, "", c.part()) })
			return out
		case (a == "--rcfile" || a == "--init-file") && len(args) > 1:
			if text, ok := m.files[m.absolute(args[1].text)]; ok {
				m.code(text, "", c.part())
			}
			args = args[2:]
		case a == "-o" || a == "+o" || a == "-O" || a == "--rcfile" || a == "--init-file":
			args = args[min(2, len(args)):]
		case a == "--version" || a == "--help" || a == "-n":
			return unknown
		case len(a) > 0 && (a[0] == '-' || a[0] == '+'):
			args = args[1:]
		default:
			return m.scriptFile(c, args)
		}
	}
	if c.piped {
		return m.code(c.stdin, "", c.part())
	}
	return unknown // a prompt
}

// scriptFile runs a file in a shell: one that the line has written is read, one of the
// repository is trusted.
func (m *machine) scriptFile(c *invocation, args []field) string {
	name := args[0].text
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		m.object("network-to-shell", c.part(), "")
		return unknown
	}
	text, written := m.files[m.absolute(name)]
	switch {
	case written:
		out := ""
		m.withArgs(args[1:], func() { out = m.code(text, c.stdin, c.part()) })
		return out
	case name == "/dev/stdin" || name == "/proc/self/fd/0" || name == "/dev/fd/0":
		return m.code(c.stdin, "", c.part())
	case strings.Contains(name, fetched):
		m.object("network-to-shell", c.part(), "")
	case !known(name) && !strings.Contains(name, "/"):
		m.object("unknown-code", c.part(), "")
	}
	return unknown
}
