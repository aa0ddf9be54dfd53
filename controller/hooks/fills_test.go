package hooks

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources/admission"
)

// Who writes files of whatever names into a folder may write a governed one that belongs there.
func TestFilesOfUnknownNames(t *testing.T) {
	root, home := gitRepo(t)
	for name, text := range map[string]string{
		"t/settings.json": "{}", "t/one.md": "x", "md/one.md": "x", "md/two.md": "x", ".claude/settings.json.gz": "x", ".claude/commands/a.md": "x", "src/a.go.gz": "x", ".github/workflows/ci.yml": "x",
		".qwen/x.md": "x", ".gemini/x.md": "x", ".git/x": "x",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	for _, line := range []string{
		"tar xf x.tar -C .claude", "tar xf x.tar --directory=.claude", "cd .claude && tar xf ../x.tar", "tar xf x.tar --one-top-level=.claude", "bsdtar -xf x.tar -C .claude", "tar xf x.tar -C .idumb", "tar xf x.tar -C .git", "tar xf x.tar -C .codex", "tar xf x.tar -C .github", "tar xf x.tar -C .qwen", "tar xf x.tar -C .gemini", "tar xf x.tar -C src/.claude", "tar xf x.tar -C .opencode",
		"tar xf x.tar --transform 's,^,.claude/,'", "tar xf x.tar --xform=s,t/,.idumb/,", "git archive HEAD t | tar x --transform 's,t/,.claude/,'", "(cd t && tar cf - .) | (cd .claude && tar xf -)", "tar -C t -c . | tar -C .claude -x", "git archive HEAD t | tar x -C .claude --strip-components=1", "git archive HEAD:t | tar x -C .claude",
		"unzip -o x.zip -d .claude", "unzip x.zip '.claude/*'", "7z x x.zip -o.claude -y", "7z e -y -o.claude x.7z", "cpio -idm -D .claude < x.cpio", "cd .claude && cpio -i < ../x.cpio", "python3 -m zipfile -e x.zip .claude", "python3 -m tarfile -e x.tar .claude", "python3 -m tarfile -e x.tar .idumb",
		"cp ./t/*.json .claude", "cp t/* .claude/", "cd t && cp * ../.claude/", "cp -t .claude t/*", "cp $(ls t) .claude", "cp t/{settings,x}.json .claude/", "ditto t .claude", "mv t/* .claude", "find t -name '*.json' -exec cp -t .claude {} +", "find t -type f -exec cp {} .claude \\;", "ls t | xargs -I{} cp t/{} .claude/", "find t -type f | xargs cp -t .claude", "for f in t/*; do cp $f .claude; done",
		"wget -P .claude https://example.com/settings.json", "wget --directory-prefix=.codex https://example.com/hooks.json", "curl -O --output-dir .claude https://example.com/settings.json", "curl -JO --output-dir .claude https://example.com/s", "aria2c -d .claude https://example.com/settings.json", "aria2c --dir=.claude https://example.com/settings.json", "wget -r -P .claude https://example.com/",
		"scp host:settings.json .claude/", "rsync host:t/ .claude/", "rsync -a t/ .claude", "gunzip .claude/settings.json.gz", "gzip -d .claude/settings.json.gz", "gunzip -k .claude/settings.json.gz", "gunzip -r .claude", "git checkout-index -fa --prefix=.claude/", "git archive --prefix=.claude/ HEAD:t | tar x", "mkdir n; echo {} > n/settings.json; cp n/* .claude/", "tar xf x.tar -C n; cp n/*.json .claude/", "tar xf x.tar .claude/settings.json",
	} {
		t.Run(line, func(t *testing.T) {
			_, v, err := judge(root, home, line)
			require.NoError(t, err)
			assert.Equal(t, admission.Deny, v.Outcome)
			assert.Contains(t, []string{"governed-shell", "governed-path"}, v.Reason.Rule, v.Reason.What)
		})
	}
	for _, line := range []string{
		"cp md/one.md .claude/commands/a.md", "cp md/one.md .claude", "cp md/*.md .claude/commands/", "cp md/*.md .claude", "cd md && cp * ../.claude/", "cp -t .claude/commands md/*", "cp t/one.md .claude", "wget -P .claude/commands https://example.com/a.md", "wget -P .claude https://example.com/a.md", "curl -O --output-dir .claude https://example.com/a.md", "scp host:a.md .claude/", "gunzip src/a.go.gz",
		"tar xf x.tar -C build", "tar xf x.tar -C vendor", "tar xf x.tar -C node_modules", "tar xf x.tar -C /tmp", "tar xf x.tar", "tar xf x.tar -C src", "unzip x.zip", "unzip -d docs x.zip", "unzip x.zip 'docs/*'", "tar xf x.tar -C .github/workflows", "tar xf x.tar -C .claude/commands", "tar xf x.tar --transform 's,^,src/,'", "git archive HEAD src | tar x -C build", "7z x a.7z -obuild", "7z x a.7z", "cpio -idm -D build < x.cpio", "python3 -m zipfile -e x.zip build", "wget -P build https://example.com/a.tgz", "wget -P src https://example.com/a.tgz", "aria2c -d build https://example.com/a", "rsync -a md/ docs/", "find md -name '*.md' -exec cp -t docs {} +", "cp src/*.go build/", "split -b 10 data.csv build/x.",
		"tar xf x.tar -C .claude commands/a.md", "unzip -d .claude x.zip 'commands/*'", "git archive HEAD t | tar x -C .claude", "git checkout-index -f --prefix=build/ -a", "npm pack && tar xf p.tgz -C src",
	} {
		t.Run(line, func(t *testing.T) {
			_, v, err := judge(root, home, line)
			require.NoError(t, err)
			assert.NotContains(t, []admission.Outcome{admission.Deny, admission.AskPerson}, v.Outcome, v.Reason.What)
		})
	}
}

// Who puts a branch elsewhere loses the commits that it alone has, and no others.
func TestBranchesThatAreMoved(t *testing.T) {
	root, home := gitRepo(t)
	for _, name := range []string{"same", "kept"} {
		gitIn(t, root, "branch", name)
	}
	gitIn(t, root, "stash", "push", "-q", "--", "src", "docs", "web")
	gitIn(t, root, "switch", "-qc", "other")
	gitIn(t, root, "commit", "-q", "--allow-empty", "-m", "of other")
	gitIn(t, root, "switch", "-qc", "feat", "main")
	gitIn(t, root, "commit", "-q", "--allow-empty", "-m", "of feat")
	for line, asks := range map[string]bool{
		"git checkout -B feat feature": true, "git checkout -B feat": false, "git checkout -B new feature": false, "git checkout -B same other": false, "git checkout -B other feat": true,
		"git switch -C feat feature": true, "git switch --force-create=feat feature": true, "git switch -C same": false, "git checkout -B main feat": true, "git checkout -B feat $x": true,
		"git branch -f feat feature": true, "git branch -f same feat": false, "git branch -f other": true, "git branch -f main feat": true, "git branch -f new feat": false,
		"git branch -M feat other": true, "git branch -M other": true, "git branch -M same": false, "git branch -M main": false, "git branch -M feat new": false, "git branch -m new": false, "git branch -fm other": true, "git branch -C same other": true,
		"git reset --keep feature": true, "git reset --keep HEAD~1": true, "git reset --keep": false, "git reset --keep HEAD": false, "git reset HEAD~1": false, "git reset --soft HEAD~1": false,
		"git rebase main": false, "git rebase --onto other main": false, "git rebase --onto other main feat": false, "git rebase --onto feature feat feat": true, "git rebase --onto feature HEAD": true, "git rebase --onto main HEAD~1": false,
		"git fetch -f . main:other": true, "git fetch -f . feat:main": true, "git fetch . +main:same": false, "git fetch origin '+refs/heads/*:refs/remotes/origin/*'": false, "git worktree add -B other /tmp/w feature": true, "git worktree add -b new /tmp/w": false,
		"git update-ref refs/heads/feat other": true,
	} {
		t.Run(line, func(t *testing.T) {
			_, v, err := judge(root, home, line)
			require.NoError(t, err)
			assert.Equal(t, asks, v.Outcome == admission.AskPerson, v.Reason.What)
			assert.NotEqual(t, admission.Deny, v.Outcome, v.Reason.What)
		})
	}
}

// A command of idumb's cannot tell who runs it once what started it is gone: in front of a plan the gate says so.
func TestOwnCommandsThatAreDetached(t *testing.T) {
	root, home := gitRepo(t)
	for line, denied := range map[string]bool{
		"setsid -f idumb delete task t1": true, "(setsid -f sh -c 'idumb delete task t1')": true, "nohup idumb abandon t1 --reason x &": true, "idumb delete task t1 &": true, "{ sleep 1; idumb delete task t1; } & disown": true,
		"daemonize /usr/bin/idumb delete task t1": true, "systemd-run --user idumb delete task t1": true, "echo idumb delete task t1 | at now": true, "batch <<< 'idumb delete task t1'": true,
		"screen -dm idumb delete task t1": true, "tmux new-session -d 'idumb delete task t1'": true, "tmux send-keys -t x 'idumb delete task t1' Enter": true, "f() { idumb start t1; }; f &": true, "setsid -f idumb patch task t1 -p '{}'": true,
		`python3 -c "import subprocess; subprocess.Popen(['idumb','delete','task','t1'], start_new_session=True)"`: true, `perl -e 'exit if fork; system("idumb delete task t1")'`: true,
		`ruby -e 'Process.spawn("idumb", "delete", "task", "t1", pgroup: true)'`: true, `node -e "require('child_process').spawn('idumb',['delete','task','t1'],{detached:true}).unref()"`: true,
		`python3 -c "import subprocess; subprocess.run(['idumb','start','t1'])"`: false, `python3 -c "import subprocess; subprocess.Popen(['idumb','get','tasks'])"`: false,
		"setsid -f idumb uninstall": true, "setsid -f idumb onboard --yes": true, "setsid -f idumb sync disable": true, "setsid idumb sync now": true, "setsid -f idumb hook uninstall claude": true, "idumb hook install claude &": true, "idumb init &": true,
		"setsid idumb upgrade": true, "idumb doctor --fix &": true, "setsid -f idumb supersede mem m --content x": true, "idumb mem save x &": true, "idumb comment t1 x &": true, "setsid -f idumb session note x": true, "setsid idumb session prune": true,
		"setsid -f idumb trust": true, "setsid -f idumb controller stop": true, "idumb submit t1 &": true, "idumb fail t1 --reason x &": true, "idumb decide x --chosen y &": true, "idumb run make &": true, "setsid idumb dash --web": true, "setsid idumb some-new-verb": true,
		"coproc idumb delete task t1": true, "coproc x { idumb delete task t1; }": true, "start-stop-daemon --start -b --exec /usr/bin/idumb -- delete task t1": true, "start-stop-daemon -S -b --startas /usr/bin/idumb -- uninstall": true,
		"start-stop-daemon -Sb -d /tmp -x /bin/sh -- -c 'idumb uninstall'": true, "unshare -pf idumb uninstall": true, "unshare -Urpf --mount-proc idumb delete task t1": true, "nsenter -t 1 -m -p idumb uninstall": true, "run0 idumb uninstall": true,
		"dtach -n /tmp/s idumb uninstall": true, "abduco -n x idumb uninstall": true, "daemon -- idumb uninstall": true, "daemon -n x -r idumb uninstall": true, "firejail --noprofile idumb uninstall": true, "bwrap --bind / / --unshare-pid idumb uninstall": true,
		"tsp idumb uninstall": true, "nq idumb uninstall": true, "pueue add 'idumb uninstall'": true, "pueue add -- idumb uninstall": true, "flatpak-spawn --host idumb uninstall": true, "systemd-nspawn -D / idumb uninstall": true, "zellij run -- idumb uninstall": true,
		"machinectl shell .host /usr/bin/idumb uninstall": true, "gnome-terminal -- idumb uninstall": true, "ssh localhost idumb uninstall": true, "docker run -v .:/w img idumb uninstall": true, "setsid chpst -u a idumb uninstall": true, "setsid -f setpriv --no-new-privs idumb uninstall": true,
		"setsid -f chroot / idumb uninstall": true, "setsid -f runuser -u a -- idumb uninstall": true, "setsid envdir e idumb uninstall": true, "chpst -u a idumb start t1": false, "coproc idumb status": false, "unshare -pf idumb get tasks": false, "setpriv --no-new-privs idumb start t1": false,
		"idumb doctor &": false, "idumb mem search x &": false, "idumb up &": false, "setsid -f idumb controller start": false, "idumb controller logs -f &": false, "idumb session show &": false, "idumb hook status &": false, "idumb sync status &": false,
		"idumb review mems &": false, "idumb report --md > build/r.md &": false, "idumb help uninstall &": false, "setsid -f idumb uninstall --dry-run": false, "idumb wait task t1 --for phase=Done &": false, "idumb top &": false, "idumb get claims -w &": false, "idumb get violations &": false, "idumb get shellrules &": false, "idumb auth check-command ls &": false, "idumb get decisions &": false,
		"idumb start t1": false, "nohup idumb start t1": false, "idumb get tasks &": false, "setsid -f idumb status": false, "make & idumb start t1": false, "sleep 1 & idumb start t1; wait": false, "(sleep 1 &); idumb start t1": false, "idumb delete task t1 --dry-run=client &": false,
	} {
		t.Run(line, func(t *testing.T) {
			_, v, err := judge(root, home, line)
			require.NoError(t, err)
			assert.Equal(t, denied, v.Outcome == admission.Deny && v.Reason.Rule == "governed-command", "%v %v", v.Outcome, v.Reason)
		})
	}
}

// A pattern keeps the dot of a folder's name: only the "./" in front says nothing.
func TestPatternsOfHiddenFolders(t *testing.T) {
	root, home := gitRepo(t)
	for line, denied := range map[string]bool{
		"find .idumb -path '.idumb/roles/*' -delete": true, "find .idumb -wholename '.idumb/conf*' -exec rm {} +": true, "find .claude -path '.claude/sett*' -delete": true, "find . -path './.idumb/roles/*' -delete": true,
		"find . -regex '\\./\\.idumb/roles/.*' -delete": true, "prettier --write '.idumb/**/*.json'": true, "eslint --fix '.idumb/**'": true, "prettier --write './.idumb/*.json'": true, "prettier --write '**/.idumb/*.json'": true,
		"find . -path './src/b*' -delete": false, "find src -path 'src/idumb/roles/*' -delete": false, "prettier --write 'src/**/*.go'": false,
	} {
		t.Run(line, func(t *testing.T) {
			_, v, err := judge(root, home, line)
			require.NoError(t, err)
			assert.Equal(t, denied, v.Outcome == admission.Deny, "%v", v.Reason)
		})
	}
}

// What a formatter is given is a file if it is one, whatever it is called.
func TestFormattersOfFilesWithoutExtensions(t *testing.T) {
	root, home := gitRepo(t)
	require.NoError(t, os.WriteFile(filepath.Join(root, "src", "tool"), []byte("x = 1\n"), 0o755))
	for line, writes := range map[string]bool{
		"black src/tool": true, "clang-format -i src/tool": true, "prettier --write src/tool": true, "cd src && black tool": true, "black src/t*": true, "black $PWD/src/tool": true,
		"black src": false, "black src/none": false, "black --check src/tool": false, "prettier --write 'src/*.x'": false,
	} {
		t.Run(line, func(t *testing.T) {
			call, _, err := judge(root, home, line)
			require.NoError(t, err)
			assert.Equal(t, writes, slices.ContainsFunc(call.Paths, func(p admission.Path) bool { return p.Repo == "src/tool" && !p.Unchanged && !p.Below }), "%+v", call.Paths)
		})
	}
}

// A tool that nobody knows may fill the folder that it is given.
func TestUnknownToolsThatFillFolders(t *testing.T) {
	root, home := gitRepo(t)
	env := environment{"HOME=" + home, trust.Variable + "=/"}
	for args, denied := range map[string]bool{
		`{"out_dir":".claude"}`: true, `{"out_dir":"` + root + `/.github"}`: true, `{"dir":".gemini","name":"settings.json"}`: true, `{"root":"` + root + `","rel":".idumb/config.json"}`: true, `{"out_dir":"web/.claude"}`: true,
		`{"out_dir":"src"}`: false, `{"directory":"` + root + `"}`: false, `{"out_dir":".claude/commands"}`: false, `{"out_dir":"build"}`: false, `{"root":"/elsewhere","rel":".idumb/config.json"}`: false, `{"root":"` + root + `","rel":"src/a.go"}`: false,
	} {
		for _, tool := range []string{"FutureTool", "mcp__srv__apply"} {
			input := `{"session_id":"s","hook_event_name":"PreToolUse","cwd":"` + root + `","tool_name":"` + tool + `","tool_input":` + args + `}`
			e, err := host("claude").Parse([]byte(input))
			require.NoError(t, err)
			h := &handler{repo: openPacking(layout.Root(root), env, time.Now()), event: e, env: env}
			call, err := h.call()
			require.NoError(t, err)
			v := h.decide(call)
			assert.Equal(t, denied, v.Outcome == admission.Deny, "%s %s: %v", tool, args, v.Reason)
			assert.Equal(t, denied, v.Reason.Rule == "governed-path", "%s %s: %v", tool, args, v.Reason)
		}
	}
}
