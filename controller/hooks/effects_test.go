package hooks

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/effects"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources/admission"
)

// shellRepo is a repository with an active task, and with the settings of three hosts.
func shellRepo(t testing.TB) (root, home string) {
	base := effects.ResolveLinks(t.TempDir())
	root, home = filepath.Join(base, "repo"), filepath.Join(base, "home")
	for name, text := range map[string]string{
		"repo/.idumb/workplans/p.json":             `{"spec": {"title": "t", "acceptance": ["a"], "state": "active"}}`,
		"repo/.idumb/tasks/t.json":                 `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`,
		"repo/.idumb/config.json":                  `{"spec": {}}`,
		"repo/.claude/settings.json":               `{}`,
		"repo/.codex/hooks.json":                   `{}`,
		"repo/opencode.json":                       `{}`,
		"repo/src/a.go":                            `a`,
		"repo/src/b.go":                            `b`,
		"repo/docs/x.md":                           `x`,
		"repo/node_modules/m/package.json":         `{}`,
		"home/.claude/settings.json":               `{}`,
		"repo/.idumb/run/controller.json":          `{"pid": 4242, "version": "v"}`,
		"elsewhere/evil/.claude/settings.json":     `{}`,
		"repo/other/.claude/commands/look.md":      `x`,
		"repo/.opencode/plugin/idumb.js":           `x`,
		"repo/.idumb/events/2026-11-21.jsonl":      ``,
		"repo/.idumb/checkpoints/t.jsonl":          ``,
		"repo/.git/hooks/pre-commit":               `x`,
		"repo/build/out/app":                       `x`,
		"elsewhere/patches/settings.json":          `{}`,
		"elsewhere/role.yaml":                      "apiVersion: idumb.dev/v1alpha1\nkind:   'Role'\nmetadata: {name: solo}\n",
		"elsewhere/roles/wide.json":                `{"spec": {}}`,
		"repo/plan.yaml":                           "kind: WorkPlan\nspec: {title: a kind of Role}\n",
		"repo/packages/web/src/index.ts":           `x`,
		"repo/packages/web/.claude/settings.json":  `{}`,
		"repo/packages/web/node_modules/x/main.js": `x`,
	} {
		file := filepath.Join(base, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	require.NoError(t, os.Symlink("../.claude/settings.json", filepath.Join(root, "docs", "alias.json")))
	return root, home
}

// judge decides a command line in a repository, as an agent's shell tool would run it.
func judge(root, home, command string) (admission.Call, admission.Verdict, error) {
	return judgeIn("claude", root, home, command)
}

func judgeIn(host, root, home, command string) (admission.Call, admission.Verdict, error) {
	env := environment{"HOME=" + home, trust.Variable + "=/"}
	e := hosts.Event{Type: hosts.BeforeTool, Host: host, Session: "s", Tool: "Bash", Cwd: root, Action: admission.Shell}
	e.SetCommand(command)
	h := &handler{repo: openPacking(layout.Root(root), env, time.Now()), event: e, env: env}
	call, err := h.call()
	return call, h.decide(call), err
}

// TestShellKeepsGovernedFiles: each line changes what governs agents, or may.
func TestShellKeepsGovernedFiles(t *testing.T) {
	root, home := shellRepo(t)
	for command, part := range map[string]string{
		"rm .claude/settings.json":                                         "rm .claude/settings.json",
		"rm -rf .claude":                                                   "rm -rf .claude",
		"rm -rf -- .claude/":                                               "rm -rf -- .claude/",
		"/bin/rm -f ./.codex/hooks.json":                                   "/bin/rm -f ./.codex/hooks.json",
		"rm -rf .":                                                         "rm -rf .",
		"rm -rf ../repo":                                                   "rm -rf ../repo",
		"rm -rf ..":                                                        "rm -rf ..",
		"rm .claude/*":                                                     "rm .claude/*",
		"rm .c*/settings.json":                                             "rm .c*/settings.json",
		"rm .{claude,codex}/{settings,hooks}.json":                         "rm .claude/settings.json .claude/hooks.json",
		"rm -r .idumb/roles .idumb/tasks":                                  "rm -r .idumb/roles",
		"rm *":                                                             "rm *", // opencode.json
		"rm ~/.claude/settings.json":                                       "~/.claude/settings.json",
		"rm -rf $HOME/.claude":                                             "rm -rf ~/.claude",
		`rm "$PWD/.claude/settings.json"`:                                  "rm .claude/settings.json",
		`rm "$(pwd)"/.idumb/config.json`:                                   "rm .idumb/config.json",
		"cd .claude && rm settings.json":                                   "rm settings.json",
		"cd $X && rm .claude/settings.json":                                "rm .claude/settings.json",
		"(cd .codex; truncate -s 0 hooks.json)":                            "truncate -s 0 hooks.json",
		"mv .claude/settings.json /tmp/x":                                  "mv .claude/settings.json /tmp/x",
		"mv .claude .claude-off":                                           "mv .claude .claude-off",
		"mv /tmp/settings.json .claude/":                                   "mv /tmp/settings.json .claude/",
		"mv -t .claude ../elsewhere/patches/settings.json":                 "mv -t .claude",
		"cp ../elsewhere/patches/settings.json .claude":                    "cp ../elsewhere",
		"cp -r ../elsewhere/evil/.claude .":                                "cp -r ../elsewhere",
		"cp -a ../elsewhere/evil/. .":                                      "cp -a",
		"cp /dev/null .idumb/config.json":                                  "cp /dev/null .idumb/config.json",
		"echo '{}' | tee .claude/settings.local.json":                      "tee .claude/settings.local.json",
		"echo x | sudo tee -a .codex/config.toml":                          "tee -a .codex/config.toml",
		"sed -i 's/enforce/off/' .idumb/config.json":                       "sed -i",
		"sed -i.bak -e s/a/b/ .idumb/config.json":                          "sed -i.bak",
		"sed --in-place=x s/a/b/ src/a.go .idumb/config.json":              "sed --in-place=x",
		"sed -n 'w .claude/settings.json' src/a.go":                        "sed -n",
		"perl -pi -e 's/a/b/' .idumb/config.json":                          "perl -pi",
		"truncate -s0 .claude/settings.json":                               "truncate -s0",
		"ln -sf /tmp/x .claude/settings.json":                              "ln -sf",
		"ln .idumb/config.json src/c":                                      "ln .idumb/config.json src/c",
		"cp -l .idumb/config.json src/c":                                   "cp -l .idumb/config.json src/c",
		"link .idumb/config.json src/c":                                    "link .idumb/config.json src/c",
		"dd if=/dev/zero of=.claude/settings.json":                         "dd if=/dev/zero",
		"chmod 000 .claude/settings.json":                                  "chmod 000",
		"chmod -R a-r .idumb":                                              "chmod -R a-r .idumb",
		"chmod -x .git/hooks/pre-commit":                                   "chmod -x",
		"chattr +i .idumb/sessions":                                        "chattr +i .idumb/sessions",
		"git checkout -- .claude/settings.json":                            "git checkout -- .claude/settings.json",
		"git checkout HEAD~1 .claude":                                      "git checkout HEAD~1 .claude",
		"git restore .claude/settings.json":                                "git restore .claude/settings.json",
		"git restore .":                                                    "git restore .",
		"git -C .claude restore settings.json":                             "git -C .claude restore settings.json",
		"git rm -f .codex/hooks.json":                                      "git rm -f",
		"git mv .claude/settings.json x":                                   "git mv",
		"git rm --cached opencode.json":                                    "git rm --cached",
		"grep -rl spec . | xargs sed -i s/spec/x/":                         "sed -i",
		"git clean -fdx":                                                   "git clean -fdx",
		"git stash -u":                                                     "git stash -u",
		"bash -c 'rm .claude/settings.json'":                               "rm .claude/settings.json",
		"sh -c \"echo {} > .claude/settings.json\"":                        "sh -c",
		"bash -lc 'cd .codex && rm hooks.json'":                            "rm hooks.json",
		"bash <<'EOF'\nrm -f .claude/settings.json\nEOF":                   "rm -f .claude/settings.json",
		"echo 'rm .claude/settings.json' | sh":                             "rm .claude/settings.json",
		"eval 'rm .claude/settings.json'":                                  "rm .claude/settings.json",
		"sudo -u me env A=1 nohup rm .claude/settings.json":                "rm .claude/settings.json",
		"true && timeout -k 1 5 rm .claude/settings.json":                  "rm .claude/settings.json",
		"echo x | xargs -I{} cp {} .claude/settings.json":                  "cp x .claude/settings.json",
		"find . -name settings.json -delete":                               "find . -name settings.json -delete",
		"find .claude -type f -exec rm {} +":                               "find .claude",
		"find . -exec sed -i s/a/b/ {} \\;":                                "find .",
		"python3 -c \"open('.claude/settings.json','w').write('{}')\"":     "python3 -c",
		"node -e \"require('fs').rmSync('.opencode',{recursive:true})\"":   "node -e",
		"ls .opencode/plugin/idumb.js | xargs rm":                          "rm",
		"find .opencode -type f | xargs -n 1 rm -f":                        "rm -f",
		"echo opencode.json | xargs sed -i s/a/b/":                         "sed -i",
		"git config core.hooksPath /dev/null":                              "git config",
		"git config --local --unset CORE.hookspath":                        "git config",
		"python3 - <<EOF\nimport os\nos.remove('.idumb/config.json')\nEOF": "python3 -",
		"node -e \"require('fs').unlinkSync('.codex/hooks.json')\"":        "node -e",
		"awk 'BEGIN{print \"{}\" > \".claude/settings.json\"}'":            "awk BEGIN",
		"curl -o .claude/settings.json http://x":                           "curl -o",
		"install -m 644 /tmp/x .idumb/config.json":                         "install -m 644",
		"rsync -a ../elsewhere/evil/.claude .":                             "rsync -a",
		"vim .claude/settings.json":                                        "vim .claude/settings.json",
		"cp src/a.go docs/alias.json":                                      "cp src/a.go docs/alias.json",
		"apply_patch <<'X'\n*** Begin Patch\n*** Delete File: .codex/hooks.json\n*** End Patch\nX": "apply_patch",
		"cd .codex && apply_patch '*** Begin Patch\n*** Delete File: hooks.json\n*** End Patch'":   "apply_patch",
		"IDUMB_ENFORCE=off claude -p x":                                    "IDUMB_ENFORCE=off",
		"export IDUMB_ENFORCE=0":                                           "export IDUMB_ENFORCE=0",
		"env -u X IDUMB_ENFORCE=log codex":                                 "env -u X IDUMB_ENFORCE=log",
		"echo 'export IDUMB_ENFORCE=off' >> ~/.bashrc":                     "echo export IDUMB_ENFORCE=off",
		"pkill -f idumb-controller":                                        "pkill -f idumb-controller",
		"killall idumb":                                                    "killall idumb",
		"kill -9 $(pgrep -f 'idumb controller')":                           "kill -9",
		"kill -9 4242":                                                     "kill 4242",
		"echo {} > $PWD/.claude/settings.json":                             "> .../.claude/settings.json",
		"cd $X; echo {} > .claude/settings.json":                           "> .claude/settings.json",
		"echo {} >> .claude/settings*.json":                                "> .claude/settings*.json",
		"pgrep idumb | xargs kill":                                         "kill",
		"idumb hook uninstall claude":                                      "idumb hook uninstall",
		"sudo idumb hook uninstall claude":                                 "idumb hook uninstall",
		"bash -c 'idumb patch config config --patch {}'":                   "idumb patch config",
		"idumb delete role solo":                                           "idumb delete role",
		"idumb label config x=y":                                           "idumb label config",
		"idumb edit config":                                                "idumb edit config",
		"idumb annotate roles/solo a=b":                                    "idumb annotate roles/solo",
		"idumb apply -f ../elsewhere/role.yaml":                            "idumb apply -f",
		"cd ../elsewhere && idumb create --filename=role.yaml":             "idumb create",
		"idumb apply -R -f../elsewhere":                                    "idumb apply -R",
		"cat > /tmp/r.yaml <<X\nkind: Role\nX\nidumb apply -f /tmp/r.yaml": "idumb apply -f",
		"echo '{\"kind\": \"Config\"}' | idumb apply -f -":                 "idumb apply -f -",
		"echo '{\"kind\": \"ChainRule\"}' | idumb apply -f -":              "idumb apply -f -",
		"echo '{\"kind\": \"Trigger\"}' | idumb apply -f -":                "idumb apply -f -",
		"IDUMB_TRUST=/ claude -p hi":                                       "IDUMB_TRUST=/",
		"export IDUMB_TRUST=$PWD":                                          "IDUMB_TRUST=",
		"idumb apply -f ../elsewhere/roles/wide.json":                      "idumb apply -f",
		"echo {} > $(echo .claude)/settings.local.json":                    "> .../settings.local.json",
		"rm $DIR/hooks.json":                                               "rm $DIR/hooks.json",
		"idumb controller stop":                                            "idumb controller stop",
		"f=.claude/settings.json; echo x > $f":                             "> .claude/settings.json",
		"f=settings && echo x > .claude/${f}.json":                         "> .claude/settings.json",
		"d=$HOME/.claude; rm \"$d/settings.json\"":                         "rm ~/.claude/settings.json",
		"a=.cla; b=$a; rm -rf ${b}ude":                                     "rm -rf .claude",
		"for f in .claude/*; do rm \"$f\"; done":                           "rm .claude/*",
		"for f in src/a.go opencode.json; do rm $f; done":                  "rm src/a.go opencode.json",
		"export D=.codex; cd $D; rm hooks.json":                            "rm hooks.json",
		"pushd .claude && rm settings.json":                                "rm settings.json",
		"c=rm; $c opencode.json":                                           "rm opencode.json",
		"rm $(which idumb-hook)":                                           "/idumb-hook",
		"cp /bin/true \"$(command -v idumb-mcp)\"":                         "cp /bin/true ",
		"H=`which idumb-hook`; chmod -x $H && echo > $H":                   "/idumb-hook",
		"which idumb-hook | xargs rm -f":                                   "rm -f",
		"chmod -r .idumb/config.json":                                      "chmod -r",
		"cp /bin/true ~/.local/bin/idumb-hook":                             "cp /bin/true ~/.local/bin/idumb-hook",
		"echo exit > /usr/local/bin/idumb-hook":                            "",
		"command rm -rv .claude":                                           "rm -rv .claude",
		"echo '{}' | idumb-hook claude":                                    "idumb-hook claude",
		"idumb-mcp < calls":                                                "idumb-mcp",
		"echo '{}' | idumb hook codex":                                     "idumb hook codex",
		"idumb hook opencode --stdio":                                      "idumb hook opencode",
		"claude --settings '{\"disableAllHooks\":true}' -p x":              "claude --settings",
		"claude --bare -p 'write a.go'":                                    "claude --bare",
		"timeout 60 claude -p x --setting-sources=user":                    "claude -p x --setting-sources=user",
		"claude mcp remove idumb":                                          "claude mcp remove",
		"codex --disable hooks exec x":                                     "codex --disable",
		"codex exec -c features.hooks=false x":                             "codex exec -c",
		"opencode run --pure x":                                            "opencode run --pure",
		"git -c core.hooksPath=/dev/null commit -m x":                      "git -c",
		"i=idumb; $i patch config config --patch {}":                       "idumb patch config",

		"copilot config --local disableAllHooks true":       "copilot config",
		"copilot plugin disable idumb":                      "copilot plugin",
		"copilot --disable-mcp-server idumb -p x":           "copilot --disable-mcp-server",
		"gemini extensions disable --scope=workspace idumb": "gemini extensions",
		"gemini -e none -p x":                               "gemini -e",
		"qwen --safe-mode -p x":                             "qwen --safe-mode",
		"qwen extensions uninstall idumb":                   "qwen extensions",
		"CODEX_HOME=/tmp/c codex exec x":                    "CODEX_HOME=",
		"rm ~/.copilot/hooks/idumb.json":                    "rm ~/.copilot/hooks/idumb.json",
		"rm -rf ~/.gemini/extensions":                       "rm -rf ~/.gemini/extensions",
		"echo {} > .github/copilot/settings.local.json":     "> .github/copilot/settings.local.json",
		"mv .github/hooks .github/off":                      "mv .github/hooks",
	} {
		t.Run(command, func(t *testing.T) {
			_, verdict, err := judge(root, home, command)
			require.NoError(t, err)
			require.Equal(t, admission.Deny, verdict.Outcome)
			if slices.Contains([]string{"rm -rf .", "rm -rf ..", "rm -rf ../repo", "git restore .", "git clean -fdx"}, command) {
				assert.Equal(t, "shell-gate", verdict.Reason.Rule, "more is lost than what governs")
				return
			}
			assert.Contains(t, []string{"governed-shell", "governed-path", "governed-command"}, verdict.Reason.Rule)
			if verdict.Reason.Rule == "governed-shell" {
				assert.Contains(t, verdict.Reason.What, part)
			}
		})
	}
}

// TestShellLetsWorkPass: looking at governed files, and working on others under an
// active task.
func TestShellLetsWorkPass(t *testing.T) {
	root, home := shellRepo(t)
	for _, command := range []string{
		"cat .claude/settings.json", "grep -r hooks .claude .codex .idumb", "git diff .claude/settings.json", "git diff -- .idumb", "ls -la .claude",
		"jq . .idumb/config.json", "head -5 .codex/hooks.json | tail -1", "wc -l .idumb/events/*.jsonl", "diff .claude/settings.json /tmp/x", "git log -p -- .claude",
		"git add -A && git commit -m 'rm .claude/settings.json'", "git status", "git show HEAD:.claude/settings.json", "git checkout main", "git checkout -b feature", "git switch main",
		"git stash", "git stash pop", "git clean -n", "git clean -fd build", "git restore --staged .", "git restore src/a.go", "git checkout -- src/a.go", "git rm --cached src/a.go", "git mv src/a.go src/c.go",
		"rm src/a.go", "rm -rf node_modules build", "rm -rf /tmp/x", "rm -rf \"$TMPDIR\"", "rm *.log", "rm -f src/*.go", "rm -rf packages/web/node_modules",
		"mv src/a.go src/c.go", "cp .claude/settings.json /tmp/x", "cp src/a.go docs", "cp -r src /tmp/src", "cp -r docs src/docs", "touch src/new.go", "mkdir -p src/deep", "chmod +x build/out/app", "chmod -R u+w src",
		"sed -n 1,5p .claude/settings.json", "sed 's/a/b/' .idumb/config.json", "sed -i s/a/b/ src/a.go", "perl -ne 'print' .claude/settings.json", "awk '{print $1}' .idumb/config.json",
		"echo x | tee src/a.go", "echo x > $LOG", "cd $X; echo x > log", "echo x > src/*.go", "kill -9 424", "dd if=.idumb/config.json of=/tmp/x", "ln -s src/a.go src/l.go", "truncate -s 0 src/a.go",
		"find . -name '*.pyc' -delete", "find src -name '*.go' -exec gofmt -w {} +", "find . -name settings.json", "find . -type f -exec grep -l x {} +",
		"bash -c 'go test ./...'", "sh test.sh", "bash -lc 'cat .claude/settings.json'", "python3 -m pytest", "python3 -c 'print(1)'", "node build.js", "python3 -c \"open('src/a.go').read()\"",
		"xargs rm < list.txt", "ls src | xargs rm", "grep -rl nowhere . | xargs sed -i s/nowhere/b/", "ls .claude | xargs echo", "cat .claude/settings.json | xargs -n1",
		"git config user.name x", "git config core.hooksPath", "git config --get core.hooksPath", "node -e \"require('./package.json')\"",
		"env FOO=1 make", "timeout 60 go test ./...", "IDUMB_ENFORCE=1 make", "FOO=off make", "echo IDUMB_ENFORCE=off", "grep -rn IDUMB_ENFORCE=off src",
		"kill 12345", "pkill -f 'vite dev'", "kill %1", "curl -o /tmp/x http://x", "tar xf a.tar -C build", "make -j4 > build/log 2>&1", "echo 'rm .claude/settings.json'",
		"idumb next", "idumb start t", "idumb apply -f plan.yaml", "idumb diff -f ../elsewhere/role.yaml", "cat plan.yaml | idumb apply -f -", "idumb describe config", "idumb get roles -o yaml", "idumb hook status", "idumb controller status", "apply_patch <<'X'\n*** Begin Patch\n*** Update File: src/a.go\n@@\n-a\n+b\n*** End Patch\nX",
		"f=.claude/settings.json; cat $f; cp $f /tmp/x", "for f in src/*.go; do gofmt -w $f; done", "d=.claude; ls $d; cd $d; cat settings.json", "f=.claude/x; read f; rm $f", "P=./...; go test $P",
		"which idumb-hook", "command -v idumb-hook && idumb-hook --version", "idumb-mcp --help", "ls -l $(which idumb)", "claude -p x", "claude mcp list", "codex exec x", "codex -c model=o3 exec x", "opencode run x", "git -c user.name=x commit -m x", "idumb hook install claude", "cp src/a.go /tmp/idumb",
		"npx prettier --check .", "vim src/a.go", "[ -f .claude/settings.json ] && echo there", "for f in src/*; do wc -l $f; done", "if test -e .idumb; then cat .idumb/config.json; fi",
	} {
		t.Run(command, func(t *testing.T) {
			_, verdict, err := judge(root, home, command)
			require.NoError(t, err)
			assert.NotEqual(t, admission.Deny, verdict.Outcome, verdict.Reason.Text())
		})
	}
}

// TestShellsToTypeInto: Codex asks no hook about what is typed into a process that runs.
func TestShellsToTypeInto(t *testing.T) {
	root, home := shellRepo(t)
	for command, denied := range map[string]bool{
		"bash": true, "bash -i": true, "env A=1 zsh -l": true, "python3": true, "node -i": true, "cd src && sh": true,
		"bash -c ls": false, "bash test.sh": false, "sh < script": false, "echo ls | sh": false, "python3 x.py": false, "python3 -c 1": false, "python3 --version": false, "node <<X\n1\nX": false, "awk '{print}' x": false, "bash --version": false,
	} {
		for host, denies := range map[string]bool{"codex": denied, "claude": false} {
			t.Run(host+" "+command, func(t *testing.T) {
				_, verdict, err := judgeIn(host, root, home, command)
				require.NoError(t, err)
				assert.Equal(t, denies, verdict.Outcome == admission.Deny, verdict.Reason.Text())
			})
		}
	}
}

// TestShellWritesCount: what a command writes by itself needs a task as any write does.
func TestShellWritesCount(t *testing.T) {
	root, home := shellRepo(t)
	for command, want := range map[string]string{
		"rm src/a.go docs/x.md": "src/a.go docs/x.md", "mv src/a.go docs": "src/a.go docs/a.go", "mv src/a.go src/c.go": "src/a.go src/c.go", "cp src/a.go docs/": "docs/a.go", "cp src/a.go src/b.go docs": "docs/a.go docs/b.go",
		"rm src/*.go": "src/a.go src/b.go", "rm src/{a,b}.go": "src/a.go src/b.go", "cd src && rm a.go": "src/a.go", "cd src && echo x | tee ../docs/x.md": "docs/x.md", "sed -i s/a/b/ src/a.go": "src/a.go", "touch new": "new",
		"bash -c 'cd src; rm a.go; echo > b.go'": "src/b.go src/a.go", "rm /tmp/x": "", "rm $X": "", "cat src/a.go": "", "chmod +x src/a.go": "", "git rm src/a.go": "src/a.go", "git checkout main": "", "perl -i -pe s/a/b/ src/a.go": "src/a.go",
		"cp -r src/. docs": "docs", "find src -delete": "", "apply_patch <<'X'\n*** Begin Patch\n*** Add File: n\n+x\n*** End Patch\nX": "n", "make > log; rm log": "log", "install -D src/a.go build/a": "build/a", "rm nothing*": "",
	} {
		t.Run(command, func(t *testing.T) {
			call, _, err := judge(root, home, command)
			require.NoError(t, err)
			var got []string
			for _, p := range call.Paths {
				if p.Repo != "" {
					got = append(got, p.Repo)
				}
			}
			assert.Equal(t, want, strings.Join(got, " "))
		})
	}
	t.Run("without a task", func(t *testing.T) {
		require.NoError(t, os.Remove(filepath.Join(root, ".idumb/tasks/t.json")))
		_, verdict, err := judge(root, home, "rm src/a.go")
		require.NoError(t, err)
		assert.Equal(t, "write-gate", verdict.Reason.Rule)
		assert.Equal(t, admission.Deny, verdict.Outcome)
	})
}

// FuzzReach: whatever a command line looks like, it is read to an end, and what it
// reaches can be resolved or is refused.
func FuzzReach(f *testing.F) {
	root, home := shellRepo(f)
	for _, line := range []string{
		"rm -rf .{claude,codex}/* && mv a b", "bash -c 'sh -c \"eval rm x\"' <<EOF\nrm a\nEOF", "find . ( -name x ) -exec rm {} + -delete", "sed -ie s/a/b/ x; perl -pie y z",
		"git -C x -c a=b clean -fd --", "cp -t", "env -u", "sudo", "dd of=~/x", "apply_patch <<X\n*** Begin Patch\n*** End Patch\nX", "rm {{a,b},{c,d}}*[x", "IDUMB_ENFORCE= x", "xargs -I{} xargs xargs rm",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		call, verdict, err := judge(root, home, line)
		if err == nil && verdict.Outcome == admission.Deny {
			assert.NotEmpty(t, verdict.Reason.What)
		}
		for _, p := range call.Paths {
			assert.False(t, strings.HasPrefix(p.Repo, "../"), p.Repo)
		}
	})
}
