package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources/admission/command"
)

// TestConsoles: under a host that lets its agent type, what offers a shell is denied unless its input
// is redirected; what does its work by itself passes.
func TestConsoles(t *testing.T) {
	typed := func(line string) bool { return len(Changes(command.Read(line, command.Options{}), true)) > 0 }
	for _, line := range []string{
		"bash", "python3", "python3 -i x.py", "python3 -m pdb x.py", "script", "script -f log", "tmux", "tmux new -s x", "screen", "sqlite3", "sqlite3 a.db",
		"less a.go", "cat a.go | less", "more a.go", "man ls", "psql", "psql -U x shop", "gdb ./a.out", "lldb ./a", "ssh host", "irb", "ghci",
		"perl -de 1", "perl -d x.pl", "git commit", "git commit --amend", "git rebase -i HEAD~3", "git add -p", "make menuconfig", "vim a.go", "nano a.go",
		"mysql shop", "docker exec -it web sh", "kubectl exec -it pod -- sh", "node inspect a.js", "rails console", "bin/rails c", "poetry shell",
		"crontab -e", "su -", "sudo tmux", "env X=1 less a", "nix-shell", "ftp host", "iex", "julia", "R",
	} {
		assert.True(t, typed(line), line)
		assert.Empty(t, Changes(command.Read(line, command.Options{}), false), line)
	}
	for _, line := range []string{
		"go test ./...", "python3 x.py", "python3 -c 'print(1)'", "python3 -m pytest", "bash x.sh", "bash -c 'ls'", "node a.js", "perl -pe s/a/b/ x", "perl -e 1",
		"sqlite3 a.db 'select 1'", "sqlite3 a.db <q.sql", "echo 'select 1' | psql shop", "psql -c 'select 1'", "psql -f a.sql shop", "mysql -e 'select 1' shop",
		"gdb -batch -ex bt ./a.out", "ssh host uptime", "git commit -m x", "git commit -am x", "git commit -sm x", "git commit --amend --no-edit", "git commit -F msg",
		"git rebase main", "git add a.go", "git log", "git diff", "make", "make test", "make config.h", "PAGER=cat man ls", "MANPAGER=cat man ls", "less --version",
		"docker build -t x .", "docker run --rm x make", "docker exec web ls", "kubectl get pods", "kubectl exec pod -- ls", "rails db:migrate", "poetry install",
		"julia x.jl", "Rscript x.R", "lua x.lua", "irb --version", "crontab -l", "nix develop -c make", "nix build", "tmux -V", "vim -es -c 'wq' a", "bc <<< 1+1",
		"npm test", "cargo test", "irb x.rb", "swift build", "scala x.scala", "mix test", "sbt test", "erl -noshell -eval 'halt().'", "git stash", "git config user.name",
	} {
		assert.False(t, typed(line), line)
	}
}
