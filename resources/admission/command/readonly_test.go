package command

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// readOnlyLine reports whether every command of a line is proved to read, and nothing is written.
func readOnlyLine(line string) bool {
	r := Read(line, Options{Dir: "/repo", Root: "/repo", Home: "/home/me"})
	for _, run := range r.Runs {
		if !run.ReadOnly {
			return false
		}
	}
	isWritten := func(f File) bool { return !f.Unsure }
	return len(r.Runs) > 0 && !slices.ContainsFunc(r.Files, isWritten)
}

func TestReadOnly(t *testing.T) {
	for _, line := range []string{
		"pwd", "git ls-files | head", "sed -n 1,20p src/a.go", "sed -n '/func main/,/^}/p' a.go", "cd lib && ls -la", "cat a b | grep -n x | sort -u | uniq -c | sort -rn | head -5",
		"git log --oneline -5", "git -C sub diff HEAD~1 -- a", "git --no-pager show HEAD:a", "git branch", "git branch -a", "git branch --contains HEAD", "git stash list", "git remote -v", "git config --get user.name",
		"find . -name '*.go' -not -path './x/*' | xargs wc -l", "find . -type f -exec grep -l x {} +", "rg -n 'TODO' src", "for f in *.go; do head -3 \"$f\"; done", "wc -l $(git ls-files '*.go')",
		"awk '{print $1}' a", "awk -F: '$3 > 5 {print $1}' a", "jq '.spec.state' .idumb/tasks/a.json", "ls -la 2>/dev/null || echo none", "if [ -f a ]; then cat a; fi", "X=1; echo $X",
		"bash -lc 'git status --short'", "timeout 5 cat a", "go list ./...", "node --version", "which go && go version", "test -d src && tree src -L 2", "diff a b; true", "sed -e 's/a/b/g' -e 2p a", "tar -tf a.tar", "command -v jq",
	} {
		assert.True(t, readOnlyLine(line), "%s", line)
	}
	for _, line := range []string{
		"go test ./...", "npm run build", "./ls", "make", "git commit -m x", "git branch new", "git branch -D old", "git checkout a", "git -c core.pager=evil log", "git log --output=a", "git stash", "git config user.name x", "git remote add x y", "git tag v1", "git grep -O x",
		"sed -i s/a/b/ a", "sed -n 'w out' a", "sed -n wout a", "sed 's/a/b/w out' a", "sed 's/a/b/e' a", "sed -f s a", "sed \"$(cat s)\" a", "awk '{print > \"o\"}' a", "awk 'BEGIN{system(\"x\")}'", "awk '{print | \"sh\"}' a", "awk -f s a", "awk -i inplace '{print}' a",
		"find . -delete", "find . -fprint a", "find . -exec rm {} +", "find . $x", "rg --pre evil x", "cat a > b", "echo x | tee a", "sort -o a b", "uniq a b", "cat a | sh", "curl example.org", "xargs rm < a", "env FOO=1 make", "bash script.sh", "python3 x.py", "kubectl delete pod x", "date -s now",
		"cat() { rm -rf src; }; cat a", "eval \"$x\"", "docker run x", "gh pr create", "yq -i . a", "git ls-remote --upload-pack=x y", "tar xf a.tar", "PATH=. ls | ./x",
	} {
		assert.False(t, readOnlyLine(line), "%s", line)
	}
}

// TestCodeThatOnlyReads: code in a word or on stdin is proved to read by what it loads, calls and
// holds; what might write, run others or make code is not.
func TestCodeThatOnlyReads(t *testing.T) {
	for _, line := range []string{
		`python3 -c "import json; print(json.load(open('package.json'))['version'])"`, `python3 -c "print(1+1)"`, `python -c "import os; print(os.listdir('.'), os.path.exists('a'))"`,
		`python3 -c "from pathlib import Path; print(sum(len(p.read_text().splitlines()) for p in Path('src').rglob('*.py')))"`, `python3 -c "import ast; ast.parse(open('a.py', encoding='utf-8').read())"`,
		`python3 -c "import re,sys; sys.stdout.write(re.sub('a','b',open('a.md','r').read()))"`, `python3 -c "print('a-b'.replace('-', '_'))"`, "python3 - <<'E'\nimport json\nfor l in open('log'):\n    print(json.loads(l)['m'])\nE", "cat a.json | python3 -c 'import json,sys; print(len(json.load(sys.stdin)))'", "git show HEAD:a.json | python3 -c 'import sys, json; d = json.load(sys.stdin); print(sorted(d))'",
		`node -p "require('./package.json').version"`, `node -e "const fs=require('fs'); console.log(fs.readFileSync('a','utf8').length)"`, `node -e "console.log(require('node:path').resolve('a'))"`, `node --input-type=module -e "import fs from 'fs'; console.log(fs.readdirSync('.'))"`, `node -e "process.stdout.write(process.version)"`,
	} {
		assert.True(t, readOnlyLine(line), "%s", line)
	}
	for _, line := range []string{
		`python3 -c "open('a','w').write('x')"`, `python3 -c "open('a', mode='a')"`, `python3 -c "o=open; o('a','w')"`, `python3 -c "print(f\"{open('a','w')}\")"`, `python3 -c "import os; os.remove('a')"`, `python3 -c "import os; list(map(os.remove, ['a']))"`, `python3 -c "from os import system as s; s('x')"`, `python3 -c "import subprocess; subprocess.run(['ls'])"`,
		`python3 -c "import mine"`, `python3 -c "d=dict(file='a',mode='w'); open(**d)"`, `python3 -c "__import__('os').system('x')"`, `python3 -c "from pathlib import Path; Path('a').write_text('x')"`, `python3 -c "from pathlib import Path; Path('a').replace('b')"`, `python3 -c "from pathlib import Path; Path('a').open('w')"`, `python3 -c "import json; getattr(json,'x')"`, `python3 -c "import glob; glob.os.unlink('a')"`, `python3 -c "import sys; sys.modules['os']"`, `python3 -i -c "print(1)"`, `python3 -c "$X"`, "curl -s x | python3", "python3 a.py", "python3 -m json.tool a b", `python3 -c "exec('x')"`,
		`node -e "require('fs').writeFileSync('a','x')"`, `node -e "require('./src/a')"`, `node -e "const r=require; r('child_process')"`, `node -e "require('child_' + 'process')"`, `node -e "require('fs')['rm'+'Sync']('a')"`, `node -r ./x -e "1"`, `node -e "import('x')"`, `node -e "process.binding('fs')"`, `node -e "fetch('http://x')"`, `node -p "eval('1')"`, `node --input-type=module -e "import a from './a.js'"`,
	} {
		assert.False(t, readOnlyLine(line), "%s", line)
	}
}
