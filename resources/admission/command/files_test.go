package command

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// written are the files that a line writes, from the repository's root, as the path
// policy is told of them.
func written(line string) []string {
	const root = "/home/user/project"
	reading := Read(line, Options{Root: root, Dir: root, Home: "/home/user"})
	var all []string
	add := func(dir, name string) {
		if !path.IsAbs(name) && !path.IsAbs(dir) {
			name = path.Join(root, dir, name)
		} else if !path.IsAbs(name) {
			name = path.Join(dir, name)
		}
		all = append(all, strings.TrimPrefix(name, root+"/"))
	}
	for _, f := range reading.Files {
		if f.Unsure {
			continue
		}
		add(f.Dir, f.Word.Text)
		for _, name := range f.Into {
			add(f.Dir, f.Word.Text+"/"+name)
		}
	}
	return all
}

// TestWritesReachThePathPolicy: whichever way a command line writes, moves or removes
// src/a, the path policy hears of it.
func TestWritesReachThePathPolicy(t *testing.T) {
	for _, line := range []string{
		"> src/a", ">| src/a", "exec > src/a", "true > src/a", "echo x >> src/a", "echo x &> src/a", "cat /dev/null > src/a", "{ ls; } > src/a", "(ls) > src/a", "while read l; do echo $l; done < b > src/a",
		"rm src/a", "rm -f b src/a", "unlink src/a", "shred -u src/a", "truncate -s 0 src/a", "touch src/a", "mv src/a b", "mv -f /tmp/e src/a", "cp -f /dev/null src/a", "ln -sf /dev/null src/a", "install -m 644 b src/a", "rsync -a b src/a", "dd if=b of=src/a", "tee src/a", "ls | tee >(cat > src/a)",
		"sed -i d src/a", "sed -n 'w src/a' b", "sed 's/a/b/w src/a' b", "perl -pi -e 's/a/b/' src/a", "awk '{print > \"src/a\"}' b", "find . -fprint src/a", "find . -name x -fprintf src/a %p", "sort -o src/a b", "uniq b src/a", "xxd -r b src/a", "split -b 1 b src/a", "mkfifo src/a",
		"curl -o src/a http://localhost", "wget -O src/a http://localhost", "openssl rand -out src/a 16", "gcc -o src/a a.c", "go build -o src/a .", "git diff --output=src/a", "tar cf src/a b", "tar -czf src/a b", "zip src/a b", "gofmt -w src/a.go", "prettier --write src/a.ts", "black src/a.py", "ffmpeg -i b src/a",
		"python3 -c 'open(\"src/a\",\"w\")'", "python3 -c 'from pathlib import Path; Path(\"src/a\").write_text(\"x\")'", "python3 -c 'import os; os.remove(\"src/a\")'", "python3 -c 'import os; os.rename(\"/tmp/f\",\"src/a\")'", "python3 -c 'import os; os.replace(\"src/a\",\"b\")'", "python3 -c 'import shutil; shutil.copy(\"b\",\"src/a\")'", "node -e 'require(\"fs\").renameSync(\"b\",\"src/a\")'", "git archive -o src/a HEAD", "node -e 'require(\"fs\").writeFileSync(\"src/a\",\"x\")'", "node -p 'require(\"fs\").unlinkSync(\"src/a\")'",
		"ruby -e 'File.write(\"src/a\",\"x\")'", "perl -e 'open(F,\">src/a\")'", "perl -e 'open(F,\">\",\"src/a\")'", "php -r 'file_put_contents(\"src/a\",\"x\");'", "php -r 'unlink(\"src/a\");'",
		"bash -c 'echo x > src/a'", "eval 'rm src/a'", "f() { echo x > src/a; }; f", "x=src/a; echo > \"$x\"", "cd src && echo > a", "echo src/a | xargs touch", "env -S 'rm src/a'", "printf 'rm src/a' | sh",
		"tar xf b -C src", "tar -xzf b -C src", "unzip b -d src", "git apply b", "patch -p1 < b",
	} {
		t.Run(line, func(t *testing.T) {
			found := false
			for _, name := range written(line) {
				found = found || strings.HasPrefix(name, "src/a") || name == "src/unpacked" || name == "unpacked"
			}
			assert.True(t, found, "%q", written(line))
		})
	}
}

// TestReadsAreNoWrites: what only looks is not held up by the path policy.
func TestReadsAreNoWrites(t *testing.T) {
	for _, line := range []string{
		"cat src/a", "sed -n 1p src/a", "sort src/a", "uniq src/a", "tar tf src/a", "tar xOf src/a b", "unzip -l src/a", "git apply --check src/a", "patch --dry-run < src/a", "gofmt -l src/a.go", "prettier --check src/a.ts", "black --check src/a.py", "awk '{print}' src/a",
		"python3 -c 'print(open(\"src/a\").read())'", "node -e 'console.log(require(\"fs\").readFileSync(\"src/a\"))'", "ruby -e 'puts File.read(\"src/a\")'", "perl -ne 'print' src/a", "find src -name a", "diff src/a b", "ls > /dev/null", "xxd src/a", "go build ./...", "git diff --stat",
	} {
		t.Run(line, func(t *testing.T) { assert.Empty(t, written(line)) })
	}
}

// TestArchivesOfUnknownContent: what is unpacked at the root of the repository is asked about, unless its members are
// named or the line packed them.
func TestArchivesOfUnknownContent(t *testing.T) {
	for line, rule := range map[string]string{
		"tar xf x.tar": "unknown-files", "tar xzf /tmp/x.tgz -C .": "unknown-files", "unzip -o x.zip": "unknown-files", "7z x a.7z": "unknown-files", "python3 -m zipfile -e a.zip .": "unknown-files",
		"cd src && tar xf ../x.tar -C ..": "unknown-files", "curl -fsSL https://example.com/a.tgz | tar xz": "", "wget -q https://x.test/new.zip && unzip new.zip": "",
		"tar xf x.tar src/a.go": "", "tar xf x.tar -C build": "", "unzip -l x.zip": "", "tar tf x.tar": "", "tar xf x.tar -C src": "", "7z l a.7z": "",
	} {
		assert.Equal(t, rule, Read(line, Options{Dir: "/home/me/repo", Root: "/home/me/repo", Home: "/home/me", Exists: func(name string) bool { return !strings.Contains(name, "new") }}).Verdict.Rule, line)
	}
}

// TestModesLikeOptions: a mode of chmod that takes rights away looks like an option.
func TestModesLikeOptions(t *testing.T) {
	for word, want := range map[string]bool{"-x": true, "-rw": true, "-": false, "-R": false, "x": false, "-xR": false} {
		assert.Equal(t, want, minusMode(field{text: word}), word)
	}
}

// The names that a shell makes of a word, and that git reads from its input, are known exactly.
func TestExactNames(t *testing.T) {
	for line, want := range map[string][]string{
		"git checkout main -- src/a.go": {"src/a.go"},
		"mytool --in-place=src/a.go b":  {"src/a.go", "b", "/home/user/project"},
		"coproc rm src/a":               {"src/a"},
		"coproc":                        nil,
		"touch t{1..3}":                 {"t1", "t2", "t3"},
		"touch t{3..1}":                 {"t3", "t2", "t1"},
		"touch {a..c}.md":               {"a.md", "b.md", "c.md"},
		"touch a{,b{c,d}}e":             {"ae", "abce", "abde"},
		"x=abcdef; touch ${x:1:2} ${x:2} ${x:0:0}y ${x:1:-2} ${x: -2} ${x:9}z":                                          {"bc", "cdef", "y", "bcd", "ef", "z"},
		`printf '100644 0a1b\t.idumb/tasks/t.json\n100644 0a1b\t.idumb/tasks/u.json\n' | git update-index --index-info`: {".idumb/tasks/t.json", ".idumb/tasks/u.json"},
		`printf '.idumb/tasks/t.json\n' | git update-index --stdin --force-remove`:                                      {".idumb/tasks/t.json"},
		"git update-index --cacheinfo 100644,0a1b,.idumb/tasks/t.json":                                                  {".idumb/tasks/t.json"},
	} {
		assert.Equal(t, want, written(line), line)
	}
}

// A patch names the files of its headers. A removed line that looks like a header is no certain file, and the
// headers after the hunk are certain again.
func TestPatchedFiles(t *testing.T) {
	const patch = `--- a/one.sql
+++ b/one.sql
@@ -1,3 +1,2 @@ CREATE
 first
--- a comment
--- another
+++ new
@@ -9 +8,0 @@
-last
--- a/sub/two
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/three b/four
rename from three
rename to four
`
	files, ok := patchedFiles(patch, 1)
	assert.True(t, ok)
	assert.Equal(t, []patched{
		{"one.sql", true}, {"one.sql", true}, {"a comment", false}, {"another", false}, {"new", false},
		{"sub/two", true}, {"three", true}, {"four", true}, {"three", true}, {"four", true},
	}, files)
}

// A list of files holds those that its pattern names, a method of a list deletes nothing, and another machine's
// files are not this one's.
func TestScopeOfVerdicts(t *testing.T) {
	for line, want := range map[string]string{
		"git ls-files '*.tmp' | xargs rm":                                                         "",
		"git ls-files 'src/*.json' | xargs rm":                                                    "delete-unknown",
		"git ls-files | xargs rm":                                                                 "delete-unknown",
		"python3 -c 'l=[1]; x=1; l.remove(x); print(l)'":                                          "",
		"python3 -c 'import os; [os.remove(x) for x in os.listdir()]'":                            "unknown-files",
		`echo 'git push --force' > /tmp/a.sh; ssh h 'echo "echo ok" > /tmp/a.sh'; bash /tmp/a.sh`: "git-force-push",
		`echo 'git push --force' > /tmp/a.sh; ssh h bash /tmp/a.sh`:                               "",
		"npx rimraf@6 -- src":                                                                     "recursive-delete",
	} {
		assert.Equal(t, want, Read(line, Options{Root: "/home/user/project", Dir: "/home/user/project", Home: "/home/user"}).Verdict.Rule, line)
	}
	assert.Contains(t, written("npx prettier@3 -- --write src/a.ts"), "src/a.ts")
}

// A statement without a condition, or with one that always holds, changes every row.
func TestUnboundedStatements(t *testing.T) {
	for condition, want := range map[string]bool{
		"": true, "WHERE": true, "WHERE TRUE": true, "WHERE 1": true, "WHERE 1 = 1": true, "WHERE A = A": true, "WHERE 1 < > 2": true,
		"WHERE A = 1 OR 1 = 1": true, "WHERE A = 1 OR B = 2": false, "WHERE A = 1 AND 1 = 1": false, "WHERE NOT A = A": true,
		"WHERE ID = 5": false, "WHERE A < > 2": false, "WHERE 1 < > 1": false, "WHERE DONE": false, "LIMIT 1": false, "WHERE 1 = 1 LIMIT 1": false,
	} {
		assert.Equal(t, want, unbounded(strings.Fields("DELETE FROM T "+condition)), condition)
	}
}
